import type { Checklist } from './types.ts';

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
