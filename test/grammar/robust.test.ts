import type { Tree } from '@lezer/common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../run/seed.ts';
import { anyText } from '../text/arbitrary.ts';
import { nodesOf, parseAgain, reusing, sharedWith, strict } from './trees.ts';

/** Whether the children of every node lie within it, one after the other, and the whole tree covers the text. */
function covers(tree: Tree, length: number): boolean {
  let sound = tree.length === length;
  tree.iterate({
    enter: ({ node }) => {
      let end = node.from;
      for (let child = node.firstChild; child; child = child.nextSibling) {
        sound &&= child.from >= end && child.to >= child.from;
        end = child.to;
      }
      sound &&= end <= node.to && !node.type.isError;
    },
  });
  return sound;
}

test('every string is a checklist, without an error and without a lost character', () => {
  fc.assert(
    fc.property(anyText, text => covers(strict.parse(text), text.length)),
    runs(20_000),
  );
});

const change = fc.record({ from: fc.nat(), length: fc.nat(5), insert: anyText });

/** A text of a beginning, a middle and an end, the middle several times, in lines or in one long line. */
const longText = fc
  .tuple(anyText, anyText, anyText, fc.constantFrom('\n', '', ' a '), fc.constantFrom(5, 30))
  .map(([a, b, c, between, times]) => [a, ...Array.from({ length: times }, () => b), c].join(between));

test('a change parsed with what was parsed before gives the same tree as a new parse', () => {
  let shared = 0;
  const cases = runs(1_000);
  fc.assert(
    fc.property(longText, fc.array(change, { minLength: 1, maxLength: 4 }), (start, changes) => {
      let text = start;
      let tree: Tree = reusing.parse(text);
      for (const { from: place, length, insert } of changes) {
        const from = place % (text.length + 1);
        const again = parseAgain(text, tree, { from, to: Math.min(text.length, from + length), insert });
        expect(nodesOf(again.tree)).toEqual(nodesOf(strict.parse(again.text)));
        if (again.text !== '') shared += sharedWith(tree, again.tree);
        ({ text, tree } = again);
      }
    }),
    cases,
  );
  // A law about reuse says nothing where nothing is used again.
  expect(shared).toBeGreaterThan(0.3 * cases.numRuns);
});

/** Far enough for what stands before it to be used again. */
const end = ' e'.repeat(40);

test.each([
  ['an opener far before', `- ${'a '.repeat(400)}*b c** d*${end}`, { from: 2, to: 2, insert: '**' }],
  ['a closer that goes', `- **${'a '.repeat(400)}*b c** d*${end}`, { from: 2, to: 4, insert: '' }],
  ['a code far before', `- ${'a *b* '.repeat(400)}\``, { from: 2, to: 2, insert: '`' }],
  ['a detail without its row', `- a\n${'> b *c*\n'.repeat(400)}`, { from: 0, to: 3, insert: '' }],
  ['a row that gets a detail', `${'- a *b*\n'.repeat(400)}`, { from: 1600, to: 1600, insert: '> ' }],
  ['an opener before marks of a header', `# a*b ${'!before:c '.repeat(200)}*d*${end}`, { from: 2, to: 2, insert: '*' }],
  ['a header that is none', `# *a* ${'!before:c *b* '.repeat(200)}${end}`, { from: 0, to: 1, insert: '' }],
  ['a line feed behind a return', `${'- a *b*\r'.repeat(400)}`, { from: 1600, to: 1600, insert: '\n> c\n' }],
])('%s is seen', (_, text, change) => {
  const again = parseAgain(text, reusing.parse(text), change);
  expect(nodesOf(again.tree)).toEqual(nodesOf(strict.parse(again.text)));
});

test('parses that take turns do not disturb each other', () => {
  const texts = ['- **a `b` *c* ABC-1** [d](https://e.f)\n', '+ [QA] _a **b** c_ @bob\n> d :tada: e\n'].map(text =>
    text.repeat(3),
  );
  const parses = texts.map(text => strict.startParse(text));
  const trees: (Tree | null)[] = texts.map(() => null);
  while (trees.includes(null)) {
    for (const [i, parse] of parses.entries()) trees[i] ??= parse.advance();
  }
  expect(trees.map(tree => tree && nodesOf(tree))).toEqual(texts.map(text => nodesOf(strict.parse(text))));
});

test.each([
  ['short lines', '- item **b** ABC-1 @bob\n', 400],
  ['details', '- item\n> why *c*\n> how\n', 400],
  ['blank lines', '- item\n\n', 800],
  ['line ends of two characters', '+ item **b**\r\n', 800],
  ['long lines', `- ${'item **b** ABC-1 '.repeat(100)}\n`, 12],
])('lines away from a change are used again: %s', (_, line, times) => {
  const text = line.repeat(times);
  const before = reusing.parse(text);
  const { tree } = parseAgain(text, before, { from: 5000, to: 5000, insert: 'z' });
  expect(sharedWith(before, tree)).toBeGreaterThan(0.75);
});

const patterns = [
  '[',
  '`',
  '``a`',
  '**a',
  '*a ',
  '_a ',
  '~~a',
  '[](',
  '[a](',
  '[a](https://b',
  '***a',
  '@a',
  ':a',
  ':a ',
  'h',
  'http',
  '!before:',
  ' !before:',
  ' !before:[',
  ' !before:a',
  ' !customers',
];

test('a line of one repeated pattern is parsed without looking at it again and again', () => {
  for (const pattern of [
    ...patterns,
    'AB',
    'AB-',
    '1',
    '2026-',
    '[~',
    '`[',
    '*_~~a ',
    '*`a ',
    'https://a(',
    '- ',
    '!',
    '> ',
  ]) {
    const looks = (mark: string, length: number) => {
      const text = `${mark} ${pattern.repeat(length)}`;
      let fetched = 0;
      const chunk = (from: number) => {
        fetched++;
        return text.slice(from, from + 64);
      };
      const read = (from: number, to: number) => text.slice(from, to);
      strict.parse({ length: text.length, lineChunks: false, chunk, read });
      return fetched;
    };
    // Chunks fetched stand for characters looked at: four times the text may not cost much more than four times as many.
    for (const mark of ['-', '#']) {
      expect(looks(mark, 1600) / looks(mark, 400), pattern).toBeLessThan(6);
    }
  }
});
