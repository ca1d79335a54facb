import { expect, test } from 'vitest';
import { bestMatches } from '../../../../src/ui/kit/palette.tsx';

const labels = ['Move row up', 'Move row down', 'Duplicate row', 'Due date…', 'Clear due date', 'Undo'];
const found = (typed: string) =>
  bestMatches(
    typed,
    labels.map(label => ({ label })),
  ).map(({ label }) => label);

test('an empty query matches everything, in its own order', () => {
  expect(found('')).toEqual(labels);
  expect(found('  ')).toEqual(labels);
});

test.each([
  ['due', ['Due date…', 'Clear due date']],
  ['row dup', ['Duplicate row']],
  // Letters of words that are not typed completely.
  ['mrd', ['Move row down']],
  ['zzz', []],
])('%j finds %j first', (typed, wanted) => {
  expect(found(typed).slice(0, wanted.length)).toEqual(wanted);
  if (wanted.length === 0) expect(found(typed)).toEqual([]);
});
