import { isolateHistory, redo, undo } from '@codemirror/commands';
import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorCommands } from '../../src/editor/commands/command.ts';
import { convert } from '../../src/text/convert.ts';
import { runs } from '../run/seed.ts';
import { editorOf, marked } from './fixture.ts';

const commandOf = (view: EditorView, id: string) => {
  const command = view.state.facet(editorCommands).find(each => each.id === id);
  if (!command) throw new Error(`No command ${id}.`);
  return command;
};

/** Types characters as a keyboard does; `⏎` is Enter. */
function type(view: EditorView, typed: string): void {
  for (const text of typed) {
    if (text === '⏎') {
      if (!commandOf(view, 'continueList').run(view)) view.dispatch(view.state.replaceSelection('\n'));
      continue;
    }
    const { from, to } = view.state.selection.main;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
    const isHandled = view.state.facet(EditorView.inputHandler).some(handler => handler(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
  }
}

/** What the editor holds after typing at the `|` of a text. */
function afterTyping(typed: string, before = '|'): string {
  const view = editorOf(before.replace('|', ''));
  view.dispatch({ selection: { anchor: before.indexOf('|') } });
  type(view, typed);
  return marked(view.state);
}

test.each([
  ['- a⏎+ done', '- a\n+ done|'],
  ['- a⏎- b', '- a\n- b|'],
  ['- a⏎~ doing', '- a\n~ doing|'],
  ['- a⏎x gone', '- a\nx gone|'],
  ['- a⏎# Ship', '- a\n# Ship|'],
  ['- a⏎## Ship', '- a\n## Ship|'],
  ['- a⏎> why⏎+ b', '- a\n> why\n+ b|'],
  ['- a⏎[x] b', '- a\n+ b|'],
  ['- a⏎* b', '- a\n- b|'],
  // A mark that was typed is the user's own.
  ['- - b', '- - b|'],
  ['- a⏎b - c', '- a\n- b - c|'],
  ['- a⏎#tag', '- a\n- #tag|'],
])('a mark typed behind the automatic one replaces it: %j', (typed, after) => {
  expect(afterTyping(typed)).toBe(after);
});

test.each([
  ['- a⏎> why⏎- b', '- a\n> why\n> - b|'],
  ['- a⏎> why⏎* b⏎c', '- a\n> why\n> * b\n> * c|'],
  ['- a⏎> why⏎1. b⏎c', '- a\n> why\n> 1. b\n> 2. c|'],
  ['- a⏎> * b⏎- c⏎d', '- a\n> * b\n> - c\n> - d|'],
  ['- a⏎> - b⏎- c', '- a\n> - b\n> - c|'],
  ['- a⏎> 9. b⏎* c', '- a\n> 9. b\n> * c|'],
  ['- a⏎> - [x] b⏎- c', '- a\n> - [x] b\n> - c|'],
  ['- a⏎> * b⏎c - d', '- a\n> * b\n> * c - d|'],
  // Those that were typed are the user's own.
  ['- a⏎> * - b', '- a\n> * - b|'],
  ['- a⏎> * b⏎⏎⏎- c', '- a\n> * b\n- c|'],
])('bullets in a detail stay there, and Enter continues them: %j', (typed, after) => {
  expect(afterTyping(typed)).toBe(after);
});

test.each([
  ['|', '! Sign off', '- ! Sign off|'],
  ['|Sign off', '! ', '- ! |Sign off'],
  ['- a\n  |', '! Sign off', '- a\n  - ! Sign off|'],
  ['- |', '! Sign off', '- ! Sign off|'],
  ['|- first', '! ', '- ! |first'],
  ['|+ [QA] first', '! ', '+ ! |[QA] first'],
  ['|- ! first', '! ', '- ! |first'],
  ['|# One', '! ', '! |# One'],
  ['- a\n|> why', '! ', '- a\n! |> why'],
  ['say |', '! ', 'say ! |'],
  ['|', '!important', '!important|'],
])('an exclamation mark at the start of a row makes a mandatory item: in %j', (before, typed, after) => {
  expect(afterTyping(typed, before)).toBe(after);
});

test.each([
  ['[ ] a', '- a|'],
  ['[] a', '- a|'],
  ['[x] a', '+ a|'],
  ['[X] a', '+ a|'],
  ['* a', '- a|'],
  ['* [x] a', '+ a|'],
  ['- [ ] a', '- a|'],
  ['- [x] a', '+ a|'],
  ['* [x]? a', '+ a|'],
  ['1. a', '- a|'],
  ['1) a', '- a|'],
  ['  [x] a', '  + a|'],
  ['12. November', '12. November|'],
  ['**bold** a', '**bold** a|'],
  ['say [x] a', 'say [x] a|'],
  ['# 1. a', '# 1. a|'],
  ['- [ON HOLD] a', '- [ON HOLD] a|'],
])('at the start of a row it becomes the mark that pasting makes: %j', (typed, after) => {
  expect(afterTyping(typed)).toBe(after);
});

test.each([
  ['|- first', '+ ', '+ |first'],
  ['|+ first', '- ', '- |first'],
  ['|- first', '- ', '- |first'],
  ['|- first', 'x ', 'x |first'],
  ['|- first', '[x] ', '+ |first'],
  ['|- first', '## ', '## |first'],
  ['|# One', '## ', '## |One'],
  ['|# One', '+ ', '+ |One'],
  ['- a\n|- first', '> ', '- a\n> |first'],
  ['- a\n|> why', '- ', '- a\n- |why'],
  ['|  - first', '+ ', '+ |first'],
  ['  |- first', '+ ', '  + |first'],
  ['|- ! first', '+ ', '+ ! |first'],
  ['|- ! first', '# ', '# |first'],
  ['|- [ON HOLD] first', '+ ', '+ |first'],
  // A bullet says nothing about the status.
  ['|+ first', '* ', '+ |first'],
  ['|+ first', '1. ', '+ |first'],
  ['|-', '+ ', '+ |'],
  ['|- [ON HOLD]', '+ ', '+ |'],
  // No mark follows.
  ['|first', '+ ', '+ |first'],
  ['|-5 degrees', '+ ', '+ |-5 degrees'],
  ['|> quoted', '- ', '- |> quoted'],
  ['- |- first', '+ ', '- + |- first'],
  ['say |- first', '+ ', 'say + |- first'],
])('typed before the mark of a row it replaces that: in %j', (before, typed, after) => {
  expect(afterTyping(typed, before)).toBe(after);
});

test('undo takes back the replacement of the mark that follows alone', () => {
  const view = editorOf('- first');
  view.dispatch({ selection: { anchor: 0 } });
  type(view, '+ ');
  expect(marked(view.state)).toBe('+ |first');
  undo(view);
  expect(marked(view.state)).toBe('+ |- first');
  redo(view);
  expect(marked(view.state)).toBe('+ |first');
});

test('undo takes back the replacement alone', () => {
  const view = editorOf('');
  type(view, '- a⏎+ ');
  expect(marked(view.state)).toBe('- a\n+ |');
  undo(view);
  expect(marked(view.state)).toBe('- a\n- + |');
  type(view, 'b ');
  expect(marked(view.state)).toBe('- a\n- + b |');
  const other = editorOf('');
  type(other, '[x] ');
  undo(other);
  expect(marked(other.state)).toBe('[x] |');
  redo(other);
  expect(marked(other.state)).toBe('+ |');
});

test('an automatic mark that was changed is replaced no more', () => {
  const view = editorOf('- a');
  type(view, '⏎');
  view.dispatch({ changes: { from: 4, to: 6 } });
  type(view, '- + b');
  expect(marked(view.state)).toBe('- a\n- + b|');
});

test('marks of pasted text stay as they are', () => {
  const view = editorOf('- a');
  type(view, '⏎');
  view.dispatch(view.state.replaceSelection('+ b'), { userEvent: 'input.paste' });
  expect(marked(view.state)).toBe('- a\n- + b|');
});

test('each of several cursors has its own mark', () => {
  const view = editorOf('- a\n- b\nc');
  view.dispatch({
    selection: EditorSelection.create([3, 7, 9].map(at => EditorSelection.cursor(at))),
    annotations: isolateHistory.of('full'),
  });
  type(view, '⏎+ d');
  expect(view.state.doc.toString()).toBe('- a\n+ d\n- b\n+ d\nc\n+ d');
});

test('any mark that is typed reads as it does when the line is pasted', () => {
  const bullet = fc.constantFrom('', '- ', '* ', '• ', '+ ', '1. ', '1) ');
  const box = fc.constantFrom('[ ] ', '[] ', '[x] ', '[X] ', '[~] ', '[x]? ', '[]? ');
  fc.assert(
    fc.property(bullet, box, fc.constantFrom('word', 'two words'), (bullet, box, words) => {
      const view = editorOf('');
      type(view, bullet + box + words);
      // A bullet becomes a mark before its box is typed.
      const line = (/^[*•1]/.test(bullet) ? '- ' : bullet) + box + words;
      expect(view.state.doc.toString()).toBe(convert(line, 'auto').text);
      view.destroy();
    }),
    runs(100),
  );
});
