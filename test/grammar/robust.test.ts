import type { Tree } from '@lezer/common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../text/arbitrary.ts';
import { nodesOf, parseAgain, strict } from './trees.ts';

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
    { numRuns: 20_000 },
  );
});

test('a change parsed with what was parsed before gives the same tree as a new parse', () => {
  const change = fc.record({ from: fc.nat(), length: fc.nat(5), insert: anyText });
  fc.assert(
    fc.property(anyText, anyText, anyText, fc.array(change, { minLength: 1, maxLength: 4 }), (a, b, c, changes) => {
      let text = `${a}\n${b.repeat(5)}\n${c}`;
      let tree = strict.parse(text);
      for (const { from: place, length, insert } of changes) {
        const from = place % (text.length + 1);
        const again = parseAgain(text, tree, { from, to: Math.min(text.length, from + length), insert });
        expect(nodesOf(again.tree)).toEqual(nodesOf(strict.parse(again.text)));
        ({ text, tree } = again);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('rows away from a change are used again', () => {
  const text = Array.from({ length: 400 }, (_, i) => `- item ${i} **b** ABC-1 @bob`).join('\n');
  const before = strict.parse(text);
  const { tree } = parseAgain(text, before, { from: 5000, to: 5000, insert: 'z' });
  const pieces = new Set<unknown>();
  const collect = (part: Tree) => {
    pieces.add(part);
    for (const child of part.children) if ('children' in child) collect(child as Tree);
  };
  collect(before);
  let reused = 0;
  const count = (part: Tree) => {
    if (pieces.has(part)) reused += part.length;
    else for (const child of part.children) if ('children' in child) count(child as Tree);
  };
  count(tree);
  expect(reused / text.length).toBeGreaterThan(0.75);
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
    const looks = (length: number) => {
      const text = `- ${pattern.repeat(length)}`;
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
    expect(looks(1600) / looks(400), pattern).toBeLessThan(6);
  }
});
