import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, cleanText, differenceOf, hashText, replaceText } from '../../src/text/document.ts';
import { joinChanges } from '../../src/text/edits/join-changes.ts';
import { ChangesOverlap } from '../../src/text/errors.ts';
import { anyText } from './arbitrary.ts';

test('a text enters with LF only, and removed characters are reported', () => {
  expect(cleanText('a\r\nb\rc\n')).toEqual({ text: 'a\nb\nc\n', notes: [] });
  expect(cleanText('\uFEFFa\0\0b \uD83D😀')).toEqual({
    text: 'ab \uFFFD😀',
    notes: [
      { kind: 'nul', count: 2 },
      { kind: 'byteOrderMark', count: 1 },
      { kind: 'loneSurrogate', count: 1 },
    ],
  });
});

test('a clean text stays as it is', () => {
  fc.assert(
    fc.property(anyText, input => {
      const { text } = cleanText(input);
      expect(cleanText(text)).toEqual({ text, notes: [] });
      expect(text).not.toMatch(/[\0\r]|^\uFEFF/);
    }),
  );
});

test('the hash is the start of SHA-256', async () => {
  expect(await hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
  expect(await hashText('- ä\n')).toHaveLength(32);
});

test('changes count from the text before', () => {
  const changes = [
    { from: 0, insert: 'x' },
    { from: 1, to: 2 },
    { from: 3, to: 4, insert: 'yz' },
  ];
  expect(applyChanges('abcd', changes)).toBe('xacyz');
});

test('the difference of two texts is the smallest range, and turns one into the other', () => {
  expect(differenceOf('abcd', 'abxcd')).toEqual({ from: 2, toA: 2, toB: 3 });
  expect(replaceText('a😀b', 'a😁b', 10)).toEqual([{ from: 11, to: 13, insert: '😁' }]);
  expect(replaceText('same', 'same')).toEqual([]);
  fc.assert(
    fc.property(anyText, anyText, anyText, fc.boolean(), (a, b, c, long) => {
      const around = long ? 'abc\n'.repeat(400) : '';
      const [before, after] = [around + a + b + around, around + a + c + around];
      expect(applyChanges(before, replaceText(before, after))).toBe(after);
    }),
  );
});

test('changes that do not fit the text or each other are refused', () => {
  const overlapping = [
    { from: 0, to: 2 },
    { from: 1, to: 3 },
  ];
  expect(() => applyChanges('abc', overlapping)).toThrow(ChangesOverlap);
  expect(() => joinChanges(overlapping.slice(0, 1), overlapping.slice(1))).toThrow(ChangesOverlap);
  expect(() => joinChanges([{ from: 0, to: 2 }], [{ from: 1, insert: 'x' }])).toThrow(ChangesOverlap);
  for (const [from, to] of [
    [2, 1],
    [0, 4],
    [-1, 1],
    [Number.NaN, 1],
  ] as const) {
    expect(() => applyChanges('abc', [{ from, to }])).toThrow(ChangesOverlap);
  }
});

test('edits that are joined are made all at once, insertions at one place in their order', () => {
  const joined = joinChanges(
    [{ from: 2, to: 3, insert: 'C' }],
    [{ from: 0, insert: '1' }],
    [
      { from: 0, insert: '2' },
      { from: 0, to: 1 },
    ],
  );
  expect(applyChanges('abc', joined)).toBe('12bC');
});
