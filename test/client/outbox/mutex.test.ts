import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMutex } from '../../../src/client/outbox/mutex.ts';
import { fakeBrowser, refusing } from '../fake-browser.ts';

/** The lease in the storage, for browsers without locks. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that the test ends. */
function work() {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => () =>
    new Promise<void>(resolve => {
      log.push(name);
      ends.set(name, resolve);
    });
  return { log, start, end: (name: string) => ends.get(name)?.() };
}

test('work runs one after the other, however long it takes', async () => {
  const browser = fakeBrowser({ locks: false });
  const [one, two] = [createMutex(browser.frame()), createMutex(browser.frame())];
  const { log, start, end } = work();
  void one('issue', start('one'));
  void two('issue', start('two'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toHaveLength(1);
  const [first = ''] = log;
  end(first);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log).toHaveLength(2);
  end(log[1] ?? '');
  await vi.advanceTimersByTimeAsync(0);
  expect(browser.entries.size).toBe(0);
});

test('of two concurrent acquisitions one succeeds', async () => {
  const browser = fakeBrowser({ locks: false });
  const frames = Array.from({ length: 5 }, () => createMutex(browser.frame()));
  const { log, start } = work();
  for (const [index, frame] of frames.entries()) void frame('issue', start(String(index)));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(log).toHaveLength(1);
});

test('the lease of a dead frame expires', async () => {
  const browser = fakeBrowser({ locks: false });
  browser.entries.set('issue/lease', JSON.stringify({ frame: 'dead', until: Date.now() + 9_000 }));
  const { log, start } = work();
  void createMutex(browser.frame())('issue', start('one'));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(log).toEqual(['one']);
});

test('another issue does not wait', async () => {
  const browser = fakeBrowser({ locks: false });
  const { log, start } = work();
  void createMutex(browser.frame())('one', start('one'));
  void createMutex(browser.frame())('two', start('two'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toEqual(['one', 'two']);
});

test('a frame without storage, or with denied locks, works', async () => {
  const { log, start } = work();
  void createMutex({ storage: refusing(), locks: undefined })('issue', start('refused'));
  void createMutex({ storage: undefined, locks: undefined })('issue', start('absent'));
  const locks = { request: () => Promise.reject(new DOMException('Denied.', 'SecurityError')) };
  void createMutex({ storage: undefined, locks: locks as unknown as LockManager })('issue', start('locks'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(new Set(log)).toEqual(new Set(['absent', 'locks', 'refused']));
});
