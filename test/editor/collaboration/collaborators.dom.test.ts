import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { collaborators, collaboratorsOf, setCollaborators } from '../../../src/editor/collaboration/collaborators.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

test('name tags follow their rows while typing, outside the text and hidden from screen readers', () => {
  const editor = new EditorView({ state: stateOf('- a\n- b|\n', collaborators), parent: document.body });
  view = editor;
  const before = editor.contentDOM.innerHTML;
  editor.dispatch(setCollaborators([{ id: 'x', name: 'Mia', at: 4 }]));
  expect(editor.contentDOM.innerHTML).toBe(before);
  expect(editor.dom.querySelector('.cm-collaborators')).toHaveAttribute('aria-hidden', 'true');
  editor.dispatch({ changes: { from: 0, insert: '- new\n' } });
  expect(collaboratorsOf(editor)).toEqual([{ id: 'x', name: 'Mia', at: 10 }]);
  editor.dispatch(setCollaborators([]));
  expect(collaboratorsOf(editor)).toEqual([]);
});
