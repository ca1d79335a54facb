import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { untick } from '../../src/text/edits/untick.ts';
import {
  deleteRow,
  insertRows,
  moveRows,
  rename,
  setMandatory,
  setStatus,
  toggleChecked,
} from '../../src/text/edits.ts';
import { ChangedMeanwhile, EditRefused, ItemsRequired } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import type { Checklist, Row, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { lineText, markedText, statuses, storedText } from './arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);

/** The text after an edit of the row at `index`. */
function after(
  text: string,
  index: number,
  edit: (checklist: Checklist, target: ReturnType<typeof targetOf>) => TextChange[],
) {
  const checklist = read(text);
  return applyChanges(text, edit(checklist, targetOf(checklist, index)));
}

const status = (text: string, slug: string, index = 0) => after(text, index, (list, row) => setStatus(list, row, slug));
const mandatory = (text: string, value: boolean, index = 0) =>
  after(text, index, (list, row) => setMandatory(list, row, value));
const renamed = (text: string, to: string, index = 0) => after(text, index, (list, row) => rename(list, row, to));
const moved = (text: string, from: readonly number[], to: number) => {
  const list = read(text);
  return applyChanges(
    text,
    moveRows(
      list,
      from.map(index => targetOf(list, index)),
      to,
    ),
  );
};

test.each([
  ['- a', 'done', '+ a'],
  ['  x   a  ', 'in_progress', '  ~   a  '],
  ['a', 'done', '+ a'],
  ['a', 'todo', 'a'],
  ['- a', 'on_hold', '- [ON HOLD] a'],
  ['- a', 'released', '+ [Released] a'],
  ['- [ON HOLD] a', 'done', '+ a'],
  ['+ [on hold] a', 'on_hold', '- [ON HOLD] a'],
  ['- ! [ON HOLD] a', 'released', '+ [Released] ! a'],
  ['- ! a', 'on_hold', '- [ON HOLD] ! a'],
  ['-', 'on_hold', '- [ON HOLD]'],
  ['- [ON HOLD]', 'skipped', 'x'],
  ['- [Nope] a', 'done', '+ [Nope] a'],
  ['! a', 'done', '+ ! a'],
  ['- a\n> why\n- b', 'done', '+ a\n> why\n- b'],
])('%j with status %s is %j', (text, slug, expected) => {
  expect(status(text, slug)).toBe(expected);
});

test('a status changes as few characters as it can', () => {
  const list = read('- first\n- second\n');
  expect(setStatus(list, { index: 1, text: 'second' }, 'done')).toEqual([{ from: 8, to: 9, insert: '+' }]);
  expect(setStatus(list, { index: 1, text: 'second' }, 'todo')).toEqual([]);
});

test('a tick makes an item done, and a complete one to do', () => {
  const toggled = (text: string) => after(text, 0, toggleChecked);
  expect(['- a', '~ a', '- [ON HOLD] a'].map(toggled)).toEqual(['+ a', '+ a', '+ a']);
  expect(['+ a', 'x a', '+ [Released] a'].map(toggled)).toEqual(['- a', '- a', '- a']);
});

test.each([
  ['- a', true, '- ! a'],
  ['- [ON HOLD] a', true, '- [ON HOLD] ! a'],
  ['a', true, '- ! a'],
  ['- !', false, '-'],
  ['+ !  a', false, '+ a'],
  ['a', false, 'a'],
])('%j mandatory %s is %j', (text, value, expected) => {
  expect(mandatory(text, value)).toBe(expected);
});

test('what the language cannot say is refused', () => {
  expect(() => status('[ON HOLD] a', 'done')).toThrow(EditRefused);
  expect(() => status('# a', 'done')).toThrow(EditRefused);
  expect(() => status('- a', 'nope')).toThrow(EditRefused);
  expect(() => mandatory('- ! ! a', false)).toThrow(EditRefused);
});

test.each([
  ['- a  \n> why', 'b', '- b  \n> why'],
  ['~ a', '[released] b', '+ [Released] b'],
  ['- a', '! b', '- ! b'],
  ['- [ON HOLD] ! a', 'b', '- [ON HOLD] ! b'],
  ['- a', '- b', '- - b'],
  ['a', 'b', 'b'],
  ['a', 'x b', '- x b'],
  ['a', '> b', '- > b'],
  ['-', 'b', '- b'],
  ['##', 'b', '## b'],
  ['- a', ' b\n c ', '- b c'],
])('%j renamed to %j is %j', (text, to, expected) => {
  expect(renamed(text, to)).toBe(expected);
});

test('a row cannot be renamed to nothing', () => {
  for (const nothing of ['', ' \n', '!', '[ON HOLD] ']) expect(() => renamed('- a', nothing)).toThrow(ItemsRequired);
});

test.each([
  ['', 0, '- a', '- a'],
  ['- b', 0, '- a', '- a\n- b'],
  ['- b', 1, '- a\n', '- b\n- a'],
  ['- b\n\n\n', 1, '- a', '- b\n- a\n\n\n'],
  ['- b\n\n# c', 1, '- a\n> why', '- b\n- a\n> why\n\n# c'],
  ['- b', 1, '> a', '- b\n- > a'],
  ['> b', 0, '- a', '- a\n\n> b'],
  ['- b', 1, ' \n ', '- b'],
])('%j with rows inserted at %i', (text, index, rows, expected) => {
  expect(applyChanges(text, insertRows(read(text), index, rows))).toBe(expected);
});

test.each([
  ['- a\n> why\n- b', 0, '- b'],
  ['- a\n- b', 1, '- a\n'],
  ['- a\n\n- b\n', 0, '\n- b\n'],
])('%j without its row %i is %j', (text, index, expected) => {
  expect(after(text, index, deleteRow)).toBe(expected);
});

test.each([
  ['- a\n- b', [1], 0, '- b\n- a'],
  ['- a\n- b', [0], 2, '- b\n- a'],
  ['- a\n> why\n- b\n- c\n', [0], 2, '- b\n- a\n> why\n- c\n'],
  ['# A\n- a\n- b\n\n# B\n- c', [2], 5, '# A\n- a\n\n# B\n- c\n- b'],
  ['# A\n- a\n\n# B\n- c', [3], 2, '# A\n- a\n- c\n\n# B'],
  ['- a\n- b\n- c\n- d', [0, 3], 2, '- b\n- a\n- d\n- c'],
  ['> a\n- b', [0], 2, '- b\n- > a'],
  ['> a\n- b', [1], 0, '- b\n- > a'],
  ['- a\n- b', [0], 1, '- a\n- b'],
])('%j with rows %j moved to %i is %j', (text, from, to, expected) => {
  expect(moved(text, from, to)).toBe(expected);
});

test('a target is found by its text when rows moved, and not guessed', () => {
  const list = read('- new\n- a\n- b\n- b');
  expect(setStatus(list, { index: 0, text: 'a' }, 'done')).toEqual([{ from: 6, to: 7, insert: '+' }]);
  expect(() => setStatus(list, { index: 0, text: 'b' }, 'done')).toThrow(ChangedMeanwhile);
  expect(() => setStatus(list, { index: 0, text: 'gone' }, 'done')).toThrow(ChangedMeanwhile);
  expect(setStatus(list, { index: 3, text: 'b' }, 'done')).toEqual([{ from: 14, to: 15, insert: '+' }]);
});

/** The text after an edit, or nothing if it is refused. */
const attempt = (run: () => string): string | undefined => {
  try {
    return run();
  } catch (error) {
    if (error instanceof EditRefused || error instanceof ItemsRequired) return undefined;
    throw error;
  }
};

const withoutRow = (rows: readonly Row[], index: number) => rows.filter((_, i) => i !== index);

test('an edit of one item gives what it promises and leaves every other row as it was', () => {
  const edit = fc.oneof(
    fc.constantFrom('todo', 'done', 'in_progress', 'skipped', 'on_hold', 'released').map(slug => ({ slug })),
    fc.boolean().map(value => ({ value })),
    lineText.map(text => ({ text })),
  );
  fc.assert(
    fc.property(storedText, fc.nat(), edit, (text, pick, wanted) => {
      const before = read(text);
      fc.pre(before.rows.length > 0);
      const index = pick % before.rows.length;
      const result = attempt(() =>
        'slug' in wanted
          ? status(text, wanted.slug, index)
          : 'value' in wanted
            ? mandatory(text, wanted.value, index)
            : renamed(text, wanted.text, index),
      );
      fc.pre(result !== undefined);
      const { rows } = read(result);
      expect(withoutRow(rows, index)).toEqual(withoutRow(before.rows, index));
      const [old, row] = [before.rows[index], rows[index]];
      expect(row?.kind).toBe(old?.kind);
      expect(row?.details.map(detail => detail.text)).toEqual(old?.details.map(detail => detail.text));
      if (row?.kind !== 'checkbox') return;
      if ('slug' in wanted) expect(row.status.slug).toBe(wanted.slug);
      if ('value' in wanted) expect(row.mandatory).toBe(wanted.value);
    }),
    runs(3000),
  );
});

test('a second status leaves no trace of the first', () => {
  const slug = fc.constantFrom('todo', 'done', 'in_progress', 'skipped', 'on_hold', 'released');
  fc.assert(
    fc.property(fc.oneof(markedText, storedText), fc.nat(), slug, slug, (text, pick, a, b) => {
      const { rows, starts } = read(text);
      fc.pre(rows.length > 0);
      const index = pick % rows.length;
      const [row, start = 0] = [rows[index], starts[index]];
      fc.pre(row?.kind === 'checkbox' && text.slice(start, start + row.content.from).trim() !== '');
      const twice = attempt(() => status(status(text, a, index), b, index));
      fc.pre(twice !== undefined);
      expect(twice).toBe(status(text, b, index));
    }),
    runs(2000),
  );
});

test('mandatory and back gives the same text', () => {
  fc.assert(
    fc.property(markedText, fc.nat(), (text, pick) => {
      const { rows } = read(text);
      const index = pick % rows.length;
      const row = rows[index];
      fc.pre(row?.kind === 'checkbox' && !row.mandatory);
      expect(mandatory(mandatory(text, true, index), false, index)).toBe(text);
    }),
  );
});

const texts = (rows: readonly Row[]) =>
  rows.map(row => [
    row.kind,
    row.text,
    row.kind === 'checkbox' && row.status.slug,
    ...row.details.map(({ text }) => text),
  ]);

test('moving rows permutes them, and there and back gives the same text', () => {
  fc.assert(
    fc.property(markedText, fc.nat(), fc.nat(), (text, pick, place) => {
      const { rows } = read(text);
      const from = pick % rows.length;
      const to = place % (rows.length + 1);
      const result = moved(text, [from], to);
      const landed = to > from ? to - 1 : to;
      const order = rows.map((_, i) => i).filter(i => i !== from);
      order.splice(landed, 0, from);
      expect(texts(read(result).rows)).toEqual(order.flatMap(i => texts(rows.slice(i, i + 1))));
      expect(moved(result, [landed], from < landed ? from : from + 1)).toBe(text);
    }),
    runs(2000),
  );
});

test('moving several rows of any text keeps them all, in order', () => {
  fc.assert(
    fc.property(storedText, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), fc.nat(), (text, picks, place) => {
      const { rows } = read(text);
      fc.pre(rows.length > 0);
      const from = [...new Set(picks.map(pick => pick % rows.length))].sort((a, b) => a - b);
      const to = place % (rows.length + 1);
      const rest = rows.map((_, i) => i).filter(i => !from.includes(i));
      const order = [...rest.filter(i => i < to), ...from, ...rest.filter(i => i >= to)];
      expect(texts(read(moved(text, from, to)).rows)).toEqual(order.flatMap(i => texts(rows.slice(i, i + 1))));
    }),
    runs(2000),
  );
});

