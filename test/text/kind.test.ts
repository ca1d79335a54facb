import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { detachDetail, makeDetail, makeHeader, makeItem, setLevel } from '../../src/text/edits/kind.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import type { Checklist, Row, Target, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from './arbitrary.ts';

type Edit = (checklist: Checklist, target: Target) => TextChange[];

/** What an edit makes of a text; `undefined` where it is refused. */
function after(text: string, index: number, edit: Edit): string | undefined {
  const checklist = readChecklist(text, statuses);
  try {
    return applyChanges(text, edit(checklist, targetOf(checklist, index)));
  } catch (error) {
    if (error instanceof EditRefused) return undefined;
    throw error;
  }
}

const level =
  (to: 1 | 2 | 3 | 4 | 5 | 6): Edit =>
  (list, row) =>
    setLevel(list, row, to);
const header: Edit = (list, row) => makeHeader(list, row, 2);
const detach: Edit = (list, row) => detachDetail(list, row, 0);

test.each<[string, string, number, Edit, string | undefined]>([
  ['a level', '# A\n- a', 0, level(3), '### A\n- a'],
  ['a level', '  ### A', 0, level(1), '  # A'],
  ['a level', '- a', 0, level(1), undefined],
  ['a header', '- [ON HOLD] ! a\n> why', 0, header, '## a\n> why'],
  ['a header', '  plain', 0, header, '  ## plain'],
  ['a header', '+', 0, header, '##'],
  ['a header', '# A', 0, header, '## A'],
  ['an item', '##  A\n> why', 0, makeItem, '-  A\n> why'],
  ['an item', '# ! A', 0, makeItem, undefined],
  ['an item', '# [ON HOLD] A', 0, makeItem, undefined],
  ['an item', '+ A', 0, makeItem, '+ A'],
  ['a detail', '- a\n\n  + ! b\n> why', 1, makeDetail, '- a\n  > b\n> why'],
  ['a detail', '# A\nb', 1, makeDetail, '# A\n> b'],
  ['a detail', '- a', 0, makeDetail, undefined],
  ['a detail', '- a\n# B', 1, makeDetail, undefined],
  ['an item of its own', '- a\n>b\n> c', 0, detach, '- a\n- b\n> c'],
  ['an item of its own', '- a\n  >  b', 0, detach, '- a\n  -  b'],
  ['an item of its own', '- a\n>', 0, detach, '- a\n-'],
  ['an item of its own', '- a\n> ! b', 0, detach, undefined],
])('to %s: %j, row %i', (_, text, index, edit, wanted) => expect(after(text, index, edit)).toBe(wanted));

const factsOf = ({ details, length, content, ...row }: Row) => ({ ...row, details: details.map(({ text }) => text) });
const anyStored = fc.oneof(storedText, markedText);

/** Every row of a text on which an edit is not refused, before and after it. */
function each(edit: Edit, look: (before: readonly Row[], rows: readonly Row[], index: number) => void) {
  fc.assert(
    fc.property(anyStored, text => {
      const { rows } = readChecklist(text, statuses);
      rows.forEach((_, index) => {
        const result = after(text, index, edit);
        if (result !== undefined) look(rows, readChecklist(result, statuses).rows, index);
      });
    }),
    runs(1500),
  );
}

const others = (rows: readonly Row[], ...indices: number[]) =>
  rows.filter((_, index) => !indices.includes(index)).map(factsOf);

test('a row of another kind says the same, and the other rows are as they were', () => {
  for (const [edit, kind] of [
    [header, 'header'],
    [makeItem, 'checkbox'],
  ] as const) {
    each(edit, (before, rows, index) => {
      expect(rows[index]?.kind).toBe(kind);
      expect(rows[index]?.text).toBe(before[index]?.text);
      expect(rows[index]?.details.map(({ text }) => text)).toEqual(before[index]?.details.map(({ text }) => text));
      expect(others(rows, index)).toEqual(others(before, index));
    });
  }
});

test('an item becomes the last details of the row above', () => {
  each(makeDetail, (before, rows, index) => {
    const texts = (row: Row | undefined) => row?.details.map(({ text }) => text) ?? [];
    expect(texts(rows[index - 1])).toEqual([...texts(before[index - 1]), before[index]?.text, ...texts(before[index])]);
    expect(others(rows, index - 1)).toEqual(others(before, index - 1, index));
  });
});

test('a detail becomes an item that has the details below it', () => {
  each(detach, (before, rows, index) => {
    const [first, ...more] = before[index]?.details.map(({ text }) => text) ?? [];
    expect(rows[index]?.details).toEqual([]);
    expect(rows[index + 1]).toMatchObject({
      kind: 'checkbox',
      text: first,
      mandatory: false,
      status: { slug: 'todo' },
    });
    expect(rows[index + 1]?.details.map(({ text }) => text)).toEqual(more);
    expect(others(rows, index, index + 1)).toEqual(others(before, index));
  });
});
