import { expect, test } from 'vitest';
import { withOpened } from '../../../src/ui/hierarchy/use-hierarchy.tsx';

const issue = (id: number) => ({ id: String(id) });
const fifty = new Map(Array.from({ length: 50 }, (_, index) => [String(index + 1), issue(index + 1)]));

test('as long as there is room, all stay', () => {
  const room = withOpened(new Map([['1', issue(1)]]), issue(2), () => false);
  expect([...(room?.opened.keys() ?? [])]).toEqual(['1', '2']);
  expect(room?.left).toEqual([]);
});

test('one that is open already takes no room', () => {
  expect(withOpened(fifty, issue(7), () => false)?.left).toEqual([]);
});

test('of too many the first one goes that need not stay', () => {
  const room = withOpened(fifty, issue(51), id => Number(id) < 3);
  expect(room?.left).toEqual(['3']);
  expect(room?.opened.size).toBe(50);
  expect(room?.opened.has('3')).toBe(false);
  expect(room?.opened.has('51')).toBe(true);
});

test('where all have to stay there is no room', () => {
  expect(withOpened(fifty, issue(51), () => true)).toBeUndefined();
});
