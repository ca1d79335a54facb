import { expect, test } from 'vitest';
import { type JobName, type Jobs, jobNames } from '../../../src/server/queue/queue.ts';
import { HOUR, makeDue, open, runs, tenantOf, until } from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

/** The data of stored jobs. */
onBothStores(use => {
  /** A value of a job's fields with others beside them, as a caller's object may have. */
  const wide = (tenant: string) => ({ tenant, issue: '7', account: 'ann', fence: 3, text: '- secret' });
  const fields: Record<JobName, readonly string[]> = {
    ...{ sync: ['issue'], 'write-property': ['issue'], 'write-field': ['issue'] },
    ...{ 'apply-rules': ['issue'], 'follow-issues': ['issue'], 'send-digest': ['account'] },
    ...{ sweep: [], 'send-webhooks': [], 'find-due': [], mirror: [], 'compare-copies': [], prune: [] },
    ...{ 'report-people': [], 'watch-fields': [], 'site-wide': [] },
  };
  const expected = (name: JobName, tenant: string) =>
    Object.fromEntries([['tenant', tenant], ...fields[name].map(field => [field, Reflect.get(wide(tenant), field)])]);

  test.each(jobNames)('%s stores the fields of its shape only, however it is added', async name => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    const data = wide(tenant) as Jobs[typeof name];
    await queue.add(name, data, { key: 'added', after: HOUR });
    await queue.restore(name, data, { key: 'restored', after: HOUR });
    await store.batch(tenant, [queue.enqueue(name, data, { key: 'enqueued', after: HOUR })]);
    const stored = await raw('select data from queue where tenant = $1', [tenant]);
    expect(stored).toEqual([1, 2, 3].map(() => ({ data: expected(name, tenant) })));
  });

  test('data that lack a field are refused when they are put', async () => {
    const queue = open(use().store);
    const data = { tenant: tenantOf() } as Jobs['sync'];
    await expect(queue.add('sync', data, { key: '7' })).rejects.toThrow('issue');
  });

  const keys: [JobName, string][] = [
    ['sync', '7'],
    ['apply-rules', 'rules 7'],
    ['follow-issues', 'follow 7'],
    ['send-digest', 'digest ann'],
    ['mirror', 'mirror'],
  ];

  test.each(keys)('%s with unreadable data runs with those of its tenant and key', async (name, key) => {
    for (const broken of ['{}', '[]', '"text"', '{"tenant": 7, "issue": {"a": 1}}']) {
      const { store, raw } = use();
      const queue = open(store);
      const tenant = tenantOf();
      await queue.add(name, wide(tenant) as Jobs[typeof name], { key, after: HOUR });
      await raw('update queue set data = $2::jsonb where tenant = $1', [tenant, broken]);
      await raw(makeDue, [tenant]);
      const given: unknown[] = [];
      queue.start({ [name]: async (data: unknown) => void given.push(data) });
      await until(async () => expect(await runs(queue.metrics, 'ok')).toBe(1));
      expect(given).toEqual([expected(name, tenant)]);
      expect(queue.errors).toEqual([]);
      await queue.stop(100);
    }
  });

  test('a job that is added again gets the new data, whether it waits, runs or failed', async () => {
    const { store, raw } = use();
    const queue = open(store);
    const tenant = tenantOf();
    for (const key of ['waits', 'runs', 'failed']) {
      await queue.add('sync', { tenant, issue: '7' }, { key, after: HOUR });
    }
    await raw(`update queue set data = '{}' where tenant = $1`, [tenant]);
    await raw("update queue set beat = now() where tenant = $1 and key = 'runs'", [tenant]);
    await raw("update queue set failed = 'Mismatch' where tenant = $1 and key = 'failed'", [tenant]);
    await queue.add('sync', { tenant, issue: '7' }, { key: 'waits', after: HOUR });
    await queue.add('sync', { tenant, issue: '7' }, { key: 'runs', after: HOUR });
    await queue.restore('sync', { tenant, issue: '7' }, { key: 'failed', after: HOUR });
    const stored = await raw('select data from queue where tenant = $1', [tenant]);
    expect(stored).toEqual([1, 2, 3].map(() => ({ data: { tenant, issue: '7' } })));
    await raw('delete from queue where tenant = $1', [tenant]);
  });
});
