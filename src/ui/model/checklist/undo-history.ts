import { useEffect, useMemo, useRef } from 'react';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import { createStore, type Store } from '../../../client/store.ts';
import type { ChecklistEdit } from '../../../domain/change.ts';
import { mayMake } from '../../../domain/change.ts';
import { refusals, whole } from '../../../domain/messages.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import type { Actions, Step } from './use-actions.ts';

/** The last step, and what Undo and Redo apply to next. */
export interface Steps {
  /** The step that was made, undone or redone last, and whether the server has stored it. */
  last: { step: Step; undone: boolean; isStored: boolean } | undefined;
  /** `undefined` if there is none, or the user lacks a permission that its inverse needs. */
  undo: Step | undefined;
  redo: Step | undefined;
  /** Why the last step, Undo or Redo was refused, until the next one, unless the step's input says so. */
  failure: string | undefined;
}

/** Undo and redo of a panel's steps. */
export interface History extends Store<Steps> {
  /** Undoes the last step. Returns whether a step with a remaining effect existed. */
  undo(): boolean;
  redo(): boolean;
  /** Subscribes to new steps. Returns the function that unsubscribes. */
  start(): () => void;
}

export interface UndoPermissions {
  /** Whether the user has every permission: inverses then need no check. */
  all(): boolean;
  /** Whether the user has the permission for an edit. */
  may(edit: ChecklistEdit): boolean;
}

/** The number of changes whose inverses the outbox keeps. */
const CAPACITY = 100;

/** `made` is the append-only list of the panel's steps. */
export function createHistory(
  store: Pick<ChecklistStore, 'inverse' | 'change'>,
  made: Store<readonly Step[]>,
  { all, may }: UndoPermissions,
): History {
  /** The number of steps taken from `made`. */
  let taken = 0;
  const steps = createStore<Steps>({ last: undefined, undo: undefined, redo: undefined, failure: undefined });
  const done: Step[] = [];
  const undone: Step[] = [];

  /** Newest first, the order in which they are undone. */
  const changesOf = ({ change, more = [] }: Step) => [change, ...more].reverse();
  const forbidden = (step: Step): boolean =>
    !all() && changesOf(step).some(({ id }) => store.inverse(id, may).some(({ edit }) => !may(edit)));
  const permitted = (step: Step | undefined) => (step && !forbidden(step) ? step : undefined);
  /** Steps that the server has stored. */
  const stored = new WeakSet<Step>();
  const publish = (last: Pick<NonNullable<Steps['last']>, 'step' | 'undone'> | undefined, failure?: string) =>
    steps.set({
      last: last && { ...last, isStored: stored.has(last.step) },
      ...{ undo: permitted(done.at(-1)), redo: permitted(undone.at(-1)), failure },
    });
  const drop = (from: Step[], step: Step): void => {
    const index = from.indexOf(step);
    if (index >= 0) from.splice(index, 1);
  };
  /** Drops a step when it is rejected; `refused` restores the step that it was to undo. */
  const watch = (step: Step, refused?: () => void): void => {
    let failed = false;
    const fail = (error: unknown) => {
      if (failed) return;
      failed = true;
      drop(done, step);
      drop(undone, step);
      refused?.();
      const { last } = steps.get();
      const failure = step.saysFailure && whole.stepNotSaved(step.label, failureMessage(error));
      publish(last?.step === step ? undefined : last, failure);
    };
    void Promise.all(changesOf(step).map(({ outcome }) => outcome)).then(() => {
      stored.add(step);
      const { last } = steps.get();
      if (last?.step === step) publish(last, steps.get().failure);
    }, fail);
  };
  /** Applies the inverse of the newest step of `from` that has a remaining effect and pushes the inverse to `to`. */
  const invert = (from: Step[], to: Step[], isUndo: boolean): boolean => {
    for (let step = from.at(-1); step; step = from.at(-1)) {
      const inverted = step;
      if (forbidden(inverted)) {
        publish(undefined, refusals.permission);
        return true;
      }
      from.pop();
      // Each inverse applies to the text that the previous one produced.
      const made = changesOf(inverted).flatMap(({ id }) =>
        store.inverse(id, may).map(({ edit, base }) => store.change(edit, base)),
      );
      const [change, ...more] = made;
      if (!change) continue;
      const { label, issueId } = inverted;
      const inverse: Step = { label, issueId, change, more, saysFailure: true };
      to.push(inverse);
      watch(inverse, () => from.push(inverted));
      publish({ step: inverse, undone: isUndo });
      return true;
    }
    publish(undefined);
    return false;
  };

  const take = () => {
    const fresh = made.get().slice(taken);
    taken += fresh.length;
    for (const step of fresh) {
      done.push(step);
      done.splice(0, done.length - CAPACITY);
      undone.length = 0;
      publish({ step, undone: false });
      watch(step);
    }
  };

  return {
    get: steps.get,
    subscribe: steps.subscribe,
    undo: () => invert(done, undone, true),
    redo: () => invert(undone, done, false),
    start: () => {
      take();
      return made.subscribe(take);
    },
  };
}

/** Undo and redo of this component's steps, limited to the user's permissions. */
export function useUndo(store: ChecklistStore, { made }: Actions, flags: PermissionFlags): History {
  /** Current permissions; the history outlives their changes. */
  const permissions = useRef(flags);
  useEffect(() => {
    permissions.current = flags;
  }, [flags]);
  const history = useMemo(
    () =>
      createHistory(store, made, {
        all: () => permissions.current.canEditChecklist,
        may: edit => mayMake(permissions.current, edit),
      }),
    [store, made],
  );
  useEffect(() => history.start(), [history]);
  return history;
}
