import { history, historyField } from '@codemirror/commands';
import { Compartment, type EditorState, type Extension, type StateEffect } from '@codemirror/state';

const place = new Compartment();
const steps = history();

/** The steps to undo and redo. */
export const undoHistory: Extension = place.of(steps);

/**
 * Gives an editor the steps of another state with the same text: for what was tried and taken back, of which neither
 * undo nor redo is to know.
 */
export const setHistory = (state: EditorState): StateEffect<unknown> =>
  place.reconfigure([steps, historyField.init(() => state.field(historyField))]);
