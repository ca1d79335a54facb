import { describe, expect, test } from 'vitest';
import { TrackerDeferred, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import type { TrackerCall } from '../../../src/server/platform/tracker/client.ts';
import { readRateLimits } from '../../../src/server/quota/headers.ts';
import { type Work, workClasses } from '../../../src/server/quota/work.ts';
import { HALF_PAST } from '../support/quota.ts';
import { gauge, HOUR_END, poolHeaders, readOf, startProcess, writeOf } from '../support/tracker-process.ts';

const classes = workClasses.map(({ name }) => name);
const causeOf = (work: Work, account: string | null = null) => ({ work, account });
const SPREAD = 300_000;
const HOUR = 3_600_000;

/** Classes of work that have to wait. */
async function waiting(process: ReturnType<typeof startProcess>, tenant = 'site'): Promise<Work[]> {
  const found: Work[] = [];
  for (const work of classes) if ((await process.wait(tenant, causeOf(work))) !== undefined) found.push(work);
  return found;
}

describe('order of deferral', () => {
  const first = ['sweep', 'job', 'field'];
  const second = [...first, 'property', 'event', 'api'];
  test.each([
    [10_000, []],
    [3_200, []],
    [2_900, first],
    [1_100, first],
    [900, second],
    [100, second],
    [0, classes],
  ])('with %d of 10,000 points left', async (remaining, expected) => {
    const process = startProcess();
    await process.callWith('site', poolHeaders(10_000, remaining));
    expect(await waiting(process)).toEqual(expected);
    // Used points affect every site.
    expect(await waiting(process, 'other')).toEqual(expected);
  });

  test('deferred work is refused at once, and makes no call until the next hour', async () => {
    const process = startProcess();
    await process.callWith('site', poolHeaders(10_000, 0));
    const { length } = process.made;
    for (const work of classes) {
      const refusal = process.tracker('site', causeOf(work))(writeOf('5'));
      await expect(refusal).rejects.toBeInstanceOf(TrackerDeferred);
    }
    process.clock.elapse(HOUR_END - HALF_PAST - 10_000);
    expect(await waiting(process)).toEqual(classes);
    expect(process.made).toHaveLength(length);
    expect(process.slept).toEqual([]);
    process.clock.elapse(10_000);
    expect(await waiting(process)).toEqual([]);
  });

  test('deferred work starts within five minutes after the hour, at a fixed time for equal work', async () => {
    const process = startProcess();
    await process.callWith('site', poolHeaders(10_000, 0));
    const issues = Array.from({ length: 200 }, (_, index) => String(index + 1));
    const timesOf = async () => {
      const times: number[] = [];
      for (const issue of issues) {
        const wait = await process.wait('site', causeOf('field'), writeOf(issue));
        times.push(process.clock.now() + (wait ?? 0) - HOUR_END);
      }
      return times;
    };
    const times = await timesOf();
    process.clock.elapse(60_000);
    expect(await timesOf()).toEqual(times);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...times)).toBeLessThan(SPREAD);
    expect(new Set(times.map(time => Math.floor(time / 60_000))).size).toBe(5);
  });

  test("work stopped by the tracker until about the hour's end is spread, too, and no other", async () => {
    const process = startProcess();
    const retry = { 'Retry-After': '1798' };
    await process.callWith('site', { ...retry, 'RateLimit-Reason': 'jira-quota-tenant-based' }, 429);
    await process.callWith('other', { ...retry, 'RateLimit-Reason': 'jira-burst-based' }, 429);
    const spread = new Set<number | undefined>();
    const burst = new Set<number | undefined>();
    for (const issue of ['1', '2', '3', '4']) {
      spread.add(await process.wait('site', undefined, readOf(issue)));
      burst.add(await process.wait('other', undefined, readOf(issue)));
    }
    expect(spread.size).toBe(4);
    expect([...burst]).toEqual([1_798_000]);
  });

  test('points are counted from calls and answers, without headers', async () => {
    const process = startProcess({ most: 100 });
    const search: TrackerCall = { name: 'searchIssues', method: 'GET', path: '/rest/api/2/search/jql' };
    process.answers.push(Response.json({ issues: Array(40).fill({}) }));
    await process.tracker('site', causeOf('job'))({ ...search, query: { maxResults: '50' } });
    expect(await gauge(process.metrics, 'tracker_points', 'job')).toBe(41);
    for (let call = 0; call < 15; call += 1) await process.wait('site', causeOf('event'));
    expect(await gauge(process.metrics, 'tracker_points', 'event')).toBe(30);
    expect(await waiting(process)).toEqual(['sweep', 'job', 'field']);
  });

  test('a call that costs more than the remaining points is deferred', async () => {
    const process = startProcess({ most: 20 });
    for (let call = 0; call < 9; call += 1) expect(await process.wait('site')).toBeUndefined();
    const check: TrackerCall = { name: 'checkPermissions', method: 'POST', path: '/rest/api/3/permissions/check' };
    expect(await process.wait('site', undefined, check)).toBeGreaterThan(0);
    expect(await process.wait('site', undefined, readOf('1'))).toBeUndefined();
    expect(await process.wait('site', undefined, writeOf('1'))).toBeGreaterThan(0);
  });
});

