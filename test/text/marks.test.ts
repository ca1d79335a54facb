import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { rename, setCustomers, setGates, textWithWords } from '../../src/text/edits.ts';
import { EditRefused, ItemsRequired } from '../../src/text/errors.ts';
import { distinctGates, isGateName, markText } from '../../src/text/header/marks.ts';
import { merge } from '../../src/text/merge.ts';
import { readChecklist } from '../../src/text/read.ts';
import { rowAt, targetOf } from '../../src/text/rows.ts';
import type { Checklist, HeaderRow, Target, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { lineText, statuses, storedText } from './arbitrary.ts';

const headerIn = (text: string, index = 0): HeaderRow => {
  const row = readChecklist(text, statuses).rows[index];
  if (row?.kind !== 'header') throw new Error(`not a header: ${text}`);
  return row;
};

const keysOf = (names: readonly string[]) => names.map(name => name.toLowerCase()).sort();

test.each([
  ['# A', 'A', [], false],
  ['# A !before:Done', 'A', ['Done'], false],
  ['## A !before:[Ready  for release] !customers !before:Done  ', 'A', ['Ready for release', 'Done'], true],
  ['# A !before:done !before:[ DONE ]', 'A', ['done'], false],
  ['# !customers A', '!customers A', [], true],
  ['# Ship !before:Done it !customers', 'Ship !before:Done it', ['Done'], true],
  ['# !before:Done', '!before:Done', ['Done'], false],
  ['# A !before: !customers.', 'A !before: !customers.', [], false],
])('%j says %j before %j', (text, words, gates, customers) => {
  expect(headerIn(text)).toMatchObject({ words, gates, customers });
});

test('marks of items and details are text', () => {
  const [item] = readChecklist('- a !before:Done !customers\n> !customers').rows;
  expect(item).toMatchObject({ words: 'a !before:Done !customers', text: 'a !before:Done !customers' });
  expect(item).not.toHaveProperty('gates');
});

const edited = (text: string, edit: (checklist: Checklist, target: Target) => TextChange[]) => {
  const checklist = readChecklist(text, statuses);
  return applyChanges(text, edit(checklist, targetOf(checklist, 0)));
};

test.each([
  ['# A', ['Done'], '# A !before:Done'],
  ['# A !customers  \n- b', ['Ready for release'], '# A !customers !before:[Ready for release]  \n- b'],
  ['# A !before:Done !customers', ['In review', 'done'], '# A !before:Done !customers !before:[In review]'],
  ['# A !before:Done !customers', [], '# A !customers'],
  ['# Ship !before:Done it !before:DONE', [], '# Ship it'],
  ['# A !before:Done', ['Closed'], '# A !before:Closed'],
  ['#', ['Done'], '# !before:Done'],
  ['# !before:Done', [], '# '],
  ['# !before:Done', ['Closed'], '# !before:Closed'],
  ['# A', ['Odd! name', ' In  review '], '# A !before:[Odd! name] !before:[In review]'],
])('%j with the gates %j is %j', (text, gates, after) => {
  expect(edited(text, (list, row) => setGates(list, row, gates))).toBe(after);
});

test('a section is shown to customers and no longer', () => {
  expect(edited('# A !before:Done', (list, row) => setCustomers(list, row, true))).toBe('# A !before:Done !customers');
  expect(edited('# !customers A !customers', (list, row) => setCustomers(list, row, false))).toBe('# A');
  expect(edited('# A', (list, row) => setCustomers(list, row, false))).toBe('# A');
});

const refusal = (text: string, edit: (checklist: Checklist, target: Target) => TextChange[]) => {
  try {
    return edited(text, edit);
  } catch (error) {
    return error instanceof EditRefused ? error.code : error;
  }
};

test.each(['', '  ', 'a]', '[a', 'a`b', 'x'.repeat(61), '\n'])('%j is no name of a gate', name => {
  expect(refusal('# A', (list, row) => setGates(list, row, ['Done', name]))).toBe('INVALID_GATE');
});

test('an item has no gates', () => {
  expect(refusal('- A', (list, row) => setGates(list, row, ['Done']))).toBe('NOT_A_HEADER');
  expect(refusal('- A', (list, row) => setCustomers(list, row, true))).toBe('NOT_A_HEADER');
});

test('a mark that the words would swallow is refused', () => {
  expect(refusal('# A *b', (list, row) => setGates(list, row, ['c*']))).toBe('AMBIGUOUS_TEXT');
});

test.each([
  ['# A !before:Done', 'B', '# B !before:Done'],
  ['# A !before:Done !customers', 'B !before:[done]', '# B !before:[done] !customers'],
  ['# A !before:Done', 'A', '# A !before:Done'],
  ['# A !before:Done b', 'A c', '# A c'],
  ['# !customers', 'A', '# A'],
])('%j with the words %j keeps its marks', (text, typed, after) => {
  const words = (list: Checklist, row: Target) => rename(list, row, textWithWords(rowAt(list, 0), typed, statuses));
  expect(edited(text, words)).toBe(after);
});

const gateName = fc
  .oneof(
    fc.constantFrom('Done', 'done', 'In review', 'in  Review', 'x', 'a*b', '_c_', '!', 'a!b', 'https://b.c', 'ABC-1'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  )
  .map(name => name.trim().replace(/\s+/g, ' '))
  .filter(isGateName);
const gateNames = fc.array(gateName, { maxLength: 4 });

test('every name that a mark can hold is read again', () => {
  fc.assert(
    fc.property(gateName, gate => {
      expect(headerIn(`# A ${markText({ gate })} !customers`)).toMatchObject({
        words: 'A',
        gates: [gate],
        customers: true,
      });
    }),
    runs(1000),
  );
});

const anyHeader = fc.tuple(storedText, lineText, storedText).map(parts => parts.join('\n# '));

test('an edit of marks gives exactly these marks, and no other row another text', () => {
  fc.assert(
    fc.property(anyHeader, fc.nat(), fc.oneof(gateNames, fc.boolean()), (text, pick, value) => {
      const before = readChecklist(text, statuses);
      const headers = before.rows.flatMap((row, index) => (row.kind === 'header' ? [index] : []));
      const index = headers[pick % headers.length] ?? 0;
      const old = headerIn(text, index);
      let changes: TextChange[];
      try {
        const target = targetOf(before, index);
        changes = typeof value === 'boolean' ? setCustomers(before, target, value) : setGates(before, target, value);
      } catch (error) {
        expect(error).toMatchObject({ code: 'AMBIGUOUS_TEXT' });
        return;
      }
      const after = readChecklist(applyChanges(text, changes), statuses);
      const row = after.rows[index];
      if (row?.kind !== 'header') throw new Error('no header');
      expect(after.rows.toSpliced(index, 1)).toEqual(before.rows.toSpliced(index, 1));
      expect(row.level).toBe(old.level);
      expect(row.details.map(({ text }) => text)).toEqual(old.details.map(({ text }) => text));
      expect(row.customers).toBe(typeof value === 'boolean' ? value : old.customers);
      const gates = typeof value === 'boolean' ? old.gates : distinctGates(value);
      expect(keysOf(row.gates)).toEqual(keysOf(gates));
    }),
    runs(3000),
  );
});

test.each([
  ['gates of two users', '# A', '# A !before:X', '# A !before:Y', '# A !before:Y !before:X'],
  ['one gate of two users', '# A', '# A !before:X', '# A !before:[x] !customers', '# A !before:X !customers'],
  ['a removal and an addition', '# A !before:X', '# A', '# A !before:X !before:Y', '# A !before:Y'],
  [
    'a mark and a rename',
    '# Before release',
    '# Before release !customers',
    '# Before the release',
    '# Before the release !customers',
  ],
  [
    'marks inside the sentence',
    '# Ship !before:X it',
    '# Ship !before:X all',
    '# Ship !before:X it !customers',
    '# Ship all !before:X !customers',
  ],
  ['a gate and a person', '# A', '# A [~accountid:p]', '# A !before:X', '# A [~accountid:p] !before:X'],
  ['a gate and a level', '# A', '## A', '# A !before:X', '## A !before:X'],
  [
    'a header with a gate that became an item',
    '# A !before:X\n- b',
    '- A !before:X\n- b',
    '# A !before:X\n+ b',
    '- A !before:X\n+ b',
  ],
  [
    'a rename and a tick below',
    '# A !before:X\n- b',
    '# A two !before:X !customers\n- b',
    '# A !before:X\n+ b',
    '# A two !before:X !customers\n+ b',
  ],
])('%s are merged', (_, base, mine, theirs, expected) => {
  expect(merge(base, mine, theirs, statuses)).toMatchObject({ text: expected, conflicts: [] });
});

test('two renames are a conflict without the marks, which stay', () => {
  const { text, conflicts } = merge(
    '# One thing !before:X',
    '# First thing !before:X',
    '# Last thing !customers',
    statuses,
  );
  expect(text).toBe('# First thing !customers');
  expect(conflicts).toMatchObject([
    { row: text.slice(2), attribute: 'text', mine: 'First thing', theirs: 'Last thing' },
  ]);
});

test('additions and removals of marks of both sides survive', () => {
  const marked = (gates: readonly string[], customers: boolean) =>
    ['# Section', ...distinctGates(gates).map(gate => markText({ gate })), ...(customers ? ['!customers'] : [])].join(
      ' ',
    );
  const marks = fc.tuple(gateNames, fc.boolean());
  fc.assert(
    fc.property(marks, marks, marks, (base, mine, theirs) => {
      const texts = [base, mine, theirs].map(side => marked(...side));
      const [b = '', m = '', t = ''] = texts;
      const { text, conflicts } = merge(b, m, t, statuses);
      expect(conflicts).toEqual([]);
      const [was, own, other, now] = [b, m, t, text].map(one => headerIn(one));
      const keys = (row: HeaderRow | undefined) => new Set(keysOf(row?.gates ?? []));
      const [inBase, inMine, inTheirs] = [keys(was), keys(own), keys(other)];
      const all = [...new Set([...inBase, ...inMine, ...inTheirs])];
      const expected = all.filter(key => (inBase.has(key) ? inMine.has(key) && inTheirs.has(key) : true));
      expect(new Set(keysOf(now?.gates ?? []))).toEqual(new Set(expected));
      expect(now?.customers).toBe(own?.customers === was?.customers ? other?.customers : own?.customers);
      expect(now?.words).toBe('Section');
      expect(merge(b, t, m, statuses).conflicts).toMatchObject([]);
    }),
    runs(2000),
  );
});

test('a header of no words asks for some', () => {
  expect(() =>
    edited('# A !customers', (list, row) => rename(list, row, textWithWords(rowAt(list, 0), '', statuses))),
  ).toThrow(ItemsRequired);
});
