import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align } from '../../src/text/identity.ts';
import { merge } from '../../src/text/merge.ts';
import { mergeRows } from '../../src/text/merge-rows.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { statuses } from './arbitrary.ts';

/** One user rewords a row in the panel while another user's editor holds half-typed text behind a mention in that row. */

const read = (text: string) => readChecklist(text, statuses);

const person = fc.constantFrom(
  '[~accountid:5b10a2844c20165700ede21g]',
  '[~accountid:712020:0e1a-4f]',
  '[~accountid:x]',
);
const day = fc.constantFrom('2026-12-01', '31/12/2026');
const chips = fc.oneof(
  fc.tuple(person, day).map(parts => parts.join(' ')),
  fc.tuple(day, person).map(parts => parts.join(' ')),
  person,
);
const words = fc.constantFrom(
  'Go',
  'Review',
  'Write the tests',
  '测试',
  'Task 3',
  'Ask [~accountid:b2] about access',
  'a',
);
/** What the panel makes of the words. */
const rewording = fc.constantFrom(
  (text: string) => `Check: ${text}`,
  (text: string) => `${text} again`,
  (text: string) => `Please ${text} twice`,
);
const typed = fc.constantFrom(
  ' an',
  ' and then',
  'an',
  ' 2',
  ' 2026-1',
  ' @Mi',
  ' [~accountid:z9',
  ' [~accountid:z9] soon',
  '.',
  ' (',
  ' x 10 times',
);
const others = fc.constantFrom(
  '- Pay',
  '- Review',
  '+ Task 4',
  '# Release',
  '- Call [~accountid:5b10a2844c20165700ede21g]',
);
const neighbours = fc.array(others, { maxLength: 3 });

const version = (above: readonly string[], row: string, below: readonly string[]) =>
  [...above, row, ...below].map(line => `${line}\n`).join('');

test('a row stands once when one user rewords it and another types behind its person', () => {
  fc.assert(
    fc.property(neighbours, words, chips, neighbours, rewording, typed, (above, text, tail, below, reword, more) => {
      const base = version(above, `- ${text} ${tail}`, below);
      const theirs = version(above, `- ${reword(text)} ${tail}`, below);
      const mine = version(above, `- ${text} ${tail}${more}`, below);
      const ids = read(base).rows.map((_, index) => String(index));
      const typing = { text: mine, rows: align(read(base), ids, read(mine), () => 'new') };
      expect(typing.rows).toEqual(ids);
      const start = { text: base, rows: ids };
      const stored = { text: theirs, rows: ids };
      const { text: both, conflicts } = mergeRows(start, typing, stored, [], read);
      const { rows } = read(both);
      expect(rows).toHaveLength(ids.length);
      const row = rows[above.length]?.text;
      const reported = conflicts.filter(({ attribute }) => attribute === 'text').map(({ theirs }) => theirs);
      expect([row, ...reported].some(each => each?.includes(reword(text)))).toBe(true);
      expect(row).toContain(more.trim());
    }),
    runs(1000),
  );
});

test('texts alone tell that a row is the same with words behind its person', () => {
  fc.assert(
    fc.property(words, chips, typed, (text, tail, more) => {
      const [base, mine] = [`- Pay\n- ${text} ${tail}\n`, `- Pay\n- ${text} ${tail}${more}\n`];
      // A tick of the row that is being typed in is the same row's.
      const theirs = base.replace(`- ${text} ${tail}`, `+ ${text} ${tail}`);
      const { text: both } = merge(base, mine, theirs, statuses);
      expect(both).toBe(mine.replace(`- ${text} ${tail}`, `+ ${text} ${tail}`));
    }),
    runs(500),
  );
});

test.each([
  ['another person in the sentence', '- Ask [~accountid:a1] about it', '- Ask [~accountid:b2] about it'],
  ['another day in the sentence', '- Report of 2026-12-01 is sent', '- Report of 2026-12-02 is sent'],
  ['another telephone number', '- Ring 0301234567', '- Ring 0307654321'],
])('%s is another row', (_, before, after) => {
  expect(align(read(before), ['1'], read(after), () => 'new')).toEqual(['new']);
});
