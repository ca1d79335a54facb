import { setImmediate } from 'node:timers/promises';
import { history, undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import { marked, stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => {
  view?.destroy();
  vi.restoreAllMocks();
});

function open(text: string): EditorView {
  view = new EditorView({ state: stateOf(text, history(), remote), parent: document.body });
  return view;
}

test('a remote change leaves the cursor at its words', async () => {
  const editor = open('- a\n- b|\n');
  await receive(editor, { base: { text: '- a\n- b\n' }, text: '- new\n+ a\n- b\n' });
  expect(marked(editor.state)).toBe('- new\n+ a\n- b|\n');
});

test('many remote changes leave no state behind', async () => {
  const [begun, ended] = [
    vi.spyOn(AbortSignal.prototype, 'addEventListener'),
    vi.spyOn(AbortSignal.prototype, 'removeEventListener'),
  ];
  const editor = open('- a|\n');
  await receive(editor, { base: { text: '- a\n' }, text: '+ a\n' });
  await receive(editor, { base: { text: '+ a\n' }, text: 'x a\n' });
  expect(begun).toHaveBeenCalledTimes(2);
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
});

test('what was typed since is kept, attribute by attribute', async () => {
  const editor = open('- write all the tests|\n- b\n');
  await receive(editor, { base: { text: '- write the tests\n- b\n' }, text: 'x write the tests\n- b\n' });
  expect(marked(editor.state)).toBe('x write all the tests|\n- b\n');
});

test('undo takes back what was typed here, not what came in', async () => {
  const editor = open('- a\n- b|\n');
  editor.dispatch({ changes: { from: 7, insert: '!' }, userEvent: 'input.type' });
  await receive(editor, { base: { text: '- a\n- b\n' }, text: '+ a\n- b\n' });
  expect(editor.state.doc.toString()).toBe('+ a\n- b!\n');
  undo(editor);
  expect(editor.state.doc.toString()).toBe('+ a\n- b\n');
  expect(undo(editor)).toBe(false);
});

test('remote changes wait for the end of a composition', async () => {
  const editor = open('- a\n- b|\n');
  const composing = vi.spyOn(editor, 'composing', 'get').mockReturnValue(true);
  const entered = receive(editor, { base: { text: '- a\n- b\n' }, text: '+ a\n- b\n' });
  await setImmediate();
  expect(editor.state.doc.toString()).toBe('- a\n- b\n');
  editor.contentDOM.dispatchEvent(new CompositionEvent('compositionend'));
  composing.mockReturnValue(false);
  await entered;
  expect(editor.state.doc.toString()).toBe('+ a\n- b\n');
});

test('a destroyed editor resolves pending changes', async () => {
  const editor = open('- a|');
  vi.spyOn(editor, 'composing', 'get').mockReturnValue(true);
  const entered = receive(editor, { base: { text: '- a' }, text: '+ a' });
  editor.destroy();
  await expect(entered).resolves.toEqual([]);
});
