import { Compartment, EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const compartment = new Compartment();

const readOnly: Extension = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
];

/** Whether the user may edit the text. Remote changes apply either way. */
export const access = (editable: boolean): Extension => compartment.of(editable ? [] : readOnly);

/** Switches it in an open editor. */
export const setEditable = (editable: boolean): TransactionSpec => ({
  effects: compartment.reconfigure(editable ? [] : readOnly),
});
