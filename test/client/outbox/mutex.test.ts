import { expect, test } from 'vitest';
import { createMutex } from '../../../src/client/outbox/mutex.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { until } from '../world.ts';

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

test('work of one name runs in one frame after the other, and of another name beside it', async () => {
  const browser = fakeBrowser();
  const [one, two] = [createMutex(browser.frame()), createMutex(browser.frame())];
  const { log, start, end } = work();
  const first = one('issue', start('first'));
  const second = two('issue', start('second'));
  void two('other', start('other'));
  await until(() => log.length === 2);
  expect(log).toEqual(['first', 'other']);
  end('first');
  await first;
  await until(() => log.length === 3);
  expect(log).toEqual(['first', 'other', 'second']);
  end('second');
  await second;
});

test('a frame without locks, or to which they are denied, waits for no other', async () => {
  const { log, start } = work();
  const request = () => Promise.reject(new DOMException('Denied.', 'SecurityError'));
  void createMutex({ locks: undefined })('issue', start('absent'));
  void createMutex({ locks: { request } as unknown as LockManager })('issue', start('denied'));
  await until(() => log.length === 2);
});

test('work that fails is not repeated', async () => {
  let runs = 0;
  const failing = createMutex(fakeBrowser().frame())('issue', async () => {
    runs += 1;
    throw new Error('Failed.');
  });
  await expect(failing).rejects.toThrow('Failed.');
  expect(runs).toBe(1);
});
