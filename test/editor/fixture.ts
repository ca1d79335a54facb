import { forceParsing } from '@codemirror/language';
import { EditorSelection, EditorState, type Extension, type StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { checklistField } from '../../src/editor/checklist.ts';
import { checklistEditor, type EditorConfig } from '../../src/editor/index.ts';
import { checklistLanguage } from '../../src/editor/language.ts';
import { rowIds } from '../../src/editor/row-ids.ts';
import { statusRegistry } from '../../src/text/status-registry.ts';

/** A text with its cursor as `|`, or its selection between two of them. */
export function stateOf(marked: string, ...extensions: Extension[]): EditorState {
  const [before = '', inside = '', after] = marked.split('|');
  const doc = before + inside + (after ?? '');
  const head = before.length + (after === undefined ? 0 : inside.length);
  return EditorState.create({
    doc,
    selection: EditorSelection.single(before.length, head),
    extensions: [checklistLanguage, checklistField, rowIds(), extensions],
  });
}

/** The same notation of a state. */
export function marked(state: EditorState): string {
  const { from, to, empty } = state.selection.main;
  const doc = state.doc.toString();
  return empty
    ? `${doc.slice(0, from)}|${doc.slice(from)}`
    : `${doc.slice(0, from)}|${doc.slice(from, to)}|${doc.slice(to)}`;
}

/** What a command makes of a text; `undefined` when it leaves the key to others. */
export function run(command: StateCommand, text: string, ...extensions: Extension[]): string | undefined {
  const state = stateOf(text, ...extensions);
  let after: EditorState | undefined;
  const taken = command({ state, dispatch: transaction => (after = transaction.state) });
  return taken ? marked(after ?? state) : undefined;
}

/** The built-in statuses and one more. */
export const statuses = statusRegistry([{ slug: 'on-hold', name: 'ON HOLD', checked: false, color: 'purple' }]);

/** Milliseconds that a busy machine may take to parse a text. */
const PARSE_TIMEOUT = 30_000;

/** A whole editor in the page, the cursor at the end of its text, all of which is parsed. */
export function editorOf(doc: string, config: Partial<EditorConfig> = {}, ...more: Extension[]): EditorView {
  const extensions = checklistEditor({
    label: 'Text',
    editable: true,
    placeholder: '',
    save: () => undefined,
    statuses,
    ...config,
  });
  const view = new EditorView({
    doc,
    extensions: [extensions, more],
    parent: document.body,
    selection: { anchor: doc.length },
  });
  forceParsing(view, doc.length, PARSE_TIMEOUT);
  return view;
}
