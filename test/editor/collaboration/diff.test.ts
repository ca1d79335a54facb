import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/editor/collaboration/diff.ts';

const applied = (before: string, after: string) => {
  const state = EditorState.create({ doc: before });
  return state.update({ changes: changesBetween(before, after) }).state.doc.toString();
};

const line = fc.constantFrom('- a', '+ a', '- b', '> d', '# h', '', '😀 x', '😁 x');
const text = fc.array(line, { maxLength: 12 }).map(lines => lines.join('\n'));

test('the changes turn one text into the other', () => {
  fc.assert(fc.property(text, text, (before, after) => applied(before, after) === after));
});

test('nothing differs, nothing changes', () => {
  expect(changesBetween('- a\n- b\n', '- a\n- b\n')).toEqual([]);
});

test('a tick changes one character', () => {
  expect(changesBetween('- a\n- b\n- c', '- a\n+ b\n- c')).toEqual([{ from: 4, to: 5, insert: '+' }]);
});

test('lines that stay between others are not touched', () => {
  expect(changesBetween('- a\n- b\n- c', '- a\n- new\n- b\n- d')).toEqual([
    { from: 4, to: 4, insert: '- new\n' },
    { from: 10, to: 11, insert: 'd' },
  ]);
});

test('a surrogate pair is replaced whole', () => {
  expect(changesBetween('- 😀', '- 😁')).toEqual([{ from: 2, to: 4, insert: '😁' }]);
});

test('a long rewritten text is replaced as one block', () => {
  const before = Array.from({ length: 3000 }, (_, index) => `- ${index}`).join('\n');
  const after = Array.from({ length: 3001 }, (_, index) => `+ ${index}!`).join('\n');
  expect(applied(before, after)).toBe(after);
});
