import { expect, test } from 'vitest';
import { TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import { HOUR, open, runs, tenantOf, until, wait } from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

/** Failed jobs and their retries. */
onBothStores(use => {
  test('a failed job is retried after a delay; after the last try it is dead, and visible to operators', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const tries: boolean[] = [];
    queue.start({
      sync: async (_data, { lastTry }) => {
        tries.push(lastTry);
        throw new Error('a secret text');
      },
    });
    // Without a first value, an increase of the first one would not be seen.
    expect(await queue.metrics.registry.metrics()).toContain('job_runs_total{name="sync",outcome="dead"} 0');
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'failed')).toBe(1));
    const job = async () => (await raw('select * from queue where tenant = $1', [tenant]))[0];
    expect(await job()).toMatchObject({ tries: 1, beat: null, failed: null });
    expect(tries).toEqual([false]);

    await raw('update queue set due = now(), tries = 300 where tenant = $1', [tenant]);
    await until(async () => expect(await runs(queue.metrics, 'dead')).toBe(1));
    expect(tries).toEqual([false, true]);
    expect(await job()).toMatchObject({ failed: 'Error' });
    expect(await queue.metrics.registry.metrics()).toMatch(/^jobs\{name="sync",state="failed"\} [1-9]/m);
    expect(await queue.metrics.registry.metrics()).toMatch(/^job_overdue_seconds\{name="sync"\} \d/m);
    expect(queue.errors).toHaveLength(2);

    // Added once more, it starts over; otherwise it is deleted after a week.
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'failed')).toBe(2));
    expect(await job()).toMatchObject({ tries: 1, failed: null });
    await raw(`update queue set failed = 'Error', due = now() - interval '8 days' where tenant = $1`, [tenant]);
    await queue.prune();
    expect(await job()).toBeUndefined();
  });

  test('a failed job keeps its retry delay when it is added with an earlier time', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const data = { tenant, issue: '1' };
    await queue.add('sync', data, { key: '1' });
    await raw(`update queue set tries = 3, due = now() + interval '1 hour' where tenant = $1`, [tenant]);
    await queue.add('sync', data, { key: '1' });
    const [job] = await raw(wait, [tenant]);
    expect(job).toMatchObject({ tries: 3 });
    expect(job?.wait).toBeGreaterThan(HOUR / 2);
  });

  test('restoring a job adds it where it is missing or dead, and changes nothing otherwise', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const restore = (issue: string) => queue.restore('sync', { tenant, issue }, { after: 0, key: issue });
    for (const issue of ['waits', 'retried', 'failed', 'runs']) {
      await queue.add('sync', { tenant, issue }, { after: HOUR, key: issue });
    }
    await raw("update queue set tries = 3 where tenant = $1 and key = 'retried'", [tenant]);
    await raw("update queue set tries = 12, failed = 'Error' where tenant = $1 and key = 'failed'", [tenant]);
    await raw("update queue set beat = now() where tenant = $1 and key = 'runs'", [tenant]);
    for (const issue of ['waits', 'retried', 'failed', 'runs', 'lost']) await restore(issue);
    const jobs = `select key, tries, failed, again, due > now() as later from queue where tenant = $1 order by key`;
    expect(await raw(jobs, [tenant])).toEqual([
      { key: 'failed', tries: 0, failed: null, again: null, later: false },
      { key: 'lost', tries: 0, failed: null, again: null, later: false },
      { key: 'retried', tries: 3, failed: null, again: null, later: true },
      { key: 'runs', tries: 0, failed: null, again: null, later: true },
      { key: 'waits', tries: 0, failed: null, again: null, later: true },
    ]);
    await raw('delete from queue where tenant = $1', [tenant]);
  });

  test('after many failures, copies are retried within a minute, other jobs after hours', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const fail = async () => {
      throw new Error('The tracker is away.');
    };
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await queue.add('apply-rules', { tenant, issue: '2' }, { key: '2' });
    await raw('update queue set tries = 11 where tenant = $1', [tenant]);
    queue.start({ sync: fail, 'apply-rules': fail });
    await until(async () => expect(await runs(queue.metrics, 'failed')).toBe(2));
    const waits = 'select extract(epoch from due - now())::float8 as wait from queue where tenant = $1 order by key';
    const [copies, rules] = await raw(waits, [tenant]);
    expect(copies?.wait).toBeLessThanOrEqual(60);
    expect(rules?.wait).toBeGreaterThan(3_600);
  });

  test.each([
    { name: 'sync', tries: 12, isLost: false },
    { name: 'sync', tries: 300, isLost: true },
    { name: 'sweep', tries: 11, isLost: false },
    { name: 'sweep', tries: 12, isLost: true },
  ])('a job $name whose process ended at try $tries: failed for good: $isLost', async ({ name, tries, isLost }) => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: '1' }, { after: HOUR, key: '1' });
    await raw(
      `update queue set name = '${name}', tries = ${tries}, beat = now() - interval '1 hour' where tenant = $1`,
      [tenant],
    );
    queue.start({ 'report-people': async () => {} });
    // A claim looks for lost jobs first.
    const other = tenantOf();
    await queue.add('report-people', { tenant: other }, { key: '1' });
    await until(async () => expect(await raw('select 1 from queue where tenant = $1', [other])).toEqual([]));
    const [job] = await raw('select failed from queue where tenant = $1', [tenant]);
    expect(job).toEqual({ failed: isLost ? 'ProcessLost' : null });
  });

  test('a job waits for the Retry-After of the tracker', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    queue.start({
      'apply-rules': async () => {
        throw new TrackerUnavailable('readIssue: 429', HOUR);
      },
    });
    await queue.add('apply-rules', { tenant, issue: '1' });
    await until(async () => expect(await runs(queue.metrics, 'later')).toBe(1));
    const [job] = await raw(wait, [tenant]);
    expect(job).toMatchObject({ tries: 0 });
    expect(job?.wait).toBeGreaterThan(HOUR / 2);
    expect(queue.errors).toEqual([]);
  });
});
