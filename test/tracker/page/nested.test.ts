import { expect, test } from 'vitest';
import { nested } from '../../../src/tracker/page/parts/nested.ts';
import type { HostIssueLine } from '../../../src/tracker/wire/site.ts';

const line = (key: string, parentKey?: string): HostIssueLine => ({
  id: key,
  key,
  summary: key,
  type: { name: 'Task', icon: '' },
  status: { name: 'Open', color: 'blue-gray' },
  fields: [],
  ...(parentKey !== undefined && { parentKey }),
});

test('children stand under their parents, in the order of the list', () => {
  const issues = [line('A-3', 'A-2'), line('A-1'), line('A-2', 'A-1'), line('A-4')];
  expect(nested(issues).map(({ issue, depth }) => [issue.key, depth])).toEqual([
    ['A-1', 0],
    ['A-2', 1],
    ['A-3', 2],
    ['A-4', 0],
  ]);
});

test('an issue whose parent is not in the list stands on its own', () => {
  expect(nested([line('A-2', 'A-1')]).map(({ depth }) => depth)).toEqual([0]);
});
