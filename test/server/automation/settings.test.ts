import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { MAX_WEBHOOKS } from '../../../src/domain/automation/webhooks.ts';
import { automation as messages, refusals, settings } from '../../../src/domain/messages.ts';
import { exportLines } from '../../../src/server/settings/records.ts';
import { appOf, startApp } from '../support/app.ts';
import { EDITOR } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';
import { webhooksAs } from '../support/webhooks.ts';

vi.setConfig({ testTimeout: 60_000 });

const askedShape = v.object({
  accountId: v.string(),
  projectPermissions: v.array(v.object({ projects: v.optional(v.array(v.number())) })),
});

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
  });

  const out = { direction: 'OUTGOING', name: 'Out', url: 'https://receiver.example/x', events: ['item.completed'] };
  const into = { direction: 'INCOMING', name: 'Into', actions: ['clear'] };

  test('a webhook is created with a secret that is shown once, listed, changed and deleted', async () => {
    const hooks = webhooksAs(it, 'admin');
    const { secret, webhooks } = await hooks.create({ ...out, name: '  Out  \u202E there\u2069 ' });
    expect(secret).toMatch(/^whs_[\w-]{43}$/);
    const [made] = webhooks ?? [];
    expect(made).toMatchObject({ name: 'Out there', enabled: true, address: null, withText: false });
    const again = await hooks.update({ id: made?.id, name: 'Renamed', withText: true });
    expect(again).toMatchObject({ secret: null, webhooks: [{ name: 'Renamed', withText: true, url: out.url }] });
    const incoming = await hooks.create(into);
    expect(incoming.webhooks?.at(-1)?.address).toMatch(/^https:\/\/addon\.example\/hooks\/[0-9a-f-]{36}$/);
    expect(await hooks.remove(made?.id ?? '')).toMatchObject({ webhooks: [{ name: 'Into' }] });
    expect(await hooks.list()).toHaveLength(1);
  });

  test('permissions by role', async () => {
    const site = { errors: [{ code: 'FORBIDDEN', message: refusals.permission }] };
    const { id } = await webhooksAs(it, 'admin').made(out);
    for (const account of ['lead', 'editor', 'anonymous']) {
      const hooks = webhooksAs(it, account);
      expect(await hooks.create(out)).toMatchObject(site);
      expect(await hooks.update({ id, enabled: false })).toMatchObject(site);
      expect(await hooks.remove(id)).toMatchObject(site);
      expect(await hooks.test(id)).toMatchObject(site);
      await expect(hooks.list()).rejects.toThrow(refusals.permission);
      await expect(hooks.calls(id)).rejects.toThrow(refusals.permission);
    }
    const lead = webhooksAs(it, 'lead');
    const here = await lead.made({ ...into, projectIds: [PROJECT] });
    expect(await lead.list(PROJECT)).toMatchObject([{ id: here.id }]);
    // Addresses of others may hold secrets.
    await webhooksAs(it, 'admin').made({ ...out, projectIds: [PROJECT, OTHER_PROJECT] });
    expect(await lead.list(PROJECT)).toHaveLength(1);
    expect(await lead.create({ ...into, projectIds: [PROJECT, OTHER_PROJECT] })).toMatchObject({
      errors: [{ code: 'FORBIDDEN', message: refusals.projectAdmin }],
    });
    expect(await lead.update({ id: here.id, projectIds: [] })).toMatchObject(site);
    await expect(webhooksAs(it, 'editor').list(PROJECT)).rejects.toThrow(refusals.projectAdmin);
    expect(await lead.remove(here.id)).toMatchObject({ errors: [], webhooks: [] });
    expect(await lead.remove(here.id)).toMatchObject({ errors: [{ code: 'NOT_FOUND', message: messages.notFound }] });
  });

  test.each([
    [{ name: 'x' }, 'TOO_SHORT', 'name'],
    [{ name: 'x'.repeat(141) }, 'TOO_LONG', 'name'],
    [{ url: 'http://receiver.example' }, 'UNREADABLE', 'url'],
    [{ url: 'https://10.0.0.1/x' }, 'UNREADABLE', 'url'],
    [{ url: 'https://[fd00::1]/x' }, 'UNREADABLE', 'url'],
    [{ url: 'https://localhost:3000' }, 'UNREADABLE', 'url'],
    [{ url: `https://receiver.example/${'x'.repeat(2_000)}` }, 'UNREADABLE', 'url'],
    [{ url: 'javascript:alert(1)' }, 'UNREADABLE', 'url'],
    [{ url: '' }, 'UNREADABLE', 'url'],
    [{ events: [] }, 'REQUIRED', 'events'],
    [{ events: ['item.deleted'] }, 'REQUIRED', 'events'],
    [{ token: 'two words' }, 'UNREADABLE', 'token'],
    [{ token: 'line\r\nbreak: x' }, 'UNREADABLE', 'token'],
    [{ projectIds: ['99999'] }, 'NOT_FOUND', 'projectIds'],
    [{ projectIds: ['x'] }, 'NOT_FOUND', 'projectIds'],
    [{ direction: 'INCOMING', actions: [] }, 'REQUIRED', 'actions'],
  ])('%j is refused', async (values, code, field) => {
    expect(await webhooksAs(it, 'admin').create({ ...out, ...values })).toMatchObject({
      secret: null,
      webhooks: null,
      errors: [{ code, field }],
    });
  });

  test('a site has a limited number of webhooks', async () => {
    await use().raw(
      `insert into webhook (tenant, id, direction, name, secret, account)
        select $1, 'w' || number, 'INCOMING', 'Name', 'x', 'a' from generate_series(1, $2::int) number`,
      [it.tenant.id, MAX_WEBHOOKS],
    );
    expect(await webhooksAs(it, 'admin').create(into)).toMatchObject({
      errors: [{ code: 'LIMIT_REACHED', message: messages.tooMany(MAX_WEBHOOKS) }],
    });
  });

  test('a webhook whose project was deleted can be turned off', async () => {
    const hooks = webhooksAs(it, 'admin');
    const { id } = await hooks.made({ ...into, projectIds: [PROJECT] });
    await use().raw(`update webhook set projects = '["99999"]' where id = $1`, [id]);
    expect(await hooks.update({ id, enabled: false })).toMatchObject({ errors: [], webhooks: [{ enabled: false }] });
    expect(await hooks.update({ id, enabled: true })).toMatchObject({
      errors: [{ code: 'NOT_FOUND', message: settings.noProject }],
    });
  });

  test.each([
    ['https://other.example/x', true],
    ['https://receiver.example:8443/x', true],
    ['https://receiver.example.other.example/x', true],
    ['https://receiver.example/another/path', false],
    ['HTTPS://Receiver.example:443/x', false],
  ])('what was entered for a receiver does not go to %s: %s', async (url, isOther) => {
    const hooks = webhooksAs(it, 'admin');
    const { id, secret } = await hooks.made({ ...out, token: 'jira-token' });
    const stored = () => use().raw('select secret, token from webhook where id = $1', [id]);
    const [before] = await stored();
    const changed = await hooks.update({ id, url });
    expect(changed).toMatchObject({ errors: [], webhooks: [{ hasToken: !isOther, enabled: true }] });
    const [after] = await stored();
    if (!isOther) {
      expect([changed.secret, after]).toEqual([null, before]);
      return;
    }
    expect(changed.secret).toMatch(/^whs_/);
    expect(changed.secret).not.toBe(secret);
    expect(after?.token).toBeNull();
    expect(after?.secret).not.toEqual(before?.secret);
  });

  test('a token that is entered with another address is kept', async () => {
    const hooks = webhooksAs(it, 'admin');
    const { id } = await hooks.made({ ...out, token: 'jira-token' });
    const changed = await hooks.update({ id, url: 'https://other.example/x', token: 'of-the-other' });
    expect(changed).toMatchObject({ secret: expect.stringMatching(/^whs_/), webhooks: [{ hasToken: true }] });
  });

  test('the secrets of webhooks end with the installation, and a webhook that is turned on gets a new one', async () => {
    const hooks = webhooksAs(it, 'admin');
    const { id } = await hooks.made({ ...out, token: 'jira-token' });
    await hooks.made(into);
    const { id: tenant, secret } = it.tenant;
    await it.tenants.uninstall(tenant);
    expect(await use().raw('select distinct secret, token, enabled from webhook where tenant = $1', [tenant])).toEqual([
      { secret: null, token: null, enabled: false },
    ]);
    await it.tenants.install({ id: tenant, url: 'https://site.example.net', secret });
    const ended = { hasSecret: false, hasToken: false, enabled: false };
    expect(await hooks.list()).toMatchObject([ended, ended]);
    expect(await hooks.test(id)).toMatchObject({ errors: [{ message: messages.noSecret }] });
    // What is only renamed stays off.
    expect(await hooks.update({ id, name: 'Renamed' })).toMatchObject({ secret: null, webhooks: [ended, ended] });
    const on = await hooks.update({ id, enabled: true });
    expect(on.secret).toMatch(/^whs_/);
    expect(on.webhooks?.[0]).toMatchObject({ hasSecret: true, hasToken: false, enabled: true });
    expect((await hooks.update({ id, enabled: false })).secret).toBeNull();
    expect((await hooks.update({ id, enabled: true })).secret).toBeNull();
  });

  test('an export has webhooks without their secrets, and the removal deletes them', async () => {
    const hooks = webhooksAs(it, 'admin');
    await hooks.made({ ...out, token: 'jira-token' });
    let lines = '';
    for await (const line of exportLines(use().store, it.tenant.id)) lines += line;
    const row = JSON.parse(lines.split('\n').find(line => line.includes('"table":"webhook"')) ?? '{}').row;
    expect(row).toMatchObject({ name: 'Out', url: out.url });
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['secret']));
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['token']));
    await it.graphql('admin', 'mutation { removeSiteData(confirm: "https://site.example.net") { removed } }');
    expect(await hooks.list()).toEqual([]);
  });

  /** Makes `lead` an administrator of both projects. */
  const leadsBoth = () =>
    it.tracker.faults.push(({ path, body }) => {
      const asked = v.safeParse(askedShape, body);
      if (!path.endsWith('/permissions/check') || !asked.success || asked.output.accountId !== 'lead') return undefined;
      const [about] = asked.output.projectPermissions;
      const projectPermissions = [...EDITOR, 'ADMINISTER_PROJECTS'].map(permission => ({
        ...{ permission, issues: [], projects: about?.projects ?? [] },
      }));
      return new Response(JSON.stringify({ projectPermissions, globalPermissions: [] }));
    });

  test('an administrator of several projects sees the webhooks of these only', async () => {
    leadsBoth();
    const admin = webhooksAs(it, 'admin');
    await admin.made({ ...out, name: 'Site' });
    await admin.made({ ...out, name: 'Three', projectIds: [PROJECT] });
    const both = { ...into, name: 'Both', projectIds: [PROJECT, OTHER_PROJECT] };
    const { webhooks } = await webhooksAs(it, 'lead').create(both);
    expect(webhooks?.map(({ name }) => name)).toEqual(['Three', 'Both']);
    const id = webhooks?.at(-1)?.id ?? '';
    const named = async (answer: Promise<{ webhooks: { name: string }[] | null }>) =>
      (await answer).webhooks?.map(({ name }) => name);
    expect(await named(webhooksAs(it, 'lead').update({ id, enabled: false }))).toEqual(['Three', 'Both']);
    expect(await named(webhooksAs(it, 'lead').remove(id))).toEqual(['Three']);
    expect(await admin.list()).toHaveLength(2);
  });

  test('permissions in many projects are asked in one call, and in too many not at all', async () => {
    leadsBoth();
    const checks = async (work: () => Promise<unknown>) => {
      const before = it.tracker.calls.length;
      const answer = await work();
      return { answer, made: it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/permissions/check')) };
    };
    const projectIds = Array.from({ length: 30 }, (_, index) => String(20_000 + index));
    const { made } = await checks(() => webhooksAs(it, 'lead').create({ ...into, projectIds }));
    expect(made).toHaveLength(2);
    const tooMany = Array.from({ length: 51 }, (_, index) => String(20_000 + index));
    const refused = await checks(() => webhooksAs(it, 'lead').create({ ...into, projectIds: tooMany }));
    expect(refused.answer).toMatchObject({
      errors: [{ code: 'TOO_LARGE', field: 'projectIds', message: messages.tooManyProjects(50) }],
    });
    expect(refused.made).toEqual([]);
    expect(await webhooksAs(it, 'lead').create({ ...into, projectIds: [PROJECT, PROJECT] })).toMatchObject({
      webhooks: [{ projectIds: [PROJECT] }],
    });
  });

  test('a webhook that is turned off takes no unchecked values', async () => {
    const hooks = webhooksAs(it, 'admin');
    const { id } = await hooks.made(out);
    expect(await hooks.update({ id, enabled: false, url: 'https://10.0.0.1/x' })).toMatchObject({
      errors: [{ code: 'UNREADABLE', field: 'url' }],
    });
    expect(await hooks.list()).toMatchObject([{ url: out.url, enabled: true }]);
  });
});
