import type { ChecklistEdit, RowEdit } from '../../domain/edits.ts';
import { merge } from '../../text/merge.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, targetOf } from '../../text/rows.ts';
import type { Checklist } from '../../text/types.ts';

/** Smaller edits that may make one text of another; who may not write the whole text may still make one of these. */
function* candidates(current: Checklist, wanted: Checklist): Generator<ChecklistEdit> {
  if (wanted.rows.length === 0) yield { kind: 'clearChecklist' };
  const index = current.rows.findIndex((row, i) => row !== wanted.rows[i]);
  const more = wanted.rows.length - current.rows.length;
  if (more > 0) yield restored(wanted, index < 0 ? current.rows.length : index, more);
  if (index < 0) return;
  const target = targetOf(current, index);
  const row = wanted.rows[index];
  if (row?.kind === 'checkbox') yield { kind: 'setItemStatus', target, status: row.status.slug };
  yield { kind: 'deleteChecklistItem', target };
  const edits = current.rows.length === wanted.rows.length ? restated(current, wanted) : taken(current, wanted);
  if (edits.length > 1) yield { kind: 'changeChecklistItems', edits };
}

/** Rows that stood together, put back where they stood. */
const restored = (wanted: Checklist, index: number, count: number): ChecklistEdit => {
  const { from } = rangeOf(wanted, index);
  const { to } = rangeOf(wanted, index + count - 1);
  return { kind: 'addChecklistItemsFromText', text: wanted.text.slice(from, to), index };
};

/** The statuses of items that have others now. */
const restated = (current: Checklist, wanted: Checklist): RowEdit[] =>
  current.rows.flatMap((row, index) => {
    const other = wanted.rows[index];
    if (row === other || other?.kind !== 'checkbox') return [];
    return { kind: 'setItemStatus', target: targetOf(current, index), status: other.status.slug };
  });

/** The deletions of rows that are there no more. */
function taken(current: Checklist, wanted: Checklist): RowEdit[] {
  const left = new Set(wanted.rows);
  return current.rows.flatMap((row, index) =>
    left.has(row) ? [] : { kind: 'deleteChecklistItem', target: targetOf(current, index) },
  );
}

const makes = (checklist: Checklist, edit: ChecklistEdit, text: string): boolean => {
  try {
    return performEdit(checklist, edit) === text;
  } catch {
    return false;
  }
};

/**
 * The edit that takes back what made `after` of `before`, in a text that has gone on since; what others did to the same
 * rows stays. `undefined` where nothing of it is left.
 */
export function inverseEdit(before: string, after: string, current: Checklist): ChecklistEdit | undefined {
  const { text } = merge(after, before, current.text, current.statuses);
  if (text === current.text) return undefined;
  const wanted = readChecklist(text, current.statuses, current);
  for (const edit of candidates(current, wanted)) if (makes(current, edit, text)) return edit;
  return { kind: 'updateChecklistFromText', text };
}
