import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge } from '../../src/text/merge.ts';

/** A row that both sides split, perhaps at different places. */

const base = '- one two three four\n';

test.each([
  ['one side once more', '- one two\n- three four\n', '- one\n- two\n- three four\n', '- one\n- two\n- three four\n'],
  ['at different places', '- one\n- two three four\n', '- one two\n- three four\n', '- one\n- two\n- three four\n'],
  [
    'at one same place of two',
    '- one\n- two\n- three four\n',
    '- one\n- two three\n- four\n',
    '- one\n- two\n- three\n- four\n',
  ],
  [
    'and put another row between its parts',
    '- one two\n- new\n- three four\n',
    '- one\n- two\n- three four\n',
    '- one\n- two\n- new\n- three four\n',
  ],
  [
    'and added words to the parts',
    '- one two today\n- three four\n',
    '- one\n- two\n- three still four\n',
    '- one\n- two today\n- three still four\n',
  ],
])('is split at all of these places: %s', (_, mine, theirs, expected) => {
  expect(merge(base, mine, theirs)).toMatchObject({ text: expected, conflicts: [] });
  expect(merge(base, theirs, mine)).toMatchObject({ text: expected, conflicts: [] });
});

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

/** The words behind which the row is divided, those behind which words are added, and the part that is still the row. */
const split = fc.record({
  cuts: fc.uniqueArray(fc.nat({ max: words.length - 2 }), { minLength: 1 }),
  adds: fc.uniqueArray(fc.nat({ max: words.length - 1 }), { maxLength: 2 }),
  kept: fc.nat(),
});

function made({ cuts, adds, kept }: typeof split extends fc.Arbitrary<infer Value> ? Value : never, side: string) {
  const parts: string[][] = [[]];
  for (const [index, word] of words.entries()) {
    parts.at(-1)?.push(word, ...(adds.includes(index) ? [`${side}${index}x`] : []));
    if (cuts.includes(index)) parts.push([]);
  }
  const place = kept % parts.length;
  return {
    text: parts.map(part => `- ${part.join(' ')}\n`).join(''),
    ids: parts.map((_, index) => (index === place ? 'row' : `${side} ${index}`)),
  };
}

test('each word stays in one row or in a choice, in its order where none were added', () => {
  fc.assert(
    fc.property(split, split, (one, other) => {
      const [mine, theirs] = [made(one, 'mine'), made(other, 'theirs')];
      const ids = { base: ['row'], mine: mine.ids, theirs: theirs.ids };
      const { text, conflicts } = merge(`- ${words.join(' ')}\n`, mine.text, theirs.text, undefined, ids);
      const said = text.match(/\w+/g) ?? [];
      const left = said.filter(word => words.includes(word));
      const isReworded = one.adds.length + other.adds.length > 0;
      expect(isReworded ? left.toSorted() : left).toEqual(words);
      const shown = [...said, ...conflicts.flatMap(conflict => conflict.theirs.match(/\w+/g) ?? [])];
      const added = `${mine.text} ${theirs.text}`.match(/\w+\dx/g) ?? [];
      expect(shown).toEqual(expect.arrayContaining(added));
      expect(said.filter(word => /\dx$/.test(word))).toHaveLength(new Set(said).size - words.length);
      expect(text).not.toMatch(/^- *$/m);
    }),
  );
});
