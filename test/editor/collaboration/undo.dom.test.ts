import { deleteLine, history, redo, undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import { undoAmongOthers } from '../../../src/editor/collaboration/undo.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

function open(text: string): EditorView {
  view = new EditorView({ state: stateOf(text, history(), remote, undoAmongOthers), parent: document.body });
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
