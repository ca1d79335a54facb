import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchData } from '../../../src/text/property/search.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { anyText, statuses } from '../arbitrary.ts';

function dataOf(text: string, room = Number.POSITIVE_INFINITY) {
  const data = searchData(readChecklist(text, statuses).rows, room);
  if (!data) throw new Error('There is room.');
  return data;
}

test('people and days of open items, and the statuses of all', () => {
  const text = `# Header [~accountid:h] 2026-01-01
- later [~accountid:b] 2026-12-01
- [ON HOLD] sooner [~accountid:a] 01/11/2026
~ once more [~accountid:a] 2026-12-01
+ done [~accountid:c] 2026-10-01
x skipped [~accountid:d]`;
  expect(dataOf(text)).toEqual({
    statuses: ['To Do', 'ON HOLD', 'In Progress', 'Done', 'Skipped'],
    assignees: ['b', 'a'],
    dueDates: ['2026-11-01', '2026-12-01'],
    gates: [],
  });
  expect(dataOf('')).toEqual({ statuses: [], assignees: [], dueDates: [], gates: [] });
});

test('is bounded, and of too many days keeps the earliest', () => {
  const days = Array.from({ length: 120 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 200 - day)).toISOString().slice(0, 10),
  );
  const { assignees, dueDates } = dataOf(days.map((day, index) => `- a [~accountid:p${index}] ${day}`).join('\n'));
  expect(assignees).toHaveLength(50);
  expect(dueDates).toHaveLength(50);
  expect(dueDates[0]).toBe(days.at(-1));
});

test('never takes more room than there is, and all of it in order when there is enough', () => {
  fc.assert(
    fc.property(anyText, fc.nat(300), (text, more) => {
      const all = dataOf(text);
      const room = JSON.stringify({ statuses: [], assignees: [], dueDates: [], gates: [] }).length + more;
      const some = dataOf(text, room);
      expect(JSON.stringify(some).length).toBeLessThanOrEqual(room);
      for (const kind of ['statuses', 'assignees', 'dueDates', 'gates'] as const) {
        expect(all[kind].slice(0, some[kind].length)).toEqual(some[kind]);
        expect(new Set(all[kind]).size).toBe(all[kind].length);
      }
      expect(dataOf(text, JSON.stringify(all).length)).toEqual(all);
    }),
  );
});

test('nothing fits where there is no room', () => {
  expect(searchData(readChecklist('- a').rows, 10)).toBeUndefined();
});
