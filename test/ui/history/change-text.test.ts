import { expect, test } from 'vitest';
import type { RowChange } from '../../../src/client/history.ts';
import { changeWords, entrySummary } from '../../../src/ui/history/row-change.tsx';

const change = (kind: RowChange['kind'], from: string | null = null, to: string | null = null, header = false) =>
  changeWords({ kind, from, to, header, index: 0, row: 'a', rowId: null });

test.each([
  [change('ADDED'), 'Added'],
  [change('DELETED', null, null, true), 'Deleted header'],
  [change('MOVED', 'One', 'Two'), 'Moved from One to Two'],
  [change('MOVED', 'One', 'One'), 'Moved within One'],
  [change('MOVED', 'One', ''), 'Moved above the first header'],
  [change('MOVED', '', 'Two'), 'Moved to Two'],
  [change('MOVED', '', ''), 'Moved'],
  [change('RETYPED', '-', '##'), 'Made a level 2 header'],
  [change('RETYPED', '#', '-'), 'Made an item'],
  [change('MANDATORY', 'true', 'false'), 'No longer mandatory'],
  [change('ASSIGNEE', 'ana', null), 'Unassigned'],
  [change('DUE_DATE', '2026-01-01', null), 'Due date removed'],
  [change('DETAILS', 'why', ''), 'Details removed'],
])('describes the change of a row: %s', (words, expected) => {
  expect(words).toBe(expected);
});

test('an unknown change has a description, too', () => {
  expect(entrySummary('setItemStatus')).toBe('changed a status');
  expect(entrySummary('somethingNew')).toBe('changed the checklist');
});
