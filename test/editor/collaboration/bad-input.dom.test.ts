import { setImmediate } from 'node:timers/promises';
import { undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import { mergeRemote } from '../../../src/editor/collaboration/merge-remote.ts';
import { receive } from '../../../src/editor/collaboration/remote.ts';
import { foldSection } from '../../../src/editor/commands/folding.ts';
import { moveUp } from '../../../src/editor/commands/move.ts';
import { checklistEditor } from '../../../src/editor/index.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { editorOf, marked } from '../fixture.ts';
import { after } from './mended.ts';

/** Remote changes at their worst moment: words stay, and the cursor stays in its row. */

let view: EditorView | undefined;
afterEach(() => view?.destroy());

/** An editor with the cursor at `|`. */
function open(text: string) {
  const rows = text.trimEnd().split('\n');
  const editor = editorOf(text.replace('|', ''), { rowIds: rows.map((_, index) => `row${index}`) });
  editor.dispatch({ selection: { anchor: text.indexOf('|') } });
  view = editor;
  return editor;
}

const type = (editor: EditorView, text: string) =>
  editor.dispatch({ ...editor.state.replaceSelection(text), userEvent: 'input.type' });
const doc = (editor: EditorView) => editor.state.doc.toString();

test('another user rewords and turns 300 rows while a row is typed in', () => {
  const count = 300;
  const middle = 150;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rows = indexes.map(index => `row${index}`);
  const textOf = (words: (index: number) => string, order: readonly number[]) =>
    order.map(index => `- ${words(index)}\n`).join('');
  const base = { text: textOf(index => `item no. ${index}`, indexes), rows };
  const anchor = base.text.indexOf(`no. ${middle}\n`) + `no. ${middle}`.length;
  const label = { label: 'Text', placeholder: '' };
  const extensions = checklistEditor({ ...label, editable: true, save: () => undefined, rowIds: rows });
  let state = EditorState.create({ doc: base.text, selection: { anchor }, extensions });
  const typeIn = (text: string) => {
    state = state.update({ ...state.replaceSelection(text), userEvent: 'input.type' }).state;
  };
  const takeBack = () => (state = after(state, undo));
  typeIn(' typed');
  const turned = indexes.toReversed();
  const text = textOf(index => `item changed no. ${index}`, turned);
  const { transaction } = mergeRemote(state, { base, text, rows: turned.map(index => `row${index}`) });
  state = transaction?.state ?? state;
  typeIn(' on');
  const typed = `item changed no. ${middle} typed on`;
  expect(state.doc.toString()).toBe(text.replace(`item changed no. ${middle}\n`, `${typed}\n`));
  expect(marked(state)).toContain(`${typed}|\n`);
  expect(rowIdsOf(state)).toEqual(turned.map(index => `row${index}`));
  takeBack();
  takeBack();
  expect(state.doc.toString()).toBe(text);
});

test('two users move one row: it stands once, where the user of the editor put it', async () => {
  const text = '- one\n- two\n- three\n- four\n';
  const editor = open(text.replace('three', 'three|'));
  moveUp(editor);
  moveUp(editor);
  await receive(editor, { base: { text }, text: '- one\n- two\n- four\n- three\n' });
  type(editor, '!');
  expect(marked(editor.state)).toBe('- three!|\n- one\n- two\n- four\n');
});

test('a row with the cursor is moved into a collapsed section: what is typed goes into it', async () => {
  const text = '# A\n- one\n# B\n- two words\n';
  const editor = open(`|${text}`);
  foldSection(editor);
  editor.dispatch({ selection: { anchor: text.length - 1 } });
  await receive(editor, { base: { text }, text: '# A\n- two words\n- one\n# B\n' });
  type(editor, '!');
  expect(marked(editor.state)).toBe('# A\n- two words!|\n- one\n# B\n');
});

test('a row is moved while an input method composes in it', async () => {
  const text = '- one\n- two\n- three\n';
  const editor = open(text.replace('two', 'two|'));
  const composing = vi.spyOn(editor, 'composing', 'get').mockReturnValue(true);
  const received = receive(editor, { base: { text }, text: '- two\n- one\n- three\n' });
  editor.dispatch({ ...editor.state.replaceSelection('語'), userEvent: 'input.type.compose' });
  await setImmediate();
  expect(doc(editor)).toBe('- one\n- two語\n- three\n');
  composing.mockReturnValue(false);
  editor.contentDOM.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '語' }));
  await received;
  type(editor, '!');
  expect(marked(editor.state)).toBe('- two語!|\n- one\n- three\n');
});
