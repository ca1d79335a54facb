import { redo, undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { receive } from '../../../src/editor/collaboration/remote.ts';
import { continueList } from '../../../src/editor/commands/continue.ts';
import { editorOf } from '../fixture.ts';

/** Undo and redo beside rows that others put or moved between: no row loses its line or its mark. */

let view: EditorView | undefined;
afterEach(() => view?.destroy());

const START = '- one\n- two cc dd\n- three\n- four\n';
const rows = ['row1', 'row2', 'row3', 'row4'];

function open(head: number): EditorView {
  view = editorOf(START, { rowIds: rows, stored: [{ text: START, rows }] });
  view.dispatch({ selection: { anchor: head } });
  return view;
}

const type = (editor: EditorView, text: string) =>
  editor.dispatch({ ...editor.state.replaceSelection(text), userEvent: 'input.type' });
const doc = (editor: EditorView) => editor.state.doc.toString();
const ends = (text: string) => START.indexOf(text) + text.length;
/** Enter behind `two`, and a new row that the server knows. */
async function withNewRow(): Promise<EditorView> {
  const editor = open(ends('dd'));
  continueList(editor);
  type(editor, 'mine');
  const text = doc(editor);
  await receive(editor, { base: { text: START, rows }, text, rows: ['row1', 'row2', 'mine', 'row3', 'row4'] });
  return editor;
}

const SAVED = '- one\n- two cc dd\n- mine\n- three\n- four\n';
const savedRows = ['row1', 'row2', 'mine', 'row3', 'row4'];
const saved = { text: SAVED, rows: savedRows };

test('a row that came in above a new one stays whole when the new one is undone', async () => {
  const editor = await withNewRow();
  const rows = ['row1', 'row2', 'other', 'mine', 'row3', 'row4'];
  await receive(editor, { base: saved, text: SAVED.replace('- mine', '- other\n- mine'), rows });
  while (undo(editor));
  expect(doc(editor)).toBe('- one\n- two cc dd\n- other\n- three\n- four\n');
  while (redo(editor));
  expect(doc(editor)).toBe('- one\n- two cc dd\n- other\n- mine\n- three\n- four\n');
});

test('a new row that others moved and reworded stays whole when it is undone', async () => {
  const editor = await withNewRow();
  const rows = ['mine', 'row1', 'row2', 'row3', 'row4'];
  await receive(editor, { base: saved, text: '- mine theirs\n- one\n- two cc dd\n- three\n- four\n', rows });
  while (undo(editor));
  expect(doc(editor)).toBe('- mine theirs\n- one\n- two cc dd\n- three\n- four\n');
});

test.each([
  ['moved', '- dd\n- one\n- two cc\n- three\n- four\n', ['half', 'row1', 'row2', 'row3', 'row4'], START],
  [
    'parted',
    '- one\n- two cc\n- other\n- dd\n- three\n- four\n',
    ['row1', 'row2', 'other', 'half', 'row3', 'row4'],
    '- one\n- two cc dd\n- other\n- three\n- four\n',
  ],
])(
  'the half of a split row that others %s is joined again when the split is undone',
  async (_, text, theirRows, expected) => {
    const editor = open(ends('cc'));
    continueList(editor);
    const split = doc(editor);
    const splitRows = ['row1', 'row2', 'half', 'row3', 'row4'];
    await receive(editor, { base: { text: START, rows }, text: split, rows: splitRows });
    await receive(editor, { base: { text: split, rows: splitRows }, text, rows: theirRows });
    while (undo(editor));
    expect(doc(editor)).toBe(expected);
  },
);

test('a split that others left as it is is undone', () => {
  const editor = open(ends('cc'));
  continueList(editor);
  while (undo(editor));
  expect(doc(editor)).toBe(START);
});

test('rows that others moved apart are one row when their join is made again', async () => {
  const editor = open(0);
  editor.dispatch({ changes: { from: ends('dd'), to: ends('dd\n- ') }, userEvent: 'delete.backward' });
  expect(doc(editor)).toBe('- one\n- two cc ddthree\n- four\n');
  undo(editor);
  await receive(editor, {
    base: { text: START, rows },
    text: '- three\n- one\n- two cc dd\n- four\n',
    rows: ['row3', 'row1', 'row2', 'row4'],
  });
  while (redo(editor));
  expect(doc(editor)).toBe('- one\n- two cc ddthree\n- four\n');
});
