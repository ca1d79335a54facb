import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Status } from '../../src/domain/statuses.ts';
import { applyChanges } from '../../src/text/document.ts';
import { setStatus } from '../../src/text/edits.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { readChecklist } from '../../src/text/read.ts';
import { isWritable, statusRegistry } from '../../src/text/status-registry.ts';
import { statusProblems } from '../../src/text/statuses/problems.ts';
import { anyCharacter } from '../run/any-character.ts';
import { runs } from '../run/seed.ts';
import { anyText, lineText } from './arbitrary.ts';

const status = (slug: string, name: string): Status => ({ slug, name, checked: false, color: 'red' });
const codes = (...custom: Status[]) => statusProblems(custom).map(({ index, code }) => [index, code]);

test('a list that loses nothing as a registry has no problems', () => {
  expect(codes(status('a', 'ON HOLD'), status('b', 'QA (failed)'), status('c', 'x'.repeat(50)))).toEqual([]);
});

test.each([
  [' ', 'NAME_REQUIRED'],
  ['x'.repeat(51), 'NAME_TOO_LONG'],
  ['a]', 'NAME_CHARACTERS'],
  ['[a', 'NAME_CHARACTERS'],
  ['a\nb', 'NAME_CHARACTERS'],
  ['~a', 'NAME_CHARACTERS'],
  ['`a`', 'NAME_CHARACTERS'],
  ['a\0', 'NAME_CHARACTERS'],
  ['in  PROGRESS', 'NAME_TAKEN'],
])('the name %j is refused: %s', (name, code) => {
  expect(codes(status('a', name))).toEqual([[0, code]]);
});

test('of two that clash the later one is the problem', () => {
  expect(codes(status('a', 'One'), status('a', 'Two'), status('b', ' ONE '), status('done', 'Three'))).toEqual([
    [1, 'SLUG_TAKEN'],
    [2, 'NAME_TAKEN'],
    [3, 'SLUG_TAKEN'],
  ]);
});

test('a status that cannot be written is refused when it is set', () => {
  const statuses = statusRegistry([status('long', 'x'.repeat(51)), status('a', 'Same'), status('b', 'same')]);
  const checklist = readChecklist('- item', statuses);
  const set = (slug: string) => applyChanges('- item', setStatus(checklist, { index: 0, text: 'item' }, slug));
  expect(set('a')).toBe('- [Same] item');
  for (const slug of ['long', 'b']) expect(() => set(slug)).toThrow(EditRefused);
});

const name = fc.oneof(
  lineText,
  fc.string({ unit: anyCharacter, maxLength: 55 }),
  fc.constantFrom('ON HOLD', 'Done', '', '~'),
);
const registry = fc.array(
  fc.record({
    slug: fc.constantFrom('a', 'b', 'c', 'todo', ''),
    name,
    checked: fc.boolean(),
    color: fc.constantFrom('red', 'green'),
  }),
  { maxLength: 5 },
);

test('any registry reads any text', () => {
  fc.assert(
    fc.property(registry, anyText, (custom, text) => {
      const statuses = statusRegistry(custom);
      for (const row of readChecklist(text, statuses).rows) {
        if (row.kind === 'checkbox') expect(statuses.list).toContain(row.status);
      }
    }),
    runs(1000),
  );
});

test('a status without problems can be set and is read again', () => {
  fc.assert(
    fc.property(registry, custom => {
      const statuses = statusRegistry(custom);
      const bad = new Set(statusProblems(custom).map(({ index }) => index));
      custom.forEach((wanted, index) => {
        if (bad.has(index)) return;
        expect(isWritable(statuses, wanted)).toBe(true);
        const checklist = readChecklist('- item', statuses);
        const text = applyChanges('- item', setStatus(checklist, { index: 0, text: 'item' }, wanted.slug));
        expect(readChecklist(text, statuses).rows[0]).toMatchObject({ text: 'item', status: wanted });
      });
    }),
    runs(3000),
  );
});
