import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepChangedItems } from '../../../../src/ui/screens/assigned-items/use-assigned.ts';

const list = (ids: string) => [...ids].map(id => ({ id }));
const keep = (before: string, now: string, touched: string) =>
  keepChangedItems(list(before), list(now), ({ id }) => touched.includes(id))
    .map(({ id }) => id)
    .join('');

test('an item changed here keeps its position', () => {
  expect(keep('abcd', 'acd', 'b')).toBe('abcd');
  expect(keep('abcd', 'bcd', 'a')).toBe('abcd');
  expect(keep('abcd', 'ab', 'cd')).toBe('abcd');
  expect(keep('abc', '', 'b')).toBe('b');
});

test('an item removed by another user disappears', () => {
  expect(keep('abcd', 'ad', '')).toBe('ad');
  expect(keep('abcd', 'ad', 'c')).toBe('acd');
});

test('a new item is placed as on the server; a returning item shows once', () => {
  expect(keep('ab', 'xayb', 'a')).toBe('xayb');
  expect(keep('abc', 'acx', 'b')).toBe('abcx');
});

test('no item shows twice, no item of the server is lost, and its order is kept', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij')).map(all => all.join(''));
  fc.assert(
    fc.property(ids, ids, ids, (before, now, touched) => {
      const all = keep(before, now, touched);
      expect(new Set(all).size).toBe(all.length);
      expect([...all].filter(id => now.includes(id)).join('')).toBe(now);
      const stays = [...before].filter(id => touched.includes(id) && !now.includes(id));
      expect(new Set([...all].filter(id => !now.includes(id)))).toEqual(new Set(stays));
    }),
  );
});
