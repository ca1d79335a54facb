import { isolateHistory } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { toggleChecked } from '../text/edits.ts';
import { EditRefused } from '../text/errors.ts';
import { targetOf } from '../text/rows.ts';
import { checklistOf } from './checklist.ts';

/** Ticks or unticks the item at an index: one undo step, announced; so is a refusal. */
export function tick(view: EditorView, index: number): void {
  const checklist = checklistOf(view.state);
  const row = checklist.rows[index];
  if (row?.kind !== 'checkbox' || view.state.readOnly || view.composing) return;
  try {
    view.dispatch({
      changes: toggleChecked(checklist, targetOf(checklist, index)),
      userEvent: 'input.status',
      annotations: isolateHistory.of('full'),
      effects: EditorView.announce.of(row.status.checked ? 'Not done' : 'Done'),
    });
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    view.dispatch({ effects: EditorView.announce.of(error.message) });
  }
}
