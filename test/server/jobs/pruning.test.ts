import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createPruning } from '../../../src/server/jobs/pruning.ts';
import type { Handlers } from '../../../src/server/queue/queue.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, update, workOn } from '../support/checklists.ts';
import { newSite, startForge } from '../support/forge.ts';
import { another, open, until } from '../support/stored-queue.ts';
import { onBothStores } from '../support/stores.ts';

const DAY = 86_400;

onBothStores(use => {
  const start = async (): Promise<TestApp> => {
    const it = await startApp(use().store);
    onTestFinished(() => it.app.close());
    return it;
  };

  /** Lets days pass since the uninstallation. */
  const later = (tenant: string, days: number) =>
    use().raw(`update tenant set uninstalled = uninstalled - $2 * interval '1 day' where tenant = $1`, [tenant, days]);

  const daily = (it: TestApp, tenant = it.tenant.id) =>
    it.jobs.prune({ tenant }, { signal: new AbortController().signal, lastTry: false });

  test('the next run is kept in the database: restarts do not postpone it, and one process does it', async () => {
    const it = await start();
    const tenant = it.tenant.id;
    const runs: string[] = [];
    /** A process with the tenant's pruning. */
    const process = (store: Store, queue: ReturnType<typeof open>) => {
      const { jobs, recover } = createPruning({ store, queue, onError: expect.unreachable });
      const prune: Handlers['prune'] = async (data, run) => {
        runs.push(data.tenant);
        await jobs.prune(data, run);
      };
      return { ...queue, recover, begin: () => queue.start({ prune }) };
    };
    const due = async () => {
      const [row] = await use().raw(
        `select extract(epoch from due - now())::int as wait from queue where tenant = $1 and name = 'prune'`,
        [tenant],
      );
      return row && Number(row.wait);
    };
    const first = process(use().store, open(use().store));
    await first.recover();
    await first.stop(100);
    expect(await due()).toBeGreaterThan(DAY - 60);
    await use().raw(`update queue set due = due - interval '20 hours' where tenant = $1 and name = 'prune'`, [tenant]);

    const second = process(use().store, open(use().store));
    const third = process(use().store, await another(use()));
    for (const each of [second, third]) await each.recover();
    expect(await due()).toBeLessThan(DAY / 4);
    await use().raw(`update queue set due = now() where tenant = $1 and name = 'prune'`, [tenant]);
    for (const each of [second, third]) each.begin();
    await until(async () => expect(await due()).toBeUndefined());
    expect(runs.filter(id => id === tenant)).toEqual([tenant]);
    await second.recover();
    expect(await due()).toBeGreaterThan(DAY - 60);
  });

  test('the daily run deletes old history of an uninstalled site as well', async () => {
    const it = await start();
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await issue.edit(add('- b'));
    await use().raw(`update revision set created = now() - interval '800 days' where issue = $1`, [issue.id]);
    await it.tenants.uninstall(it.tenant.id);
    await daily(it);
    expect(await use().raw('select seq from revision where issue = $1', [issue.id])).toEqual([{ seq: 2 }]);
  });

  test('a site that installs the app again within the period finds its checklists, after it none', async () => {
    const it = await start();
    const { id, secret } = it.tenant;
    const install = () => it.tenants.install({ id, secret, url: 'https://site.example.net' });
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await it.tenants.uninstall(id);
    await later(id, 29);
    await daily(it);
    await install();
    const again = await workOn(it, issue.id, 'again');
    it.tracker.granted.set('again', EDITOR);
    expect((await again.read()).text.trim()).toBe('- a');

    // The period begins anew with each uninstallation.
    await it.tenants.uninstall(id);
    await later(id, 29);
    await daily(it);
    expect(await use().raw('select seq from revision where issue = $1', [issue.id])).toHaveLength(1);
    // Repeated, it does not.
    await it.tenants.uninstall(id);
    await later(id, 1);
    await daily(it);
    expect(await use().raw('select tenant from revision where tenant = $1', [id])).toEqual([]);
    expect(await use().store.tenants()).not.toContain(id);

    await install();
    expect(await it.tenants.find(id)).toMatchObject({ url: 'https://site.example.net', licensed: true });
    const fresh = await workOn(it, (await newIssue(it)).id, 'again');
    await fresh.edit(update('- new'));
    expect((await fresh.read()).text.trim()).toBe('- new');
  });

  test('on Forge the same holds, for a site that is on neither', async () => {
    const app = await startForge(use(), {});
    onTestFinished(() => app.it.app.close());
    const site = newSite();
    await app.signIn(site);
    const tenant = site.cloudId;
    await use().raw(
      `insert into template (tenant, id, name, text, account, items) values ($1, 't', 'n', '- a', 'a', 1)`,
      [tenant],
    );
    await app.send(site, '/forge/uninstall', '');
    await later(tenant, 29);
    await daily(app.it, tenant);
    const next = { ...site, installation: randomUUID() };
    expect((await app.signIn(next)).statusCode).toBe(200);
    const templates = () => use().raw('select id from template where tenant = $1', [tenant]);
    expect(await templates()).toHaveLength(1);
    await later(tenant, 300);
    await daily(app.it, tenant);
    expect(await templates()).toHaveLength(1);

    await app.send(next, '/forge/uninstall', '');
    await later(tenant, 30);
    await daily(app.it, tenant);
    expect(await templates()).toEqual([]);
    expect(await use().raw('select tenant from forge_site where tenant = $1', [tenant])).toEqual([]);
    const third = { ...site, installation: randomUUID() };
    expect((await app.signIn(third)).statusCode).toBe(200);
  });

  test('a site that leaves Forge and has the Connect app keeps its data', async () => {
    const app = await startForge(use(), {});
    const { it } = app;
    onTestFinished(() => it.app.close());
    const site = newSite();
    app.forge.past = { key: it.tenant.id };
    await app.signIn(site);
    await app.send(site, '/forge/uninstall', '');
    await later(it.tenant.id, 300);
    await daily(it);
    expect(await it.tenants.find(it.tenant.id)).toBeDefined();
    await it.tenants.uninstall(it.tenant.id);
    await later(it.tenant.id, 30);
    await daily(it);
    expect(await use().store.tenants()).not.toContain(it.tenant.id);
  });
});
