import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { setValues } from '../../src/text/edits/value.ts';
import { setValue } from '../../src/text/edits.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { type Conflict, merge } from '../../src/text/merge.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import { statuses } from './arbitrary.ts';

const taken = (text: string, { attribute, theirs }: Conflict, index = 0) => {
  const checklist = readChecklist(text, statuses);
  return applyChanges(text, setValue(checklist, targetOf(checklist, index), attribute, theirs));
};

test.each([
  ['status', '- a', '+ a', '~ a', '~ a'],
  ['a custom status', '- a', '+ a', '- [ON HOLD] a', '- [ON HOLD] a'],
  [
    'text, beside the day of mine',
    '- Write the tests',
    '- Write more tests 2026-01-02',
    '- Write all tests',
    '- Write all tests 2026-01-02',
  ],
  ['person', '- a [~accountid:x]', '- a [~accountid:y]', '- a [~accountid:z]', '- a [~accountid:z]'],
  ['nobody', '- a [~accountid:x] 2026-01-01', '- a [~accountid:y] 2026-01-01', '- a 2026-01-01', '- a 2026-01-01'],
  ['day', '- a 2026-01-01', '- a 2026-01-02', '- a 2026-01-03', '- a 2026-01-03'],
  ['details', '- a\n> x\n- b', '- a\n> y\n- b', '- a\n> z\n> zz\n- b', '- a\n> z\n> zz\n- b'],
  ['no details', '- a\n> x\n- b', '- a\n> y\n- b', '- a\n- b', '- a\n- b'],
  ['kind', '# a', '## a', '- a', '- a'],
  ['kind, with the status that a header has not', '+ a', '## a', '- [ON HOLD] a', '- [ON HOLD] a'],
  ['kind, with the flag', '+ a', '## a', '~ ! a', '~ ! a'],
])('takes theirs: %s', (_, base, mine, theirs, expected) => {
  const { text, conflicts } = merge(base, mine, theirs, statuses);
  expect(conflicts).toHaveLength(1);
  expect(conflicts.reduce((now, conflict) => taken(now, conflict), text)).toBe(expected);
});

const line = fc
  .tuple(
    fc.constantFrom('- ', '+ ', 'x ', '- [ON HOLD] ', '- ! ', '  ~ ', '## '),
    fc.constantFrom('write tests', 'ship it', 'alpha', '**bold**'),
    fc.constantFrom('', ' [~accountid:a]', ' [~accountid:b]'),
    fc.constantFrom('', ' 2026-01-02', ' 2026-03-04'),
    fc.constantFrom('', '\n> why', '\n> one\n> two'),
  )
  .map(parts => parts.join(''));

test('where theirs are all taken, nothing is in conflict with theirs any more', () => {
  fc.assert(
    fc.property(line, line, line, fc.constantFrom('', '\n', '\n- last\n'), (base, mine, theirs, end) => {
      const { text, conflicts } = merge(base + end, mine + end, theirs + end, statuses);
      let now = text;
      try {
        for (const conflict of conflicts) now = taken(now, conflict);
      } catch (error) {
        // A header has no status to take.
        expect(error).toBeInstanceOf(EditRefused);
        return;
      }
      expect(merge(base + end, now, theirs + end, statuses).conflicts).toEqual([]);
    }),
  );
});

test.each([
  ['- a\n- words\n- c\n', '- a\n- \n- c\n'],
  ['- a\n+ ! words\n> note\n- c\n', '- a\n+ ! \n> note\n- c\n'],
  // Without words it would be no row.
  ['- a\nwords\n- c\n', '- a\nwords\n- c\n'],
])('a row that was empty before both sides typed into it is empty in the base of a choice: %j', (text, expected) => {
  const values = [{ index: 1, attribute: 'text', value: '' }];
  expect(setValues(readChecklist(text), values, each => readChecklist(each))).toBe(expected);
});