describe('headers of the tracker', () => {
  const limitOf = async ({ metrics }: ReturnType<typeof startProcess>) => [
    await gauge(metrics, 'tracker_points_limit'),
    await gauge(metrics, 'tracker_points_remaining'),
  ];

  test('the pool size is the default, the configured or the reported one', async () => {
    const usual = startProcess();
    expect(await limitOf(usual)).toEqual([65_000, 65_000]);
    await usual.callWith('site', { 'RateLimit-Policy': '"global-app-quota";q=130000;w=3600' });
    expect(await limitOf(usual)).toEqual([130_000, 129_998]);

    const set = startProcess({ most: 90_000 });
    expect(await limitOf(set)).toEqual([90_000, 90_000]);
    await set.callWith('site', poolHeaders(130_000, 50_000));
    expect(await limitOf(set)).toEqual([90_000, 10_000]);
    await set.callWith('site', poolHeaders(65_000, 60_000));
    expect(await limitOf(set)).toEqual([65_000, 60_000]);
  });

  test('reported remaining points correct the count, up and down, for this hour', async () => {
    const process = startProcess();
    await process.callWith('site', poolHeaders(65_000, 1_000));
    expect(await limitOf(process)).toEqual([65_000, 1_000]);
    await process.callWith('site', poolHeaders(65_000, 30_000));
    await process.wait('site');
    expect(await limitOf(process)).toEqual([65_000, 29_998]);
    process.clock.elapse(HOUR_END - HALF_PAST);
    expect(await limitOf(process)).toEqual([65_000, 65_000]);
  });

  test('remaining points of one hour do not affect the next', async () => {
    const process = startProcess();
    const ask = () => {
      const asked = process.quota.ask('site', { ...readOf('1'), name: 'readIssue' }, causeOf('person'));
      if (!asked.granted) throw new Error('It has to wait.');
      return (headers: Record<string, string>) =>
        asked.answered({ status: 200, body: {}, limits: readRateLimits(new Headers(headers), process.clock.now()) });
    };
    const answered = ask();
    process.clock.elapse(HOUR_END - HALF_PAST);
    // The reported reset is in the new hour.
    answered({ ...poolHeaders(65_000, 0), RateLimit: '"global-app-quota";r=0;t=3600' });
    expect(await limitOf(process)).toEqual([65_000, 65_000]);
    // The tracker's clock is slightly behind: for it, the old hour continues.
    ask()({ ...poolHeaders(65_000, 0), RateLimit: '"global-app-quota";r=0;t=5' });
    expect(await limitOf(process)).toEqual([65_000, 64_998]);
  });

  test('an answer without remaining points (less than 80 % used) ends a correction', async () => {
    const process = startProcess();
    await process.callWith('site', poolHeaders(65_000, 1_000));
    await process.callWith('site', { 'Beta-RateLimit-Policy': '"global-app-quota";q=65000;w=3600' });
    expect(await limitOf(process)).toEqual([65_000, 998]);
    await process.callWith('site', { 'RateLimit-Policy': '"global-app-quota";q=65000;w=3600' });
    expect(await limitOf(process)).toEqual([65_000, 64_994]);
    await process.callWith('site', poolHeaders(65_000, 20_000));
    await process.callWith('site', { 'RateLimit-Policy': '"global-app-quota";q=65000;w=3600' });
    expect(await limitOf(process)).toEqual([65_000, 19_998]);
  });

  test('a reported size ends with the next hour, unless it is reported again', async () => {
    const process = startProcess();
    const policy = { 'RateLimit-Policy': '"global-app-quota";q=10000;w=3600' };
    await process.callWith('site', policy);
    process.clock.elapse(HOUR_END - HALF_PAST);
    expect(await limitOf(process)).toEqual([10_000, 10_000]);
    await process.callWith('site', policy);
    process.clock.elapse(HOUR);
    expect(await limitOf(process)).toEqual([10_000, 10_000]);
    process.clock.elapse(HOUR);
    expect(await limitOf(process)).toEqual([65_000, 65_000]);
  });

  test.each([
    '"global-app-quota";q=1;w=3600',
    '"global-app-quota";q=6499;w=3600',
    '"global-app-quota";q=10000;w=1',
    '"global-app-quota";q=10000',
    '"tenant-app-quota";q=1;w=3600',
  ])('an invalid size is ignored: %s', async policy => {
    const process = startProcess();
    const name = policy.split(';')[0];
    await process.callWith('site', { 'RateLimit-Policy': policy, RateLimit: `${name};r=0;t=1800` });
    expect(await limitOf(process)).toEqual([65_000, 64_998]);
    expect(await waiting(process)).toEqual([]);
  });

  test('a preview of a smaller pool is ignored', async () => {
    const process = startProcess();
    await process.callWith('site', { 'Beta-RateLimit-Policy': '"global-app-quota";q=40000;w=3600' });
    expect(await limitOf(process)).toEqual([65_000, 64_998]);
  });

  test('a preview sets the size of the pool and stops no call', async () => {
    const process = startProcess();
    await process.callWith('site', {
      'Beta-RateLimit-Policy': '"global-app-quota";q=130000;w=3600',
      'Beta-RateLimit': '"global-app-quota";r=0;t=1800',
      'X-Beta-RateLimit-Reason': 'jira-quota-global-based',
    });
    expect(await limitOf(process)).toEqual([130_000, 129_998]);
    expect(await waiting(process)).toEqual([]);
  });

  test('a site with its own quota uses no points of the shared pool', async () => {
    const process = startProcess();
    const own = (remaining: number) => ({
      'RateLimit-Policy': '"tenant-app-quota";q=100100;w=3600',
      RateLimit: `"tenant-app-quota";r=${remaining};t=1800`,
    });
    await process.wait('other');
    await process.callWith('site', own(100));
    expect(await limitOf(process)).toEqual([65_000, 64_998]);
    expect(await waiting(process, 'site')).toEqual(['sweep', 'job', 'field', 'property', 'event', 'api']);
    expect(await waiting(process, 'other')).toEqual([]);
    // It uses the shared pool again.
    await process.callWith('site', poolHeaders(65_000, 60_000));
    expect(await waiting(process, 'site')).toEqual([]);
  });
});

