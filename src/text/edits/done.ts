import { targetOf } from '../rows.ts';
import type { Checklist, Row, TextChange } from '../types.ts';
import { joinChanges } from './join-changes.ts';
import { deleteRow, moveRows } from './rows.ts';

/* Edits of complete items. A run is the rows between two headers, without those of subsections. */

const isDone = (row: Row | undefined) => row?.kind === 'checkbox' && row.status.checked;

/** Indices of the rows that are complete, run by run, and the end of each run. Runs without a complete row are left out. */
function doneByRun({ rows }: Checklist): { done: number[]; end: number }[] {
  const runs: { done: number[]; end: number }[] = [];
  let done: number[] = [];
  for (let index = 0; index <= rows.length; index++) {
    const row = rows[index];
    if (isDone(row)) done.push(index);
    if (done.length > 0 && row?.kind !== 'checkbox') {
      runs.push({ done, end: index });
      done = [];
    }
  }
  return runs;
}

/** Moves complete rows behind open ones within each run; otherwise keeps the order. Details move with their row. */
export function sortDone(checklist: Checklist): TextChange[] {
  const moves = doneByRun(checklist).map(({ done, end }) =>
    moveRows(
      checklist,
      done.map(index => targetOf(checklist, index)),
      end,
    ),
  );
  return joinChanges(...moves);
}

/** Deletes the complete items with their details. Headers and blank lines stay. */
export function clearDone(checklist: Checklist): TextChange[] {
  return doneByRun(checklist).flatMap(({ done }) =>
    done.flatMap(index => deleteRow(checklist, targetOf(checklist, index))),
  );
}
