import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { collaborators, setCollaborators } from '../../../src/editor/collaboration/collaborators.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

test('name tags follow their rows while typing, outside the text and hidden from screen readers', async () => {
  const editor = new EditorView({ state: stateOf('- a\n- b|\n', collaborators), parent: document.body });
  view = editor;
  const before = editor.contentDOM.innerHTML;
  const tags = () =>
    [...editor.dom.querySelectorAll<HTMLElement>('.cm-collaborator')].map(tag => [tag.textContent, tag.style.top]);
  const topOf = (at: number) => `${editor.lineBlockAt(at).top + editor.documentPadding.top}px`;
  editor.dispatch(setCollaborators([{ id: 'x', name: 'Mia', at: 4 }]));
  expect(editor.contentDOM.innerHTML).toBe(before);
  expect(editor.dom.querySelector('.cm-collaborators')).toHaveAttribute('aria-hidden', 'true');
  await expect.poll(tags).toEqual([['Mia', topOf(4)]]);
  editor.dispatch({ changes: { from: 0, insert: '- new\n' } });
  expect(topOf(10)).not.toBe(topOf(4));
  await expect.poll(tags).toEqual([['Mia', topOf(10)]]);
  editor.dispatch(setCollaborators([]));
  await expect.poll(tags).toEqual([]);
});
