import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressOf, sections } from '../../src/text/progress.ts';
import { readChecklist } from '../../src/text/read.ts';
import { locate, rangeOf, targetOf } from '../../src/text/rows.ts';
import { builtIn, statusRegistry } from '../../src/text/status-registry.ts';
import type { Checklist } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { anyText, statuses } from './arbitrary.ts';

const rowsOf = (text: string) => readChecklist(text, statuses).rows;

/** The first row, which is an item. */
function itemOf(text: string) {
  const [row] = rowsOf(text);
  if (row?.kind !== 'checkbox') throw new Error(`not an item: ${text}`);
  return row;
}

test.each([
  ['- a', 'todo', false, 'a'],
  ['+ a', 'done', false, 'a'],
  ['~ a', 'in_progress', false, 'a'],
  ['x a', 'skipped', false, 'a'],
  ['a', 'todo', false, 'a'],
  ['  -   a  ', 'todo', false, 'a'],
  ['- [ON HOLD] a', 'on_hold', false, 'a'],
  ['- [ on   Hold ] a', 'on_hold', false, 'a'],
  ['- [Released] a', 'released', false, 'a'],
  ['- [Done] a', 'todo', false, '[Done] a'],
  ['- [Nope] ! a', 'todo', false, '[Nope] ! a'],
  ['- ! [Nope] a', 'todo', true, '[Nope] a'],
  ['- ! [ON HOLD] a', 'on_hold', true, 'a'],
  ['+ [Released] ! a', 'released', true, 'a'],
  ['- !', 'todo', true, ''],
  ['-', 'todo', false, ''],
  ['! a', 'todo', false, '! a'],
  ['> a', 'todo', false, '> a'],
  ['#tag', 'todo', false, '#tag'],
])('%j is an item', (text, slug, mandatory, content) => {
  const row = itemOf(text);
  expect([row.status.slug, row.mandatory, row.text]).toEqual([slug, mandatory, content]);
});

test('headers have their level, and details belong to the row above', () => {
  const rows = rowsOf('### A\n> one\n- b\n> two\n  >three  \n\n> four');
  expect(rows.map(row => [row.kind, row.text, row.details.map(({ text }) => text)])).toEqual([
    ['header', 'A', ['one']],
    ['checkbox', 'b', ['two', 'three']],
    ['checkbox', '> four', []],
  ]);
  expect(rows[0]).toMatchObject({ level: 3 });
});

test.each([
  ['a [~accountid:x] b [~accountid:y]', 'y', undefined],
  ['a [~accountid:x] b', 'x', undefined],
  ['a 2026-01-01 b [~accountid:y] 20/11/2026', 'y', '2026-11-20'],
  ['a [~accountid:x] [~accountid:y]', 'x', undefined],
  ['a 01.02.2026 [~accountid:x] c', 'x', '2026-02-01'],
  ['a 30.02.2026 @bob', undefined, undefined],
  ['**[~accountid:x]** a 2026-01-01  @bob ', 'x', '2026-01-01'],
])('%j is for %s by %s', (text, assignee, dueDate) => {
  const row = itemOf(`- ${text}\n> [~accountid:z] 2027-01-01`);
  expect([row.assignee, row.dueDate]).toEqual([assignee, dueDate]);
});

test('a row names the people and issues of its details too, each once', () => {
  expect(itemOf('- ABC-1 [~accountid:x]\n> **ABC-2** ABC-1 [~accountid:y] `ABC-3`')).toMatchObject({
    mentions: ['x', 'y'],
    issueKeys: ['ABC-1', 'ABC-2'],
  });
});

test('ranges lead back to the text', () => {
  fc.assert(
    fc.property(anyText, text => {
      const checklist = readChecklist(text, statuses);
      let end = 0;
      checklist.rows.forEach((row, index) => {
        const { from, to } = rangeOf(checklist, index);
        expect(text.slice(end, from)).toMatch(/^[ \t\n\r]*$/);
        expect(text.slice(from + row.content.from, from + row.content.to)).toBe(row.text);
        for (const detail of row.details) expect(text.slice(from + detail.from, from + detail.to)).toBe(detail.text);
        expect(checklist.rows[locate(checklist, targetOf(checklist, index))]?.text).toBe(row.text);
        end = to;
      });
      expect(text.slice(end)).toMatch(/^[ \t\n\r]*$/);
    }),
    runs(2000),
  );
});

