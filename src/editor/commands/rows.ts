import { isolateHistory } from '@codemirror/commands';
import type { ChangeSpec, EditorSelection, EditorState, StateCommand, StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { joinChanges } from '../../text/edits/join-changes.ts';
import { ChangedMeanwhile, EditRefused } from '../../text/errors.ts';
import { targetOf } from '../../text/rows.ts';
import type { CheckboxRow, Row, Target, TextChange } from '../../text/types.ts';
import { type Action, action } from '../actions.ts';
import { checklistOf, rowAt } from '../checklist.ts';

/** Indices of the rows that the selection touches, in order, a cursor being a selection too; from a detail, its row. */
export function selectedRows(state: EditorState): number[] {
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
  return [...indices].sort((a, b) => a - b);
}

export interface SelectedRow<R extends Row = Row> {
  target: Target;
  row: R;
}

const isItem = (selected: SelectedRow): selected is SelectedRow<CheckboxRow> => selected.row.kind === 'checkbox';

/** The selected rows with how to name them to an edit. */
export function selected(state: EditorState): SelectedRow[] {
  const checklist = checklistOf(state);
  return selectedRows(state).flatMap(index => {
    const row = checklist.rows[index];
    return row ? [{ target: targetOf(checklist, index), row }] : [];
  });
}

export const selectedItems = (state: EditorState): SelectedRow<CheckboxRow>[] => selected(state).filter(isItem);

/** The changes of one edit per row. Rows that refuse it are left out; if all do, the refusal is thrown. */
export function forEach<S extends SelectedRow>(rows: readonly S[], edit: (row: S) => TextChange[]): TextChange[] {
  let refusal: unknown;
  const edits = rows.flatMap(row => {
    try {
      return [edit(row)];
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      refusal = error;
      return [];
    }
  });
  if (refusal !== undefined && edits.length === 0) throw refusal;
  return joinChanges(...edits);
}

/** A command's changes and its announcement. */
export interface Step {
  changes?: ChangeSpec;
  selection?: EditorSelection;
  effects?: readonly StateEffect<unknown>[];
  said: string;
  /** An action to report to the application. */
  done?: Action;
}

/** A command with one undo step and an announcement, also for a refused edit. Without a step the key is not handled. */
export const textCommand =
  (step: (state: EditorState) => Step | undefined, userEvent = 'input.command'): StateCommand =>
  ({ state, dispatch }) => {
    if (state.readOnly) return false;
    let takenStep: Step | undefined;
    try {
      takenStep = step(state);
    } catch (error) {
      if (!(error instanceof EditRefused || error instanceof ChangedMeanwhile)) throw error;
      takenStep = { said: error.message };
    }
    if (!takenStep) return false;
    const { said, done, effects = [], ...change } = takenStep;
    dispatch(
      state.update({
        ...change,
        userEvent,
        scrollIntoView: true,
        annotations: [isolateHistory.of('full'), ...(done ? [action.of(done)] : [])],
        effects: [...effects, EditorView.announce.of(said)],
      }),
    );
    return true;
  };
