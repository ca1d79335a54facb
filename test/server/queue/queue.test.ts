import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../../src/server/common/metrics.ts';
import { TrackerDeferred, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
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
  runs,
  telling,
  tenantOf,
  until,
  wait,
} from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

/** When jobs are added, and when they run. */
onBothStores(use => {
  test('runs a job with what it needs to know, and only once', async () => {
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

  test('while a job of a key waits, another is not added; of other keys, tenants and names it is', async () => {
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
      expect([...started].sort()).toEqual(['a', 'c', 'd', 'rules e']);
    });
    end();
  });

  test('a job that is added while one of its key runs comes after it, of whatever name and in whatever process', async () => {
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

  test('a job waits as long as it was told to', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const { seen, handlers } = telling();
    queue.start(handlers);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: 'late' }, { after: HOUR });
    await queue.add('sync', { tenant, issue: 'soon' });
    await until(() => expect(seen).toEqual(['soon']));
    const [late] = await raw(wait, [tenant]);
    expect(late?.wait).toBeGreaterThan(HOUR / 2);
    expect(late?.wait).toBeLessThanOrEqual(HOUR);
    await raw(makeDue, [tenant]);
    await until(() => expect(seen).toEqual(['soon', 'late']));
  });

  test('a job whose time has not come waits, unless it is asked for earlier, and loses no try', async () => {
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

  test('asked for while it runs, a job whose time has not come runs when it was asked for', async () => {
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

  test('a job that waits runs at the earlier of two times', async () => {
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
    const { seen, handlers } = telling();
    queue.start(handlers);
    await queue.add('sync', data, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
    // It ran before the time at which it was first to: what is asked for now is a new job.
    await queue.add('sync', data, { after: 2 * HOUR, key: '1' });
    expect(await waits()).toBeGreaterThan(1.5 * HOUR);
    expect(seen).toEqual(['1']);
  });

  test('a job that is enqueued in a transaction is there with its commit, and runs when the queue is woken', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    let claims = 0;
    const counting: Store = { ...store, sweep: work => store.sweep(work).finally(() => claims++) };
    const queue = createQueue({ store: counting, metrics: createMetrics(), onError: expect.unreachable, poll: HOUR });
    onTestFinished(() => queue.stop(100));
    const { seen, handlers } = telling();
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
    // The one that waits is brought forward, too.
    await store.exchange(tenant, [], () => ({ statements: [enqueue('late')], value: undefined }));
    queue.wake();
    await until(() => expect(seen).toEqual(['1', 'late']));
  });

  test.each([
    ['a call that failed is made again after half a minute, though the tracker asks for less', TrackerUnavailable, 30],
    ['a call that was not made yet is made when its time comes', TrackerDeferred, 5],
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
    // Other tests on this database would take it.
    await raw('delete from queue where tenant = $1', [tenant]);
  });
});
