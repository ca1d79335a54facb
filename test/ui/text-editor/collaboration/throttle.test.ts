import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from '../../../../src/ui/text-editor/collaboration/use-collaborators.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the first call at once, then the latest at most once per interval', () => {
  const done: number[] = [];
  const throttle = createThrottle(1_000);
  for (const step of [1, 2, 3]) throttle.run(() => done.push(step));
  expect(done).toEqual([1]);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual([1, 3]);
  throttle.run(() => done.push(4));
  expect(done).toEqual([1, 3]);
  vi.advanceTimersByTime(5_000);
  throttle.run(() => done.push(5));
  expect(done).toEqual([1, 3, 4, 5]);
});

test('pending calls are dropped with their owner', () => {
  const done: number[] = [];
  const throttle = createThrottle(1_000);
  for (const step of [1, 2]) throttle.run(() => done.push(step));
  throttle.stop();
  vi.runAllTimers();
  expect(done).toEqual([1]);
});
