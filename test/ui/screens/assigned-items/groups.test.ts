import { expect, test } from 'vitest';
import type { AssignedIssue, AssignedItem } from '../../../../src/client/assigned.ts';
import { blocksOf, groupsOf } from '../../../../src/ui/screens/assigned-items/groups.ts';

const TODAY = '2026-11-20';
const status = { slug: 'todo', name: 'To Do', color: 'gray', checked: false } as const;
const item = (id: string, issueId: string, dueDate: string | null = null): AssignedItem => ({
  ...{ id, issueId, index: 0, section: null, text: id, status, mandatory: false, dueDate },
});
const issue = (id: string): AssignedIssue => ({
  ...{ id, key: `ABC-${id}`, summary: '', status: { name: 'Open', color: 'green' }, type: { name: 'Task', icon: '' } },
  ...{ project: { id: '1', name: 'A' }, count: 1 },
  permissions: {
    canAddChecklistItems: true,
    canChangeItemStatuses: true,
    canDeleteChecklistItems: true,
    canEditChecklist: true,
  },
});
const issues = new Map(['1', '2'].map(id => [id, issue(id)]));
const groupedIds = (items: AssignedItem[], order: 'ISSUE' | 'DUE', status: 'open' | 'all' = 'open') =>
  groupsOf(items, issues, { order, status }, TODAY).map(({ heading, items }) => [
    'issue' in heading ? heading.issue.key : heading.words,
    items.map(({ id }) => id).join(''),
  ]);

test('by issue, each once, in order of first appearance', () => {
  expect(groupedIds([item('a', '2'), item('b', '1'), item('c', '2')], 'ISSUE')).toEqual([
    ['ABC-2', 'ac'],
    ['ABC-1', 'b'],
  ]);
});

test('by due date', () => {
  const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-26', '2026-11-27', null];
  const items = days.map((day, index) => item('abcdef'.charAt(index), '1', day));
  expect(groupedIds(items, 'DUE')).toEqual([
    ['Overdue', 'a'],
    ['Today', 'b'],
    ['Next 6 days', 'cd'],
    ['Later', 'e'],
    ['No due date', 'f'],
  ]);
  // A complete item is not overdue.
  expect(groupedIds(items, 'DUE', 'all')[0]).toEqual(['Earlier', 'a']);
});

test('an item of an unknown issue is not shown', () => {
  expect(groupedIds([item('a', '9'), item('b', '1')], 'ISSUE')).toEqual([['ABC-1', 'b']]);
});

test('a long list is rendered in chunks, each heading once', () => {
  const many = (from: number, count: number, of: string) =>
    Array.from({ length: count }, (_, index) => item(`${from + index}`, of));
  const groups = groupsOf(
    [...many(0, 50, '1'), ...many(50, 150, '2')],
    issues,
    { order: 'ISSUE', status: 'all' },
    TODAY,
  );
  const blocks = blocksOf(groups);
  expect(blocks.map(parts => parts.map(({ id, items, headed }) => [id, items.length, headed]))).toEqual([
    [
      ['1', 50, true],
      ['2', 10, true],
    ],
    [['2', 60, false]],
    [['2', 60, false]],
    [['2', 20, false]],
  ]);
  expect(blocks.flat().flatMap(({ items }) => items.map(({ id }) => Number(id)))).toEqual([...Array(200).keys()]);
});
