import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { setDetails } from '../../src/text/edits.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import { runs } from '../run/seed.ts';
import { lineText, markedText, statuses, storedText } from './arbitrary.ts';

function after(text: string, details: string, index = 0): string {
  const checklist = readChecklist(text, statuses);
  return applyChanges(text, setDetails(checklist, targetOf(checklist, index), details));
}

test.each([
  ['- a', 'why', '- a\n> why'],
  ['- a\n- b', ' why \n\nhow\n', '- a\n> why\n>\n> how\n- b'],
  ['# A\n\n- b', 'why', '# A\n> why\n\n- b'],
  ['- a\n> why\n- b', '', '- a\n- b'],
  ['- a\n> why', ' \n ', '- a'],
  ['- a\n  >one  \n> two\n', 'one\ntwo\nthree', '- a\n  >one  \n> two\n> three\n'],
  ['- a\n  >one  \n> two\n', 'new\none\ntwo', '- a\n> new\n  >one  \n> two\n'],
  ['- a\n>one\n>two\n>three', 'one\n2\nthree', '- a\n>one\n>2\n>three'],
  ['- a\n>\n', 'b', '- a\n> b\n'],
  ['- a\r\n> b\r\n> c\r\n', 'b', '- a\r\n> b\r\n'],
  ['- a', '> b', '- a\n> > b'],
])('%j with details %j is %j', (text, details, expected) => {
  expect(after(text, details)).toBe(expected);
});

test('a changed detail is all that changes', () => {
  const checklist = readChecklist('- a\n> one\n> two\n> three\n');
  expect(setDetails(checklist, { index: 0, text: 'a' }, 'one\ntwos\nthree')).toEqual([
    { from: 15, to: 15, insert: 's' },
  ]);
  expect(setDetails(checklist, { index: 0, text: 'a' }, 'one\nthree')).toEqual([{ from: 9, to: 15 }]);
  expect(setDetails(checklist, { index: 0, text: 'a' }, 'one\ntwo\nthree')).toEqual([]);
});

const lines = fc.array(lineText, { maxLength: 4 });

test('details are those that were given, and no other row changes', () => {
  fc.assert(
    fc.property(fc.oneof(storedText, markedText), fc.nat(), lines, (text, pick, wanted) => {
      const before = readChecklist(text, statuses).rows;
      fc.pre(before.length > 0);
      const index = pick % before.length;
      const { rows } = readChecklist(after(text, wanted.join('\n'), index), statuses);
      const trimmed = wanted.map(line => line.replace(/^[ \t]+|[ \t]+$/g, ''));
      const [first, last] = [trimmed.findIndex(line => line !== ''), trimmed.findLastIndex(line => line !== '')];
      expect(rows[index]?.details.map(detail => detail.text)).toEqual(first < 0 ? [] : trimmed.slice(first, last + 1));
      expect(rows.toSpliced(index, 1)).toEqual(before.toSpliced(index, 1));
      const { kind, text: line, content } = before[index] ?? {};
      expect(rows[index]).toMatchObject({ kind, text: line, content });
    }),
    runs(3000),
  );
});

test('details that come and go leave the text as it was', () => {
  fc.assert(
    fc.property(storedText, fc.nat(), lines, (text, pick, wanted) => {
      const { rows } = readChecklist(text, statuses);
      fc.pre(rows.length > 0);
      const index = pick % rows.length;
      fc.pre(rows[index]?.details.length === 0);
      expect(after(after(text, wanted.join('\n'), index), '', index)).toBe(text);
    }),
    runs(1000),
  );
});
