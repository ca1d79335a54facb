import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Insertion, insertLines } from '../../../src/editor/clipboard/insertion.ts';
import { linkOver } from '../../../src/editor/clipboard/link.ts';
import { convert } from '../../../src/text/convert.ts';
import { readChecklist } from '../../../src/text/read.ts';
import type { Row } from '../../../src/text/types.ts';
import { runs } from '../../run/seed.ts';
import { marked, stateOf } from '../fixture.ts';

/** A text with a cursor or a selection, after a placement. */
function placed(before: string, place: (state: ReturnType<typeof stateOf>) => Insertion | undefined) {
  const state = stateOf(before);
  const placement = place(state);
  if (!placement) return undefined;
  return marked(state.update({ changes: placement.changes, selection: { anchor: placement.cursor } }).state);
}

const withLines = (before: string, text = '- A\n+ B') => placed(before, state => insertLines(state, text));

test.each([
  ['', '|', '- A\n+ B|'],
  ['a line that only bears a mark gives way', '- x\n- |\n- y', '- x\n- A\n+ B|\n- y'],
  ['at the end of an item, below it', '- one|\n- y', '- one\n- A\n+ B|\n- y'],
  ['and below its details', '- one|\n> d\n> e\n- y', '- one\n> d\n> e\n- A\n+ B|\n- y'],
  ['in the middle, the rest is an item of its own', '- one| two\n- y', '- one\n- A\n+ B|\n- two\n- y'],
  ['which has the details', '- one| two\n> d', '- one\n- A\n+ B|\n- two\n> d'],
  ['before the words, above the line, which stays as it is', 'x\n+ |one\n> d', 'x\n- A\n+ B|\n+ one\n> d'],
  ['at the very start too', '|  ~ ! one', '- A\n+ B|\n  ~ ! one'],
  ['in a header', '# One| two\n- y', '# One\n- A\n+ B|\n- two\n- y'],
  ['below the details of a header', '# One|\n> d\n- y', '# One\n> d\n- A\n+ B|\n- y'],
  ['a detail stays with its item', '- one\n> de|tail\n> e\n- y', '- one\n> detail\n> e\n- A\n+ B|\n- y'],
  ['selected words go', '- one |two| three', '- one\n- A\n+ B|\n- three'],
  ['all words selected', '~ |one|', '- A\n+ B|'],
  ['over several lines', '- one |two\n- three| four\n- y', '- one\n- A\n+ B|\n- four\n- y'],
  ['whole lines', '- x\n|- one\n- two\n|+ y', '- x\n- A\n+ B|\n+ y'],
  ['selected in a detail', '- one\n> a |b| c', '- one\n> a  c\n- A\n+ B|'],
  ['a lonely > does not become a detail', '|\n> lonely', '- A\n+ B|\n\n> lonely'],
  ['nor does the line at the cursor', '|> lonely', '- A\n+ B|\n- > lonely'],
  ['a line without a mark', 'one| two', 'one\n- A\n+ B|\n- two'],
])('%s: %j', (_, before, after) => {
  expect(withLines(before)).toBe(after);
});

const line = fc.constantFrom(
  '- a',
  '+ b',
  '~ [x] c',
  'plain',
  '# h',
  '> d',
  '> e',
  '',
  '  - in',
  '- ',
  '>',
  '# ',
  'x y',
);
const document = fc.array(line, { maxLength: 7 }).map(lines => lines.join('\n'));
const pasted = fc
  .array(fc.constantFrom('# P', '- Q', '+ R', '> S'), { minLength: 1, maxLength: 4 })
  .map(lines => convert(lines.join('\n'), 'text').text);

const said = (row: Row) =>
  JSON.stringify([
    row.kind,
    row.kind === 'checkbox' ? row.status.slug : row.level,
    row.text,
    row.details.map(d => d.text),
  ]);
const words = (text: string) => text.replace(/[\s>+~#-]/g, '');

test('an insertion is contiguous and loses no word or detail around it', () => {
  fc.assert(
    fc.property(document, fc.nat(), pasted, (doc, seed, text) => {
      const at = seed % (doc.length + 1);
      const state = stateOf(`${doc.slice(0, at)}|${doc.slice(at)}`);
      const { changes } = insertLines(state, text);
      const after = state.update({ changes }).state.doc.toString();
      const rows = readChecklist(after).rows.map(said);
      const added = readChecklist(text).rows.map(said);
      const start = rows.findIndex((_, i) => added.every((row, k) => rows[i + k] === row));
      expect(start, `${JSON.stringify(after)}`).toBeGreaterThanOrEqual(0);
      // All other words are there, in their order.
      const rest = words(after).replace(words(text), '');
      expect(rest).toBe(words(doc));
    }),
    runs(2000),
  );
});

test.each([
  ['see |the guide| now', 'https://a.example/b', 'see [the guide](https://a.example/b)| now'],
  ['- |guide|', ' https://a.example/b(c)\n', '- [guide](https://a.example/b%28c%29)|'],
  ['- |guide |now', 'mailto:a@b.example', '- [guide](mailto:a@b.example) |now'],
])('an address over words makes a link: %j', (before, address, after) => {
  expect(placed(before, state => linkOver(state, address))).toBe(after);
});

test.each([
  ['|guide', 'https://a.example'],
  ['|guide|', 'a word'],
  ['|guide|', 'javascript:alert(1)'],
  ['|guide|', 'https://a.example and more'],
  ['|a\nb|', 'https://a.example'],
  ['`a |b| c`', 'https://a.example'],
  ['|a [b|', 'https://a.example'],
  ['[a |b| c](https://x.example)', 'https://a.example'],
  ['|https://b.example|', 'https://a.example'],
])('none over %j', (before, text) => {
  expect(placed(before, state => linkOver(state, text))).toBeUndefined();
});
