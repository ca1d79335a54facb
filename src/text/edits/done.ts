import { joinChanges } from '../document.ts';
import { targetOf } from '../rows.ts';
import type { Checklist, Row, TextChange } from '../types.ts';
import { deleteRow, moveRows } from './rows.ts';

/*
 * Edits of all that is complete. A run is what stands between two headers: the items right below one, those of its
 * subsections apart.
 */

const isDone = (row: Row | undefined) => row?.kind === 'checkbox' && row.status.checked;

/** Indices of the rows that are complete, run by run, and where each run ends. Runs without any are left out. */
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

/** Moves what is complete behind what is open, between each two headers; the order is else kept. Details go along. */
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

/** Deletes what is complete, with its details. Headers and blank lines stay. */
export function clearDone(checklist: Checklist): TextChange[] {
  return doneByRun(checklist).flatMap(({ done }) =>
    done.flatMap(index => deleteRow(checklist, targetOf(checklist, index))),
  );
}
