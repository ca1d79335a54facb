import { Compartment, EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Whether the browser's EditContext carries what is typed on Android. Off: with it, spelling replacements get lost and
 * some input methods write at the wrong place. CodeMirror reads the switch from its class when a view is made.
 */
const EDIT_CONTEXT = false;

Object.assign(EditorView, { EDIT_CONTEXT });

/** Accessible name and browser assistance: spelling is on, since the text is prose. */
export const input = (label: string): Extension =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    // Editable text is focusable anyway, but not every screen reader knows that.
    tabindex: '0',
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
  });

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
