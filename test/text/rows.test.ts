import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { clear, deleteRow, insertRows, moveRows, moveSection } from '../../src/text/edits.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { sections } from '../../src/text/progress.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import type { Row, TextChange } from '../../src/text/types.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from './arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);

function sectionMoved(text: string, header: number, index: number): string {
  const checklist = read(text);
  return applyChanges(text, moveSection(checklist, targetOf(checklist, header), index));
}

test.each([
  ['# A\n- a\n# B\n- b', 2, 0, '# B\n- b\n# A\n- a'],
  ['# A\n- a\n\n# B\n- b\n', 0, 4, '\n# B\n- b\n# A\n- a\n'],
  ['- x\n# A\n## A1\n> why\n- a\n# B', 1, 5, '- x\n# B\n# A\n## A1\n> why\n- a'],
  ['# A\n## A1\n- a\n## A2\n- b', 3, 1, '# A\n## A2\n- b\n## A1\n- a'],
  ['# A\n- a\n- b', 0, 2, '# A\n- a\n- b'],
  ['# A\n- a\n# B', 0, 2, '# A\n- a\n# B'],
])('%j with the section of row %i moved to %i is %j', (text, header, index, expected) => {
  expect(sectionMoved(text, header, index)).toBe(expected);
});

test('an item has no section to move', () => {
  expect(() => sectionMoved('- a\n# B', 0, 1)).toThrow(EditRefused);
});

const texts = (rows: readonly Row[]) =>
  rows.map(({ kind, text, details }) => [kind, text, ...details.map(d => d.text)]);

test('a section moves whole, and there and back gives the same text', () => {
  fc.assert(
    fc.property(fc.oneof(markedText, storedText), fc.nat(), fc.nat(), (text, pick, place) => {
      const checklist = read(text);
      const found = sections(checklist);
      fc.pre(found.length > 0);
      const section = found[pick % found.length];
      if (!section) return;
      const { header, end } = section;
      const index = place % (checklist.rows.length + 1);
      const result = sectionMoved(text, header, index);
      const all = texts(checklist.rows);
      const moving = all.slice(header, end);
      const inside = index >= header && index <= end;
      const landed = inside ? header : index < header ? index : index - moving.length;
      const rest = all.toSpliced(header, moving.length);
      expect(texts(read(result).rows)).toEqual(rest.toSpliced(landed, 0, ...moving));
      if (inside) expect(result).toBe(text);
      // Rows without a mark may have been given one on the way.
      if (result.length !== text.length) return;
      const moved = read(result);
      const rows = moving.map((_, i) => targetOf(moved, landed + i));
      const back = landed <= header ? header + moving.length : header;
      expect(applyChanges(result, moveRows(moved, rows, back))).toBe(text);
    }),
    runs(2000),
  );
});

test('clearing leaves nothing, of any text', () => {
  fc.assert(
    fc.property(storedText, text => {
      expect(applyChanges(text, clear(read(text)))).toBe('');
    }),
  );
  expect(clear(read(''))).toEqual([]);
});

test('a row that is inserted and deleted leaves the text as it was', () => {
  fc.assert(
    fc.property(markedText, fc.nat(), (text, place) => {
      const before = read(text);
      const index = place % (before.rows.length + 1);
      const inserted = read(applyChanges(text, insertRows(before, index, '- new\n> why')));
      const result = applyChanges(inserted.text, deleteRow(inserted, targetOf(inserted, index)));
      // At the end of a text without a last line break the insertion gives the line above its own.
      expect([text, `${text}\n`]).toContain(result);
    }),
  );
});

const size = (changes: readonly TextChange[]) =>
  changes.reduce((sum, { from, to = from, insert = '' }) => sum + to - from + insert.length, 0);

test('placing a row touches no more characters than it has, twice', () => {
  fc.assert(
    fc.property(fc.oneof(markedText, storedText), fc.nat(), fc.nat(), (text, pick, place) => {
      const checklist = read(text);
      fc.pre(checklist.rows.length > 0);
      const index = pick % checklist.rows.length;
      const target = targetOf(checklist, index);
      const above = index === 0 ? 0 : (checklist.starts[index - 1] ?? 0) + (checklist.rows[index - 1]?.length ?? 0);
      const own = (checklist.starts[index] ?? 0) + (checklist.rows[index]?.length ?? 0) - above;
      // A line break, and a mark for each of two rows that may start with `>`.
      expect(size(moveRows(checklist, [target], place % (checklist.rows.length + 1)))).toBeLessThanOrEqual(2 * own + 6);
      expect(size(deleteRow(checklist, target))).toBeLessThanOrEqual(own);
      expect(size(insertRows(checklist, index, '- new'))).toBeLessThanOrEqual('- new\n\n'.length);
    }),
    runs(1000),
  );
});
