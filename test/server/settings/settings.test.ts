import { beforeEach, expect, test, vi } from 'vitest';
import {
  settings as messages,
  refusals,
  storage,
  templates as templateMessages,
} from '../../../src/domain/messages.ts';
import { permissionKey } from '../../../src/domain/permissions.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { demoTemplate } from '../../../src/domain/templates.ts';
import { hashSecret } from '../../../src/server/api-tokens/secret.ts';
import { exportLines } from '../../../src/server/settings/records.ts';
import { createToken } from '../support/api.ts';
import { SITE, startApp, type TestApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { provokes } from '../support/left-behind.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { putTemplate } from '../support/put-template.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

vi.setConfig({ testTimeout: 60_000 });

onStore(use => {
  let it: TestApp;

  beforeEach(async () => {
    it = await startApp(use().store);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS', own('view')]);
    it.tracker.granted.set('editor', EDITOR);
    await use().store.tenant(it.tenant.id, async tx => {
      await putTemplate(tx, it.tenant.id, 'admin', { id: 'global', project: null, name: 'Global', text: '- g' });
      await putTemplate(tx, it.tenant.id, 'lead', { id: 'here', project: PROJECT, name: 'Here', text: '- h' });
    });
    return () => it.app.close();
  });

  const SEEN =
    '{ managePermissions viewPermissions analytics gettingStartedTemplateId starterTemplates textField textFieldId fields { id own } }';
  const save = (account: string, input: Record<string, unknown>) =>
    askAs(it, account).mutate('updateSiteSettings', input, `settings ${SEEN}`);
  const site = refused('FORBIDDEN', null, refusals.permission);
  const project = refused('FORBIDDEN', null, refusals.projectAdmin);
  const removal = (account: string, confirm: string) =>
    askAs(it, account).ask(
      'mutation run($confirm: String!) { removeSiteData(confirm: $confirm) { removed errors { code field message } } }',
      { confirm },
    );

  test('defaults, and the choices offered', async () => {
    expect(await askAs(it, 'admin').ask(`{ siteSettings ${SEEN} }`)).toEqual({
      ...{ managePermissions: false, viewPermissions: false, analytics: true, gettingStartedTemplateId: null },
      starterTemplates: true,
      ...{ textField: 'OWN', textFieldId: null },
      fields: [
        { id: RIVAL_FIELD, own: false },
        { id: OWN_FIELD, own: true },
      ],
    });
  });

  test('switches take effect at once', async () => {
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(update('- a'));
    expect(await save('admin', { managePermissions: true, viewPermissions: true })).toMatchObject({
      errors: [],
      settings: { managePermissions: true, viewPermissions: true },
    });
    await expect(askAs(it, 'editor').ask(`{ checklist(issueId: "${issue.id}") { text } }`)).rejects.toThrow(
      refusals.permission,
    );
    await save('admin', { viewPermissions: false });
    expect(await askAs(it, 'editor').ask(`{ checklist(issueId: "${issue.id}") { text } }`)).toEqual({ text: '- a' });
  });

  test('analytics can be turned off', async () => {
    expect(await save('admin', { analytics: false })).toMatchObject({ errors: [], settings: { analytics: false } });
    expect((await it.tenants.find(it.tenant.id))?.settings.analytics_enabled).toBe(false);
    await save('admin', { managePermissions: false });
    expect(await askAs(it, 'admin').ask('{ siteSettings { analytics } }')).toEqual({ analytics: false });
  });

  test('the starter templates can be hidden', async () => {
    const hidden = async () => (await it.tenants.find(it.tenant.id))?.settings.starters_hidden;
    expect(await hidden()).toBeUndefined();
    const answer = await save('admin', { starterTemplates: false });
    expect(answer).toMatchObject({ errors: [], settings: { starterTemplates: false, managePermissions: false } });
    expect(await hidden()).toBe(true);
    await save('admin', { starterTemplates: true });
    expect(await hidden()).toBeUndefined();
  });

  test('only administrators can change settings, each of their own site or project', async () => {
    for (const account of ['lead', 'editor', 'anonymous']) {
      await expect(askAs(it, account).ask(`{ siteSettings ${SEEN} }`)).rejects.toThrow(refusals.permission);
      expect(await save(account, { managePermissions: true })).toMatchObject(site);
      expect(await removal(account, SITE)).toMatchObject(site);
      await expect(askAs(it, account).ask('{ gettingStarted { hasChecklist } }')).rejects.toThrow(refusals.permission);
    }
    const center = (account: string, projectId: string) =>
      askAs(it, account).mutate(
        'updateProjectSettings',
        { projectId, showInCenter: true },
        'settings { showInCenter }',
      );
    expect(await center('editor', PROJECT)).toMatchObject(project);
    expect(await center('lead', OTHER_PROJECT)).toMatchObject(project);
    expect(await center('lead', '../x')).toMatchObject(project);
    expect(await center('admin', '99999')).toMatchObject(refused('NOT_FOUND', 'projectId', messages.noProject));
    await expect(
      askAs(it, 'editor').ask(`{ projectSettings(projectId: "${PROJECT}") { showInCenter } }`),
    ).rejects.toThrow(refusals.projectAdmin);
    const asked = () => askAs(it, 'lead').ask(`{ projectSettings(projectId: "${PROJECT}") { showInCenter } }`);
    expect(await asked()).toEqual({ showInCenter: false });
    expect(await center('lead', PROJECT)).toMatchObject({ errors: [], settings: { showInCenter: true } });
    expect(it.tracker.projects.get(PROJECT)?.[storageKey('show-in-center-panel')]).toBe('true');
    expect(await asked()).toEqual({ showInCenter: true });
  });

  test('what customers of a project see is a choice of its administrators', async () => {
    const fields = 'portal portalModes service';
    const settings = (account = 'lead') =>
      askAs(it, account).ask(`{ projectSettings(projectId: "${PROJECT}") { ${fields} } }`);
    const choose = (account: string, projectId: string, portal: string) =>
      askAs(it, account).mutate('updateProjectSettings', { projectId, portal }, `settings { ${fields} }`);
    const all = ['ALL', 'OFF', 'SECTIONS'];
    expect(await settings()).toEqual({ portal: 'ALL', portalModes: all, service: false });
    expect(await choose('editor', PROJECT, 'OFF')).toMatchObject({ settings: null });
    expect(await choose('lead', OTHER_PROJECT, 'OFF')).toMatchObject({ settings: null });
    expect(await choose('lead', PROJECT, 'SECTIONS')).toMatchObject({ errors: [], settings: { portal: 'SECTIONS' } });
    expect((await it.tenants.find(it.tenant.id))?.portal.projects.get(PROJECT)).toBe('SECTIONS');
    expect(await choose('lead', PROJECT, 'OFF')).toMatchObject({ settings: { portal: 'OFF' } });
    // An installation from before may go back, a new one never shows whole checklists.
    expect(await choose('lead', PROJECT, 'ALL')).toMatchObject({ settings: { portal: 'ALL' } });
    const fallback = (portal: string) =>
      it.tenants.change(it.tenant.id, tx =>
        tx.updateTable('tenant').set({ portal }).where('tenant', '=', it.tenant.id).execute(),
      );
    await fallback('OFF');
    await it.settled();
    expect(await settings()).toMatchObject({ portalModes: ['OFF', 'SECTIONS'] });
    expect(await choose('lead', PROJECT, 'ALL')).toMatchObject({ errors: [{ field: 'portal' }], settings: null });
    await fallback('ALL');
  });

  test('the default template of a site is one of its own templates', async () => {
    for (const gettingStartedTemplateId of ['here', 'none']) {
      expect(await save('admin', { gettingStartedTemplateId })).toMatchObject(
        refused('NOT_FOUND', 'gettingStartedTemplateId', templateMessages.notFound),
      );
    }
    await save('admin', { gettingStartedTemplateId: 'global' });
    const started = () =>
      askAs(it, 'admin').ask(
        '{ gettingStarted { hasChecklist hasTemplate templateId templateName demo { name text } } }',
      );
    const demo = { name: demoTemplate.name, text: demoTemplate.text };
    expect(await started()).toEqual({
      ...{ hasChecklist: false, hasTemplate: true, templateId: 'global', templateName: 'Global', demo },
    });
    await (await newIssue(it)).edit(update('- a'));
    await save('admin', { gettingStartedTemplateId: null });
    expect(await started()).toMatchObject({ hasChecklist: true, templateId: null });
  });

  test('choosing the text field', async () => {
    expect(await save('admin', { textField: 'CHOSEN', textFieldId: 'summary' })).toMatchObject(
      refused('NOT_FOUND', 'textFieldId', messages.noField),
    );
    expect(await save('admin', { textField: 'CHOSEN' })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    const issue = await newIssue(it, EDITOR, 'editor');
    const fields = it.tracker.issues.get(issue.id)?.fields ?? {};
    const write = async (text: string) => {
      await askAs(it, 'editor').ask(
        'mutation run($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }',
        { input: { issueId: issue.id, clientId: text, base: await baseOf(issue.id), change: update(`- ${text}`) } },
      );
      await it.settled();
    };
    const baseOf = (id: string) => askAs(it, 'editor').ask(`{ checklist(issueId: "${id}") { epoch seq hash } }`);
    await save('admin', { textField: 'CHOSEN', textFieldId: RIVAL_FIELD });
    await write('one');
    expect(fields).toMatchObject({ [RIVAL_FIELD]: '- one', [OWN_FIELD]: null });
    await use().raw(
      `update sync set field_wanted = true, field_refused = 'forbidden', field_tries = 1, field_retry = now() + interval '6 hours', field_notice = 'x'
        where issue = $1`,
      [issue.id],
    );
    await save('admin', { textField: 'NONE' });
    expect(await askAs(it, 'admin').ask('{ storedData { refused { copy } } }')).toEqual({ refused: [] });
    await write('two');
    expect(fields).toMatchObject({ [RIVAL_FIELD]: '- one', [OWN_FIELD]: null });
    expect(await save('admin', { textField: 'OWN' })).toMatchObject({
      settings: { textField: 'OWN', textFieldId: null },
    });
    await write('three');
    expect(fields).toMatchObject({ [OWN_FIELD]: '- three' });
  });

  test('permissions granted in a project', async () => {
    const holders = () =>
      askAs(it, 'lead').ask(`{ permissionHolders(projectId: "${PROJECT}") { permission known accounts more } }`);
    expect(await holders()).toEqual([
      { permission: 'EDIT_ISSUES', known: true, accounts: ['admin', 'lead', 'editor'], more: false },
      { permission: 'ADMINISTER_PROJECTS', known: true, accounts: ['lead'], more: false },
    ]);
    await save('admin', { managePermissions: true });
    expect(await holders()).toContainEqual({
      permission: permissionKey('view-checklist'),
      known: true,
      accounts: ['lead'],
      more: false,
    });
    // Beyond the first accounts of the site.
    const others = Array.from({ length: 100 }, (_, index): [string, string[]] => [`nobody-${index}`, []]);
    it.tracker.granted = new Map([...others, ...it.tracker.granted]);
    expect(await holders()).toContainEqual({
      ...{ permission: permissionKey('view-checklist'), known: true },
      ...{ accounts: ['lead'], more: false },
    });
    // Just after an installation, and where the tracker denies the search to the app.
    for (const status of [400, 403]) {
      it.tracker.faults = [
        ({ path }) => (path.endsWith('/user/permission/search') ? new Response('{}', { status }) : undefined),
      ];
      expect(await holders()).toContainEqual({
        ...{ permission: permissionKey('view-checklist'), known: false },
        ...{ accounts: [], more: false },
      });
    }
    await expect(
      askAs(it, 'editor').ask(`{ permissionHolders(projectId: "${PROJECT}") { permission } }`),
    ).rejects.toThrow(refusals.projectAdmin);
  });

  const exported = async (account: string) => {
    const headers = { authorization: `JWT ${await it.session(account)}` };
    return it.app.inject({ method: 'GET', url: '/api/export', headers });
  };

  test('an export contains everything once, in chunks, during concurrent writes', async () => {
    const it = await startApp(use().store);
    const { id: tenant } = it.tenant;
    const put = (id: string) =>
      use().store.tenant(tenant, tx => putTemplate(tx, tenant, 'ana', { id, project: null, name: id, text: '- a' }));
    const ids = Array.from({ length: 450 }, (_, index) => `t${index + 1_000}`);
    for (const id of ids) await put(id);
    const found: string[] = [];
    for await (const line of exportLines(use().store, tenant)) {
      const { table, row } = JSON.parse(line);
      if (table === 'template') found.push(row.id);
      // Before all of it was read.
      if (found.length === 100) await put('a');
    }
    expect(found).toEqual(ids);
    await it.app.close();
  });

  test('a site exports its own data only', async () => {
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(update('- a "quoted"'));
    const other = await startApp(use().store);
    await use().store.tenant(other.tenant.id, tx =>
      putTemplate(tx, other.tenant.id, 'eve', { id: 'foreign', project: null, name: 'Foreign', text: '- f' }),
    );
    await other.app.close();
    const { statusCode, headers, body } = await exported('admin');
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 200,
      type: 'application/x-ndjson; charset=utf-8',
    });
    const [head, ...rows] = body
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(head).toEqual({ format: 'smart-checklist-site', version: 1 });
    expect(rows.filter(({ table }) => table === 'revision')).toMatchObject([
      { row: { issue: issue.id, text: '- a "quoted"' } },
    ]);
    expect(rows.filter(({ table }) => table === 'template').map(({ row }) => row.id)).toEqual(['global', 'here']);
    expect(body).not.toContain('secret');
    for (const account of ['lead', 'editor', 'anonymous']) expect((await exported(account)).statusCode).toBe(403);
    expect((await it.app.inject({ method: 'GET', url: '/api/export' })).statusCode).toBe(401);
  });

  test('while the tracker does not answer, an export says when to ask again', async () => {
    provokes({ answers: [503] });
    it.tracker.faults = [({ path }) => (path.endsWith('/permissions/check') ? 'down' : undefined)];
    const { statusCode, headers, body } = await exported('newcomer');
    it.tracker.faults = [];
    expect({ statusCode, retry: headers['retry-after'] }).toEqual({ statusCode: 503, retry: '30' });
    expect(JSON.parse(body)).toEqual({ error: storage.trackerUnavailable });
  });

  test('an export has the API tokens, revoked ones, too, without what a token could be checked by', async () => {
    const { id, secret } = await createToken(use().store, it, { name: 'Build server' });
    const revoked = await createToken(use().store, it, { name: 'Former' });
    await use().raw('update api_token set revoked = now() where id = $1', [revoked.id]);
    const { body } = await exported('admin');
    const rows = body
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(({ table }) => table === 'api_token')
      .map(({ row }) => row);
    expect(new Set(rows.map(row => row.name))).toEqual(new Set(['Build server', 'Former']));
    expect(rows.find(row => row.id === id)).toMatchObject({ scope: 'WRITE', account: 'admin', projects: [] });
    for (const row of rows) expect(row).not.toHaveProperty('hash');
    for (const text of [secret, hashSecret(secret)]) expect(body).not.toContain(text);
  });

  test("deletion removes the app's data and keeps the tracker's", async () => {
    provokes({ differences: true });
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(update('- a'));
    expect(await removal('admin', SITE)).toEqual({
      removed: false,
      ...refused('BUSY', null, messages.copiesPending),
    });
    await it.settled();
    expect(await issue.stored()).toMatchObject({ text: '- a' });
    for (const confirm of ['', 'https://other.example.net']) {
      expect(await removal('admin', confirm)).toEqual({
        removed: false,
        ...refused('UNCONFIRMED', 'confirm', messages.unconfirmed),
      });
    }
    await save('admin', { analytics: false });
    expect(await removal('admin', ` ${SITE}/ `)).toEqual({ removed: true, errors: [] });
    // Analytics stay off.
    expect((await it.tenants.find(it.tenant.id))?.settings.analytics_enabled).toBe(false);
    expect((await exported('admin')).body.trim().split('\n')).toHaveLength(1);
    for (const table of ['revision', 'checklist', 'sync', 'template', 'job']) {
      expect(await use().raw(`select count(*)::int as count from ${table} where tenant = $1`, [it.tenant.id])).toEqual([
        { count: 0 },
      ]);
    }
    expect(await askAs(it, 'editor').ask(`{ checklist(issueId: "${issue.id}") { text } }`)).toEqual({ text: '- a' });
    expect(await askAs(it, 'admin').ask('{ statuses { slug } }')).toHaveLength(4);
  });
});
