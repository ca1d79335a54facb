import { deleteCharBackward, insertNewline, undo } from '@codemirror/commands';
import { foldedRanges } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import { getByRole, queryByRole } from '@testing-library/dom';
import { afterEach, expect, test } from 'vitest';
import { receive } from '../../../src/editor/collaboration/remote.ts';
import { continueList } from '../../../src/editor/commands/continue.ts';
import { foldSection, foldSections, toggleFold } from '../../../src/editor/commands/folding.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { editorOf, marked } from '../fixture.ts';

/** Other users move, reword and delete the rows that a user is working in. */

let view: EditorView | undefined;
afterEach(() => view?.destroy());

const START = '- one\n- two words\n- three\n';

/** An editor with the cursor at `|`. */
function open(text: string) {
  const head = text.indexOf('|');
  const editor = editorOf(text.replace('|', ''), {
    rowIds: text
      .trimEnd()
      .split('\n')
      .map((_, index) => `row${index}`),
  });
  editor.dispatch({ selection: { anchor: head } });
  view = editor;
  return editor;
}

/** Types at the cursor, or at the end of what is typed there. */
const type = (editor: EditorView, text: string) =>
  editor.dispatch({ ...editor.state.replaceSelection(text), userEvent: 'input.type' });
const doc = (editor: EditorView) => editor.state.doc.toString();
/** The texts of the folded ranges. */
const foldsOf = ({ state }: EditorView) => {
  const folds: string[] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => void folds.push(state.sliceDoc(from, to)));
  return folds;
};
const bar = (editor: EditorView) => queryByRole(editor.dom, 'group', { name: /^You and someone else changed/ });

test.each([
  [
    'down, the cursor at its end',
    '- one\n- two words|\n- three\n',
    '- one\n- three\n- two words\n',
    '- one\n- three\n- two words!|\n',
  ],
  [
    'up, the cursor in a word',
    '- one\n- two wo|rds\n- three\n',
    '- two words\n- one\n- three\n',
    '- two wo!|rds\n- one\n- three\n',
  ],
  [
    'to the end, without a last line break',
    '- one|\n- two\n- three',
    '- two\n- three\n- one',
    '- two\n- three\n- one!|',
  ],
  [
    'and ticked and reworded',
    '- one\n- two words|\n- three\n',
    '- three\n- one\n+ two more words\n',
    '- three\n- one\n+ two more words!|\n',
  ],
  ['with its details', '- one\n> why|\n- two\n', '- two\n- one\n> why\n', '- two\n- one\n> why!|\n'],
  [
    'while all are sorted the other way',
    '- one\n- two|\n- three\n- four\n',
    '- four\n- three\n- two\n- one\n',
    '- four\n- three\n- two!|\n- one\n',
  ],
])('the cursor stays in a row that is moved %s', async (_, text, theirs, expected) => {
  const editor = open(text);
  await receive(editor, { base: { text: text.replace('|', '') }, text: theirs });
  type(editor, '!');
  expect(marked(editor.state)).toBe(expected);
});

test('unsaved words and their undo steps go with the row', async () => {
  const editor = open('- one\n- two words|\n- three\n');
  type(editor, ' typed');
  await receive(editor, { base: { text: START }, text: '- two words\n- one\n- three\n' });
  expect(doc(editor)).toBe('- two words typed\n- one\n- three\n');
  undo(editor);
  expect(doc(editor)).toBe('- two words\n- one\n- three\n');
});

test('steps in two rows that change places are undone each in its row', async () => {
  const editor = open('- one|\n- two words\n- three\n');
  type(editor, ' first');
  editor.dispatch({ selection: { anchor: doc(editor).indexOf('\n- three') } });
  type(editor, ' second');
  await receive(editor, { base: { text: START }, text: '- two words\n- three\n- one\n' });
  expect(doc(editor)).toBe('- two words second\n- three\n- one first\n');
  undo(editor);
  expect(doc(editor)).toBe('- two words\n- three\n- one first\n');
  undo(editor);
  expect(doc(editor)).toBe('- two words\n- three\n- one\n');
});

