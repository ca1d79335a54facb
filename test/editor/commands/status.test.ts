import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { nextStatus, toggleDone } from '../../../src/editor/commands/status.ts';
import { run } from '../fixture.ts';

test.each([
  ['- wash| up', '+ wash| up'],
  ['+ wash| up', '- wash| up'],
  ['~ wash| up', '+ wash| up'],
  ['- a\n- b|\n- c', '- a\n+ b|\n- c'],
  // A first status writes the mark.
  ['wash| up', '+ wash| up'],
  // From its details, the item is meant.
  ['- a\n> note|\n- b', '+ a\n> note|\n- b'],
  ['- ! must|', '+ ! must|'],
])('toggles done: %j', (before, after) => {
  expect(run(toggleDone, before)).toBe(after);
});

test('toggles every item that the selection touches, one way', () => {
  expect(run(toggleDone, '- a|\n+ b\n# c\n- d|')).toBe('+ a|\n+ b\n# c\n+ d|');
  expect(run(toggleDone, '+ a|\n+ b|')).toBe('- a|\n- b|');
});

test.each([
  ['- a|', '~ a|'],
  ['~ a|', '+ a|'],
  ['+ a|', 'x a|'],
  ['x a|', '- a|'],
])('goes on to the next status: %j', (before, after) => {
  expect(run(nextStatus, before)).toBe(after);
});

test.each(['# header|', '|', 'a\n|\nb'])('leaves lines without an item alone: %j', text => {
  expect(run(toggleDone, text)).toBeUndefined();
});

test('changes nothing that is read-only', () => {
  expect(run(toggleDone, '- a|', EditorState.readOnly.of(true))).toBeUndefined();
});
