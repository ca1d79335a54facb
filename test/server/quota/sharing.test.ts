import { beforeEach, expect, test } from 'vitest';
import type { QuotaOptions } from '../../../src/server/quota/quota.ts';
import { workClasses } from '../../../src/server/quota/work.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { HALF_PAST } from '../support/quota.ts';
import { onBothStores } from '../support/stores.ts';
import {
  gauge,
  HOUR_END,
  type Process,
  poolHeaders,
  readOf,
  startProcess,
  writeOf,
} from '../support/tracker-process.ts';

const classes = workClasses.map(({ name }) => name);
const HOUR = 3_600_000;

onBothStores(use => {
  let stores: Store[];
  beforeEach(async () => {
    const { store, second, raw } = use();
    stores ??= [store, (await second?.()) ?? store];
    await raw('delete from quota_use');
    await raw('delete from quota_fact');
  });

  /** Processes on one database. */
  const processes = (options: Partial<QuotaOptions> = {}) =>
    stores.map(store => startProcess({ store, ...options })) as [Process, Process];
  /** Exchanges twice, so that each process has the data of the others. */
  async function exchange(...all: Process[]) {
    for (const { quota } of [...all, ...all]) await quota.exchange();
  }
  const points = (process: Process) => Promise.all(classes.map(work => gauge(process.metrics, 'tracker_points', work)));
  const left = ({ metrics }: Process) => gauge(metrics, 'tracker_points_remaining');

  test('points used by two processes add up in both', async () => {
    const [one, two] = processes();
    for (let call = 0; call < 3; call += 1) await one.wait('site');
    await one.wait('other', { work: 'field', account: null });
    for (let call = 0; call < 4; call += 1) await two.wait('site');
    const expected = classes.map(name => ({ person: 14, field: 2 })[name as string] ?? 0);
    await exchange(one, two);
    for (const process of [one, two]) {
      expect(await points(process)).toEqual(expected);
      expect(await left(process)).toBe(65_000 - 16);
    }
    // A repeated exchange changes nothing, and concurrent calls are counted once.
    const answered = one.quota.exchange();
    await one.wait('site');
    await answered;
    await exchange(one, two);
    expect(await left(one)).toBe(65_000 - 18);
    expect(await left(two)).toBe(65_000 - 18);
    // A process that starts later has the same count.
    const [third] = processes();
    await third.quota.exchange();
    expect(await left(third)).toBe(65_000 - 18);
  });

  test('an hour used up by one process stops each class of work in the other, until the next', async () => {
    const [one, two] = processes({ most: 400 });
    for (let call = 0; call < 200; call += 1) await one.wait('site');
    await exchange(one, two);
    for (const work of classes) {
      expect(await two.wait('site', { work, account: null })).toBeGreaterThanOrEqual(HOUR_END - HALF_PAST);
      expect(await two.wait('site', { work, account: 'bob' }, writeOf('2'))).toBeGreaterThanOrEqual(
        HOUR_END - HALF_PAST,
      );
    }
    expect(two.made).toEqual([]);
    two.clock.elapse(HOUR_END - HALF_PAST);
    await two.quota.exchange();
    for (const work of classes) expect(await two.wait('site', { work, account: null })).toBeUndefined();
    expect(two.made).toHaveLength(classes.length);
  });

  test('limits reported to one process apply in the other', async () => {
    const [one, two] = processes();
    await one.callWith('site', poolHeaders(10_000, 2_000));
    const busy = { 'RateLimit-Reason': 'jira-burst-based', 'Retry-After': '60' };
    await one.callWith('site', busy, 429, readOf('1'));
    await one.callWith('own', { 'RateLimit-Policy': '"tenant-app-quota";q=7000;w=3600' });
    await exchange(one, two);
    expect(await gauge(two.metrics, 'tracker_points_limit')).toBe(10_000);
    expect(await left(two)).toBe(await left(one));
    expect(await two.wait('site', { work: 'field', account: null }, writeOf('1'))).toBeGreaterThan(60_000);
    expect(await two.wait('site', undefined, readOf('2'))).toBe(60_000);
    expect(await two.wait('other', undefined, readOf('2'))).toBeUndefined();
    expect(await two.wait('own', { work: 'field', account: null }, writeOf('1'))).toBeUndefined();
    // A shorter stop elsewhere does not end the longer one.
    await two.callWith('site', { ...busy, 'Retry-After': '30' }, 429, writeOf('3'));
    await exchange(two, one);
    one.clock.elapse(45_000);
    expect(await one.wait('site', undefined, readOf('2'))).toBe(15_000);
    expect(await one.wait('site', undefined, writeOf('3'))).toBeUndefined();
  });

  test('the people of a site are counted across processes', async () => {
    const [one, two] = processes({ most: 100 });
    for (const account of ['a', 'b', 'c', 'd']) await one.wait('big', { work: 'person', account }, writeOf('1'));
    await two.wait('small', { work: 'person', account: 'a' }, writeOf('1'));
    await exchange(one, two);
    for (let call = 0; call < 45; call += 1) await one.wait('big', { work: 'person', account: 'e' }, writeOf('1'));
    await exchange(one, two);
    // A sixth of the other half is for the small site; an account of the big one gets 2 fifths of 5 sixths.
    const until = async (process: Process, tenant: string, account: string) => {
      let made = 0;
      while ((await process.wait(tenant, { work: 'person', account }, writeOf('1'))) === undefined) made += 1;
      return made;
    };
    expect(await until(two, 'small', 'a')).toBe(9);
    expect(await until(two, 'big', 'a')).toBe(17);
  });

  test('points of a failed exchange are exchanged later', async () => {
    const failures = [new Error('away')];
    const errors: unknown[] = [];
    const { store } = use();
    const sweep: Store['sweep'] = work => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : store.sweep(work);
    };
    const [one] = processes({ store: { sweep }, onError: error => errors.push(error) });
    const [, two] = processes();
    await one.wait('site');
    await one.quota.exchange();
    expect(errors).toHaveLength(1);
    await one.wait('site');
    await exchange(one, two);
    expect([await left(one), await left(two)]).toEqual([64_996, 64_996]);
  });

  test('data of past hours is deleted', async () => {
    const [one] = processes();
    await one.callWith('site', poolHeaders(10_000, 9_000));
    await one.quota.exchange();
    one.clock.elapse(2 * HOUR);
    await one.wait('site');
    await one.quota.exchange();
    await one.quota.prune();
    expect(await use().raw('select points from quota_use')).toEqual([{ points: 2 }]);
    expect(await use().raw('select key, value from quota_fact')).toEqual([]);
  });

  test('an unavailable database does not delay stopping', async () => {
    const [one] = processes({ store: { sweep: () => new Promise(() => {}) } });
    await one.wait('site');
    await one.quota.stop(1);
  });

  test('a process exchanges when it starts, and when it stops', async () => {
    const [one, two] = processes();
    await one.quota.start();
    await one.wait('site');
    await one.quota.stop();
    await two.quota.start();
    expect(await left(two)).toBe(64_998);
    await two.quota.stop();
  });
});
