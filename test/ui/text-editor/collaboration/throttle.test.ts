import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSteady } from '../../../../src/ui/text-editor/collaboration/throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the first at once, then the newest at most once a while', () => {
  const done: number[] = [];
  const steady = createSteady(1_000);
  for (const step of [1, 2, 3]) steady.run(() => done.push(step));
  expect(done).toEqual([1]);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual([1, 3]);
  steady.run(() => done.push(4));
  expect(done).toEqual([1, 3]);
  vi.advanceTimersByTime(5_000);
  steady.run(() => done.push(5));
  expect(done).toEqual([1, 3, 4, 5]);
});

test('what waits is forgotten with its owner', () => {
  const done: number[] = [];
  const steady = createSteady(1_000);
  for (const step of [1, 2]) steady.run(() => done.push(step));
  steady.stop();
  vi.runAllTimers();
  expect(done).toEqual([1]);
});
