import { expect, test } from 'vitest';
import type { RowChange } from '../../../../src/client/history.ts';
import { changeWords, entrySummary, readable } from '../../../../src/ui/screens/history/row-change.tsx';

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
  [change('MOVED', 'Release', 'Release', true), 'Moved section'],
  [change('MOVED', '', '', true), 'Moved header'],
  [change('RETYPED', '-', '##'), 'Made a level 2 header'],
  [change('RETYPED', '#', '-'), 'Made an item'],
  [change('MANDATORY', 'true', 'false'), 'No longer mandatory'],
  [change('GATES', '', 'Done', true), 'Gate set:'],
  [change('GATES', 'Done', '', true), 'Gate removed:'],
  [change('CUSTOMERS', 'false', 'true', true), 'Shown to customers:'],
  [change('CUSTOMERS', 'true', 'false', true), 'No longer shown to customers:'],
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

test('an undone change is called that, and one that is made again', () => {
  expect(entrySummary('undo:deleteChecklistItem')).toBe('Undo: deleted an item');
  expect(entrySummary('redo:foreignField')).toBe('Redo: changed outside the app, in the Checklist Text field');
});

test('a difference has names and emoji, but not in code', () => {
  const text = '- Ask [~accountid:a1] and [~accountid:b2] :tada: :nothing: `:tada:` at 10:30:45';
  const shown = readable(
    text,
    id => (id === 'a1' ? 'Ana' : undefined),
    code => (code === 'tada' ? '🎉' : undefined),
  );
  expect(shown).toBe('- Ask @Ana and [~accountid:b2] 🎉 :nothing: `:tada:` at 10:30:45');
});
