import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Clocks, clockOf, createClocks, waitForClock } from '../../../src/server/platform/clock.ts';

const START = Date.parse('2026-03-29T12:00:00Z');
const MINUTES = 60_000;

describe('a running process', () => {
  let [own, registry] = [START, new Registry()];
  const log = { error: vi.fn(), info: vi.fn() };
  let clocks: Clocks;
  beforeEach(() => {
    vi.resetAllMocks();
    [own, registry] = [START, new Registry()];
    clocks = createClocks({ registry }, log, () => own);
  });
  const see = (times: number, source: 'database' | 'tracker' = 'tracker') => {
    for (let count = 0; count < times; count += 1) clocks.saw(source, START);
  };

  test.each([
    ['ahead', 5 * MINUTES, 300],
    ['behind', -5 * MINUTES, -300],
  ])(
    "says once that its machine's clock is %s of the tracker's, and once that they agree again",
    async (_, by, seconds) => {
      own += by;
      see(20);
      expect(log.error.mock.calls).toEqual([[{ seconds }, "this machine's clock is not that of the tracker"]]);
      expect(await registry.metrics()).toContain(`clock_offset_seconds{source="tracker"} ${seconds}`);
      own = START;
      see(20);
      expect(log.error).toHaveBeenCalledOnce();
      expect(log.info.mock.calls).toEqual([['the clocks of this machine and of the tracker agree again']]);
      expect(await registry.metrics()).toContain('clock_offset_seconds{source="tracker"} 0');
    },
  );

  test('tells the database from the tracker', () => {
    own += 5 * MINUTES;
    see(3, 'database');
    expect(log.error.mock.calls).toEqual([[{ seconds: 300 }, "this machine's clock is not that of the database"]]);
  });

  test('says nothing of half a minute, nor of one wrong answer', () => {
    own += 30_000;
    see(20);
    own = START;
    clocks.saw('tracker', 0);
    see(20);
    expect(log.error).not.toHaveBeenCalled();
  });
});

describe('the start', () => {
  const log = { warn: vi.fn() };
  let own = START;
  /** Ends the wait after three lines. */
  const sleep = vi.fn(async () => {
    if (log.warn.mock.calls.length === 3) own = START;
  });
  const answers = (name: string, time: number | undefined) => ({ name, read: async () => time });
  beforeEach(() => {
    vi.clearAllMocks();
    own = START + 5 * MINUTES;
  });
  const wait = (...others: Parameters<typeof waitForClock>[0]) => waitForClock(others, log, { now: () => own, sleep });

  test('waits while the clock is wrong, with a line for each try', async () => {
    await wait(answers('the tracker', START), answers('the database', own));
    expect(log.warn).toHaveBeenCalledTimes(3);
    expect(log.warn).toHaveBeenLastCalledWith(
      { seconds: 300 },
      "waiting for this machine's clock, which is ahead of that of the tracker",
    );
  });

  test("asks the database where the tracker does not answer, and does not wait for a database's wrong clock beside it", async () => {
    own = START - 5 * MINUTES;
    await wait(answers('the tracker', undefined), answers('the database', START));
    expect(log.warn).toHaveBeenLastCalledWith(
      { seconds: -300 },
      "waiting for this machine's clock, which is behind that of the database",
    );
    log.warn.mockClear();
    await wait(answers('the tracker', START), answers('the database', START + 5 * MINUTES));
    expect(log.warn).not.toHaveBeenCalled();
  });

  test('goes on where no other clock answers', async () => {
    await wait(answers('the tracker', undefined), answers('the database', undefined));
    expect(log.warn).not.toHaveBeenCalled();
  });

  test('reads the time of a web server, also one behind a cache, and nothing where none answers', async () => {
    const headers: Record<string, string> = { date: new Date(START).toUTCString() };
    const server = createServer((_request, response) => response.writeHead(404, headers).end());
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const address = server.address();
    const clock = clockOf('it', `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`);
    expect(await clock.read()).toBe(START);
    headers.age = '60';
    expect(await clock.read()).toBe(START + MINUTES);
    headers.date = 'noon';
    expect(await clock.read()).toBeUndefined();
    expect(await clockOf('it', 'http://127.0.0.1:1').read()).toBeUndefined();
  });
});
