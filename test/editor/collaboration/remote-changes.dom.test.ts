import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import { checklistField } from '../../../src/editor/checklist.ts';
import { conflicts } from '../../../src/editor/collaboration/conflicts.ts';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import { onRemoteChange, remoteChanges } from '../../../src/editor/collaboration/remote-changes.ts';
import { storedVersion } from '../../../src/editor/collaboration/stored-version.ts';
import { checklistLanguage } from '../../../src/editor/language.ts';
import { rowIds } from '../../../src/editor/row-ids.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => {
  view?.destroy();
  vi.useRealTimers();
});

function open(text: string) {
  const counts: number[] = [];
  const parts = [remoteChanges, onRemoteChange.of(({ rows }) => counts.push(rows)), conflicts, remote];
  const editor = new EditorView({ state: stateOf(text, ...parts), parent: document.body });
  view = editor;
  const marked = () => [...editor.dom.querySelectorAll('.cm-check-arrived')].map(line => line.textContent);
  return { editor, counts, marked };
}

test.each([
  ['one ticked', '- a\n- b\n- c\n', '- a\n+ b\n- c\n', 1, ['+ b']],
  ['two far from each other', '- a\n- b\n- c\n- d\n', '+ a\n- b\n- c\n+ d\n', 2, ['+ a', '+ d']],
  ['one more', '- a\n- b\n', '- a\n- new\n- b\n', 1, ['- new']],
  ['two fewer', '- a\n- b\n- c\n', '- b\n', 2, []],
  ['only a blank line', '- a\n- b\n', '- a\n\n- b\n', 0, []],
])('says how many rows came, and marks them: %s', async (_, base, text, rows, lines) => {
  const { editor, counts, marked } = open(`${base}|`);
  await receive(editor, { base: { text: base }, text });
  expect(counts).toEqual(rows === 0 ? [] : [rows]);
  expect(marked()).toEqual(lines);
});

test('what is typed here is neither', async () => {
  const { editor, counts, marked } = open('- a|\n');
  editor.dispatch({ changes: { from: 3, insert: '!' } });
  await receive(editor, { base: { text: '- a\n' }, text: '- a\n' });
  expect(counts).toEqual([]);
  expect(marked()).toEqual([]);
});

test('says which deleted row stays because it was edited here, once', async () => {
  const kept: string[] = [];
  const listener = onRemoteChange.of(note => kept.push(...note.kept));
  const editor = new EditorView({ state: stateOf('- a\n- b more|\n- c\n', listener, remote), parent: document.body });
  view = editor;
  await receive(editor, { base: { text: '- a\n- b\n- c\n' }, text: '- a\n- c\n' });
  expect(editor.state.doc.toString()).toBe('- a\n- b more\n- c\n');
  expect(kept).toEqual(['b more']);
  await receive(editor, { base: { text: '- a\n- c\n' }, text: '- a\n- c!\n' });
  expect(editor.state.doc.toString()).toBe('- a\n- b more\n- c!\n');
  expect(kept).toEqual(['b more']);
});

test('says which deleted row is back', async () => {
  const returned: string[] = [];
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  const first = { text: '- a\n- b\n', rows: [a, b] };
  const listener = onRemoteChange.of(note => returned.push(...note.returned));
  const extensions = [checklistLanguage, checklistField, rowIds([a, b]), storedVersion([first]), listener, remote];
  const editor = new EditorView({ state: EditorState.create({ doc: first.text, extensions }), parent: document.body });
  view = editor;
  editor.dispatch({ changes: { from: 4, to: 8 } });
  const second = { text: '- a\n', rows: [a] };
  await receive(editor, { base: second, ...second, isAnswer: true });
  await receive(editor, { base: second, text: '- a\n- b more\n- new\n', rows: [a, b, crypto.randomUUID()] });
  expect(editor.state.doc.toString()).toBe('- a\n- b more\n- new\n');
  expect(returned).toEqual(['b more']);
});

test('the highlights disappear automatically', async () => {
  vi.useFakeTimers();
  const { editor, marked } = open('- a\n- b|\n');
  await receive(editor, { base: { text: '- a\n- b\n' }, text: '+ a\n- b\n' });
  expect(marked()).toEqual(['+ a']);
  vi.runAllTimers();
  expect(marked()).toEqual([]);
});

test('remote changes at every key leave cursor, typing and undo correct', async () => {
  const { editor } = open('- 0\n- mine|\n');
  let base = '- 0\n- mine\n';
  const typed = ' and what follows it';
  for (const [index, key] of [...typed].entries()) {
    editor.dispatch(editor.state.replaceSelection(key), { userEvent: 'input.type' });
    const theirs = base
      .replace(/^- \d+/, `- ${index + 1}`)
      .replace(/$/, `${index % 3 === 0 ? `- more ${index}\n` : ''}`);
    await receive(editor, { base: { text: base }, text: theirs });
    base = theirs;
  }
  const { head } = editor.state.selection.main;
  const { text } = editor.state.doc.lineAt(head);
  expect(text).toBe(`- mine${typed}`);
  expect(head).toBe(editor.state.doc.lineAt(head).to);
  expect(editor.state.doc.line(1).text).toBe(`- ${typed.length}`);
});
