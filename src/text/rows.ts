import { ChangedMeanwhile } from './errors.ts';
import type { Checklist, Row, Target } from './types.ts';

/** The row at an index of this reading. */
export function rowAt(checklist: Checklist, index: number): Row {
  const row = checklist.rows[index];
  if (!row) throw new ChangedMeanwhile();
  return row;
}

/** The index of the last row that begins at or before a position; -1 when there is none. */
export function lastRowBefore({ starts }: Checklist, position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The range of a row in the text, with its details and the last line's break. */
export function rangeOf(checklist: Checklist, index: number): { from: number; to: number } {
  const from = checklist.starts[index] ?? 0;
  return { from, to: from + rowAt(checklist, index).length };
}

/** The row's own text, details and the last line's break included. */
export function sourceOf(checklist: Checklist, index: number): string {
  const { from, to } = rangeOf(checklist, index);
  return checklist.text.slice(from, to);
}

/** How to name this row to an edit, here or at the server. */
export const targetOf = (checklist: Checklist, index: number): Target => ({
  index,
  text: rowAt(checklist, index).text,
});

/** The target's row: at its index if the text agrees, else the only row of that text. Otherwise it throws `ChangedMeanwhile`. */
export function locate({ rows }: Checklist, { index, text }: Target): number {
  const agrees = (row?: Row) => row?.text === text;
  if (agrees(rows[index])) return index;
  const matchIndex = rows.findIndex(agrees);
  if (matchIndex < 0 || rows.findLastIndex(agrees) !== matchIndex) throw new ChangedMeanwhile();
  return matchIndex;
}