const facts = ({ text, rows, starts }: Checklist) => ({ text, rows, starts });

test('reading on from an earlier reading gives what a new reading gives', () => {
  const change = fc.record({ from: fc.nat(), length: fc.nat(4), insert: anyText });
  fc.assert(
    fc.property(anyText, anyText, fc.array(change, { minLength: 1, maxLength: 4 }), (a, b, changes) => {
      let checklist = readChecklist(`${a}\n${b}`, statuses);
      for (const { from: place, length, insert } of changes) {
        const { text } = checklist;
        const from = place % (text.length + 1);
        checklist = readChecklist(text.slice(0, from) + insert + text.slice(from + length), statuses, checklist);
        expect(facts(checklist)).toEqual(facts(readChecklist(checklist.text, statuses)));
      }
    }),
    runs(3000),
  );
});

test('unchanged rows are the same objects, wherever they stand now', () => {
  const lines = Array.from({ length: 50 }, (_, i) => `- item ${i}`);
  const before = readChecklist(lines.join('\n'));
  const same = (after: Checklist) => after.rows.filter(row => before.rows.includes(row)).length;
  expect(same(readChecklist(lines.with(20, '+ item 20').join('\n'), builtIn, before))).toBe(49);
  expect(same(readChecklist([...lines.slice(25), ...lines.slice(0, 25)].join('\n'), builtIn, before))).toBe(48);
  expect(same(readChecklist(['# new', ...lines].join('\n'), builtIn, before))).toBe(50);
  expect(readChecklist(before.text, builtIn, before)).toBe(before);
});

test('a tick makes one new row, among equal ones too', () => {
  for (const line of [(i: number) => `- item ${i}\n> why`, () => '- same']) {
    const lines = Array.from({ length: 20 }, (_, i) => line(i));
    const before = readChecklist(lines.join('\n'));
    for (let ticked = 0; ticked < 20; ticked++) {
      const after = readChecklist(lines.with(ticked, line(ticked).replace('-', '+')).join('\n'), builtIn, before);
      expect(after.rows.flatMap((row, i) => (row === before.rows[i] ? [] : [i]))).toEqual([ticked]);
    }
  }
});

test('other statuses mean another reading', () => {
  const before = readChecklist('- [QA] a');
  const qa = statusRegistry([{ slug: 'qa', name: 'QA', checked: false, color: 'blue' }]);
  expect(readChecklist('- [QA] a', qa, before).rows[0]).toMatchObject({ status: { slug: 'qa' }, text: 'a' });
});

test('progress counts items, and only all is 100 per cent', () => {
  expect(progressOf(rowsOf(''))).toEqual({ total: 0, checked: 0, percent: 0, mandatoryOpen: 0 });
  expect(progressOf(rowsOf('# A\n- a\n+ b\nx c\n~ d\n- ! e\n+ ! f'))).toEqual({
    total: 6,
    checked: 3,
    percent: 50,
    mandatoryOpen: 1,
  });
  expect(progressOf(rowsOf(`${'+ a\n'.repeat(199)}- b`)).percent).toBe(99);
});

test('a header owns the rows up to the next of its level or above', () => {
  const found = sections(readChecklist('- a\n# A\n- b\n## B\n+ c\n# C\n'));
  expect(found.map(({ header, end, progress }) => [header, end, progress.total, progress.checked])).toEqual([
    [1, 5, 2, 1],
    [3, 5, 1, 1],
    [5, 6, 0, 0],
  ]);
});

test('a registry keeps the four, and the earlier of two that clash', () => {
  const custom = { slug: 'done', name: 'Other', checked: false, color: 'red' } as const;
  const first = { slug: 'a', name: 'Same', checked: false, color: 'red' } as const;
  const registry = statusRegistry([custom, first, { ...first, slug: 'b', name: ' same ' }]);
  expect(registry.list.map(({ slug }) => slug)).toEqual(['todo', 'in_progress', 'done', 'skipped', 'a', 'b']);
  expect(registry.bySlug('done')?.name).toBe('Done');
  expect(registry.byName('SAME')).toBe(first);
  expect(registry.byName('Other')).toBeUndefined();
  expect(registry.byName('To Do')).toBeUndefined();
});
