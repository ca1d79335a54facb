import { expect, test } from 'vitest';
import { NAME_MAX } from '../../../src/domain/fields.ts';
import { createNames } from '../../../src/server/templates/rules.ts';

const given = (count: number, name: string, first: string, taken: readonly string[] = []) => {
  const free = createNames(new Set(taken));
  return Array.from({ length: count }, () => free(name, first));
};

test('equal names get the first numbers that are free, however many digits they have', () => {
  expect(given(12, 'Equal', '', ['equal (3)', 'equal (10)'])).toEqual([
    ...['Equal', 'Equal (2)', 'Equal (4)', 'Equal (5)', 'Equal (6)', 'Equal (7)', 'Equal (8)', 'Equal (9)'],
    ...['Equal (11)', 'Equal (12)', 'Equal (13)', 'Equal (14)'],
  ]);
  expect(given(3, 'Equal', ' (copy)', ['equal (copy)'])).toEqual([
    'Equal (copy 2)',
    'Equal (copy 3)',
    'Equal (copy 4)',
  ]);
});

test('a name of the maximum length is cut for its number, with the same result for names that differ behind the cut', () => {
  const long = 'x'.repeat(NAME_MAX);
  const [one, two, ...more] = given(11, long, '');
  expect([one, two, more.at(-1)]).toEqual([long, `${long.slice(4)} (2)`, `${long.slice(5)} (11)`]);
  const free = createNames(new Set());
  const names = ['a', 'b', 'a', 'b', 'a'].map(end => free(`${long.slice(1)}${end}`, ''));
  expect(new Set(names).size).toBe(5);
  expect(names.slice(2)).toEqual([2, 3, 4].map(number => `${long.slice(4)} (${number})`));
});

test('case and runs of blanks make no other name', () => {
  const free = createNames(new Set(['two  words'.replace('  ', ' ')]));
  expect(free('TWO   Words', '')).toBe('TWO   Words (2)');
  expect(free('two words', '')).toBe('two words (3)');
});
