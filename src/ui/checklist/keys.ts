import type { Row } from '../../text/types.ts';

/** Rows with keys that outlive their objects: a ticked row is a new object, but the same place on the screen. */
export interface Keyed {
  rows: readonly Row[];
  keys: readonly number[];
  next: number;
}

export const unkeyed: Keyed = { rows: [], keys: [], next: 0 };

/**
 * Hands the keys of one reading on to the next. Rows that are the same objects keep theirs; between them, rows with the
 * same words do, then rows at the same place where as many stand on both sides; the others get new keys.
 */
export function keyed(before: Keyed, rows: readonly Row[]): Keyed {
  if (before.rows === rows) return before;
  const keys: (number | undefined)[] = rows.map(() => undefined);
  const left = new Map<Row, number>();
  before.rows.forEach((row, index) => {
    const key = before.keys[index];
    if (key !== undefined) left.set(row, key);
  });
  const take = (index: number, row: Row) => {
    keys[index] = left.get(row);
    left.delete(row);
  };

  rows.forEach((row, index) => {
    if (left.has(row)) take(index, row);
  });
  rows.forEach((row, index) => {
    if (keys[index] !== undefined) return;
    for (const candidate of left.keys()) {
      if (candidate.kind === row.kind && candidate.text === row.text) return take(index, candidate);
    }
  });
  const open = keys.flatMap((key, index) => (key === undefined ? [index] : []));
  const rest = [...left.keys()];
  if (open.length === rest.length) {
    open.forEach((index, place) => {
      const row = rest[place];
      if (row) take(index, row);
    });
  }

  let next = before.next;
  return { rows, keys: keys.map(key => key ?? next++), next };
}
