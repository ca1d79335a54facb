import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { clearAssignee, clearDueDate, rename, setAssignee, setDueDate, textWithWords } from '../../src/text/edits.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import { rowAt, targetOf } from '../../src/text/rows.ts';
import type { Checklist, Row, Target, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from './arbitrary.ts';

type Edit = (checklist: Checklist, target: Target) => TextChange[];

const nameOf = (id: string) => (id === 'gone' ? undefined : `Person ${id.replaceAll(':', '')}`);

const edits = {
  assign:
    (id: string): Edit =>
    (list, row) =>
      setAssignee(list, row, id),
  unassign: ((list, row) => clearAssignee(list, row, nameOf)) satisfies Edit,
  due:
    (day: string): Edit =>
    (list, row) =>
      setDueDate(list, row, day),
  notDue: clearDueDate satisfies Edit,
};

function after(text: string, edit: Edit, index = 0): string {
  const checklist = readChecklist(text, statuses);
  return applyChanges(text, edit(checklist, targetOf(checklist, index)));
}

test.each([
  ['- a', '- a [~accountid:z]'],
  ['a  \n- b', 'a [~accountid:z]  \n- b'],
  ['-', '- [~accountid:z]'],
  ['- [ON HOLD]', '- [ON HOLD] [~accountid:z]'],
  ['- a [~accountid:x]', '- a [~accountid:z]'],
  // The end names one person: the new one.
  ['- a [~accountid:x] 2026-11-20 [~accountid:y]', '- a [~accountid:z] 2026-11-20'],
  ['- a [~accountid:x] [~accountid:y]\n- b', '- a [~accountid:z]\n- b'],
  // A person that the sentence needs stays in it.
  ['- Approved by [~accountid:x]', '- Approved by [~accountid:x] [~accountid:z]'],
  ['- Approved by [~accountid:x] [~accountid:y]', '- Approved by [~accountid:x] [~accountid:z]'],
  ['- Ask Eve, [~accountid:x] 2026-11-20', '- Ask Eve, [~accountid:x] 2026-11-20 [~accountid:z]'],
  ['- Approved by [~accountid:z]', '- Approved by [~accountid:z]'],
  ['- ask [~accountid:x] about it', '- ask [~accountid:x] about it [~accountid:z]'],
  ['- ask [~accountid:z] about it', '- ask [~accountid:z] about it'],
  ['- a 2026-11-20\n> [~accountid:x]', '- a 2026-11-20 [~accountid:z]\n> [~accountid:x]'],
])('%j assigned is %j', (text, expected) => {
  expect(after(text, edits.assign('z'))).toBe(expected);
});

test.each([
  ['- a [~accountid:x]', '- a'],
  ['- a', '- a'],
  ['- [~accountid:x]', '- '],
  ['[~accountid:x]', '- '],
  ['- a [~accountid:x] 2026-11-20', '- a 2026-11-20'],
  ['- a  [~accountid:x]  2026-11-20  [~accountid:y] ', '- a  2026-11-20 '],
  ['- a[~accountid:x]2026-11-20', '- a 2026-11-20'],
  ['- ask [~accountid:x] about it [~accountid:y]', '- ask Person x about it'],
  ['- Approved by [~accountid:x]', '- Approved by Person x'],
  ['- Approved by [~accountid:x] [~accountid:y]', '- Approved by Person x'],
  ['- a[~accountid:x]2026-11-20 b', '- a Person x 2026-11-20 b'],
  ['- **[~accountid:x]** and [~accountid:y]: go', '- **Person x** and Person y: go'],
  ['- a\n> [~accountid:x]', '- a\n> [~accountid:x]'],
])('%j unassigned is %j', (text, expected) => {
  expect(after(text, edits.unassign)).toBe(expected);
});

test.each([
  ['- a', '- a 2026-12-01'],
  ['- a 2026-11-20', '- a 2026-12-01'],
  ['- a 20/11/2026 [~accountid:x]', '- a 01/12/2026 [~accountid:x]'],
  ['- a 2026.11.20', '- a 2026.12.01'],
  ['- by 20-11-2026 at last', '- by 20-11-2026 at last 2026-12-01'],
  ['- a 30.02.2026', '- a 30.02.2026 2026-12-01'],
])('%j due is %j', (text, expected) => {
  expect(after(text, edits.due('2026-12-01'))).toBe(expected);
});

test.each([
  ['- a 2026-11-20', '- a'],
  ['- a 2026-11-20 [~accountid:x]', '- a [~accountid:x]'],
  ['- by 20/11/2026 at last 2026-12-01', '- by at last'],
  ['- (2026-11-20) a', '- () a'],
  ['2026-11-20', '- '],
  ['2026-11-20 2026-11-21 x a', '- x a'],
  ['2026-11-20> b', '- > b'],
  ['``2026-11-20``2026-11-21``', '``2026-11-20`` ``'],
])('%j due no more is %j', (text, expected) => {
  expect(after(text, edits.notDue)).toBe(expected);
});

test('only the person and the day change, in the text too', () => {
  const checklist = readChecklist('- first\n- a [~accountid:x] 20/11/2026\n');
  const target = targetOf(checklist, 1);
  expect(setAssignee(checklist, target, 'y')).toEqual([{ from: 24, to: 25, insert: 'y' }]);
  expect(setAssignee(checklist, target, 'x')).toEqual([]);
  expect(setDueDate(checklist, target, '2026-11-20')).toEqual([]);
  expect(setDueDate(checklist, target, '2026-11-21')).toEqual([{ from: 28, to: 29, insert: '1' }]);
  expect(clearDueDate(checklist, target)).toEqual([{ from: 26, to: 37 }]);
});

test('a name enters as every text does, on one line and clean', () => {
  const named = (name: string) =>
    after('- ask [~accountid:x] now', (list, row) => clearAssignee(list, row, () => name));
  expect(named(' Ana\r\nB\0\u2028C ')).toBe('- ask Ana B C now');
  expect(named('*[@x')).toBe('- ask *[@x now');
  for (const nothing of ['', ' \n', '\0', '\uFEFF']) expect(() => named(nothing)).toThrow(EditRefused);
  // A name that is a person or a day would assign the item anew.
  for (const other of ['[~accountid:y]', '2026-11-20']) expect(() => named(other)).toThrow(EditRefused);
});

test('what is no person, no day, no item or has no name is refused with its reason', () => {
  const code = (text: string, edit: Edit) => {
    try {
      return after(text, edit);
    } catch (error) {
      return error instanceof EditRefused ? error.code : error;
    }
  };
  for (const id of ['', 'a b', 'a]', 'x'.repeat(129)]) expect(code('- a', edits.assign(id))).toBe('INVALID_PERSON');
  for (const day of ['', '20/11/2026', '2026-02-30', '1899-12-31', '2026-11-20 ', '2200-01-01']) {
    expect(code('- a', edits.due(day))).toBe('INVALID_DAY');
  }
  for (const edit of [edits.assign('z'), edits.unassign, edits.due('2026-11-20'), edits.notDue]) {
    expect(code('# a [~accountid:x] 2026-11-20', edit)).toBe('NOT_AN_ITEM');
  }
  expect(code('- ask [~accountid:gone] first', edits.unassign)).toBe('NAME_REQUIRED');
  expect(code('- a [~accountid:gone]', edits.unassign)).toBe('- a');
  expect(code('- a [~accountid:y] 20/11/2026@bob [~accountid:x]', edits.notDue)).toBe('AMBIGUOUS_TEXT');
  expect(code('- [~accountid:a] b', (list, row) => clearAssignee(list, row, () => '!'))).toBe('AMBIGUOUS_TEXT');
});

const id = fc.constantFrom('z', 'a:1', 'Q_-9');
const day = fc.constantFrom('2026-12-01', '1900-01-01', '2199-12-31', '2028-02-29');
const assignment = fc.oneof(
  id.map(value => ({ edit: edits.assign(value), assignee: value })),
  fc.constant({ edit: edits.unassign, assignee: undefined }),
  day.map(value => ({ edit: edits.due(value), dueDate: value })),
  fc.constant({ edit: edits.notDue, dueDate: undefined }),
);

const peopleAndDays = fc.constantFrom(
  ...[
    '[~accountid:x]',
    '[~accountid:y]',
    '2026-11-20',
    '20/11/2026',
    '@bob',
    'word',
    'by',
    ',',
    'x',
    '>',
    '!',
    '**',
    '(',
    ')',
    '日',
  ],
);
const line = fc
  .array(fc.tuple(peopleAndDays, fc.constantFrom(' ', ' ', '', '  ')), { minLength: 1, maxLength: 7 })
  .map(words => words.flat().join(''));
const assigned = fc
  .array(
    fc.tuple(
      fc.constantFrom('- ', '', '+ ', '- [ON HOLD] ! ', '# '),
      line,
      fc.constantFrom('\n', '\n\n', '\n> [~accountid:d]\n'),
    ),
  )
  .map(rows => rows.flat().join(''));

test('an assignment gives what it promises and changes nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(storedText, assigned), fc.nat(), assignment, (text, pick, { edit, ...promised }) => {
      const before = readChecklist(text, statuses).rows;
      fc.pre(before.length > 0);
      const index = pick % before.length;
      const old = before[index];
      fc.pre(old?.kind === 'checkbox');
      let result: string;
      try {
        result = after(text, edit, index);
      } catch (error) {
        // Only text hidden behind a mention or date may gain a meaning: at the line's start, or as a name that becomes
        // part of the tail.
        expect(error).toBeInstanceOf(EditRefused);
        expect(old.text).toMatch(/^(\[~|\d|[(*_~]|!)|[\]\d]@/);
        return;
      }
      const { rows } = readChecklist(result, statuses);
      expect(rows.toSpliced(index, 1)).toEqual(before.toSpliced(index, 1));
      const { assignee, dueDate } = old;
      const row = rows[index];
      expect(row).toMatchObject({ kind: 'checkbox', status: old.status, mandatory: old.mandatory });
      expect({ assignee: undefined, dueDate: undefined, ...row }).toMatchObject({ assignee, dueDate, ...promised });
      expect(row?.details.map(detail => detail.text)).toEqual(old.details.map(detail => detail.text));
    }),
    runs(4000),
  );
});

