import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { random } from '../../../bench/random.ts';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { type Handlers, RetryLater } from '../../../src/server/queue/queue.ts';
import { seed } from '../../run/seed.ts';
import { runNode } from '../../run/spawn.ts';
import { another, blocked, open, pause, recording, runs, tenantOf, until } from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

/** Jobs of several processes, some of which stop or crash. */
onBothStores(use => {
  test('two processes share jobs: none runs twice, four of one tenant at once, and other tenants do not wait', async () => {
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

  test('stopping lets jobs finish; jobs that take too long are released without counting a try', async () => {
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
    const { seen, handlers } = recording();
    next.start(handlers);
    await until(() => expect(seen).toEqual(['slow']));
  });

  test('a job whose process has no heartbeat runs again', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    await queue.add('sync', { tenant, issue: '1' }, { key: '1' });
    await raw(`update queue set beat = now() - interval '31 seconds' where tenant = $1`, [tenant]);
    const { seen, handlers } = recording();
    queue.start(handlers);
    await until(() => expect(seen).toEqual(['1']));
  });

  test('failed transactions and the queue do not affect each other', async () => {
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

  test('a process that lost its claim changes nothing in a job that another has claimed', async () => {
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

  test('a job that crashes its process fails for good after its last try', async () => {
    const { store, raw } = use();
    const tenant = tenantOf();
    const entries = createEntries(store);
    await entries.add({ tenant, key: '1', name: 'sync' }, {}, 0);
    await raw(`update queue set beat = now() - interval '31 seconds', tries = 300 where tenant = $1`, [tenant]);
    expect((await entries.claim(['sync'], 100)).filter(job => job.tenant === tenant)).toEqual([]);
    expect(await raw('select beat, failed from queue where tenant = $1', [tenant])).toEqual([
      { beat: null, failed: 'ProcessLost' },
    ]);
  });

  test('a job that is added while it ends runs once more', async () => {
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

  test('the job of a killed process runs in another', async ({ skip }) => {
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

    // Keeps the last heartbeat fresh.
    await raw(`update queue set beat = now() + interval '1 hour' where tenant = $1`, [tenant]);
    const { seen, handlers } = recording();
    queue.start(handlers);
    await pause(300);
    expect(seen).toEqual([]);
    await raw(`update queue set beat = now() - interval '31 seconds' where tenant = $1`, [tenant]);
    await until(() => expect(seen).toEqual(['42']));
  });
});