test('an open choice stays at its row, and its steps too', async () => {
  const rows = ['row0', 'row1', 'row2'];
  const theirs = { text: '- one\n- two theirs\n- three\n', rows };
  const editor = open('- one\n- two mine|\n- three\n');
  await receive(editor, { base: { text: START, rows }, ...theirs });
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- two mine');
  await receive(editor, { base: theirs, text: '- two theirs\n- three\n- one\n', rows: ['row1', 'row2', 'row0'] });
  expect(doc(editor)).toBe('- two mine\n- three\n- one\n');
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- two mine');
  getByRole(editor.dom, 'button', { name: /^Take theirs/ }).click();
  expect(doc(editor)).toBe('- two theirs\n- three\n- one\n');
  undo(editor);
  expect(doc(editor)).toBe('- two mine\n- three\n- one\n');
  expect(bar(editor)).not.toBeNull();
});

test.each([
  ['that is moved', '# A\n- one\n- two\n# B\n- three\n', '# B\n- three\n# A\n- one\n- two\n', '\n- one\n- two'],
  ['whose last row is moved above it', '# A\n- one\n- two\n', '- two\n# A\n- one\n', '\n- one'],
  ['whose header gets words and a detail', '# Part two\n- one\n', '# Part two new\n> more\n- one\n', '\n> more\n- one'],
  [
    'whose header gets words and a detail as its row goes',
    '# Part two\n- one\n',
    '- one\n# Part two new\n> more\n',
    '\n> more',
  ],
])('a folded section %s stays folded', async (_, text, theirs, hidden) => {
  const editor = open(`|${text}`);
  foldSection(editor);
  await receive(editor, { base: { text }, text: theirs });
  expect(foldsOf(editor)).toEqual([hidden]);
});

test('folded sections that change places stay folded', async () => {
  const text = '# A\n- one\n- two\n# B\n- three\n';
  const editor = editorOf(text, { rowIds: ['row0', 'row1', 'row2', 'row3', 'row4'] });
  view = editor;
  foldSections(editor);
  await receive(editor, {
    base: { text, rows: ['row0', 'row1', 'row2', 'row3', 'row4'] },
    text: '- one\n- two\n# B\n# A\n- three\n',
    rows: ['row1', 'row2', 'row3', 'row0', 'row4'],
  });
  expect(foldsOf(editor)).toEqual(['\n- three']);
});

test.each([
  ['a section is', (editor: EditorView) => toggleFold(editor, 0)],
  ['all sections are', foldSections],
])('%s folded with the cursor in it, and stays folded when the row of the cursor leaves it', async (_, fold) => {
  const text = '# A\n- one\n- two\n# B\n- three\n';
  const rows = ['row0', 'row1', 'row2', 'row3', 'row4'];
  const editor = editorOf(text, { rowIds: rows });
  view = editor;
  editor.dispatch({ selection: { anchor: text.indexOf('one') } });
  fold(editor);
  await receive(editor, {
    base: { text, rows },
    text: '# A\n- two\n# B\n- one\n- three\n',
    rows: ['row0', 'row2', 'row3', 'row1', 'row4'],
  });
  expect(marked(editor.state)).toContain('# A|');
  expect(foldsOf(editor)[0]).toBe('\n- two');
});

test.each([
  ['above another row', '- one\n- two words|\n- three\n', '- one\n- three\n', '- one\n- typed|\n- three\n'],
  ['the last row', '- one\n- two|', '- one', '- one\n- typed|'],
  ['all rows', '- one|\n', '', '- typed|'],
  ['a detail', '- one\n> a\n> b|\n> c\n- two\n', '- one\n> a\n> c\n- two\n', '- one\n> a\n> typed|\n> c\n- two\n'],
  ['the last detail', '- one\n> a|\n- two\n', '- one\n- two\n', '- one\n> typed|\n- two\n'],
])('typed where the row was deleted, words are a line of their own: %s', async (_, text, theirs, expected) => {
  const notes: boolean[] = [];
  const head = text.indexOf('|');
  const editor = editorOf(text.replace('|', ''), { remoteChanged: note => notes.push(note.isCursorRowDeleted) });
  view = editor;
  editor.dispatch({ selection: { anchor: head } });
  await receive(editor, { base: { text: text.replace('|', '') }, text: theirs });
  expect(notes).toEqual([true]);
  for (const letter of 'typed') type(editor, letter);
  expect(marked(editor.state)).toBe(expected);
});

test.each([
  ['above another row', '- one\n- two words|\n- three\n', '- one\n- three\n', '- one\n- typed|\n- three\n'],
  ['the last row', '- one\n- two|', '- one', '- one\n- typed|'],
])(
  'Enter where the row was deleted begins a row, and Backspace takes nothing: %s',
  async (_, text, theirs, expected) => {
    const editor = open(text);
    await receive(editor, { base: { text: text.replace('|', '') }, text: theirs });
    deleteCharBackward(editor);
    expect(doc(editor)).toBe(theirs);
    if (!continueList(editor)) insertNewline(editor);
    type(editor, 'typed');
    expect(marked(editor.state)).toBe(expected);
  },
);

