import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align, carry } from '../../src/text/identity.ts';
import { merge } from '../../src/text/merge.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { anyText, statuses } from './arbitrary.ts';

/** The ids of `after`'s rows, those of `before` being 0, 1, 2 …, and new ones n0, n1 … */
function carried(before: string, after: string, ids?: readonly string[]): string[] {
  const [from, to] = [readChecklist(before, statuses), readChecklist(after, statuses)];
  let count = 0;
  return align(from, ids ?? from.rows.map((_, i) => String(i)), to, () => `n${count++}`);
}

test.each([
  ['a tick', '- a\n- b\n- c', '- a\n+ b\n- c', ['0', '1', '2']],
  ['a rewording', '- write the tests\n- b', '- write all the tests\n- b', ['0', '1']],
  ['an assignment and a detail', '- a\n- b', '- a [~accountid:x] 2026-11-20\n> why\n- b', ['0', '1']],
  ['an addition', '- a\n- b', '- a\n- new\n- b', ['0', 'n0', '1']],
  ['a deletion', '- a\n- b\n- c', '- a\n- c', ['0', '2']],
  ['a move', '# A\n- a\n- b\n# B\n', '# A\n- b\n# B\n- a', ['0', '2', '3', '1']],
  [
    'a rewording, on the way to another section',
    '# A\n- write the tests\n- b\n# B\n',
    '# A\n- b\n- new\n# B\n- write all the tests\n',
    ['0', '2', 'n0', '3', '1'],
  ],
  [
    'two that may be it in another section',
    '# A\n- write the tests\n# B\n',
    '# A\n# B\n- write all tests\n- write new tests\n',
    ['0', '2', 'n0', 'n1'],
  ],
  ['another row in a row’s place', '- buy milk', '- call Anna', ['n0']],
  ['an issue key', '- Task 3\n- b', '- Task 3 WEB-10\n- b', ['0', '1']],
  ['an issue key that goes, and a rewording', '- Task 3 alpha WEB-10\n- b', '- Task 3 gamma\n- b', ['0', '1']],
  ['an issue key, on the way to another section', '# A\n- Task 3 WEB-10\n# B\n', '# A\n# B\n- Task 3', ['0', '2', '1']],
  ['another issue’s key in a row’s place', '- Task 3 WEB-10', '- Task 3 WEB-11', ['n0']],
  ['another number beside an issue key', '- Task 3 WEB-10', '- Task 4', ['n0']],
  ['nothing but an issue key', '- WEB-10\n- a', '- a\n- \n- WEB-11', ['1', 'n0', 'n1']],
  ['equal rows, one gone', '- a\n- a\n- a', '- a\n- a', ['0', '1']],
  ['equal rows, one ticked', '- a\n- a\n- a', '- a\n+ a\n- a', ['0', '1', '2']],
  ['an empty text', '', '- a', ['n0']],
])('ids outlive %s', (_, before, after, expected) => {
  expect(carried(before, after)).toEqual(expected);
});

test.each([
  ['a row that is equal all over', '- a', ['2']],
  ['one with another status where no other is there', 'x a', ['1']],
  ['each of two', 'x a\n- a', ['1', '2']],
  ['none for another text', '- b', ['new']],
])('a row that comes back has the id of %s', (_, after, expected) => {
  const before = { text: '', rows: [] };
  const earlier = { text: '+ a\n- a', rows: ['1', '2'] };
  const read = (text: string) => readChecklist(text, statuses);
  expect(carry(before, after, [earlier], { read, newId: () => 'new' })).toEqual(expected);
});

test('every row has an id, each only once, and the same text has the same', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const ids = carried(before, after);
      expect(ids).toHaveLength(readChecklist(after, statuses).rows.length);
      expect(new Set(ids).size).toBe(ids.length);
      expect(carried(before, before)).toEqual(readChecklist(before, statuses).rows.map((_, i) => String(i)));
    }),
    runs(1000),
  );
});

test('a full reordering with ticks and deletions takes every id along', () => {
  const names = Array.from({ length: 20 }, (_, i) => `item ${i}`);
  fc.assert(
    fc.property(fc.shuffledSubarray(names), fc.func(fc.boolean()), (kept, ticked) => {
      const after = kept.map(name => `${ticked(name) ? '+' : '-'} ${name}`).join('\n');
      expect(carried(names.map(name => `- ${name}`).join('\n'), after)).toEqual(kept.map(name => name.slice(5)));
    }),
  );
});

test('a full reordering over sections takes every id along, whichever issue keys rows gain or lose', () => {
  const names = Array.from({ length: 20 }, (_, i) => `item ${i}`);
  const lines = (each: readonly string[], hasKey: (name: string) => boolean) =>
    each.map(name => `- ${name}${hasKey(name) ? ` WEB-${Number(name.slice(5)) + 1}` : ''}`);
  const all = fc.shuffledSubarray(names, { minLength: names.length });
  const some = fc.func(fc.boolean());
  fc.assert(
    fc.property(all, some, some, fc.nat({ max: names.length }), (after, before, now, split) => {
      const text = lines(after, now).toSpliced(split, 0, '# B').join('\n');
      const ids = after.map(name => name.slice(5)).toSpliced(split, 0, 'n0');
      expect(carried(lines(names, before).join('\n'), text)).toEqual(ids);
    }),
  );
});

test('an id that stands twice comes out once', () => {
  expect(carried('- a\n- b\n- c', '- a\n- b\n- c', ['x', 'x'])).toEqual(['x', 'n0', 'n1']);
});

test('a merge goes by lasting ids where they are known, and not by what rows say', () => {
  const base = '- same\n- same\n- same';
  const ids = { base: ['1', '2', '3'], theirs: ['2', '3'] };
  // Theirs deleted the first row, mine ticked the second: with ids it is known which is which.
  expect(merge(base, '- same\n+ same\n- same', '- same\n- same', statuses, ids).text).toBe('+ same\n- same');
  const reworded = { base: ['1', '2'], mine: ['1', '2'], theirs: ['2', '1'] };
  expect(merge('- alpha\n- beta', '+ alpha\n- beta', '- beta\n- something else', statuses, reworded).text).toBe(
    '- beta\n+ something else',
  );
  // A row that says the same but is known to be another one does not get the tick.
  const replaced = { base: ['1'], mine: ['1'], theirs: ['2', '3'] };
  const lines = merge('- a\n', '+ a\n', '- a\n- z\n', statuses, replaced).text.split('\n');
  expect(new Set(lines)).toEqual(new Set(['+ a', '- a', '- z', '']));
});

test('ids of the rows’ own order give what no ids give', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (base, mine, theirs) => {
      const { text } = merge(base, mine, theirs, statuses, { base: [], mine: [undefined], theirs: [] });
      expect(text).toBe(merge(base, mine, theirs, statuses).text);
    }),
  );
});
