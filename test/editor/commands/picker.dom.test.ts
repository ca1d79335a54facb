import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { EditorSelection, Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorCommands, isOffered } from '../../../src/editor/commands/command.ts';
import { runs } from '../../run/seed.ts';
import { markedText, storedText } from '../../text/arbitrary.ts';
import { fakeProvider } from '../complete/offers.ts';
import { editorOf, marked } from '../fixture.ts';

const person = '[~accountid:a1]';

function run(view: EditorView, id: 'assign' | 'dueDate' | 'gate'): boolean {
  const command = view.state.facet(editorCommands).find(each => each.id === id);
  return command !== undefined && isOffered(command, view.state) && command.run(view);
}

const press = (view: EditorView, key: string) =>
  view.contentDOM.dispatchEvent(
    new KeyboardEvent('keydown', { key, keyCode: key === 'Escape' ? 27 : 0, bubbles: true, cancelable: true }),
  );

const type = (view: EditorView, typed: string) => {
  for (const text of typed)
    view.dispatch(view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' }));
};

test.each([
  ['assign', '- a', '@'],
  ['assign', `- a ${person} 2026-11-20`, '@'],
  ['dueDate', `- a ${person} 2026-11-20`, '//'],
  ['gate', '# a !customers\n- b', '!before:'],
] as const)('Escape out of the list of %s leaves the text as it was: %j', (id, text, sign) => {
  const view = editorOf(text);
  view.dispatch({ selection: { anchor: 2 } });
  const before = marked(view.state);
  expect(run(view, id)).toBe(true);
  expect(view.state.doc.toString()).toContain(sign);
  type(view, 'em');
  press(view, 'Escape');
  expect(marked(view.state)).toBe(before);
  expect(undoDepth(view.state)).toBe(0);
  redo(view);
  expect(marked(view.state)).toBe(before);
});

test('Escape leaves what could be undone and redone before', () => {
  const view = editorOf('- a');
  type(view, 'b');
  view.dispatch({ selection: { anchor: 0 } });
  view.dispatch({ changes: { from: 4, insert: 'c' }, userEvent: 'input' });
  undo(view);
  const depths = [undoDepth(view.state), redoDepth(view.state)];
  run(view, 'assign');
  type(view, 'em');
  press(view, 'Escape');
  expect([undoDepth(view.state), redoDepth(view.state)]).toEqual(depths);
  redo(view);
  expect(view.state.doc.toString()).toBe('- abc');
  while (undo(view));
  expect(view.state.doc.toString()).toBe('- a');
});

test('a foreign change while a list is open stays, and so do the steps before', () => {
  const view = editorOf('- a\n- b');
  view.dispatch({ changes: { from: 7, insert: 'b' }, selection: { anchor: 8 }, userEvent: 'input' });
  run(view, 'assign');
  type(view, 'em');
  view.dispatch({
    changes: { from: 3, insert: ' remote' },
    annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
  });
  press(view, 'Escape');
  expect(marked(view.state)).toBe('- a remote\n- bb|');
  redo(view);
  expect(marked(view.state)).toBe('- a remote\n- bb|');
  undo(view);
  expect(view.state.doc.toString()).toBe('- a remote\n- b');
});

test.each([
  ['undone', (view: EditorView) => undo(view)],
  ['deleted by hand', (view: EditorView) => view.dispatch({ changes: { from: 3, to: 5 }, userEvent: 'delete' })],
])('a sign that is %s does not come back by redo', (_how, away) => {
  const view = editorOf('- a');
  run(view, 'assign');
  away(view);
  redo(view);
  expect(view.state.doc.toString()).toBe('- a');
});

test('a sign that the user typed stays', () => {
  const view = editorOf('- a ');
  type(view, '@em');
  press(view, 'Escape');
  expect(marked(view.state)).toBe('- a @em|');
});

test('a cursor that goes elsewhere takes a bare sign away, and keeps a name that was typed', async () => {
  const view = editorOf('- a\n- b');
  run(view, 'assign');
  view.dispatch({ selection: { anchor: 1 } });
  await expect.poll(() => marked(view.state)).toBe('-| a\n- b');
  view.dispatch({ selection: { anchor: 7 } });
  run(view, 'assign');
  type(view, 'em');
  view.dispatch({ selection: { anchor: 1 } });
  await new Promise(resolve => setTimeout(resolve));
  expect(marked(view.state)).toBe('-| a\n- b @em');
});

test('what was chosen stays, and undo takes it back', async () => {
  const provider = fakeProvider({ findPeople: async () => [{ accountId: 'a1', name: 'Emma', avatar: '' }] });
  const view = editorOf('- a', { provider });
  view.focus();
  run(view, 'assign');
  await expect.poll(() => view.dom.querySelector('[role=option]')).not.toBeNull();
  const option = view.dom.querySelector('[role=option]');
  if (option) await userEvent.click(option);
  await expect.poll(() => view.state.doc.toString()).toContain(person);
  press(view, 'Escape');
  expect(view.state.doc.toString()).toContain(person);
  expect(undoDepth(view.state)).toBe(1);
  while (undo(view));
  expect(marked(view.state)).toBe('- a|');
  redo(view);
  expect(view.state.doc.toString()).toContain(person);
});

test('any text with any cursor is the same after Escape', () => {
  const view = editorOf('');
  fc.assert(
    fc.property(
      fc.oneof(storedText, markedText),
      fc.nat(),
      fc.constantFrom('assign', 'dueDate'),
      fc.constantFrom('', 'e', 'em', 'emma r'),
      (text, at, id, typed) => {
        view.setState(editorOf(text).state);
        view.dispatch({ selection: EditorSelection.cursor(at % (text.length + 1)) });
        const before = marked(view.state);
        if (!run(view, id)) return;
        type(view, typed);
        press(view, 'Escape');
        expect(marked(view.state)).toBe(before);
      },
    ),
    runs(200),
  );
});