describe('refused calls', () => {
  const TIME = { 'X-RateLimit-Reset': '2026-11-23T12:40Z', 'Retry-After': '20' };
  const calls: [string, string, TrackerCall][] = [
    ['same call', 'site', writeOf('5')],
    ['same endpoint', 'site', writeOf('6')],
    ['read of the issue', 'site', readOf('5')],
    ['write of another kind', 'site', { ...{ name: 'writeField', method: 'PUT' }, path: '/rest/api/2/issue/5' }],
    ['other site', 'other', writeOf('5')],
  ];
  const all = calls.map(([name]) => name);

  test.each<[string | undefined, Record<string, string>, number, string[]]>([
    ['jira-quota-global-based', TIME, 600_000, all],
    ['jira-quota-tenant-based', TIME, 600_000, all.slice(0, 4)],
    ['jira-burst-based', TIME, 20_000, ['same call', 'same endpoint']],
    ['jira-per-issue-on-write', TIME, 20_000, ['same call', 'write of another kind']],
    ['jira-cost-based', TIME, 20_000, ['same call', 'same endpoint']],
    [undefined, { 'Retry-After': '20' }, 20_000, all.slice(0, 4)],
  ])('%s', async (reason, headers, time, expected) => {
    const process = startProcess();
    const error = await process.callWith(
      'site',
      { ...headers, ...(reason && { 'RateLimit-Reason': reason }) },
      429,
      writeOf('5'),
    );
    expect(error).toMatchObject({ name: 'TrackerUnavailable', retryAfter: time });
    const stopped = async () => {
      const found: string[] = [];
      for (const [name, tenant, call] of calls)
        if ((await process.wait(tenant, undefined, call)) !== undefined) found.push(name);
      return found;
    };
    process.clock.elapse(10_000);
    expect(await stopped()).toEqual(expected);
    process.clock.elapse(time - 10_000);
    expect(await stopped()).toEqual([]);
  });

  test('for an unknown reason without a time, the site is not called until the hour ends, and other sites are', async () => {
    const process = startProcess();
    expect(await process.callWith('site', { 'RateLimit-Reason': 'other' }, 429)).toMatchObject({
      name: 'TrackerUnavailable',
      retryAfter: HOUR_END - HALF_PAST,
    });
    expect(await process.wait('site')).toBeGreaterThanOrEqual(HOUR_END - HALF_PAST);
    expect(process.made).toHaveLength(1);
    expect(await process.wait('other')).toBeUndefined();
  });

  test('without headers the site is called again after a minute, and other sites stop only for an explicit reason', async () => {
    const process = startProcess();
    expect(await process.callWith('site', {}, 429)).toMatchObject({ name: 'TrackerUnavailable', retryAfter: 60_000 });
    expect(await process.wait('site')).toBe(60_000);
    expect(process.made).toHaveLength(1);
    expect(await process.wait('other')).toBeUndefined();
    process.clock.elapse(60_000);
    await process.callWith('site', { 'RateLimit-Reason': 'jira-quota-global-based' }, 429);
    expect(await process.wait('other')).toBeGreaterThan(60_000);
    expect(process.made).toHaveLength(3);
  });

  test('a burst limit without a time is retried after a moment', async () => {
    const process = startProcess();
    process.answers.push(new Response('{}', { status: 429, headers: { 'RateLimit-Reason': 'jira-burst-based' } }));
    const before = process.clock.now();
    expect(await process.wait('site')).toBeUndefined();
    expect(process.clock.now() - before).toBe(2_000);
  });

  test('calls wait for an endpoint with a short Retry-After', async () => {
    const process = startProcess();
    const busy = { status: 429, headers: { 'RateLimit-Reason': 'jira-burst-based', 'Retry-After': '1' } };
    process.answers.push(new Response('{}', busy));
    const before = process.clock.now();
    expect(await process.wait('site', undefined, writeOf('5'))).toBeUndefined();
    expect(process.clock.now() - before).toBe(1_000);
    expect(process.made).toHaveLength(2);
  });

  test('a write that may have taken effect is not reported as deferred', async () => {
    const process = startProcess({ most: 3 });
    process.answers.push('down');
    process.meanwhile.push(() => process.wait('site', undefined, readOf('9')));
    const error = await process
      .tracker('site')(writeOf('5'))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TrackerUnavailable);
    expect(error).not.toBeInstanceOf(TrackerDeferred);
    expect(error).toMatchObject({ retryAfter: expect.any(Number) });
  });
});

