import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { TrackerDeferred, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import { RetryLater } from '../../../src/server/queue/queue.ts';
import { builder } from '../../../src/server/store/statement.ts';
import type { Store } from '../../../src/server/store/store.ts';
import {
  another,
  HOUR,
  held,
  makeDue,
  open,
  pause,
  recording,
  runs,
  tenantOf,
  until,
  wait,
} from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

/** Adding and running jobs. */
onBothStores(use => {
  test('runs a job once, with its data', async () => {
    const queue = open(use().store);
    const given: unknown[] = [];
    queue.start({ 'apply-rules': async data => void given.push(data) });
    const data = { tenant: tenantOf(), issue: '7' };
    await queue.add('apply-rules', data);
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
    await pause(200);
    expect(given).toEqual([data]);
    expect(queue.errors).toEqual([]);
  });

  test('a job is not added while one with its key waits; other keys, tenants and names are', async () => {
    const queue = open(use().store);
    const [one, two] = [tenantOf(), tenantOf()];
    for (const issue of ['a', 'b']) await queue.add('sync', { tenant: one, issue }, { key: '1' });
    await queue.add('sync', { tenant: one, issue: 'c' }, { key: '2' });
    await queue.add('sync', { tenant: two, issue: 'd' }, { key: '1' });
    await queue.add('apply-rules', { tenant: one, issue: 'e' }, { key: '1' });
    const { started, handlers, end } = held();
    queue.start(handlers);
    await until(() => {
      end();
      expect([...started].sort()).toEqual(['b', 'c', 'd', 'rules e']);
    });
    end();
  });

  test('a debounced job is deferred by each call, at most until the longest wait since the first one', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const defer = (after: number, maxWait?: number) =>
      store.batch(tenant, [
        queue.enqueue('write-field', { tenant, issue: '7' }, { after, key: '7', ...(maxWait && { maxWait }) }),
      ]);
    const seconds = async () => {
      const [row] = await raw('select extract(epoch from due - now())::float8 as due from queue where tenant = $1', [
        tenant,
      ]);
      return Math.round(Number(row?.due) / 100) * 100;
    };
    // A refused copy waits for its next try: a change brings it forward.
    await defer(7_200_000);
    await defer(1_000_000, 2_000_000);
    expect(await seconds()).toBe(1_000);
    await defer(1_500_000, 9_000_000);
    expect(await seconds()).toBe(1_500);
    await defer(3_000_000, 9_000_000);
    expect(await seconds()).toBe(2_000);
    await defer(500_000);
    expect(await seconds()).toBe(500);
  });

  test('a job added while one with its key runs comes after it, also with another name or process', async () => {
    const queue = open(use().store);
    const other = await another(use());
    const tenant = tenantOf();
    const { started, handlers, end } = held();
    queue.start(handlers);
    other.start(handlers);
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(() => expect(started).toEqual(['1']));
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await other.add('apply-rules', { tenant, issue: '1' }, { key: '1' });
    await other.add('sync', { tenant, issue: '2' }, { key: '2' });
    await until(() => expect(started).toContain('2'));
    await pause(200);
    expect(started).toEqual(['1', '2']);
    for (const count of [3, 4]) {
      end();
      await until(() => expect(started).toHaveLength(count));
      await pause(100);
      expect(started).toHaveLength(count);
    }
    end();
    expect([...started].sort()).toEqual(['1', '1', '2', 'rules 1']);
  });

  test('a job runs after its delay', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const { seen, handlers } = recording();
    queue.start(handlers);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: 'delayed' }, { after: HOUR });
    await queue.add('sync', { tenant, issue: 'soon' });
    await until(() => expect(seen).toEqual(['soon']));
    const [delayed] = await raw(wait, [tenant]);
    expect(delayed?.wait).toBeGreaterThan(HOUR / 2);
    expect(delayed?.wait).toBeLessThanOrEqual(HOUR);
    await raw(makeDue, [tenant]);
    await until(() => expect(seen).toEqual(['soon', 'delayed']));
  });

  test('a delayed job waits, unless it is added with an earlier time, and no try is counted', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    let run = 0;
    queue.start({
      sync: async () => {
        run += 1;
        if (run < 3) throw new RetryLater(HOUR);
      },
    });
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'later')).toBe(1));
    await queue.add('sync', { tenant, issue: '1' }, { after: 2 * HOUR, key: '1' });
    const [job] = await raw(wait, [tenant]);
    expect(job).toMatchObject({ tries: 0 });
    expect(job?.wait).toBeGreaterThan(HOUR / 2);
    expect(job?.wait).toBeLessThanOrEqual(HOUR);
    expect(run).toBe(1);
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'later')).toBe(2));
    expect(await raw('select tries from queue where tenant = $1', [tenant])).toEqual([{ tries: 0 }]);
    await raw(makeDue, [tenant]);
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
    expect(run).toBe(3);
    expect(await raw('select 1 from queue where tenant = $1', [tenant])).toEqual([]);
    expect(queue.errors).toEqual([]);
  });

  test('a delayed job that is added while it runs, runs again at the requested time', async () => {
    const { store } = use();
    const queue = open(store);
    const tenant = tenantOf();
    let run = 0;
    queue.start({
      sync: async data => {
        run += 1;
        if (run > 1) return;
        await queue.add('sync', data, { key: '1' });
        throw new RetryLater(HOUR);
      },
    });
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
    expect(run).toBe(2);
  });

  test('a waiting job runs at the earlier of two times', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const data = { tenant, issue: '1' };
    const waits = async () => Number((await raw(wait, [tenant]))[0]?.wait);
    await queue.add('sync', data, { after: 2 * HOUR, key: '1' });
    await queue.add('sync', data, { after: HOUR, key: '1' });
    await queue.add('sync', data, { after: 3 * HOUR, key: '1' });
    expect(await waits()).toBeGreaterThan(HOUR / 2);
    expect(await waits()).toBeLessThanOrEqual(HOUR);
    const { seen, handlers } = recording();
    queue.start(handlers);
    await queue.add('sync', data, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
    // It ran before its first time: this is another job.
    await queue.add('sync', data, { after: 2 * HOUR, key: '1' });
    expect(await waits()).toBeGreaterThan(1.5 * HOUR);
    expect(seen).toEqual(['1']);
  });

  test('a job that is enqueued in a transaction is visible after the commit, and runs when the queue is woken', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    let claims = 0;
    const counting: Store = { ...store, sweep: work => store.sweep(work).finally(() => claims++) };
    const queue = createQueue({ store: counting, metrics: createMetrics(), onError: expect.unreachable, poll: HOUR });
    onTestFinished(() => queue.stop(100));
    const { seen, handlers } = recording();
    queue.start(handlers);
    // The claim at the start has found nothing before the jobs are enqueued.
    await until(() => expect(claims).toBe(1));
    const enqueue = (issue: string, after = 0) => queue.enqueue('sync', { tenant, issue }, { after, key: issue });
    const failing = store.exchange(tenant, [], () => ({
      statements: [enqueue('lost'), sql`select 1 / 0`.compile(builder)],
      value: undefined,
    }));
    await expect(failing).rejects.toThrow();
    await store.exchange(tenant, [], () => ({ statements: [enqueue('late', HOUR), enqueue('1')], value: undefined }));
    expect(await raw('select key from queue where tenant = $1 order by key', [tenant])).toEqual([
      { key: '1' },
      { key: 'late' },
    ]);
    await pause(100);
    expect(seen).toEqual([]);
    queue.wake();
    await until(() => expect(seen).toEqual(['1']));
    // The waiting one is moved forward, too.
    await store.exchange(tenant, [], () => ({ statements: [enqueue('late')], value: undefined }));
    queue.wake();
    await until(() => expect(seen).toEqual(['1', 'late']));
  });

  test.each([
    ['a failed call is retried after half a minute, also after a shorter Retry-After', TrackerUnavailable, 30],
    ['a deferred call is made at its time', TrackerDeferred, 5],
  ])('%s', async (_name, Kind, wait) => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    queue.start({
      'apply-rules': async () => {
        throw new Kind('readIssue: 503', 5_000);
      },
    });
    await queue.add('apply-rules', { tenant, issue: '1' });
    await until(async () => expect(await runs(queue.metrics, 'later')).toBe(1));
    const [job] = await raw(
      'select tries, extract(epoch from due - now())::float8 as wait from queue where tenant = $1',
      [tenant],
    );
    expect(job).toMatchObject({ tries: 0 });
    expect(job?.wait).toBeLessThanOrEqual(wait);
    expect(job?.wait).toBeGreaterThan(wait - 15);
    // Other tests on this database must not claim it.
    await raw('delete from queue where tenant = $1', [tenant]);
  });
});
