import type { ChecklistEdit, RowEdit } from '../../domain/change.ts';
import { carry } from '../../text/identity.ts';
import { mergeRows } from '../../text/merge-rows.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, targetOf } from '../../text/rows.ts';
import type { Checklist } from '../../text/types.ts';
import type { Base } from '../reading.ts';

/** A text, and the lasting ids of its rows if they are known. */
export type Version = Pick<Base, 'text' | 'rows'>;
type RowIds = Version['rows'];

interface Wanted {
  checklist: Checklist;
  rows?: RowIds;
}

/** Edits smaller than the whole text that may turn one text into the other; they also need fewer permissions. */
function* candidates(current: Checklist, { checklist: wanted, rows }: Wanted): Generator<ChecklistEdit> {
  if (wanted.rows.length === 0) yield { kind: 'clearChecklist' };
  const index = current.rows.findIndex((row, i) => row !== wanted.rows[i]);
  const more = wanted.rows.length - current.rows.length;
  if (more > 0) yield restored({ checklist: wanted, rows }, index < 0 ? current.rows.length : index, more);
  if (index < 0) return;
  const target = targetOf(current, index);
  const row = wanted.rows[index];
  if (row?.kind === 'checkbox') yield { kind: 'setItemStatus', target, status: row.status.slug };
  yield { kind: 'deleteChecklistItem', target };
  const edits = current.rows.length === wanted.rows.length ? restated(current, wanted) : deletionsOf(current, wanted);
  if (edits.length > 1) yield { kind: 'changeChecklistItems', edits };
}

/** Adds `count` adjacent rows of `wanted` again, before the row of index `at`. */
const restored = ({ checklist, rows }: Wanted, index: number, count: number, at = index): ChecklistEdit => {
  const { from } = rangeOf(checklist, index);
  const { to } = rangeOf(checklist, index + count - 1);
  const text = checklist.text.slice(from, to);
  return {
    kind: 'addChecklistItemsFromText',
    ...{ text, index: at },
    ...(rows && { rows: rows.slice(index, index + count) }),
  };
};

/** Status edits for the items whose status differs. */
const restated = (current: Checklist, wanted: Checklist): RowEdit[] =>
  current.rows.flatMap((row, index) => {
    const other = wanted.rows[index];
    if (row === other || other?.kind !== 'checkbox') return [];
    return { kind: 'setItemStatus', target: targetOf(current, index), status: other.status.slug };
  });

/** Deletions of the rows that `wanted` lacks. */
function deletionsOf(current: Checklist, wanted: Checklist): RowEdit[] {
  const wantedRows = new Set(wanted.rows);
  return current.rows.flatMap((row, index) =>
    wantedRows.has(row) ? [] : { kind: 'deleteChecklistItem', target: targetOf(current, index) },
  );
}

const makes = (checklist: Checklist, edits: readonly ChecklistEdit[], text: string): boolean => {
  try {
    const edited = edits.reduce((now, edit) => readChecklist(performEdit(now, edit), now.statuses, now), checklist);
    return edited.text === text;
  } catch {
    return false;
  }
};

interface Undone extends Wanted {
  /** A deleted row may have been added again and reworded: the texts do not identify it. */
  uncertain: boolean;
}

/**
 * The current text without the change; `undefined` when nothing of the change is left. A deleted row that was added
 * again is the same row, with its foreign changes.
 */
function wantedOf(before: Version, after: Version, current: Checklist, ids: RowIds): Undone | undefined {
  let count = 0;
  const readText = (text: string) => readChecklist(text, current.statuses, current);
  const isKnown = before.rows !== undefined && ids !== undefined;
  // A row that the change added has its id from the server: it is found by its text.
  const reader = { read: readText, newId: () => (isKnown ? '' : String(count++)) };
  const was = {
    text: before.text,
    rows: (isKnown && before.rows) || carry({ text: '', rows: [] }, before.text, [], reader),
  };
  const led = { text: after.text, rows: (isKnown && after.rows) || carry(was, after.text, [], reader) };
  const currentRows = { text: current.text, rows: (isKnown && ids) || carry(led, current.text, [was], reader) };
  const merged = mergeRows(led, was, currentRows, [was], readText);
  // Words that others have put in place of those that are undone stay.
  const { text, rows } = merged.conflicts.length > 0 ? mergeRows(led, currentRows, was, [was], readText) : merged;
  if (text === current.text) return undefined;
  const lacks = (rows: readonly string[], ...others: (readonly string[])[]) =>
    rows.some(id => others.every(other => !other.includes(id)));
  const checklist = readText(text);
  return {
    checklist,
    rows: isKnown && rows.length === checklist.rows.length ? rows : undefined,
    uncertain: lacks(was.rows, led.rows, currentRows.rows) && lacks(currentRows.rows, led.rows, was.rows),
  };
}

/** Edits that add missing rows again, the last ones first, so that all indexes refer to the same text. */
function restoredParts(current: Checklist, wanted: Wanted): ChecklistEdit[] {
  const there = new Set(current.rows);
  const parts: ChecklistEdit[] = [];
  let [stood, missing] = [0, 0];
  for (const [index, row] of [...wanted.checklist.rows, undefined].entries()) {
    if (row && !there.has(row)) {
      missing++;
      continue;
    }
    if (missing > 0) parts.unshift(restored(wanted, index - missing, missing, stood));
    missing = 0;
    stood++;
  }
  return parts;
}

/** The smallest edit that turns one text into the other. */
function editTo(wanted: Wanted, current: Checklist): ChecklistEdit {
  const { checklist, rows } = wanted;
  for (const edit of candidates(current, wanted)) if (makes(current, [edit], checklist.text)) return edit;
  return { kind: 'updateChecklistFromText', text: checklist.text, ...(rows && { rows }) };
}

/** An edit and, if it differs from the shown text, its base. */
export interface Inverse {
  edit: ChecklistEdit;
  base?: Base;
}

/**
 * The edits that undo the change from `before` to `after` in the current text; foreign changes of the same rows stay.
 * Empty if nothing of the change is left. If the user lacks the permission for the one edit, several permitted
 * ones with the same result. `ids` are the current rows'. If the texts do not identify the rows, an edit on `after`: the server knows the row
 * ids.
 */
export function inverses(
  before: Version,
  after: Base,
  current: Checklist,
  may: (edit: ChecklistEdit) => boolean,
  ids?: RowIds,
): readonly Inverse[] {
  const undone = wantedOf(before, after, current, ids);
  if (!undone) return [];
  const { checklist, uncertain } = undone;
  if (uncertain) {
    const led = readChecklist(after.text, current.statuses, current);
    const edit = editTo({ ...before, checklist: readChecklist(before.text, current.statuses, led) }, led);
    if (may(edit)) return [{ edit, base: after }];
  }
  const edit = editTo(undone, current);
  const parts = may(edit) ? [] : restoredParts(current, undone);
  if (parts.length === 0 || !parts.every(may) || !makes(current, parts, checklist.text)) return [{ edit }];
  return parts.map(edit => ({ edit, base: { ...after, text: current.text, rows: undefined } }));
}
