import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { clearDone, sortDone } from '../../src/text/edits/done.ts';
import { duplicateRows } from '../../src/text/edits/duplicate.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import type { Row } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from './arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);
const sorted = (text: string) => applyChanges(text, sortDone(read(text)));
const cleared = (text: string) => applyChanges(text, clearDone(read(text)));

function duplicated(text: string, ...indices: number[]): string {
  const checklist = read(text);
  return applyChanges(
    text,
    duplicateRows(
      checklist,
      indices.map(index => targetOf(checklist, index)),
    ),
  );
}

test.each([
  ['+ a\n- b\n', '- b\n+ a\n'],
  ['+ a\n- b', '- b\n+ a'],
  ['+ a\n> why\n- b\nx c\n- d\n', '- b\n- d\n+ a\n> why\nx c\n'],
  ['# One\n+ a\n- b\n## Two\n+ c\n~ d\n', '# One\n- b\n+ a\n## Two\n~ d\n+ c\n'],
  ['+ a\n- b\n\n# Two\n- c\n', '- b\n+ a\n\n# Two\n- c\n'],
  ['- a\n+ b\n', '- a\n+ b\n'],
  ['', ''],
])('%j with what is done at the end is %j', (text, after) => expect(sorted(text)).toBe(after));

test.each([
  ['+ a\n- b\nx c\n> why\n', '- b\n'],
  ['# One\n+ a\n\n- b', '# One\n\n- b'],
  ['+ [Released] a\n- [ON HOLD] b', '- [ON HOLD] b'],
  ['- a', '- a'],
])('%j without what is done is %j', (text, after) => expect(cleared(text)).toBe(after));

test.each([
  ['- a\n> why\n- b\n', [0], '- a\n> why\n- a\n> why\n- b\n'],
  ['- a\n- b', [1], '- a\n- b\n- b'],
  ['- a\n- b\n- c\n- d\n', [0, 1, 3], '- a\n- b\n- a\n- b\n- c\n- d\n- d\n'],
  ['> a\n', [0], '> a\n- > a\n'],
])('%j with a copy of %j is %j', (text, indices, after) => expect(duplicated(text, ...indices)).toBe(after));

const factsOf = (rows: readonly Row[]) =>
  rows.map(({ kind, text, details, ...row }) => ({
    kind,
    text,
    details: details.map(detail => detail.text),
    status: 'status' in row && row.status,
    mandatory: 'mandatory' in row && row.mandatory,
  }));
const checked = (row: Row) => row.kind === 'checkbox' && row.status.checked;
const anyStored = fc.oneof(storedText, markedText);

test('sorting puts what is open first between each two headers, in the same order', () => {
  fc.assert(
    fc.property(anyStored, text => {
      const { rows } = read(text);
      const runs: Row[][] = [[]];
      for (const row of rows) {
        if (row.kind === 'header') runs.push([row], []);
        else runs.at(-1)?.push(row);
      }
      const wanted = runs.flatMap(run => [...run.filter(row => !checked(row)), ...run.filter(checked)]);
      const result = sorted(text);
      expect(factsOf(read(result).rows)).toEqual(factsOf(wanted));
      expect(sorted(result)).toBe(result);
    }),
    runs(3000),
  );
});

test('clearing leaves every other row as it is', () => {
  fc.assert(
    fc.property(anyStored, text => {
      const result = cleared(text);
      expect(factsOf(read(result).rows)).toEqual(factsOf(read(text).rows.filter(row => !checked(row))));
      expect(cleared(result)).toBe(result);
    }),
    runs(3000),
  );
});

test('a copy says what its row says and stands below it', () => {
  fc.assert(
    fc.property(anyStored, text => {
      const { rows } = read(text);
      for (const [index, row] of rows.entries()) {
        expect(factsOf(read(duplicated(text, index)).rows)).toEqual(factsOf(rows.toSpliced(index, 0, row)));
      }
    }),
    runs(1500),
  );
});
