import type { ChecklistStore } from '../../client/checklist.ts';
import { createStore, type Store } from '../../client/store.ts';
import type { Step } from './use-actions.ts';

/** What can be taken back in this panel, and done again. The state is the step that was made or taken back last. */
export interface History extends Store<{ step: Step; undone: boolean } | undefined> {
  /** Takes the last step back. Answers whether there was one of which something is left. */
  undo(): boolean;
  redo(): boolean;
  /** Hears of what is done. Returns the function that stops it. */
  start(): () => void;
}

/** As many as the outbox remembers how to take back. */
const MEMORY = 100;

/** `made` is everything that was done in this panel, which only grows. */
export function createHistory(store: Pick<ChecklistStore, 'undo'>, made: Store<readonly Step[]>): History {
  /** How much of it is known here. */
  let known = 0;
  const told = createStore<{ step: Step; undone: boolean } | undefined>(undefined);
  let done: Step[] = [];
  let undone: Step[] = [];

  /** What is refused has never been. */
  const watch = (step: Step) => {
    const refused = () => {
      done = done.filter(other => other !== step);
      undone = undone.filter(other => other !== step);
      if (told.get()?.step === step) told.set(undefined);
    };
    step.change.outcome.catch(refused);
  };
  /** Takes the newest step of `from` back by others; the way back from there goes to `to`. */
  const back = (from: Step[], to: Step[]): Step | undefined => {
    for (let step = from.pop(); step; step = from.pop()) {
      const change = store.undo(step.change.id);
      if (!change) continue;
      const inverse = { label: step.label, change };
      to.push(inverse);
      watch(inverse);
      return inverse;
    }
    return undefined;
  };
  const turn = (from: Step[], to: Step[], isUndo: boolean): boolean => {
    const step = back(from, to);
    told.set(step && { step, undone: isUndo });
    return step !== undefined;
  };

  const take = () => {
    const steps = made.get().slice(known);
    known += steps.length;
    for (const step of steps) {
      done = [...done, step].slice(-MEMORY);
      undone = [];
      told.set({ step, undone: false });
      watch(step);
    }
  };

  return {
    get: told.get,
    subscribe: told.subscribe,
    undo: () => turn(done, undone, true),
    redo: () => turn(undone, done, false),
    start: () => {
      take();
      return made.subscribe(take);
    },
  };
}
