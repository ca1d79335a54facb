import { history, historyField, invertedEffects, isolateHistory, redo, undo } from '@codemirror/commands';
import {
  type ChangeSet,
  EditorSelection,
  EditorState,
  type StateEffect,
  type Text,
  Transaction,
} from '@codemirror/state';
import type { Steps } from './row-mapping.ts';

/** A step of undo or redo in the next text. */
interface HistoryStep {
  changes: ChangeSet;
  effects: readonly StateEffect<unknown>[];
  /** The effects that take it back. */
  inverted: readonly StateEffect<unknown>[];
  /** After the step. */
  selection: EditorSelection;
}

const mapSelection = ({ ranges, mainIndex }: EditorSelection, steps: Steps, doc: Text) =>
  EditorSelection.create(
    ranges.map(({ anchor, head }) => EditorSelection.range(steps.mapPos(anchor, doc), steps.mapPos(head, doc))),
    mainIndex,
  );

/** All steps that a command makes, one after the other, as steps of the text that `steps` lead to. */
function mappedSteps(start: EditorState, command: typeof undo, steps: Steps): HistoryStep[] {
  const mapped: HistoryStep[] = [];
  let [state, way] = [start, steps];
  for (;;) {
    const made: { transaction?: Transaction } = {};
    command({
      state,
      dispatch: transaction => {
        made.transaction = transaction;
      },
    });
    const { transaction } = made;
    if (!transaction) return mapped;
    const { changes, next } = way.map(transaction.changes, state.doc);
    const { effects, newSelection, newDoc } = transaction;
    // Nothing is left of a step in a row that was deleted.
    if (!changes.empty || effects.length > 0)
      mapped.push({
        changes,
        effects,
        inverted: state.facet(invertedEffects).flatMap(invert => [...invert(transaction)]),
        selection: mapSelection(newSelection, next, newDoc),
      });
    [state, way] = [transaction.state, next];
  }
}

const isolated = isolateHistory.of('full');

/**
 * A state of the next text with the undo and redo steps of this one, each in the rows where it was made. CodeMirror maps
 * its history through deletions and insertions, where the steps in a moved row are lost; so the steps are made anew.
 */
export function movedHistory(state: EditorState, steps: Steps, next: Text): EditorState {
  const inversions = state.facet(invertedEffects).map(invert => invertedEffects.of(invert));
  const start = EditorState.create({
    doc: state.doc,
    selection: state.selection,
    extensions: [history(), historyField.init(() => state.field(historyField)), inversions],
  });
  const done = mappedSteps(start, undo, steps);
  const undone = mappedSteps(start, redo, steps);

  const back: { doc: Text; step: HistoryStep }[] = [];
  let doc = next;
  for (const step of done) {
    back.unshift({ doc, step });
    doc = step.changes.apply(doc);
  }
  const selection = done.at(-1)?.selection ?? EditorSelection.single(0);
  let made = EditorState.create({ doc, selection, extensions: [history(), inversions] });
  const select = (selection: EditorSelection) => {
    made = made.update({ selection, annotations: Transaction.addToHistory.of(false) }).state;
  };
  for (const { doc: before, step } of back) {
    select(step.selection);
    const changes = step.changes.invert(before);
    made = made.update({ changes, effects: step.inverted, annotations: isolated }).state;
  }
  for (const { changes, effects, selection } of undone) {
    made = made.update({ changes, effects, annotations: isolated }).state;
    select(selection);
  }
  for (const _ of undone) {
    undo({
      state: made,
      dispatch: transaction => {
        made = transaction.state;
      },
    });
  }
  return made;
}