const zoe = '[~accountid:z]';

test.each([
  ['- Write tests [~accountid:x] 2026-11-20', 'Write all tests', '- Write all tests [~accountid:x] 2026-11-20'],
  ['- Write tests 20/11/2026 [~accountid:x]', 'Write all tests', '- Write all tests 20/11/2026 [~accountid:x]'],
  ['- Write tests[~accountid:x]', 'Write', '- Write [~accountid:x]'],
  ['- Write tests [~accountid:x] 2026-11-20', `Write tests ${zoe}`, `- Write tests ${zoe} 2026-11-20`],
  [
    '- Write tests [~accountid:x] 2026-11-20',
    'Write tests 1/12/2026',
    '- Write tests 1/12/2026 [~accountid:x] 2026-11-20',
  ],
  ['- Write tests [~accountid:x] 2026-11-20', 'Write tests 01/12/2026', '- Write tests 01/12/2026 [~accountid:x]'],
  ['- Write tests [~accountid:x]', `Ask ${zoe} to write tests`, `- Ask ${zoe} to write tests [~accountid:x]`],
  ['- Write tests [~accountid:x]', `Tests approved by ${zoe}`, `- Tests approved by ${zoe} [~accountid:x]`],
  ['- Approved by [~accountid:x]', 'Approved by [~accountid:x] at last', '- Approved by [~accountid:x] at last'],
  ['- Approved by [~accountid:x]', `Approved by ${zoe}`, `- Approved by ${zoe}`],
  ['- Pair [~accountid:x] [~accountid:y]', 'Pair [~accountid:x]', '- Pair [~accountid:x]'],
  ['- Write tests [~accountid:x]', '! [ON HOLD] Write', '- [ON HOLD] ! Write [~accountid:x]'],
  ['# Part 2026-11-20', 'Part two', '# Part two'],
])('of %j the words become %j, and the row %j', (text, typed, expected) => {
  const words: Edit = (list, row) => rename(list, row, textWithWords(rowAt(list, row.index), typed, statuses));
  expect(after(text, words)).toBe(expected);
});

