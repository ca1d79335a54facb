import { expect, test } from 'vitest';
import { batchOf, createBatches } from '../../../../src/server/checklists/commit/batches.ts';

import { proposalOf } from '../../support/history.ts';

const place = { tenant: 't', issue: '1' };

/** Runs works that arrive at once; `done` is how many of a batch its run finishes. */
async function all(count: number, done: (batch: readonly number[]) => number) {
  const sizes: number[] = [];
  const batches = createBatches<number, number>(async (_place, works) => {
    sizes.push(works.length);
    return works.slice(0, done(works));
  });
  const settled = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => batches(place, 'group', index + 1)),
  );
  const values = settled.map(each => (each.status === 'fulfilled' ? each.value : undefined));
  return { sizes, values };
}

test('what a batch leaves is made by the next ones, in its order', async () => {
  const { sizes, values } = await all(6, () => 2);
  expect(values).toEqual([1, 2, 3, 4, 5, 6]);
  expect(sizes).toEqual([1, 5, 3, 1]);
});

test('a batch that does nothing ends with an error instead of being run for ever', async () => {
  const { values } = await all(3, ([first]) => (first === 1 ? 1 : 0));
  expect(values).toEqual([1, undefined, undefined]);
});

const work = (account: string, size: number) =>
  proposalOf({ kind: 'updateChecklistFromText', text: '-'.repeat(size) }, { account });
const [small, large] = [work('ana', 100), work('ana', 30_000)];

test.each([
  ['small ones of several authors', [small, work('ben', 100), small], 3],
  ['a large one, and what its author does next', [large, small, large, work('ben', 100)], 3],
  ['small ones before a large one', [small, work('ben', 100), large, small], 2],
  ['as many small ones as are no large one', Array.from({ length: 200 }, (_, index) => work(`${index}`, 100)), 81],
  ['none', [], 0],
])('%s are one batch', (_, works, count) => expect(batchOf(works)).toEqual(works.slice(0, count)));
