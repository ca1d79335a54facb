import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert } from '../../src/text/convert.ts';
import { applyChanges } from '../../src/text/document.ts';
import { assignNamed, namesIn } from '../../src/text/edits/named-people.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { markedText, storedText } from './arbitrary.ts';

const people = new Map([
  ['emma richards', 'a1'],
  ['mia@example.com', 'a2'],
]);

/** A text after its named people are looked up. */
const assigned = (text: string) => applyChanges(text, assignNamed(readChecklist(text), 0, text.length, people).changes);

test.each(['Owner', 'Assignee', 'Assigned to'])('a column %s of known people assigns the items', head => {
  const table = `Task\t${head}\tDue\tNotes\nWash\tEmma  Richards\t2026-12-01\twith care\nDry\tEve Unknown\t\t\nFold\tmia@example.com\t\t`;
  const { text } = convert(table, 'auto');
  expect(namesIn(readChecklist(text), 0, text.length)).toEqual(['emma richards', 'eve unknown', 'mia@example.com']);
  expect(assigned(text)).toBe(
    [
      '- Wash 2026-12-01 [~accountid:a1]',
      '> with care',
      '- Dry',
      '> Assignee: Eve Unknown',
      '- Fold [~accountid:a2]',
    ].join('\n'),
  );
});

test('an item that is assigned already keeps its person and the name', () => {
  const text = '- Wash [~accountid:b]\n> Assignee: Emma Richards';
  expect(assigned(text)).toBe(text);
});

test('rows outside of the range, and texts without names, stay as they are', () => {
  const text = '- a\n> Assignee: Emma Richards\n- b';
  expect(assignNamed(readChecklist(text), 4, text.length, people).changes).toEqual([]);
  fc.assert(
    fc.property(fc.oneof(storedText, markedText), other => {
      expect(assigned(other)).toBe(other);
      const before = readChecklist(`${other}\n\n`).rows;
      const after = readChecklist(assigned(`${other}\n\n- z\n> Assignee: Emma Richards`)).rows;
      expect(after.slice(0, -1).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
      expect(after.at(-1)).toMatchObject({ assignee: 'a1', details: [] });
    }),
    runs(300),
  );
});
