import { expect, test } from 'vitest';
import { createChecklists } from '../../../src/server/checklists/checklists.ts';
import { createMetrics } from '../../../src/server/http/metrics.ts';
import { createTrackers } from '../../../src/server/tracker/trackers.ts';
import { startApp } from '../support/app.ts';
import { add, EDITOR, newIssue } from '../support/checklists.ts';
import { createTestQueue } from '../support/queue.ts';
import { unlimited } from '../support/quota.ts';
import { onBothStores } from '../support/stores.ts';

const fail = (error: unknown) => {
  throw error;
};

onBothStores(use => {
  test('two processes that change one issue at once lose nothing', async () => {
    const { store, second } = use();
    const one = await startApp(store);
    const issue = await newIssue(one);
    const metrics = createMetrics();
    const two = createChecklists({
      store: (await second?.()) ?? store,
      tenants: one.tenants,
      metrics,
      refresh: async () => {},
      queue: createTestQueue(),
      onError: fail,
      trackerOf: createTrackers({ metrics, quota: unlimited, send: one.tracker.fetch }),
    });
    const tenant = await one.tenants.find(one.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    one.tracker.granted.set('alice', EDITOR);
    const there = two.of({ tenant, account: 'alice' });

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
    await one.app.close();
  });
});
