import type { ChecklistChange } from '../domain/change.ts';
import type { Base } from './reading.ts';

/** Told among our frames on one page: `{ issueId }`. */
export const CHANGED = 'checklist-changed';

/** Where two people gave one attribute of a row different values; `mine` stands. */
export interface Conflict {
  row: string;
  attribute: string;
  mine: string;
  theirs: string;
}

/** What a change led to. The base is the merged text. */
export interface Outcome {
  base: Base;
  conflicts: readonly Conflict[];
  notices: readonly string[];
}

/** A change that shows already. The outcome rejects when it is refused, and waits as long as it must for the server. */
export interface Change {
  id: string;
  outcome: Promise<Outcome>;
}

/**
 * How far the changes of an issue are: all stored; on their way; not stored yet, because the server or the tracker is
 * away, which is tried again by itself; or refused, with something typed that somebody has to decide about.
 */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'failed';

/** A change that was not stored and will not be sent unless somebody says so. */
export interface Offer {
  id: string;
  /** When it was made, milliseconds since the epoch. */
  at: number;
  change: ChecklistChange;
  /** What it was made on. */
  base: Base;
  /** Why it is not stored. */
  message: string;
}
