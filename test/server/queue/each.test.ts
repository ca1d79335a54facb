import { describe, expect, test } from 'vitest';
import { Unauthorized } from '../../../src/server/errors/request.ts';
import { TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { eachOf, Incomplete, summaryOf } from '../../../src/server/queue/each.ts';

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

describe('an error that concerns all things', () => {
  const away = new TrackerUnavailable('No answer.');
  const each = (bad: readonly number[], ownerOf?: (thing: number) => unknown) =>
    eachOf([1, 2, 3, 4], String, failing(bad, away), ownerOf ? { ownerOf } : {});

  test.each([
    ['the first two', [1, 2]],
    ['the last two', [3, 4]],
    ['all', [1, 2, 3, 4]],
  ])('ends the loop where %s meet it', async (_which, bad) => {
    await expect(each(bad)).rejects.toThrow('No answer.');
  });

  test.each([
    ['the first one', [1]],
    ['the last one', [4]],
    ['every other one', [1, 3]],
  ])('is a failure of its own where only %s meets it', async (_which, bad) => {
    const { done, failures } = await each(bad);
    expect(done).toBe(4 - bad.length);
    expect(failures.map(({ thing }) => thing)).toEqual(bad);
  });

  test.each([
    new StoreUnavailable('gone'),
    new Unauthorized('ended'),
    new TrackerUnavailable('Too many requests.', 1_000),
  ])('ends the loop at once: %s', async error => {
    const done: number[] = [];
    const result = eachOf([1, 2, 3], String, async thing => {
      if (thing === 2) throw error;
      done.push(thing);
    });
    await expect(result).rejects.toBe(error);
    expect(done).toEqual([1]);
  });

  test('is a failure of its own where the things of one owner meet it', async () => {
    const { failures } = await each([2, 3], thing => [2, 3].includes(thing));
    expect(failures.map(({ thing }) => thing)).toEqual([2, 3]);
    await expect(each([1, 2], thing => thing > 1)).rejects.toThrow('No answer.');
  });
});
