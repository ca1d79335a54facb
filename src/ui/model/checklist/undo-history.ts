import { useEffect, useMemo, useRef } from 'react';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { createStore, type Store } from '../../../client/store.ts';
import type { ChecklistEdit } from '../../../domain/change.ts';
import { mayMake } from '../../../domain/change.ts';
import { refusals } from '../../../domain/messages.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import { useNotify } from '../../shell/services/services.ts';
import type { Actions, Step } from './use-actions.ts';

/** The step that was made or taken back last. */
export interface Last {
  step: Step;
  undone: boolean;
  /** The way back from there asks for more than this person may do. */
  forbidden: boolean;
}

/** What can be taken back in this panel, and done again. */
export interface History extends Store<Last | undefined> {
  /** Takes the last step back. Answers whether there was one of which something is left. */
  undo(): boolean;
  redo(): boolean;
  /** Hears of what is done. Returns the function that stops it. */
  start(): () => void;
}

export interface Rights {
  /** Whether this person may take back whatever there is: then nothing need be looked at before it is asked for. */
  all(): boolean;
  /** Whether they may make an edit. */
  may(edit: ChecklistEdit): boolean;
  /** Told when a way back was asked for that they may not go. */
  onForbidden(): void;
}

/** As many as the outbox remembers how to take back. */
const MEMORY = 100;

/** `made` is everything that was done in this panel, which only grows. */
export function createHistory(
  store: Pick<ChecklistStore, 'inverse' | 'change'>,
  made: Store<readonly Step[]>,
  { all, may, onForbidden }: Rights,
): History {
  /** How much of it is known here. */
  let known = 0;
  const told = createStore<Last | undefined>(undefined);
  const done: Step[] = [];
  const undone: Step[] = [];

  /** Newest first: they are taken back in this order. */
  const changesOf = ({ change, more = [] }: Step) => [change, ...more].reverse();
  const forbidden = (step: Step): boolean =>
    !all() && changesOf(step).some(({ id }) => store.inverse(id, may).some(({ edit }) => !may(edit)));
  const drop = (steps: Step[], step: Step): void => {
    const index = steps.indexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };
  /** What is refused has never been; what it was to take back has. */
  const watch = (step: Step, refused?: () => void): void => {
    let known = false;
    const fail = () => {
      if (known) return;
      known = true;
      drop(done, step);
      drop(undone, step);
      if (told.get()?.step === step) told.set(undefined);
      refused?.();
    };
    for (const { outcome } of changesOf(step)) outcome.catch(fail);
  };
  /** Takes the newest step of `from` that has left something back by another; the way back from there goes to `to`. */
  const turn = (from: Step[], to: Step[], isUndo: boolean): boolean => {
    for (let step = from.at(-1); step; step = from.at(-1)) {
      const taken = step;
      if (forbidden(taken)) {
        onForbidden();
        return true;
      }
      from.pop();
      // Each in the text that the one before has led to.
      const made = changesOf(taken).flatMap(({ id }) =>
        store.inverse(id, may).map(({ edit, base }) => store.change(edit, base)),
      );
      const [change, ...more] = made;
      if (!change) continue;
      const inverse = { label: taken.label, change, more };
      to.push(inverse);
      watch(inverse, () => from.push(taken));
      told.set({ step: inverse, undone: isUndo, forbidden: forbidden(inverse) });
      return true;
    }
    told.set(undefined);
    return false;
  };

  const take = () => {
    const steps = made.get().slice(known);
    known += steps.length;
    for (const step of steps) {
      done.push(step);
      done.splice(0, done.length - MEMORY);
      undone.length = 0;
      told.set({ step, undone: false, forbidden: forbidden(step) });
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

/** What was done to a checklist from here and can be taken back, by whoever may. */
export function useUndo(store: ChecklistStore, { made }: Actions, flags: PermissionFlags): History {
  const notify = useNotify();
  /** What somebody may do may become another while the way back stays. */
  const rights = useRef(flags);
  useEffect(() => {
    rights.current = flags;
  }, [flags]);
  const history = useMemo(
    () =>
      createHistory(store, made, {
        all: () => rights.current.canEditChecklist,
        may: edit => mayMake(rights.current, edit),
        onForbidden: () => notify(refusals.permission, 'error'),
      }),
    [store, made, notify],
  );
  useEffect(() => history.start(), [history]);
  return history;
}
