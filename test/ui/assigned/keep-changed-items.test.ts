import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepChangedItems } from '../../../src/ui/assigned/use-kept-items.ts';

const list = (ids: string) => [...ids].map(id => ({ id }));
const keep = (before: string, now: string, touched: string) =>
  keepChangedItems(list(before), list(now), ({ id }) => touched.includes(id))
    .map(({ id }) => id)
    .join('');

test('what was changed here stays where it stood', () => {
  expect(keep('abcd', 'acd', 'b')).toBe('abcd');
  expect(keep('abcd', 'bcd', 'a')).toBe('abcd');
  expect(keep('abcd', 'ab', 'cd')).toBe('abcd');
  expect(keep('abc', '', 'b')).toBe('b');
});

test('what others took away goes', () => {
  expect(keep('abcd', 'ad', '')).toBe('ad');
  expect(keep('abcd', 'ad', 'c')).toBe('acd');
});

test('what is new comes where the server puts it, and what is there again is there once', () => {
  expect(keep('ab', 'xayb', 'a')).toBe('xayb');
  expect(keep('abc', 'acx', 'b')).toBe('abcx');
});

test('nothing twice, nothing of the server’s lost, its order kept', () => {
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
