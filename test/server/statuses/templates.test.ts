import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { loadStatuses } from '../../../src/server/statuses/records.ts';
import { siteStatuses } from '../../../src/server/statuses/registries.ts';
import { relabelTemplates } from '../../../src/server/templates/status-texts.ts';
import { markDeleted } from '../../../src/server/templates/templates.ts';
import { type RunTask, runHere } from '../../../src/server/text-workers/task.ts';
import { appOf, startApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { putTemplate } from '../support/put-template.ts';
import { onStore } from '../support/stores.ts';

// Some tests run whole jobs.
vi.setConfig({ testTimeout: 60_000 });

const long = (mark: string) => Array.from({ length: 900 }, (_, index) => `- [${mark}] row ${index}`).join('\n');

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
  });

  const run = (account: string, name: string, values: Record<string, unknown>) =>
    askAs(it, account).mutate(name, values, 'statuses { slug } job { id }');
  const create = (account: string, values: Record<string, unknown> = {}) =>
    run(account, 'createStatus', { name: 'On hold', color: 'red', checked: false, ...values });
  const rename = (account: string) => run(account, 'updateStatus', { slug: 'on_hold', name: 'Waiting' });
  const used = (account: string) => askAs(it, account).ask('{ statusUse(slug: "on_hold") { templates } }');
  const put = async (text: string, project: string | null = null) => {
    const id = randomUUID();
    const template = { id, project, name: id, text };
    await use().store.tenant(it.tenant.id, tx => putTemplate(tx, it.tenant.id, 'admin', template));
    return id;
  };
  const textOf = async (id: string) => {
    const [row] = await use().raw('select text from template where id = $1', [id]);
    return row?.text;
  };
  const textsOf = async (ids: readonly string[]) => {
    const found: unknown[] = [];
    for (const id of ids) found.push(await textOf(id));
    return found;
  };

  test("a project's status is counted and renamed in the templates of the project only", async () => {
    await create('lead', { projectId: PROJECT });
    const [own, ofSite] = [await put('- [On hold] a', PROJECT), await put('- [On hold] a')];
    expect(await used('lead')).toEqual({ templates: 1 });
    expect(await rename('lead')).toMatchObject({ errors: [] });
    await it.settled();
    expect([await textOf(own), await textOf(ofSite)]).toEqual(['- [Waiting] a', '- [On hold] a']);
  });

  test('large templates are read in a turn each of who asks, and of who started the job', async () => {
    await create('admin');
    const ids = [await put(long('On hold')), await put(long('On hold'), PROJECT), await put(long('Other'))];
    await put('- no status');
    it.turns.length = 0;
    expect(await used('admin')).toEqual({ templates: 2 });
    expect(it.turns).toEqual(['admin', 'admin', 'admin']);
    expect(await rename('admin')).toMatchObject({ errors: [] });
    // At once, and again by the job, before which another change may have come.
    expect(it.turns).toEqual(Array(6).fill('admin'));
    await it.settled();
    expect(it.turns).toEqual(Array(9).fill('admin'));
    expect(await textsOf(ids)).toEqual([long('Waiting'), long('Waiting'), long('Other')]);
  });

  test('a page of templates is renamed at once, the others by the job, also one that is restored later', async () => {
    await create('admin');
    const ids: string[] = [];
    for (let count = 0; count < 45; count++) ids.push(await put('- [On hold] a'));
    await use().store.tenant(it.tenant.id, tx => markDeleted(tx, it.tenant.id, ids[7] ?? ''));
    const renamed = async () => (await textsOf(ids)).filter(text => text === '- [Waiting] a').length;
    await rename('admin');
    expect(await renamed()).toBe(20);
    await it.settled();
    expect(await renamed()).toBe(45);
  });

  test('a text that is saved meanwhile is kept, and renamed, too', async () => {
    await create('admin');
    await rename('admin');
    const { store } = use();
    const tenant = it.tenant.id;
    const id = await put(long('On hold'));
    const saved = `${long('On hold')}\n- [On hold] added`;
    let runs = 0;
    const run: RunTask = async (task, input) => {
      const done = await runHere(task, input);
      runs += 1;
      const template = { id, project: null, name: id, text: saved };
      if (runs === 1) await store.tenant(tenant, tx => putTemplate(tx, tenant, 'admin', template));
      return done;
    };
    const statuses = siteStatuses(await store.tenant(tenant, tx => loadStatuses(tx, tenant)));
    const scope = { store, tenant, project: null, statuses, run };
    expect(await relabelTemplates(scope, new Map())).toBe(true);
    expect(await textOf(id)).toBe(`${long('Waiting')}\n- [Waiting] added`);
    expect(runs).toBe(2);
    expect(await relabelTemplates(scope, new Map())).toBe(false);
  });
});
