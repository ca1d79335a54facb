import { expect, test, vi } from 'vitest';
import type { HostResponse } from '../../../src/bridge/bridge.ts';
import { TrackerError } from '../../../src/client/errors.ts';
import { retryAfterOf, TooManyCalls, throttled } from '../../../src/client/tracker/throttle.ts';
import { fakeBridge, status } from '../fake-bridge.ts';

const limited = (after?: string, code = 429): HostResponse => ({
  ...status(code, 'Rate limited.'),
  ...(after !== undefined && { headers: { 'Retry-After': after } }),
});
const NOW = Date.parse('2026-11-20T10:00:00Z');

test.each([
  [limited('7'), 7_000],
  [limited('Fri, 20 Nov 2026 10:00:30 GMT'), 30_000],
  [limited('Fri, 20 Nov 2026 09:00:00 GMT'), undefined],
  [limited('soon'), undefined],
  [limited(''), undefined],
  [limited(), undefined],
  [{ ...status(429), headers: 'none' }, undefined],
  [{ ...status(429), headers: { 'retry-after': 5 } }, undefined],
])('reads how long an answer asks to wait: %o', (answer, wait) => {
  expect(retryAfterOf(answer, NOW)).toBe(wait);
});

function calling(answers: (HostResponse | object)[]) {
  const waits: (number | undefined)[] = [];
  const at: number[] = [];
  const bridge = fakeBridge({
    tracker: () => {
      at.push(Date.now());
      return answers.shift() ?? {};
    },
  });
  const controller = new AbortController();
  const { call } = throttled(bridge, { signal: controller.signal, onWait: until => waits.push(until) });
  return { call, waits, at, controller };
}

test('waits as long as requested, then continues automatically', async () => {
  vi.useFakeTimers();
  try {
    const { call, waits, at } = calling([limited('3'), limited('2', 503), { issues: [] }, { more: 1 }]);
    const start = Date.now();
    const both = Promise.all([call('/a'), call('/b')]);
    await vi.runAllTimersAsync();
    expect(await both).toEqual([{ issues: [] }, { more: 1 }]);
    // The second call starts after the first, however long that takes.
    expect(at.map(time => time - start)).toEqual([0, 3_000, 5_000, 5_000]);
    expect(waits).toEqual([start + 3_000, undefined, start + 5_000, undefined]);
  } finally {
    vi.useRealTimers();
  }
});

test('waits longer each time without a requested delay, and fails in the end', async () => {
  vi.useFakeTimers();
  try {
    const { call, at } = calling(Array.from({ length: 9 }, () => limited()));
    const start = Date.now();
    const given = call('/a').catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await given).toBeInstanceOf(TooManyCalls);
    expect(at.map(time => time - start)).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  } finally {
    vi.useRealTimers();
  }
});

test('a long wait and other failures reject at once', async () => {
  const long = calling([limited('1800')]);
  await expect(long.call('/a')).rejects.toMatchObject({ wait: 1_800_000 });
  for (const code of [400, 404, 500, 503]) {
    const { call, at } = calling([status(code, 'no')]);
    const failure = await call('/a').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TrackerError);
    expect(failure).not.toBeInstanceOf(TooManyCalls);
    expect(at).toHaveLength(1);
  }
  const { call } = calling([status(500), { fine: true }]);
  await expect(call('/a')).rejects.toThrow();
  expect(await call('/b')).toEqual({ fine: true });
});

test('aborting ends the wait', async () => {
  const { call, controller, waits } = calling([limited('50')]);
  const given = call('/a');
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  controller.abort();
  await expect(given).rejects.toThrow();
  expect(waits).toEqual([expect.any(Number), undefined]);
});
