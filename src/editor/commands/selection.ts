import { EditorSelection, type EditorState } from '@codemirror/state';
import { applyChanges } from '../../text/document.ts';
import { readChecklist } from '../../text/read.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';

/** The checklist after changes. */
export const after = (checklist: Checklist, changes: readonly TextChange[]): Checklist =>
  changes.length === 0
    ? checklist
    : readChecklist(applyChanges(checklist.text, changes), checklist.statuses, checklist);

/** The selection when its rows stand elsewhere: each end at the same place in its row, a blank line being of the row below. */
export function movedSelection(state: EditorState, now: Checklist, place: (index: number) => number): EditorSelection {
  const before = checklistOf(state);
  const follow = (position: number): number => {
    const index = before.rows.findIndex((row, i) => (before.starts[i] ?? 0) + row.length > position);
    const oldIndex = index < 0 && before.rows.length > 0 && endsIn(before, position) ? before.rows.length - 1 : index;
    const old = before.rows[oldIndex];
    const row = now.rows[place(oldIndex)];
    if (oldIndex < 0 || !old || !row) return Math.min(position, now.text.length);
    const offset = position - (before.starts[oldIndex] ?? 0);
    // The change may have given the row a mark.
    const grown = offset > 0 ? row.content.from - old.content.from : 0;
    return Math.max(0, Math.min(now.text.length, (now.starts[place(oldIndex)] ?? 0) + offset + grown));
  };
  return EditorSelection.create(
    state.selection.ranges.map(({ anchor, head }) => EditorSelection.range(follow(anchor), follow(head))),
    state.selection.mainIndex,
  );
}

/** Whether a position is the end of the last row, which has no line break. */
const endsIn = ({ text }: Checklist, position: number) => position === text.length && !/[\n\r]$/.test(text);