test('inserted rows are there, and no other row changes', () => {
  fc.assert(
    fc.property(storedText, storedText, fc.nat(), (text, added, place) => {
      const before = read(text).rows;
      const inserted = read(added).rows;
      const index = place % (before.length + 1);
      const result = read(applyChanges(text, insertRows(read(text), index, added))).rows;
      expect(result.length).toBe(before.length + inserted.length);
      const around = [...result.slice(0, index), ...result.slice(index + inserted.length)];
      expect(texts(around)).toEqual(texts(before));
      expect(texts(result.slice(index, index + inserted.length))).toEqual(texts(inserted));
    }),
    runs(2000),
  );
});

test('deleting a row leaves the others as they were', () => {
  fc.assert(
    fc.property(storedText, fc.nat(), (text, pick) => {
      const { rows } = read(text);
      fc.pre(rows.length > 0);
      const index = pick % rows.length;
      expect(read(after(text, index, deleteRow)).rows).toEqual(withoutRow(rows, index));
    }),
    runs(1000),
  );
});

test('unticking makes each item one to do, and leaves everything else as it is', () => {
  const text = '# + Head\n+ a\n> + detail\n~ ! b 2026-01-01\nx c\n- [ON HOLD] d\nplain\n';
  const checklist = read(text);
  const unticked = read(applyChanges(text, untick(checklist)));
  expect(unticked.rows.map(row => (row.kind === 'checkbox' ? row.status.slug : row.kind))).toEqual([
    'header',
    ...Array(5).fill('todo'),
  ]);
  expect(unticked.rows.map(row => row.text)).toEqual(checklist.rows.map(row => row.text));
  expect(untick(unticked)).toEqual([]);
});
