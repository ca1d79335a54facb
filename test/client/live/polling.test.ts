import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TrackerError } from '../../../src/client/errors.ts';
import { createPolling } from '../../../src/client/live/polling.ts';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  vi.useFakeTimers();
  page.visibilityState = 'visible';
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('it reads at once, at an interval while visible, and at once when visible again', async () => {
  const read = vi.fn(async () => undefined);
  const stop = createPolling(read, 5_000).start();
  expect(read).toHaveBeenCalledTimes(1);
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(2);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(20_000);
  expect(read).toHaveBeenCalledTimes(2);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(read).toHaveBeenCalledTimes(3);
  await pass(0);
  page.dispatchEvent(new Event('online'));
  expect(read).toHaveBeenCalledTimes(4);
  await pass(0);
  stop();
  await pass(20_000);
  page.dispatchEvent(new Event('online'));
  expect(read).toHaveBeenCalledTimes(4);
});

test('a reading in progress is not started twice, and is aborted at the end', async () => {
  let signal: AbortSignal | undefined;
  const read = vi.fn((given: AbortSignal) => {
    signal = given;
    return new Promise<void>(() => undefined);
  });
  const stop = createPolling(read, 5_000).start();
  page.dispatchEvent(new Event('online'));
  await pass(20_000);
  expect(read).toHaveBeenCalledTimes(1);
  stop();
  expect(signal?.aborted).toBe(true);
});

test('its interval can be changed while it waits', async () => {
  const read = vi.fn(async () => undefined);
  const watch = createPolling(read, 60_000);
  const stop = watch.start();
  await pass(1_000);
  watch.pace(5_000);
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(2);
  watch.pace(60_000);
  await pass(59_000);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
  watch.pace(5_000);
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a network failure is retried twice before it is published, and polling goes on', async () => {
  let answer: () => Promise<void> = () => Promise.reject(new TypeError('Away.'));
  const watch = createPolling(() => answer(), 5_000);
  const stop = watch.start();
  await pass(2_999);
  expect(watch.get()).toBeUndefined();
  await pass(1);
  expect(watch.get()).toMatchObject({ message: 'Away.' });
  answer = async () => undefined;
  await pass(5_000);
  expect(watch.get()).toBeUndefined();
  stop();
});

test('the failure stays published during the next reading', async () => {
  const watch = createPolling(() => Promise.reject(new TrackerError(403, 'Not you.')), 5_000);
  const seen: unknown[] = [];
  watch.subscribe(() => seen.push(watch.get()));
  const stop = watch.start();
  await pass(12_000);
  stop();
  expect(new Set(seen.map(String))).toEqual(new Set(['TrackerError: Not you.']));
});

test('the user’s retry clears the failure and reads at once', async () => {
  const read = vi.fn(() => Promise.reject(new TrackerError(403, 'Not you.')));
  const watch = createPolling(read, 5_000);
  const stop = watch.start();
  await pass(0);
  watch.retry();
  expect(watch.get()).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(2);
  await pass(0);
  expect(watch.get()).toBeInstanceOf(TrackerError);
  stop();
});
