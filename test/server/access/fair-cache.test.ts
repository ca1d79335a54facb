import { expect, test } from 'vitest';
import { createFairCache } from '../../../src/server/access/fair-cache.ts';

test('an owner who sets many values loses its own, the least recently used first', () => {
  const lost: [string, number][] = [];
  const cache = createFairCache<number>(4, (owner, value) => void lost.push([owner, value]));
  cache.set('quiet', 'a', 1);
  for (let value = 1; value <= 3; value += 1) cache.set('loud', `${value}`, value);
  expect(cache.get('loud', '1')).toBe(1);
  cache.set('loud', '4', 4);
  cache.set('loud', '5', 5);
  expect(lost).toEqual([
    ['loud', 2],
    ['loud', 3],
  ]);
  expect(cache.get('quiet', 'a')).toBe(1);
  expect(cache.get('loud', '2')).toBeUndefined();
});

test('an owner with few values takes the room of the one with most', () => {
  const cache = createFairCache<number>(4);
  for (let value = 1; value <= 4; value += 1) cache.set('first', `${value}`, value);
  cache.set('second', 'a', 1);
  cache.set('third', 'a', 1);
  expect(cache.peek('first', '1')).toBeUndefined();
  expect(cache.peek('first', '2')).toBeUndefined();
  expect(cache.peek('first', '3')).toBe(3);
  expect([cache.peek('second', 'a'), cache.peek('third', 'a')]).toEqual([1, 1]);
});

test('a new owner has room beside as many owners as there are values', () => {
  const cache = createFairCache<number>(2);
  for (const owner of ['a', 'b', 'c']) cache.set(owner, 'key', 1);
  expect(['a', 'b', 'c'].map(owner => cache.peek(owner, 'key'))).toEqual([undefined, 1, 1]);
  cache.delete('b', 'key');
  expect(cache.get('b', 'key')).toBeUndefined();
  cache.set('d', 'key', 1);
  expect(cache.get('c', 'key')).toBe(1);
});
