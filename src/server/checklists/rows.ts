import { randomBytes } from 'node:crypto';
import { align } from '../../text/align.ts';
import { readChecklist } from '../../text/read.ts';

const newId = (): string => randomBytes(6).toString('base64url');

/** A text, and the lasting ids of its rows. */
export interface Text {
  text: string;
  rows: readonly string[];
}

const aligned = (before: Text, after: string, id: () => string): string[] =>
  align(readChecklist(before.text), before.rows, readChecklist(after), id);

/** The rows' ids after a change: each row's own, however it was moved or reworded, and new ones for new rows. */
export const carryRows = (before: Text, after: string): string[] => aligned(before, after, newId);

/**
 * The rows' ids after a merge: those that stood there, and for a row that somebody deleted and that came back, since it
 * was changed meanwhile, the id that it had.
 */
export function carryMerged(theirs: Text, mine: Text, merged: string): string[] {
  const none = () => '';
  const [there, here] = [aligned(theirs, merged, none), aligned(mine, merged, none)];
  const taken = new Set(there);
  return there.map((id, index) => {
    if (id !== '') return id;
    const own = here[index] ?? '';
    if (own === '' || taken.has(own)) return newId();
    taken.add(own);
    return own;
  });
}

/** Ids as far as `known` has them: a row that came anew may be one of its rows all the same, and is told by its text. */
export function idsWithin(rows: readonly string[], known: readonly string[]): (string | undefined)[] {
  const ids = new Set(known);
  return rows.map(id => (ids.has(id) ? id : undefined));
}
