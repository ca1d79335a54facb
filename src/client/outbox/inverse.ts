import type { ChecklistEdit, RowEdit } from '../../domain/change.ts';
import { merge } from '../../text/merge.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, targetOf } from '../../text/rows.ts';
import type { Checklist, Row } from '../../text/types.ts';

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

const makes = (checklist: Checklist, edits: readonly ChecklistEdit[], text: string): boolean => {
  try {
    const made = edits.reduce((now, edit) => readChecklist(performEdit(now, edit), now.statuses, now), checklist);
    return made.text === text;
  } catch {
    return false;
  }
};

/** What the text is to be, as far as it is another one. */
function wantedText(before: string, after: string, current: Checklist): Checklist | undefined {
  const { text } = merge(after, before, current.text, current.statuses);
  return text === current.text ? undefined : readChecklist(text, current.statuses, current);
}

/** Rows that stood at several places, put back where they stood, place by place from the top. */
function restoredParts(current: Checklist, wanted: Checklist): ChecklistEdit[] {
  const there = new Set(current.rows);
  const isMissing = (row: Row | undefined) => row !== undefined && !there.has(row);
  const parts: ChecklistEdit[] = [];
  for (let index = 0; index < wanted.rows.length; index++) {
    const start = index;
    while (isMissing(wanted.rows[index])) index++;
    if (index > start) parts.push(restored(wanted, start, index - start));
  }
  return parts;
}

/**
 * The edit that takes back what made `after` of `before`, in a text that has gone on since; what others did to the same
 * rows stays. `undefined` where nothing of it is left.
 */
export function inverseEdit(before: string, after: string, current: Checklist): ChecklistEdit | undefined {
  const wanted = wantedText(before, after, current);
  if (!wanted) return undefined;
  for (const edit of candidates(current, wanted)) if (makes(current, [edit], wanted.text)) return edit;
  return { kind: 'updateChecklistFromText', text: wanted.text };
}

/**
 * The same as edits that are made one after the other, each of which somebody may make; none where that cannot be, or
 * where nothing of it is left.
 */
export function inverseParts(
  before: string,
  after: string,
  current: Checklist,
  may: (edit: ChecklistEdit) => boolean,
): readonly ChecklistEdit[] {
  const wanted = wantedText(before, after, current);
  const parts = wanted ? restoredParts(current, wanted) : [];
  return wanted && parts.every(may) && makes(current, parts, wanted.text) ? parts : [];
}
