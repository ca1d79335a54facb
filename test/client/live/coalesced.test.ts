import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCoalesced } from '../../../src/client/live/coalesced.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Work whose runs the test ends, the oldest first. */
function controlled() {
  const runs: { end(): void; fail(error: Error): void }[] = [];
  const work = vi.fn(() => new Promise<void>((end, fail) => runs.push({ end: () => end(), fail })));
  const step = async (act: () => void) => {
    act();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { runs, work, step, ...createCoalesced(work) };
}

test('callers during a run share the next one, which begins after it', async () => {
  const { runs, work, step, run, idle } = controlled();
  const ended: string[] = [];
  void run().then(() => ended.push('first'));
  for (const name of ['second', 'third']) void run().then(() => ended.push(name));
  void idle().then(() => ended.push('idle'));
  expect(work).toHaveBeenCalledTimes(1);
  await step(() => runs[0]?.end());
  expect(ended).toEqual(['first']);
  expect(work).toHaveBeenCalledTimes(2);
  await step(() => runs[1]?.end());
  expect(ended).toEqual(['first', 'second', 'third', 'idle']);
  expect(work).toHaveBeenCalledTimes(2);
});

test('a failure reaches its callers, and the next run begins', async () => {
  const { runs, work, step, run } = controlled();
  const first = expect(run()).rejects.toThrow('No.');
  const second = run();
  await step(() => runs[0]?.fail(new Error('No.')));
  await first;
  await step(() => runs[1]?.end());
  await second;
  expect(work).toHaveBeenCalledTimes(2);
});

test('a request without an answer does not keep the others waiting for ever', async () => {
  const { work, run } = controlled();
  void run();
  void run();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(2);
});
