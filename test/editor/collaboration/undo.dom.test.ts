import { deleteLine, history, redo, undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import { strandedCursor } from '../../../src/editor/collaboration/stranded-cursor.ts';
import { undoAmongOthers } from '../../../src/editor/collaboration/undo.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

function open(text: string): EditorView {
  view = new EditorView({
    state: stateOf(text, history(), remote, strandedCursor, undoAmongOthers),
    parent: document.body,
  });
  return view;
}

test.each([
  ['at the end', '# A\n- one\n- two\n', '- new', '- new\n- two, theirs'],
  ['without a break at the end', '# A\n- one', '- new', '- new\n- two, theirs'],
])(
  'what was deleted comes back in lines of its own beside what came in meanwhile, %s',
  async (_where, old, mine, theirs) => {
    const editor = open(old);
    editor.dispatch({ changes: { from: 0, to: old.length }, userEvent: 'delete.selection' });
    editor.dispatch({ changes: { from: 0, insert: mine }, userEvent: 'input.paste' });
    await receive(editor, { base: { text: mine }, text: theirs });
    expect(editor.state.doc.toString()).toBe(theirs);
    while (undo(editor));
    const lines = editor.state.doc.toString().split('\n').filter(Boolean);
    expect(lines.sort()).toEqual([...old.split('\n').filter(Boolean), '- two, theirs'].sort());
    while (redo(editor));
    expect(editor.state.doc.toString().split('\n').filter(Boolean).sort()).toEqual(theirs.split('\n').sort());
  },
);

test('alone everything is undone as it was', async () => {
  const start = '- a\n- b\n- c|\n';
  const editor = open(start);
  for (let line = 0; line < 3; line++) deleteLine(editor);
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: '# New' }, userEvent: 'input.paste' });
  while (undo(editor));
  expect(editor.state.doc.toString()).toBe(start.replace('|', ''));
});

test('typed words that others have added to are undone without the row', async () => {
  const editor = open('# A\n');
  editor.dispatch({ changes: { from: 4, insert: 'typed' }, userEvent: 'input.type' });
  await receive(editor, { base: { text: '# A\ntyped' }, text: '# A\ntyped theirs' });
  undo(editor);
  expect(editor.state.doc.toString()).toBe('# A\n theirs');
});

test('a row that became a detail, which others reworded since, comes back once', async () => {
  const [old, mine] = ['# A\n- one two\n', '# A\n> one two\n'];
  const editor = open(old);
  editor.dispatch({ changes: { from: 4, to: 5, insert: '>' }, userEvent: 'input' });
  await receive(editor, { base: { text: mine }, text: '# A\n> one two three\n' });
  undo(editor);
  expect(editor.state.doc.toString()).toBe('# A\n- one two three\n');
});

/** The text with the cursor. */
function withCursor({ state }: EditorView): string {
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`;
}

test('the cursor is in its row after undo and redo, though others have moved the row', async () => {
  const text = '- one\n- two\n- three\n- four\n';
  const editor = open(text);
  editor.dispatch({ selection: { anchor: 11 } });
  editor.dispatch({ changes: { from: 11, insert: ' mine' }, selection: { anchor: 16 }, userEvent: 'input.type' });
  const mine = editor.state.doc.toString();
  const [a = '', b = '', c = '', d = ''] = rowIdsOf(editor.state);
  const base = { text: mine, rows: [a, b, c, d] };
  await receive(editor, { base, text: '- one\n- three\n- four\n- two mine\n', rows: [a, c, d, b] });
  undo(editor);
  expect(withCursor(editor)).toBe('- one\n- three\n- four\n- two|\n');
  redo(editor);
  expect(withCursor(editor)).toBe('- one\n- three\n- four\n- two mine|\n');
});

test('what is typed after undo in place of a row that others have deleted is a row of its own', async () => {
  const text = '- one\n- two\n+ three\n';
  const editor = open(text);
  editor.dispatch({ selection: { anchor: 11 } });
  const [a = '', b = '', c = ''] = rowIdsOf(editor.state);
  await receive(editor, { base: { text, rows: [a, b, c] }, text: '- one\n+ three\n', rows: [a, c] });
  const typed = (words: string) => editor.dispatch(editor.state.replaceSelection(words), { userEvent: 'input.type' });
  typed('x');
  expect(withCursor(editor)).toBe('- one\n- x|\n+ three\n');
  for (const command of [undo, redo, undo]) command(editor);
  typed('y');
  expect(withCursor(editor)).toBe('- one\n- y|\n+ three\n');
  for (const command of [undo, redo]) command(editor);
  typed('z');
  expect(withCursor(editor)).toBe('- one\n- yz|\n+ three\n');
});

test.each([
  ['Tuesday', 'Thursday'],
  ['review', 'preview it'],
  ['Anna', 'Hannes'],
])('undo leaves the word whole by which others have replaced %s', async (mine, theirs) => {
  const text = '- one\n- two gamma delta\n- three\n';
  const editor = open(text);
  const from = text.indexOf('delta');
  editor.dispatch({ changes: { from, to: from + 5 }, userEvent: 'delete.backward' });
  editor.dispatch({ changes: { from, insert: mine }, userEvent: 'input.type' });
  const base = { text: editor.state.doc.toString(), rows: rowIdsOf(editor.state) };
  const replaced = base.text.replace(mine, theirs);
  await receive(editor, { base, text: replaced, rows: base.rows });
  undo(editor);
  expect(editor.state.doc.toString()).toBe(replaced);
});

test('undo of words that others have changed leaves theirs whole', async () => {
  const text = '- one\n- two gamma delta\n';
  const editor = open(text);
  const at = text.length - 1;
  editor.dispatch({ changes: { from: at, insert: ' tomorrow morning' }, userEvent: 'input.type' });
  const base = { text: editor.state.doc.toString(), rows: rowIdsOf(editor.state) };
  await receive(editor, { base, text: base.text.replace('morning', 'evening'), rows: base.rows });
  undo(editor);
  expect(editor.state.doc.toString()).toMatch(/^- one\n- two gamma delta( (tomorrow )?evening)?\n$/);
});

test.each([
  ['in one piece', true],
  ['typed letter by letter', false],
])('redo of an own row leaves it where others have moved it, %s', async (_, isOne) => {
  const text = '- one\n- two\n- three\n- four\n';
  const editor = open(text);
  const type = (insert: string, userEvent = 'input.type') =>
    editor.dispatch({ ...editor.state.replaceSelection(insert), userEvent });
  editor.dispatch({ selection: { anchor: 11 } });
  type('\n- ', 'input');
  for (const letter of isOne ? ['new'] : ['n', 'e', 'w']) type(letter);
  const [a = '', b = '', c = '', d = '', e = ''] = rowIdsOf(editor.state);
  const base = { text: editor.state.doc.toString(), rows: [a, b, c, d, e] };
  const ids = [a, b, 'newnewne', d, e];
  await receive(editor, { base, text: base.text, rows: ids, isAnswer: true });
  const moved = { text: '- new\n- one\n- two\n- three\n- four\n', rows: ['newnewne', a, b, d, e] };
  await receive(editor, { base: { ...base, rows: ids }, ...moved });
  const reworded = moved.text.replace('new', 'new theirs');
  await receive(editor, { base: moved, text: reworded, rows: moved.rows });
  for (const command of [undo, undo, redo, redo]) {
    command(editor);
    expect(editor.state.doc.toString()).toContain('theirs');
  }
  expect(editor.state.doc.toString()).toBe(reworded);
});
