import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { peers, peersOf, setPeers } from '../../../src/editor/collaboration/collaborators.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

test('others go along with their rows while somebody types, and nothing of it is in the text or read out', () => {
  const editor = new EditorView({ state: stateOf('- a\n- b|\n', peers), parent: document.body });
  view = editor;
  const before = editor.contentDOM.innerHTML;
  editor.dispatch(setPeers([{ id: 'x', name: 'Mia', at: 4 }]));
  expect(editor.contentDOM.innerHTML).toBe(before);
  expect(editor.dom.querySelector('.cm-peers')).toHaveAttribute('aria-hidden', 'true');
  editor.dispatch({ changes: { from: 0, insert: '- new\n' } });
  expect(peersOf(editor)).toEqual([{ id: 'x', name: 'Mia', at: 10 }]);
  editor.dispatch(setPeers([]));
  expect(peersOf(editor)).toEqual([]);
});
