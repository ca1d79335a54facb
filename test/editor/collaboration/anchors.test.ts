import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowHash } from '../../../src/domain/row-hash.ts';
import { anchorOf, positionOf, type RowAnchor } from '../../../src/editor/collaboration/anchors.ts';
import { readChecklist } from '../../../src/text/read.ts';

const place = (row: number, text: string): RowAnchor => ({ row, mark: rowHash(text) });
const stored = readChecklist('# A\n- one\n- two\n> why\n- three\n');

test('a row hash is short and distinguishes texts', () => {
  expect(rowHash('Write the tests')).toMatch(/^[0-9a-f]{8}$/);
  expect(rowHash('')).not.toBe(rowHash('Write'));
});

test.each([
  ['in a row that is stored', '# A\n- one\n- two\n> why\n- three\n', 6, place(1, 'one')],
  ['in a detail', '# A\n- one\n- two\n> why\n- three\n', 19, place(2, 'two')],
  ['in a row that was reworded', '# A\n- one and more\n- two\n> why\n- three\n', 16, place(1, 'one')],
  ['below rows that are new', '- new\n# A\n- one\n- two\n> why\n- three\n', 13, place(1, 'one')],
  [
    'in a row that is new: the one that it stands before',
    '# A\n- one\n- new\n- two\n> why\n- three\n',
    14,
    place(2, 'two'),
  ],
])('says where the cursor is by the stored text: %s', (_, text, position, expected) => {
  expect(anchorOf(stored, readChecklist(text), position)).toEqual(expected);
});

test('a row is named and found where it was moved', () => {
  const unsaved = readChecklist('# A\n- two\n> why\n- three\n- one and more\n');
  expect(anchorOf(stored, unsaved, unsaved.text.length - 2)).toEqual(place(1, 'one'));
  expect(positionOf(stored, unsaved, place(1, 'one'))).toBe(unsaved.text.indexOf('- one'));
});

test('finds the row in what was typed over it, at its index or by its mark', () => {
  const text = '- mine\n# A\n- one!\n- two\n> why\n- three\n';
  const unsaved = readChecklist(text);
  expect(positionOf(stored, unsaved, place(1, 'one'))).toBe(text.indexOf('- one!'));
  expect(positionOf(stored, unsaved, place(7, 'three'))).toBe(text.indexOf('- three'));
  expect(positionOf(stored, unsaved, place(1, 'gone'))).toBeUndefined();
  expect(positionOf(readChecklist('- a\n- a\n'), readChecklist('- a\n- a\n'), place(5, 'a'))).toBeUndefined();
});

test('two with one text agree on every row', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom('- a', '- b', '+ c', '# d'), { minLength: 1 }), fc.nat(), (rows, at) => {
      const text = rows.join('\n');
      const checklist = readChecklist(text);
      const there = anchorOf(checklist, checklist, at % (text.length + 1));
      expect(there).toBeDefined();
      if (!there) return;
      const line = text.lastIndexOf('\n', (at % (text.length + 1)) - 1) + 1;
      expect(positionOf(checklist, checklist, there)).toBe(line);
    }),
  );
});
