import { locate, rangeOf } from '../rows.ts';
import type { Checklist, Target, TextChange } from '../types.ts';
import { joinChanges } from './join-changes.ts';
import { insertRows } from './rows.ts';

/** The runs of neighbouring rows in text order: the first row of each, and the index after its last row. */
export function runsOf(indices: readonly number[]): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = [];
  for (const index of [...new Set(indices)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === index) last.end++;
    else runs.push({ first: index, end: index + 1 });
  }
  return runs;
}

/**
 * Writes rows with their details once more, each run of neighbours below itself. An item that starts with `>` gets a mark
 * in its copy, which would else become a detail.
 */
export function duplicateRows(checklist: Checklist, targets: readonly Target[]): TextChange[] {
  const runs = runsOf(targets.map(target => locate(checklist, target)));
  return joinChanges(
    ...runs.map(({ first, end }) => {
      const source = checklist.text.slice(rangeOf(checklist, first).from, rangeOf(checklist, end - 1).to);
      return insertRows(checklist, end, source);
    }),
  );
}