test.each([
  ['- Write tests [~accountid:x] 2026-11-20', 'Write tests'],
  ['- Write tests @bob [~accountid:x]', 'Write tests @bob'],
  ['- Approved by [~accountid:x]', 'Approved by [~accountid:x]'],
  ['- Freigabe durch [~accountid:x] 2026-11-20', 'Freigabe durch [~accountid:x]'],
  ['- [~accountid:x], [~accountid:y]', '[~accountid:x], [~accountid:y]'],
  ['- Approved by [~accountid:x], then ship', 'Approved by [~accountid:x], then ship'],
  ['- Stand-by [~accountid:x]', 'Stand-by [~accountid:x]'],
  ['- Nearby [~accountid:x]', 'Nearby'],
  ['- Pair [~accountid:x] [~accountid:y]', 'Pair [~accountid:x] [~accountid:y]'],
  ['- From 2026-11-20 2026-11-21', 'From 2026-11-20 2026-11-21'],
  ['- [~accountid:x] 2026-11-20', '[~accountid:x] 2026-11-20'],
  ['# Part [~accountid:x]', 'Part [~accountid:x]'],
])('the words of %j are %j', (text, words) => {
  expect(readChecklist(text, statuses).rows[0]?.words).toBe(words);
});

test('a person assigned anew is the only one at the end, whatever the row was', () => {
  fc.assert(
    fc.property(assigned, fc.nat(), id, (text, pick, value) => {
      const { rows } = readChecklist(text, statuses);
      fc.pre(rows.length > 0);
      const index = pick % rows.length;
      const old = rows[index];
      fc.pre(old?.kind === 'checkbox' && old.assignee !== value);
      let row: Row | undefined;
      try {
        row = readChecklist(after(text, edits.assign(value), index), statuses).rows[index];
      } catch (error) {
        if (error instanceof EditRefused) return;
        throw error;
      }
      const chips = row?.text.slice(row.words.length) ?? '';
      expect(chips.match(/\[~/g)?.length ?? 0).toBeLessThanOrEqual(1);
      if (chips.includes('[~')) expect(chips).toContain(`[~accountid:${value}]`);
    }),
    runs(2000),
  );
});

test('other words keep the assignee and the due date beside them, and the words alone change', () => {
  const plainWords = fc.array(fc.constantFrom('write', 'tests', '@bob', '**all**', '`x`', 'ABC-1'), { minLength: 1 });
  fc.assert(
    fc.property(assigned, fc.nat(), plainWords, (text, pick, typed) => {
      const checklist = readChecklist(text, statuses);
      fc.pre(checklist.rows.length > 0);
      const index = pick % checklist.rows.length;
      const old = checklist.rows[index];
      fc.pre(old?.kind === 'checkbox' && old.words !== old.text);
      const words: Edit = (list, row) => rename(list, row, textWithWords(old, typed.join(' '), statuses));
      const row = readChecklist(after(text, words, index), statuses).rows[index];
      const chips = old.text.slice(old.words.length);
      expect(row).toMatchObject({
        words: typed.join(' '),
        ...(chips.includes('[~') && { assignee: old.assignee }),
        ...(/\d{2}/.test(chips) && { dueDate: old.dueDate }),
      });
    }),
    runs(1000),
  );
});

test('what is added at a line without people and days is taken away again', () => {
  const adding = fc.oneof(
    id.map(value => [edits.assign(value), edits.unassign] as const),
    day.map(value => [edits.due(value), edits.notDue] as const),
  );
  fc.assert(
    fc.property(markedText, fc.nat(), adding, (text, pick, [add, remove]) => {
      const { rows } = readChecklist(text, statuses);
      const index = pick % rows.length;
      fc.pre(rows[index]?.kind === 'checkbox' && rows[index].text !== '');
      expect(after(after(text, add, index), remove, index)).toBe(text);
    }),
  );
});

test('the size of an assignment does not depend on the line', () => {
  fc.assert(
    fc.property(assigned, fc.nat(), id, (text, pick, value) => {
      const checklist = readChecklist(text, statuses);
      fc.pre(checklist.rows.length > 0);
      const index = pick % checklist.rows.length;
      fc.pre(checklist.rows[index]?.kind === 'checkbox');
      const changes = setAssignee(checklist, targetOf(checklist, index), value);
      const size = changes.reduce((sum, { from, to = from, insert = '' }) => sum + to - from + insert.length, 0);
      expect(size).toBeLessThanOrEqual(' [~accountid:]'.length + 2 * value.length);
    }),
  );
});
