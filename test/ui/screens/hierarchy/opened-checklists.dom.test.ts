import { expect, test } from 'vitest';
import { addOpened } from '../../../../src/ui/screens/hierarchy/use-hierarchy.tsx';

const issue = (id: number) => ({ id: String(id) });
const fifty = new Map(Array.from({ length: 50 }, (_, index) => [String(index + 1), issue(index + 1)]));

test('below the limit, all stay', () => {
  const room = addOpened(new Map([['1', issue(1)]]), issue(2), () => false);
  expect([...(room?.opened.keys() ?? [])]).toEqual(['1', '2']);
  expect(room?.left).toEqual([]);
});

test('opening an open checklist closes none', () => {
  expect(addOpened(fifty, issue(7), () => false)?.left).toEqual([]);
});

test('above the limit, the first that can be closed is closed', () => {
  const room = addOpened(fifty, issue(51), id => Number(id) < 3);
  expect(room?.left).toEqual(['3']);
  expect(room?.opened.size).toBe(50);
  expect(room?.opened.has('3')).toBe(false);
  expect(room?.opened.has('51')).toBe(true);
});

test('above the limit, no checklist opens when none can be closed', () => {
  expect(addOpened(fifty, issue(51), () => true)).toBeUndefined();
});
