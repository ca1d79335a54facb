import { expect, test } from 'vitest';
import { eachOf, Incomplete, summaryOf } from '../../../src/server/common/each.ts';
import { TrackerUnavailable } from '../../../src/server/errors/tracker.ts';

const failing = (bad: readonly number[], error: unknown) => async (each: number) => {
  if (bad.includes(each)) throw error;
};

test('a loop goes on after failures, and says which and why', async () => {
  const done: number[] = [];
  const result = await eachOf(
    [1, 2, 3, 4],
    each => `issue ${each}`,
    async each => {
      await failing([2, 4], new Error('No permission.'))(each);
      done.push(each);
    },
  );
  expect(done).toEqual([1, 3]);
  expect(summaryOf('copies', result)).toBe(
    'copies: 2 done, 2 refused: issue 2 (No permission.), issue 4 (No permission.)',
  );
  expect(new Incomplete('copies', result)).toMatchObject({ errors: [expect.any(Error), expect.any(Error)] });
});

test('many failures are counted', async () => {
  const all = Array.from({ length: 20 }, (_, index) => index);
  const summary = summaryOf('copies', await eachOf(all, String, failing(all, new Error('x'))));
  expect(summary).toBe('copies: 0 done, 20 refused: 0 (x), 1 (x), 2 (x), 3 (x), 4 (x), 15 more');
});

test('an error that concerns all things ends the loop', async () => {
  await expect(eachOf([1, 2], String, failing([1], new TrackerUnavailable('No answer.')))).rejects.toThrow(
    'No answer.',
  );
});
