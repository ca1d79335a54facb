import { randomBytes } from 'node:crypto';
import { align } from '../../text/align.ts';
import { sourceOf } from '../../text/rows.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { readText } from './reading.ts';

const newId = (): string => randomBytes(6).toString('base64url');

/** A text, and the lasting ids of its rows. */
export interface Text {
  text: string;
  rows: readonly string[];
}

const aligned = (before: Text, after: string, statuses: StatusRegistry, id: () => string): string[] =>
  align(readText(before.text, statuses), before.rows, readText(after, statuses, before.text), id);

/** The rows' ids after a change: each row's own, however it was moved or reworded, and new ones for new rows. */
export const carryRows = (before: Text, after: string, statuses: StatusRegistry): string[] =>
  aligned(before, after, statuses, newId);

/**
 * The rows' ids after a merge: those that stood there, and for a row that somebody deleted and that came back, since it
 * was changed meanwhile, the id that it had.
 */
export function carryMerged(theirs: Text, mine: Text, merged: string, statuses: StatusRegistry): string[] {
  const none = () => '';
  const [there, here] = [aligned(theirs, merged, statuses, none), aligned(mine, merged, statuses, none)];
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

/** A text with those of another's rows added, at the end, that bear one of these ids and are not in it. */
export function withRows(to: Text, from: Text, ids: readonly string[], statuses: StatusRegistry): Text {
  const wanted = new Set(ids);
  for (const id of to.rows) wanted.delete(id);
  const checklist = readText(from.text, statuses);
  const missing = checklist.rows.flatMap((_, index) => {
    const id = from.rows[index];
    const source = sourceOf(checklist, index);
    // One without a mark would become a detail of the row above.
    return id !== undefined && wanted.has(id) && !/^\s*>/.test(source) ? { id, source } : [];
  });
  if (missing.length === 0) return to;
  const lines = [to.text, ...missing.map(({ source }) => source)].filter(Boolean);
  return {
    text: lines.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join(''),
    rows: [...to.rows, ...missing.map(({ id }) => id)],
  };
}
