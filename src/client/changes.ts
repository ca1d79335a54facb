import type { ChecklistChange } from '../domain/change.ts';
import type { Conflict } from '../text/merge.ts';
import type { Base } from './reading.ts';

/** Event among our frames on one page, with the stored revision. */
export const CHANGED_EVENT = 'checklist-changed';

/** The result of a change. The base is the merged text. */
export interface Outcome {
  base: Base;
  conflicts: readonly Conflict<string>[];
  notices: readonly string[];
}

/** A change that already shows. The outcome rejects when the change is refused; it has no timeout. */
export interface Change {
  id: string;
  outcome: Promise<Outcome>;
}

/**
 * State of an issue's changes: all stored; being sent; not stored yet and retried automatically, because the server or
 * the tracker is unreachable; or refused with typed text, which the user sends again or discards.
 */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'failed';

/** A refused change that is sent again only on the user's request. */
export interface RejectedChange {
  id: string;
  /** Creation time, milliseconds since the epoch. */
  at: number;
  change: ChecklistChange;
  base: Base;
  /** The reason why the change is not stored. */
  message: string;
}