describe('shares', () => {
  /** Number of calls of an account until it is deferred, up to a maximum. */
  async function calls(process: ReturnType<typeof startProcess>, tenant: string, account: string, most = 10_000) {
    for (let made = 0; made < most; made += 1)
      if ((await process.wait(tenant, causeOf('person', account), writeOf('1'))) !== undefined) return made;
    return most;
  }

  test('a busy account leaves the shares of other sites, and of other accounts of its site', async () => {
    const process = startProcess({ most: 1_000 });
    for (const account of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) await calls(process, 'busy', account, 1);
    for (const account of ['a', 'b']) await calls(process, 'quiet', account, 1);
    // Half of the points, and two eighths of 8/10 of the other half.
    expect(await calls(process, 'busy', 'a')).toBe(500 - 9 + 100);
    expect(await calls(process, 'busy', 'b')).toBe(100);
    expect(await calls(process, 'quiet', 'a')).toBe(100);
    expect(await calls(process, 'quiet', 'b')).toBe(0);
    // Other work of a site that used up its share is deferred, too.
    expect(await process.wait('quiet', causeOf('event'))).toBeGreaterThan(0);
    expect(await process.wait('busy', causeOf('event'))).toBeUndefined();
    process.clock.elapse(HOUR_END - HALF_PAST);
    expect(await calls(process, 'busy', 'a', 10)).toBe(10);
  });

  test('a site that does its worst from the hour’s first moment leaves two others their shares', async () => {
    const process = startProcess({ most: 1_000 });
    const sites = ['loud', 'one', 'other'];
    for (const site of sites) for (const account of ['a', 'b', 'c', 'd']) await calls(process, site, account, 1);
    process.clock.elapse(HOUR_END - HALF_PAST);
    const loud = await calls(process, 'loud', 'a');
    for (const work of classes) while ((await process.wait('loud', causeOf(work))) === undefined);
    // Half of the points, and of the rest no more than a third.
    expect(loud).toBeGreaterThanOrEqual(500);
    const left = [];
    for (const site of sites.slice(1)) {
      let made = 0;
      for (const account of ['a', 'b', 'c', 'd']) made += await calls(process, site, account);
      left.push(made);
    }
    const third = Math.floor(500 / 3);
    for (const made of left) expect(made).toBeGreaterThanOrEqual(third - 2);
    expect(await process.wait('loud', causeOf('person', 'b'))).toBeGreaterThan(0);
  });

  test('what sites of the hour before do not use is free in the end', async () => {
    const process = startProcess({ most: 1_000 });
    for (const site of ['only', 'gone']) await calls(process, site, 'a', 1);
    process.clock.elapse(HOUR_END - HALF_PAST);
    const first = await calls(process, 'only', 'a');
    expect(first).toBeLessThan(800);
    process.clock.elapse(HOUR - 1_000);
    expect(first + (await calls(process, 'only', 'a'))).toBeGreaterThan(990);
  });

  test('a single account on the only site can use all points', async () => {
    expect(await calls(startProcess({ most: 200 }), 'site', 'a')).toBe(200);
  });
});

test('the metrics count deferred work by class until it runs', async () => {
  const process = startProcess();
  await process.callWith('site', poolHeaders(10_000, 2_000));
  for (const issue of ['1', '2', '2']) await process.wait('site', causeOf('field'), writeOf(issue));
  await process.wait('site', causeOf('event'));
  expect(await gauge(process.metrics, 'tracker_waiting', 'field')).toBe(2);
  expect(await gauge(process.metrics, 'tracker_waiting', 'event')).toBe(0);
  process.clock.elapse(HOUR_END - HALF_PAST);
  await process.wait('site', causeOf('field'), writeOf('1'));
  expect(await gauge(process.metrics, 'tracker_waiting', 'field')).toBe(1);
  process.clock.elapse(SPREAD);
  expect(await gauge(process.metrics, 'tracker_waiting', 'field')).toBe(0);
});
