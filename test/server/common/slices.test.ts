import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices } from '../../../src/server/common/slices.ts';
import { finish, type Sliced } from '../../../src/text/sliced.ts';

/** Computes for some time in so many parts. */
function* computing(parts: number, log: string[], milliseconds = 15): Sliced<string> {
  for (let part = 1; part <= parts; part++) {
    for (const from = performance.now(); performance.now() - from < milliseconds; );
    log.push(`part ${part}`);
    yield;
  }
  return 'done';
}

test('others run between the slices of a long computation', async () => {
  const log: string[] = [];
  const done = inSlices(computing(3, log));
  await turn();
  log.push('other');
  expect(await done).toBe('done');
  expect(log.indexOf('other')).toBeGreaterThan(0);
  expect(log.indexOf('other')).toBeLessThan(3);
});

test('a short one has no break', async () => {
  const log: string[] = [];
  const done = inSlices(computing(3, log, 0));
  log.push('other');
  await done;
  expect(log).toEqual(['part 1', 'part 2', 'part 3', 'other']);
});

test('without slices the result is the same', () => expect(finish(computing(2, []))).toBe('done'));

test('errors arrive', async () => {
  const failing = function* (): Sliced<void> {
    yield;
    throw new Error('failed');
  };
  await expect(inSlices(failing())).rejects.toThrow('failed');
});
