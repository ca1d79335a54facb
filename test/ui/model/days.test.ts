import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../../src/client/history.ts';
import { byDay, dayName, fullTime, timeSince } from '../../../src/ui/model/days.ts';

const NOW = new Date(2026, 2, 29, 12);

const entry = (account: string, created: Date): HistoryEntry => ({
  epoch: 'e',
  seq: 1,
  created: created.toISOString(),
  account,
  kind: 'setItemStatus',
  name: 'Checklists',
  previous: null,
  previousName: null,
  changes: [],
  changeCount: 0,
  conflicts: [],
});

test('near days have a name, others a date', () => {
  expect(dayName(new Date(2026, 2, 29, 0, 0), NOW)).toBe('Today');
  expect(dayName(new Date(2026, 2, 28, 23, 59), NOW)).toBe('Yesterday');
  expect(dayName(new Date(2026, 2, 27, 23, 59), NOW)).toBe('Friday 27 March 2026');
  expect(dayName(new Date(2025, 11, 31), NOW)).toBe('Wednesday 31 December 2025');
});

test('times are relative, with the full time beside them', () => {
  const ago = (milliseconds: number) => timeSince(NOW.getTime() - milliseconds, NOW.getTime());
  // The server's clock is ahead.
  expect([ago(-5_000), ago(59_000)]).toEqual(['now', 'now']);
  expect([ago(90_000), ago(2 * 3_600_000), ago(86_399_000)]).toEqual(['1 minute ago', '2 hours ago', '23 hours ago']);
  expect([ago(86_400_000), ago(3 * 86_400_000)]).toEqual(['yesterday', '3 days ago']);
  expect(fullTime(new Date(2026, 2, 29, 9, 5))).toBe('Sunday 29 March 2026, 09:05');
});

test('entries are grouped by day and by consecutive author', () => {
  const days = byDay(
    [
      entry('ana', new Date(2026, 2, 29, 11)),
      entry('ana', new Date(2026, 2, 29, 10)),
      entry('bob', new Date(2026, 2, 29, 9)),
      entry('ana', new Date(2026, 2, 29, 8)),
      entry('ana', new Date(2026, 2, 28, 23)),
    ],
    NOW,
  );
  expect(
    days.map(({ name, groups }) => [name, groups.map(({ account, entries }) => [account, entries.length])]),
  ).toEqual([
    [
      'Today',
      [
        ['ana', 2],
        ['bob', 1],
        ['ana', 1],
      ],
    ],
    ['Yesterday', [['ana', 1]]],
  ]);
  expect(byDay([], NOW)).toEqual([]);
});
