import fc from 'fast-check';
import { expect, test } from 'vitest';
import { common } from '../../src/text/merge/common.ts';
import { inOrder } from '../../src/text/merge/sequence.ts';
import { runs } from '../run/seed.ts';

const edit = fc.record({ at: fc.nat(), kind: fc.nat(2), value: fc.nat(6) });

/** A long sequence of few numbers, and the same with some of them put in, taken away or changed. */
const versions = fc
  .tuple(fc.array(fc.nat(6), { minLength: 520, maxLength: 700 }), fc.array(edit, { maxLength: 40 }))
  .map(([a, edits]) => {
    const b = [...a];
    for (const { at, kind, value } of edits)
      b.splice(at % b.length, kind === 0 ? 0 : 1, ...(kind === 2 ? [] : [value]));
    return [a, b] as const;
  });

test.each([
  ['of few numbers', (value: number, _: number) => value],
  ['with numbers that tell places', (value: number, place: number) => (place % 50 === 0 ? 1000 + place : value)],
  ['with ends that both have', (value: number, place: number) => (place < 10 ? 10 + place : value)],
])('long sequences %s are paired in order', (_, number) => {
  fc.assert(
    fc.property(versions, ([few, others]) => {
      const [a, b] = [few.map(number), others.map(number)];
      const pairs = common(a, b);
      pairs.forEach(([i, j], place) => {
        expect(a[i]).toBe(b[j]);
        const [before, beside] = pairs[place - 1] ?? [-1, -1];
        expect(i > before && j > beside).toBe(true);
      });
      if (number(0, 0) === 0 && number(0, 50) === 0)
        expect(pairs).toHaveLength(inOrder(a.length, b.length, (i, j) => (a[i] === b[j] ? 1 : 0)).length);
    }),
    runs(15),
  );
});

test('what is too different to compare is left', () => {
  const a = Array.from({ length: 4000 }, (_, i) => i % 2);
  const b = Array.from({ length: 4000 }, () => 2);
  expect(common(a, b)).toEqual([]);
  expect(common([...a, 7], [...b, 7])).toEqual([[4000, 4000]]);
});

test('what two long sequences with little in common share is found, however much differs', () => {
  // None stands once only, and more differ than are compared.
  const shared = [1, 2, 1, 2, 1];
  const own = (from: number) => Array.from({ length: 2_000 }, (_, index) => from + Math.floor(index / 2));
  const [a, b] = [
    [...own(10_000), ...shared, 3, ...own(20_000)],
    [...own(30_000), ...shared, 3, 3, ...own(40_000)],
  ];
  const pairs = common(a, b);
  expect(pairs.map(([i]) => a[i])).toEqual([...shared, 3]);
  expect(pairs.every(([i, j]) => a[i] === b[j])).toBe(true);
});
