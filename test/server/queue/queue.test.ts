import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { random } from '../../../bench/random.ts';
import { createMetrics, type Metrics } from '../../../src/server/common/metrics.ts';
import { TrackerDeferred, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { type Handlers, RetryLater } from '../../../src/server/queue/queue.ts';
import { builder } from '../../../src/server/store/statement.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { seed } from '../../run/seed.ts';
import { runNode } from '../../run/spawn.ts';
import { onBothStores, type TestStore } from '../support/stores.ts';

const pause = (delay: number) => new Promise(resolve => setTimeout(resolve, delay));
const until = (check: () => unknown) => vi.waitFor(check, { interval: 20 });

function open(store: Store) {
  const metrics = createMetrics();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const queue = createQueue({ store, metrics, onError, poll: 50 });
  onTestFinished(() => queue.stop(100));
  return { ...queue, metrics, errors };
}

/** What two processes would open; with the embedded database both are in one. */
const another = async ({ store, second }: TestStore) => open(second ? await second() : store);

const runs = async (metrics: Metrics, outcome: string) => {
  const { values } = await metrics.runs.get();
  return values.filter(({ labels }) => labels.outcome === outcome).reduce((sum, { value }) => sum + value, 0);
};

/** Handlers that tell which issues they were given. */
function telling(): { seen: string[]; handlers: Partial<Handlers> } {
  const seen: string[] = [];
  return { seen, handlers: { sync: async ({ issue }) => void seen.push(issue) } };
}

/** Work that ends when it is told to. */
function held() {
  const [started, ending]: [string[], (() => void)[]] = [[], []];
  const hold = (issue: string) =>
    new Promise<void>(resolve => {
      started.push(issue);
      ending.push(resolve);
    });
  return {
    started,
    handlers: {
      sync: ({ issue }) => hold(issue),
      'apply-rules': ({ issue }) => hold(`rules ${issue}`),
    } satisfies Partial<Handlers>,
    end: () => {
      for (const end of ending.splice(0)) end();
    },
  };
}

/** Milliseconds that no test takes. */
const HOUR = 3_600_000;
/** A tenant's jobs with the milliseconds until they are due. */
const wait = 'select tries, (extract(epoch from due - now()) * 1000)::int as wait from queue where tenant = $1';
/** Statements that wait for a row which another transaction has changed. */
const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`;
const makeDue = 'update queue set due = now() where tenant = $1';

const tenantOf = () => `tenant-${randomUUID()}`;

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

  test('a job that fails is tried again after a pause; the last failure leaves it dead, for operators to see', async () => {
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
    expect(queue.errors).toHaveLength(2);

    // Asked for once more, it begins anew; otherwise it is dropped after a week.
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await until(async () => expect(await runs(queue.metrics, 'failed')).toBe(2));
    expect(await job()).toMatchObject({ tries: 1, failed: null });
    await raw(`update queue set failed = 'Error', due = now() - interval '8 days' where tenant = $1`, [tenant]);
    await queue.prune();
    expect(await job()).toBeUndefined();
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

  test('a job that failed is tried again when its pause is over, though it is asked for earlier', async () => {
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

  test('what may have been lost is added where it is not there, or failed for good; else it stays as it is', async () => {
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

  test('after many failures copies are tried again within a minute, other jobs after hours', async () => {
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

  test('a job that is enqueued in a transaction is there with its commit, and runs when the queue is woken', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    const queue = createQueue({ store, metrics: createMetrics(), onError: expect.unreachable, poll: HOUR });
    onTestFinished(() => queue.stop(100));
    const { seen, handlers } = telling();
    queue.start(handlers);
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

  test('when the tracker asks to be left alone, a job waits for so long', async () => {
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

  test('two processes share jobs: none runs twice, four of a tenant at once, others are not kept waiting', async () => {
    const first = open(use().store);
    const second = await another(use());
    const [busy, calm] = [tenantOf(), tenantOf()];
    const seen = new Map<string, number>();
    const order: string[] = [];
    let [now, most] = [0, 0];
    const handlers: Partial<Handlers> = {
      'apply-rules': async ({ tenant, issue }) => {
        order.push(tenant);
        seen.set(issue, (seen.get(issue) ?? 0) + 1);
        if (tenant !== busy) return;
        now += 1;
        most = Math.max(most, now);
        await pause(20);
        now -= 1;
      },
    };
    const issues = Array.from({ length: 40 }, (_, index) => String(index));
    for (const issue of issues) await first.add('apply-rules', { tenant: busy, issue }, { key: issue });
    await first.add('apply-rules', { tenant: calm, issue: 'calm' }, { key: 'calm' });
    first.start(handlers);
    second.start(handlers);
    await until(() => expect(seen.size).toBe(41));
    await until(async () => expect((await runs(first.metrics, 'ok')) + (await runs(second.metrics, 'ok'))).toBe(41));
    expect([...seen.values()].every(count => count === 1)).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
    expect(order.indexOf(calm)).toBeLessThan(8);
  });

  test('stopping lets work end; what takes too long is given back, and no try is lost', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    let ended = false;
    queue.start({
      sync: async ({ issue }, { signal }) => {
        if (issue === 'slow') return new Promise(() => {});
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        ended = true;
      },
    });
    await queue.add('sync', { tenant, issue: 'slow' });
    await queue.add('sync', { tenant, issue: 'quick' });
    const active = () => raw('select 1 from queue where tenant = $1 and beat is not null', [tenant]);
    await until(async () => expect(await active()).toHaveLength(2));
    await queue.stop(200);
    expect(ended).toBe(true);
    expect(await active()).toEqual([]);

    expect(await raw('select tries from queue where tenant = $1', [tenant])).toEqual([{ tries: 0 }]);
    const next = open(store);
    const { seen, handlers } = telling();
    next.start(handlers);
    await until(() => expect(seen).toEqual(['slow']));
  });

  test('a job whose process gave no sign of life runs again', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await raw(`update queue set beat = now() - interval '31 seconds' where tenant = $1`, [tenant]);
    const { seen, handlers } = telling();
    queue.start(handlers);
    await until(() => expect(seen).toEqual(['1']));
  });

  test('our transactions and the queue do not disturb each other, whatever fails', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const { int } = random(seed);
    let run = 0;
    queue.start({
      sync: async () => {
        run += 1;
        if (run % 3 === 0) throw new RetryLater(1);
      },
    });
    const row = { tenant, epoch: '', seq: 1, source: 'NONE', mirrored: false, project: null };
    const write = (issue: string) =>
      store.tenant(tenant, async tx => {
        await tx
          .insertInto('checklist')
          .values({ ...row, issue })
          .execute();
        await pause(int(4));
        if (issue.endsWith('7')) throw new Error('undone');
        await tx
          .updateTable('checklist')
          .set({ seq: 2 })
          .where('tenant', '=', tenant)
          .where('issue', '=', issue)
          .execute();
      });
    const issues = Array.from({ length: 60 }, (_, index) => String(index));
    const written = await Promise.allSettled(
      issues.flatMap<Promise<unknown>>(issue => [write(issue), queue.add('sync', { tenant, issue })]),
    );
    expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(54 + 60);
    await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(60));
    const kept = await raw('select issue, seq from checklist where tenant = $1', [tenant]);
    expect(kept).toHaveLength(54);
    expect(kept.every(({ seq }) => seq === 2)).toBe(true);
    expect(queue.errors).toEqual([]);
  });

  test('a process that was thought gone changes nothing of a job that another has claimed since', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    const entries = createEntries(store);
    await entries.add({ tenant, key: '1', name: 'sync' }, {}, 0);
    const mine = async () => (await entries.claim(['sync'], 100)).filter(job => job.tenant === tenant);
    const [first] = await mine();
    await raw(`update queue set beat = now() - interval '31 seconds' where tenant = $1`, [tenant]);
    const [second] = await mine();
    if (!first || !second) throw new Error('It was not claimed.');
    expect(second.claim).not.toBe(first.claim);
    await entries.complete(first);
    await entries.fail(first, 'Error');
    await entries.putBack(first, 0);
    await entries.beat([first]);
    expect(await raw('select claim, tries from queue where tenant = $1 and beat is not null', [tenant])).toEqual([
      { claim: second.claim, tries: 1 },
    ]);
    await entries.complete(second);
    expect(await raw('select 1 from queue where tenant = $1', [tenant])).toEqual([]);
  });

  test('a job that takes its process with it each time is given up after its last try', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    const entries = createEntries(store);
    await entries.add({ tenant, key: '1', name: 'sync' }, {}, 0);
    await raw(`update queue set beat = now() - interval '31 seconds', tries = 12 where tenant = $1`, [tenant]);
    expect((await entries.claim(['sync'], 100)).filter(job => job.tenant === tenant)).toEqual([]);
    expect(await raw('select beat, failed from queue where tenant = $1', [tenant])).toEqual([
      { beat: null, failed: 'ProcessLost' },
    ]);
  });

  test('a job that is asked for as it ends runs once more', async () => {
    const { store, raw, url } = use();
    // The embedded database runs one transaction at a time.
    if (!url) return;
    const tenant = tenantOf();
    const entries = createEntries(store);
    const entry = { tenant, key: '1', name: 'sync' };
    await entries.add(entry, {}, 0);
    const [job] = (await entries.claim(['sync'], 100)).filter(each => each.tenant === tenant);
    if (!job) throw new Error('It was not claimed.');
    let commit = (): void => undefined;
    const asked = new Promise<void>(resolve => {
      commit = resolve;
    });
    let locked = (): void => undefined;
    const locking = new Promise<void>(resolve => {
      locked = resolve;
    });
    const asking = store.tenant(tenant, async tx => {
      await sql`update queue set again = now() where tenant = ${tenant}`.execute(tx);
      locked();
      await asked;
    });
    await locking;
    const completing = entries.complete(job);
    // It waits for the lock on the job.
    await until(async () => expect(await raw(blocked)).toHaveLength(1));
    commit();
    await Promise.all([asking, completing]);
    expect(await raw('select beat, again from queue where tenant = $1', [tenant])).toEqual([
      { beat: null, again: null },
    ]);
  });

  test('a process that is killed leaves its job to another', async ({ skip }) => {
    const { store, raw, url } = use();
    if (!url) return skip('only one process works on the embedded database');
    const queue = open(store);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: '42' }, { key: '42' });
    const worker = join(import.meta.dirname, '../support/worker.ts');
    const { child, ended, prints } = runNode(['--import', 'tsx', worker, url]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await prints(/taken 42/);
    child.kill('SIGKILL');
    await ended;

    // Its last sign of life stays fresh, however long this takes.
    await raw(`update queue set beat = now() + interval '1 hour' where tenant = $1`, [tenant]);
    const { seen, handlers } = telling();
    queue.start(handlers);
    await pause(300);
    expect(seen).toEqual([]);
    await raw(`update queue set beat = now() - interval '31 seconds' where tenant = $1`, [tenant]);
    await until(() => expect(seen).toEqual(['42']));
  });
});
