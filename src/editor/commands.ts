import type { EditorState, StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { builtInStatuses } from '../domain/statuses.ts';
import { setStatus, toggleChecked } from '../text/edits.ts';
import { targetOf } from '../text/rows.ts';
import type { CheckboxRow, Target, TextChange } from '../text/types.ts';
import { checklistOf, rowAt } from './checklist.ts';

/** The items that the selection touches, a cursor being a selection too; from a detail line, the item above it. */
function selectedItems(state: EditorState): { target: Target; row: CheckboxRow }[] {
  const checklist = checklistOf(state);
  const indices = new Set<number>();
  for (const { from, to } of state.selection.ranges) {
    for (let position = from; ; ) {
      const line = state.doc.lineAt(position);
      const placed = rowAt(checklist, line.from);
      if (placed) indices.add(placed.index);
      if (line.to >= to) break;
      position = line.to + 1;
    }
  }
  return [...indices]
    .sort((a, b) => a - b)
    .flatMap(index => {
      const row = checklist.rows[index];
      return row?.kind === 'checkbox' ? [{ target: targetOf(checklist, index), row }] : [];
    });
}

/** Applies one edit per item, as one step to undo, and says aloud what became of them. */
const edit =
  (change: (state: EditorState, items: ReturnType<typeof selectedItems>) => { changes: TextChange[]; said: string }) =>
  ({ state, dispatch }: Parameters<StateCommand>[0]): boolean => {
    if (state.readOnly) return false;
    const items = selectedItems(state);
    if (items.length === 0) return false;
    const { changes, said } = change(state, items);
    dispatch(
      state.update({
        changes,
        userEvent: 'input.status',
        scrollIntoView: true,
        effects: EditorView.announce.of(said),
      }),
    );
    return true;
  };

/** Ticks the selected items; when all of them are complete already, it unticks them. */
export const toggleDone: StateCommand = edit((state, items) => {
  const checklist = checklistOf(state);
  const checked = items.every(({ row }) => row.status.checked);
  return {
    changes: items
      .filter(({ row }) => row.status.checked === checked)
      .flatMap(({ target }) => toggleChecked(checklist, target)),
    said: checked ? 'Not done' : 'Done',
  };
});

/** Gives the selected items the status that follows the first one's, in the order of the menu, from the last to the first. */
export const nextStatus: StateCommand = edit((state, items) => {
  const checklist = checklistOf(state);
  const current = builtInStatuses.findIndex(({ slug }) => slug === items[0]?.row.status.slug);
  const next = builtInStatuses[(current + 1) % builtInStatuses.length] ?? builtInStatuses[0];
  return { changes: items.flatMap(({ target }) => setStatus(checklist, target, next.slug)), said: next.name };
});
