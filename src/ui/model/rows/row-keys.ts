import { useState } from 'react';
import type { Row } from '../../../text/types.ts';

/** Rows with keys that are stable across snapshots, in which a changed row is a new object. */
export interface Keyed {
  rows: readonly Row[];
  keys: readonly number[];
  next: number;
}

export const unkeyedRows: Keyed = { rows: [], keys: [], next: 0 };

/**
 * Matches the rows of a snapshot with those of the previous one and passes their keys on: first identical objects, then
 * rows with equal text, then rows by order where a gap between two matches, or all that is left, has as many rows on both
 * sides. The others get new keys.
 */
export function keyRows(before: Keyed, rows: readonly Row[]): Keyed {
  if (before.rows === rows) return before;
  const { rows: old } = before;
  // A change usually touches one or two rows, so the common prefix and suffix come first.
  let start = 0;
  while (start < rows.length && start < old.length && rows[start] === old[start]) start++;
  let end = 0;
  while (end < rows.length - start && end < old.length - start && rows.at(-1 - end) === old.at(-1 - end)) end++;
  const keys: (number | undefined)[] = rows.map((_, index) => {
    if (index < start) return before.keys[index];
    return index < rows.length - end ? undefined : before.keys[index - rows.length + old.length];
  });

  const unusedKeys = new Map<Row, number>();
  old.slice(start, old.length - end).forEach((row, index) => {
    const key = before.keys[start + index];
    if (key !== undefined) unusedKeys.set(row, key);
  });
  const take = (index: number, row: Row) => {
    keys[index] = unusedKeys.get(row);
    unusedKeys.delete(row);
  };
  const forEachUnkeyed = (use: (row: Row, index: number) => void) =>
    rows.forEach((row, index) => {
      if (keys[index] === undefined) use(row, index);
    });

  forEachUnkeyed((row, index) => {
    if (unusedKeys.has(row)) take(index, row);
  });
  forEachUnkeyed((row, index) => {
    const same = [...unusedKeys.keys()].find(({ kind, text }) => kind === row.kind && text === row.text);
    if (same) take(index, same);
  });
  // Gaps between two matched rows with as many unmatched rows on both sides.
  const places = new Map(before.keys.map((key, index) => [key, index]));
  for (let from = 0; from < rows.length; from++) {
    if (keys[from] !== undefined) continue;
    let to = from;
    while (to < rows.length && keys[to] === undefined) to++;
    const above = from === 0 ? -1 : places.get(keys[from - 1] ?? -1);
    const below = to === rows.length ? old.length : places.get(keys[to] ?? -1);
    const gap =
      above === undefined || below === undefined ? [] : old.slice(above + 1, below).filter(row => unusedKeys.has(row));
    if (gap.length === to - from) {
      for (const [at, row] of gap.entries()) take(from + at, row);
    }
    from = to;
  }
  const unmatched = keys.flatMap((key, index) => (key === undefined ? [index] : []));
  const unmatchedRows = [...unusedKeys.keys()];
  if (unmatched.length === unmatchedRows.length) {
    unmatched.forEach((index, place) => {
      const row = unmatchedRows[place];
      if (row) take(index, row);
    });
  }

  let next = before.next;
  return { rows, keys: keys.map(key => key ?? next++), next };
}

/** Stable keys of rows, by index. */
export function useRowKeys(rows: readonly Row[]): readonly number[] {
  const [state, setState] = useState(() => keyRows(unkeyedRows, rows));
  if (state.rows === rows) return state.keys;
  // Derived state, set during rendering and so before the paint.
  const next = keyRows(state, rows);
  setState(next);
  return next.keys;
}

/** Selected rows by their stable keys. */
export interface Selection {
  keys: ReadonlySet<number>;
  /** The key from which Shift extends. */
  anchor: number | undefined;
}

export const noSelection: Selection = { keys: new Set(), anchor: undefined };

export function toggleSelection({ keys }: Selection, key: number): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** The visible rows from the anchor to `key`; from `from`, else only `key`, if the anchor is not visible. */
export function extendSelection(
  { anchor }: Selection,
  key: number,
  shown: readonly number[],
  from: number | undefined = undefined,
): Selection {
  const fixed = [anchor, from].find(each => each !== undefined && shown.includes(each)) ?? key;
  const [first = 0, last = 0] = [shown.indexOf(fixed), shown.indexOf(key)].sort((a, b) => a - b);
  return { keys: new Set(shown.slice(first, last + 1)), anchor: fixed };
}
