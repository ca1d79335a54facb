import { expect, test } from 'vitest';
import { continueList, removeMark } from '../../../src/editor/commands/continue.ts';
import { run } from '../fixture.ts';

test.each([
  ['- a|', '- a\n- |'],
  ['+ done|', '+ done\n- |'],
  ['- [ON HOLD] a|', '- [ON HOLD] a\n- |'],
  ['  - a|', '  - a\n  - |'],
  ['- one| two', '- one\n- |two'],
  ['- one|xx|\n- b', '- one\n- |\n- b'],
  ['- a\n> note|', '- a\n> note\n> |'],
  ['- a\n> - note|', '- a\n> - note\n> - |'],
  ['- a\n> 9. note|\n- b', '- a\n> 9. note\n> 10. |\n- b'],
  ['- a\n> * [x] one| two', '- a\n> * [x] one\n> * [ ] |two'],
  ['- a\n> |- note', '- a\n> \n> |- note'],
  ['- a\n> one| two\n> three', '- a\n> one\n> |two\n> three'],
  // A new item does not take over the details of the one before.
  ['- a|\n> note\n- b', '- a\n> note\n- |\n- b'],
  ['- a|\n> one\n> two', '- a\n> one\n> two\n- |'],
])('Enter goes on with the list: %j', (before, after) => {
  expect(run(continueList, before)).toBe(after);
});

test.each([
  ['- a\n- |', '- a\n|'],
  ['- a\n  + |\n- b', '- a\n|\n- b'],
  ['- a\n> |', '- a\n|'],
  ['- a\n> - |', '- a\n> |'],
  ['- a\n> 1. |\n- b', '- a\n> |\n- b'],
])('Enter in an empty line ends it: %j', (before, after) => {
  expect(run(continueList, before)).toBe(after);
});

test.each(['plain|', '# header|', '|- a', '-| a', '|', 'a\n|\nb'])('Enter is an ordinary one: %j', text => {
  expect(run(continueList, text)).toBeUndefined();
});

test.each([
  ['- |a', '|a'],
  ['+ |a', '|a'],
  ['  ~ |a', '  |a'],
  ['## |Title', '|Title'],
  ['- a\n> |note', '- a\n|note'],
  ['- a\n- |', '- a\n|'],
])('Backspace takes the mark away: %j', (before, after) => {
  expect(run(removeMark, before)).toBe(after);
});

test.each([
  // Without the mark this would be a skipped item, a header, another item, a mandatory one, a detail.
  '- |x ray',
  '- |# one',
  '- |- dash',
  '- a\n- |> b',
  // The details below would lose their item.
  '- |\n> note',
  // More than a mark stands before the words.
  '- ! |must',
  '- a|',
  '|- a',
  '- |a|',
])('Backspace is an ordinary one: %j', text => {
  expect(run(removeMark, text)).toBeUndefined();
});