test.each([
  ['a row that moves', '- two|\n- three\n', '- one\n- |two\n|- three\n- four\n', ['row0', 'row2', 'row3', 'row1']],
])('a selection stays with %s', async (_, __, text, order) => {
  const from = text.indexOf('|');
  const to = text.lastIndexOf('|') - 1;
  const start = text.replaceAll('|', '');
  const rows = ['row0', 'row1', 'row2', 'row3'];
  const editor = editorOf(start, { rowIds: rows });
  view = editor;
  editor.dispatch({ selection: { anchor: from, head: to } });
  const lines = start.trimEnd().split('\n');
  const theirs = `${order.map(id => lines[rows.indexOf(id)]).join('\n')}\n`;
  await receive(editor, { base: { text: start, rows }, text: theirs, rows: order });
  const { main } = editor.state.selection;
  expect(editor.state.sliceDoc(main.from, main.to)).toBe('two\n');
});

test('a selection over rows that others move apart leaves the cursor alone', async () => {
  const editor = editorOf('- one\n- two\n- three\n- four\n', { rowIds: ['row0', 'row1', 'row2', 'row3'] });
  view = editor;
  editor.dispatch({ selection: { anchor: 8, head: 18 } });
  await receive(editor, {
    base: { text: '- one\n- two\n- three\n- four\n', rows: ['row0', 'row1', 'row2', 'row3'] },
    text: '- three\n- one\n- two\n- four\n',
    rows: ['row2', 'row0', 'row1', 'row3'],
  });
  expect(marked(editor.state)).toBe('- thre|e\n- one\n- two\n- four\n');
});

test.each([
  [
    'whose first row gives its end to a row above it',
    ['- one two', '- three'],
    [9, 17],
    ['- two', '- one', '- three'],
    ['new', 'row0', 'row1'],
  ],
  [
    'between whose rows the words of another one come in',
    ['- one two', '- three', '- four'],
    [5, 17],
    ['- one two four', '- three'],
    ['row0', 'row1'],
  ],
])('a selection %s leaves the cursor alone', async (_, lines, [anchor = 0, head = 0], theirs, ids) => {
  const text = `${lines.join('\n')}\n`;
  const rows = lines.map((_, index) => `row${index}`);
  const editor = editorOf(text, { rowIds: rows });
  view = editor;
  editor.dispatch({ selection: { anchor, head } });
  await receive(editor, { base: { text, rows }, text: `${theirs.join('\n')}\n`, rows: ids });
  expect(marked(editor.state)).toBe(`${theirs.join('\n')}\n`.replace('three', 'three|'));
});

test('an input method finds a row of its own where the row was deleted', async () => {
  const editor = open('- one\n- two words|\n- three\n');
  await receive(editor, { base: { text: START }, text: '- one\n- three\n' });
  editor.contentDOM.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  type(editor, '語');
  expect(doc(editor)).toBe('- one\n- 語\n- three\n');
});

test('a cursor whose word lives on in another row types there, though its line was deleted', async () => {
  const text = '# one two |three four\n- five\n';
  const editor = open(text);
  await receive(editor, {
    base: { text: text.replace('|', ''), rows: ['row0', 'row1'] },
    text: '# three four six\n- five seven\n',
    rows: ['row2', 'row1'],
  });
  type(editor, 'new ');
  expect(doc(editor)).toBe('# new three four six\n- five seven\n');
});

test('a moved and reworded row is found by its id beside similar ones', async () => {
  const editor = open('- test one|\n- test two\n- test three\n');
  type(editor, ' mine');
  await receive(editor, {
    base: { text: '- test one\n- test two\n- test three\n', rows: ['row0', 'row1', 'row2'] },
    text: '- test three\n- nothing of it\n- test two\n',
    rows: ['row2', 'row0', 'row1'],
  });
  expect(rowIdsOf(editor.state)).toEqual(['row2', 'row0', 'row1']);
  expect(bar(editor)).toHaveTextContent('Theirs: nothing of it');
  type(editor, '!');
  expect(marked(editor.state)).toBe('- test three\n- test one mine!|\n- test two\n');
});
