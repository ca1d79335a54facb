import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createChecklists } from '../../../src/server/checklists/service/checklists.ts';
import type { Checklists } from '../../../src/server/checklists/service/types.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { createTextWorkers } from '../../../src/server/text-workers/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, update } from '../support/checklists.ts';
import { createTestQueue } from '../support/queue.ts';
import { unlimited } from '../support/quota.ts';
import { onBothStores } from '../support/stores.ts';
import { threadProgram } from '../support/text-workers.ts';

const fail = (error: unknown) => {
  throw error;
};

/** Two processes on one database. */
onBothStores(use => {
  let one: TestApp;
  let there: Checklists;
  beforeAll(async () => {
    const { store, second } = use();
    one = await startApp(store);
    const metrics = createMetrics();
    const two = createChecklists({
      store: (await second?.()) ?? store,
      tenants: one.tenants,
      metrics,
      refresh: async () => {},
      queue: createTestQueue(),
      onError: fail,
      watch: one.watch,
      workers: createTextWorkers({ entry: threadProgram('entry') }),
      trackerOf: createTrackers({ metrics, quota: unlimited, send: one.tracker.fetch }),
    });
    const tenant = await one.tenants.find(one.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    one.tracker.granted.set('alice', [...EDITOR, 'CREATE_ISSUES']);
    there = two.of({ tenant, account: 'alice' });
    return () => one.app.close();
  });

  test('changes of one issue in two processes are all kept', async () => {
    const issue = await newIssue(one);
    const { checklist } = await issue.edit(add('start'));
    const { epoch, seq, hash } = checklist;
    const names = Array.from({ length: 10 }, (_, index) => `item-${index}`);
    await Promise.all(
      names.map((name, index) =>
        index % 2
          ? issue.change(add(name), checklist)
          : there.change({ issueId: issue.id, clientId: name, base: { epoch, seq, hash }, edit: add(name) }),
      ),
    );
    const lines = (await issue.text()).trim().split('\n');
    expect(lines).toHaveLength(11);
    expect(new Set(lines)).toEqual(new Set(['- start', ...names.map(name => `- ${name}`)]));
    expect((await issue.read()).seq).toBe(11);
  });

  test('concurrent conversions of one item in two processes create one issue', async () => {
    const account = randomUUID();
    const issue = await newIssue(one, [...EDITOR, 'CREATE_ISSUES'], account);
    const items = Array.from({ length: 8 }, (_, index) => `item ${index}`);
    await issue.edit(update(items.map(item => `- ${item}`).join('\n')));
    const subtasks = () => Array.from(one.tracker.issues.get(issue.id)?.fields.subtasks as unknown[]);
    for (const [index, text] of items.entries()) {
      const edit = { kind: 'convertItemToIssue', target: { index, text }, to: 'SUBTASK' } as const;
      const { epoch, seq, hash } = await issue.read();
      const base = { epoch, seq, hash };
      const ask = () =>
        Promise.allSettled([
          issue.change(edit, base, `here-${index}`),
          there.change({ issueId: issue.id, clientId: `there-${index}`, base, edit }),
        ]);
      const asked = await ask();
      // One of them may be asked to wait; a retry returns the same key.
      for (const each of asked) if (each.status === 'rejected') expect(each.reason.code).toBe('TRACKER_UNAVAILABLE');
      const keys = (await ask()).map(each => each.status === 'fulfilled' && each.value.issueKey);
      expect(keys[0]).toMatch(/^PR-/);
      expect(keys[1]).toBe(keys[0]);
      expect(subtasks()).toHaveLength(index + 1);
    }
  });
});
