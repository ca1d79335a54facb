import { beforeAll, expect, test } from 'vitest';
import { createServices } from '../../../src/server/app/services.ts';
import type { Sync } from '../../../src/server/copies/sync.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import { BASE_URL, startApp, type TestApp, testVault } from '../support/app.ts';
import { add, newIssue } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** Jobs that are enqueued repeatedly in case they were lost, on the stored queue without workers. */
onStore(use => {
  let it: TestApp;
  let sync: Sync;
  beforeAll(async () => {
    const { store } = use();
    it = await startApp(store);
    const metrics = createMetrics();
    const onError = expect.unreachable;
    ({ sync } = createServices({
      ...{ store, vault: testVault(), baseUrl: BASE_URL, tenants: it.tenants, metrics, onError, watch: it.watch },
      queue: createQueue({ store, metrics, onError }),
      trackerOf: createTrackers({ metrics, quota: it.quota, send: it.tracker.fetch }),
    }));
    return () => it.app.close();
  });

  const waits = () =>
    use().raw(
      `select key, min(due) > now() + interval '50 minutes' as long from queue where name <> 'sweep'
        group by key order by key`,
    );

  test('deferred jobs stay deferred, and lost jobs are added again', async () => {
    const issues = [await newIssue(it), await newIssue(it)];
    const [off, lost] = issues.map(({ id }) => id);
    for (const issue of issues) await issue.edit(add('a'));
    await sync.recover();
    await use().raw("update queue set due = now() + interval '1 hour' where name <> 'sweep'");
    await use().raw('delete from queue where key = $1', [lost]);
    await sync.recover();
    expect(await waits()).toEqual([
      { key: off, long: true },
      { key: lost, long: false },
    ]);
  });

  test('writes pending before an uninstallation are due at once', async () => {
    await use().raw("update queue set due = now() + interval '1 hour'");
    expect(await sync.finish(it.tenant.id)).toBe(true);
    expect((await waits()).map(({ long }) => long)).toEqual([false, false]);
  });
});
