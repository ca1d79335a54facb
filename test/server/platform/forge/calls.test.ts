import { describe, expect, onTestFinished, test } from 'vitest';
import { addonPermissions, permissionKey } from '../../../../src/domain/permissions.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import { decodeSession } from '../../../../src/domain/token.ts';
import { TrackerUnavailable } from '../../../../src/server/errors/tracker.ts';
import { browserAddress } from '../../../../src/server/platform/tracker/endpoint.ts';
import { SITE } from '../../support/app.ts';
import { EDITOR, newIssue, tick, update, workOn } from '../../support/checklists.ts';
import { APP_ID, ENVIRONMENT_ID, type ForgeApp, GATEWAY, newSite, startForge } from '../../support/forge.ts';
import { jobsOf } from '../../support/jobs.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';
import { ADDON_ACCOUNT } from '../../support/tracker.ts';
import { ADMIN } from '../../support/wide.ts';

const HOUR = 3_600_000;

onStore(use => {
  /** An app with one tenant that moved to Forge, and an issue that an account edits. */
  async function moved(env: NodeJS.ProcessEnv = {}) {
    const app = await startForge(use(), env);
    onTestFinished(() => app.it.app.close());
    const site = newSite();
    app.forge.past = { key: app.it.tenant.id };
    const appToken = app.appToken();
    await app.signIn(site, { account: 'alice', appToken, userToken: app.userToken('alice') });
    const issue = await newIssue(app.it, EDITOR, 'alice');
    return { app, site, appToken, issue };
  }
  const checks = ({ forge }: ForgeApp) => forge.calls.filter(({ path }) => path === '/rest/api/3/permissions/check');
  const again = async ({ it }: ForgeApp, id: string, account = 'alice') => workOn(it, id, account);
  const waiting = async ({ it }: ForgeApp) => {
    const { body } = await it.app.inject('/metrics');
    return body.split('\n').filter(line => line.startsWith('forge_'));
  };
  const endingSites = async (app: ForgeApp) =>
    Number((await waiting(app)).find(line => line.startsWith('forge_tokens_ending'))?.split(' ')[1]);
  const dropConnect = ({ it }: ForgeApp) => it.tenants.uninstall(it.tenant.id);

  describe('a permission check', () => {
    test('is made in the name of the user', async () => {
      const { app, issue } = await moved();
      await issue.edit(update('- a'));
      const body = { accountId: 'alice', globalPermissions: ['ADMINISTER', 'SYSTEM_ADMIN'] };
      expect(checks(app)).toMatchObject([{ as: 'alice', body }]);
    });

    test('uses a token that the platform issues for absent users, requested once per lifetime', async () => {
      const { app, issue } = await moved();
      app.it.tracker.granted.set('bob', EDITOR);
      app.forge.impersonated.add('bob');
      const bobs = await again(app, issue.id, 'bob');
      await Promise.all([bobs.edit(update('- a')), bobs.read()]);
      expect(app.forge.calls.filter(({ path }) => path === '/graphql')).toMatchObject([
        {
          as: null,
          body: {
            variables: { input: { userId: 'bob', contextIds: [expect.stringMatching(/^ari:cloud:jira::site\//)] } },
          },
        },
      ]);
      expect(checks(app).every(({ as }) => as === 'bob')).toBe(true);
      app.it.elapse(HOUR);
      await app.it.checklists.of(await callerOf(app, 'bob')).flagsNow([issue.id]);
      expect(app.forge.calls.filter(({ path }) => path === '/graphql')).toHaveLength(2);
    });

    test('is unavailable where the platform issues no token, and the token is not requested again at once', async () => {
      const { app, issue } = await moved();
      await dropConnect(app);
      const eves = await again(app, issue.id, 'eve');
      for (let time = 0; time < 2; time++) {
        await expect(eves.edit(update('- a'))).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
      }
      expect(app.forge.calls.filter(({ path }) => path === '/graphql')).toHaveLength(1);
      expect((await waiting(app)).join()).toMatch(/without_token_total\{whose="asker"\} [1-9]/);
    });

    test('is made over Connect, while available, where the platform issues no token', async () => {
      const { app, issue } = await moved();
      app.it.tracker.granted.set('eve', EDITOR);
      await (await again(app, issue.id, 'eve')).edit(update('- a'));
      expect(checks(app)).toEqual([]);
      const asked = app.it.tracker.calls.filter(({ path }) => path === '/rest/api/3/permissions/check');
      expect(asked).toMatchObject([{ body: { accountId: 'eve' } }]);
    });

    test('uses another token where the gateway refuses the stored one', async () => {
      const { app, issue } = await moved();
      for (const [token, account] of app.forge.good) if (account === 'alice') app.forge.good.delete(token);
      app.forge.impersonated.add('alice');
      await issue.edit(update('- a'));
      expect(checks(app).map(({ as }) => as)).toEqual([null, 'alice']);
      expect(await use().raw('select account from forge_asker where tenant = $1', [app.it.tenant.id])).toHaveLength(1);
    });

    test('is about the account, whichever account its token belongs to', async () => {
      const { app, site, issue } = await moved();
      const speaksFor = (account: string) => {
        for (const [token, of] of app.forge.good) if (of === 'alice') app.forge.good.set(token, account);
      };
      app.it.tracker.granted.set('mallory', EDITOR);
      speaksFor('mallory');
      await app.signIn(site);
      await expect(issue.edit(update('- a'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(checks(app)).toMatchObject([{ as: 'mallory', body: { accountId: 'alice' } }]);
    });

    test('is made as the app where so configured', async () => {
      const { app, issue } = await moved({ FORGE_ASK: 'app' });
      app.forge.asksForOthers = true;
      await issue.edit(update('- a'));
      expect(checks(app)).toMatchObject([{ as: null, body: { accountId: 'alice' } }]);
      expect(await use().raw('select account from forge_asker where tenant = $1', [app.it.tenant.id])).toEqual([]);
    });

    test("uses the site's keys of the app's permissions", async () => {
      const { app, site, issue } = await moved();
      const { it, forge } = app;
      const nameOf = (module: string) =>
        `ari:cloud:ecosystem::extension/${APP_ID.split('/').at(-1)}/${ENVIRONMENT_ID}/static/${module}`;
      const named = Object.values(addonPermissions).map(nameOf);
      const otherApp = named.map(name => name.replace('11111111', '99999999'));
      const otherEnvironment = named.map(name => name.replace(ENVIRONMENT_ID, 'development'));
      forge.permissions = ['BROWSE_PROJECTS', ...otherApp, ...otherEnvironment, ...named];
      it.tracker.known = new Set(forge.permissions);
      await app.send(site, '/forge/tick', {});
      await app.send(site, '/forge/tick', {});
      expect(forge.calls.filter(({ path }) => path === '/rest/api/3/permissions')).toHaveLength(1);
      await use().raw('update tenant set manage_permissions = true where tenant = $1', [it.tenant.id]);
      it.tracker.granted.set('alice', ['BROWSE_PROJECTS', nameOf('manage-checklist')]);
      await (await again(app, issue.id)).edit(update('- a'));
      const { token } = (await app.signIn(site)).json();
      expect(decodeSession(token).settings.permission_keys).toMatchObject({ 'add-items': nameOf('add-items') });
    });

    test('Connect keys are used where the site has those', async () => {
      const { app, site } = await moved();
      app.forge.permissions = Object.values(addonPermissions).map(module => permissionKey(module));
      await app.send(site, '/forge/tick', {});
      const keys = (await app.it.tenants.find(app.it.tenant.id))?.forge?.permissions;
      expect(keys?.['add-items']).toBe(permissionKey('add-items'));
    });
  });

  describe('a token of the app', () => {
    test('that expires delays the work until an hourly call brings another one', async () => {
      const { app, site, issue } = await moved();
      await dropConnect(app);
      const mine = await again(app, issue.id);
      await mine.edit(update('- a\n- b'));
      await app.it.settled();
      app.it.elapse(2 * HOUR);
      // Granted permissions stay valid while the tracker is unavailable: the change is accepted.
      await (await again(app, issue.id)).change(tick(0, 'a'), { epoch: '', seq: 0, hash: '-', orCurrent: true });
      const failures = await app.it.background.work(app.it.jobs);
      expect(failures.length).toBeGreaterThan(0);
      expect(failures.every(failure => failure instanceof TrackerUnavailable && failure.retryAfter !== undefined)).toBe(
        true,
      );
      expect((await waiting(app)).join()).toMatch(/without_token_total\{whose="app"\} [1-9]/);
      const ending = await endingSites(app);
      expect(app.it.tracker.property(issue.id)).toMatchObject({ text: '- a\n- b' });

      app.it.renewed.length = 0;
      await app.send(site, '/forge/tick', {});
      expect(app.it.renewed).toEqual([app.it.tenant.id]);
      expect(await endingSites(app)).toBe(ending - 1);
      await app.it.settled();
      expect(app.it.tracker.property(issue.id)).toMatchObject({ text: '+ a\n- b' });
    });

    test('that expires during a job pauses it; the job continues from there', async () => {
      const { app, site } = await moved();
      const { it } = app;
      // The job of every installation.
      await it.settled();
      app.forge.impersonated.add('admin');
      it.tracker.granted.set('admin', ADMIN);
      const issues = await Promise.all(Array.from({ length: 3 }, () => newIssue(it)));
      for (const { id } of issues) {
        const held = it.tracker.issues.get(id);
        if (held) held.properties[storageKey('checklist')] = '- Left there';
      }
      await dropConnect(app);
      const { job } = await jobsOf(it, 'admin').synchronize();
      // At the second issue of the job.
      const second = issues[1]?.id ?? '';
      it.tracker.meanwhile.push(async ({ path }) => {
        if (!path.endsWith(`/issue/${second}`)) return;
        it.tracker.meanwhile.length = 0;
        it.elapse(2 * HOUR);
      });
      expect(await it.background.work(it.jobs)).toEqual([]);
      const admin = await callerOf(app, 'admin');
      const found = () => it.wideJobs.of(admin).find(job?.id ?? '');
      expect(await found()).toMatchObject({ state: 'RUNNING', progress: { failed: 0 } });
      expect((await found()).progress.seen).toBeLessThan(4);

      await app.send(site, '/forge/tick', {});
      await it.settled();
      expect(await found()).toMatchObject({ state: 'DONE', progress: { seen: 4, done: 3, failed: 0 } });
    });

    test('that the gateway refuses is deleted at once; the work continues over Connect', async () => {
      const { app, appToken, issue } = await moved();
      app.forge.good.delete(appToken);
      await issue.edit(update('- a')).catch(() => undefined);
      await app.it.background.work(app.it.jobs);
      const tenant = await app.it.tenants.find(app.it.tenant.id);
      expect(tenant?.forge?.token).toBeUndefined();
      await (await again(app, issue.id)).edit(update('- b'));
      await app.it.settled();
      expect(app.it.tracker.property(issue.id)).toMatchObject({ text: '- b' });
    });

    test('is kept where the gateway refuses a call for its scopes', async () => {
      provokes({ errors: /CopyRefused/, retries: true });
      const { app, issue } = await moved();
      app.forge.fault = path =>
        path.includes('/properties/')
          ? Response.json({ code: 401, message: 'Unauthorized; scope does not match' }, { status: 401 })
          : undefined;
      await issue.edit(update('- a'));
      await app.it.settled();
      expect((await app.it.tenants.find(app.it.tenant.id))?.forge?.token).toBeDefined();
      expect((await issue.read()).notices).toEqual([expect.stringContaining('403')]);
    });

    test('is stored once for many calls, and replaced by one that lasts longer', async () => {
      const { app, site, appToken } = await moved();
      const kept = async () => (await app.it.tenants.find(app.it.tenant.id))?.forge?.token;
      const first = await kept();
      expect(first?.value).toBe(appToken);
      await app.signIn(site);
      expect(await kept()).toEqual(first);
      app.it.elapse(HOUR);
      await app.signIn(site, { appToken });
      expect(await kept()).toEqual(first);
      const next = app.appToken();
      // A token that a frame sends along is not trusted.
      await app.signIn(site, { appToken: next });
      expect(await kept()).toEqual(first);
      await app.send(site, '/forge/tick', {}, { token: next });
      expect((await kept())?.value).toBe(next);
    });

    test('the expiry time in a token is used, up to four hours', async () => {
      const { app, site } = await moved();
      const ending = (seconds: number) => {
        const claims = Buffer.from(JSON.stringify({ exp: Math.floor(NOW / 1000) + seconds })).toString('base64url');
        const token = `e30.${claims}.x${seconds}`;
        app.forge.good.set(token, null);
        return token;
      };
      const NOW = app.it.now();
      const until = async () => (await app.it.tenants.find(app.it.tenant.id))?.forge?.token?.until;
      await app.send(site, '/forge/tick', {}, { token: ending(3 * 3_600) });
      expect(await until()).toBe(Math.floor(NOW / 1000) * 1000 + 3 * HOUR);
      await app.send(site, '/forge/tick', {}, { token: ending(90 * 3_600) });
      expect(await until()).toBe(NOW + 4 * HOUR);
    });
  });

  test('icons that require a token are loaded from the site', async () => {
    const { app, site } = await moved();
    const tenant = await app.it.tenants.find(app.it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const icon = (address: string) => browserAddress(tenant, address);
    expect(icon(`${GATEWAY}/ex/jira/${site.cloudId}/images/task.svg?a=1`)).toBe(`${SITE}/images/task.svg?a=1`);
    for (const other of [`${GATEWAY}/ex/jira/${site.cloudId}x/task.svg`, 'https://avatars.example/1.png']) {
      expect(icon(other)).toBe(other);
    }
  });

  describe('a notification', () => {
    const NOTIFY = '/notify';
    const notes = ({ forge }: ForgeApp) => forge.calls.filter(({ path }) => path.endsWith(NOTIFY));
    const accept = ({ it }: ForgeApp) =>
      it.tracker.faults.push(({ path }) => (path.endsWith(NOTIFY) ? new Response(null, { status: 204 }) : undefined));

    test('is sent as the app, once, to the person and with the permission of the site', async () => {
      const { app, issue } = await moved();
      app.it.tracker.granted.set('bob', EDITOR);
      accept(app);
      await issue.edit(update('- a [~accountid:bob]'));
      expect(await app.it.release('send-digest')).toEqual([]);
      expect(notes(app)).toMatchObject([
        {
          as: null,
          method: 'POST',
          path: `/rest/api/3/issue/${issue.id}/notify`,
          body: {
            to: { users: [{ accountId: 'bob' }], reporter: false, assignee: false, watchers: false, voters: false },
            restrict: { permissions: [{ key: 'BROWSE_PROJECTS' }] },
          },
        },
      ]);
      expect(JSON.stringify(notes(app)[0]?.body)).toContain('Assigned to you');
      await app.it.release('send-digest');
      expect(notes(app)).toHaveLength(1);
    });

    test('requires the permission to view checklists by the key that the site has for it', async () => {
      const { app, site, issue } = await moved();
      const nameOf = (module: string) =>
        `ari:cloud:ecosystem::extension/${APP_ID.split('/').at(-1)}/${ENVIRONMENT_ID}/static/${module}`;
      const key = nameOf(addonPermissions.view);
      app.forge.permissions = ['BROWSE_PROJECTS', ...Object.values(addonPermissions).map(nameOf)];
      app.it.tracker.known = new Set([...app.forge.permissions]);
      await app.send(site, '/forge/tick', {});
      for (const account of ['alice', 'bob']) app.it.tracker.granted.set(account, [...EDITOR, key]);
      await use().raw('update tenant set view_permissions = true where tenant = $1', [app.it.tenant.id]);
      accept(app);
      await issue.edit(update('- a [~accountid:bob]'));
      await app.it.release('send-digest');
      expect(notes(app)).toMatchObject([
        { body: { restrict: { permissions: [{ key: 'BROWSE_PROJECTS' }, { key }] } } },
      ]);
    });

    test('waits where there is no token of the app, and is sent when there is one', async () => {
      const { app, site, issue } = await moved();
      await dropConnect(app);
      app.it.tracker.granted.set('bob', EDITOR);
      accept(app);
      await issue.edit(update('- a [~accountid:bob]'));
      for (const token of app.forge.good.keys()) if (app.forge.good.get(token) === null) app.forge.good.delete(token);
      expect(await app.it.release('send-digest')).toHaveLength(1);
      expect(notes(app).filter(({ as }) => as !== null)).toEqual([]);
      const refused = notes(app).length;
      await app.send(site, '/forge/tick', {});
      app.it.elapse(HOUR);
      await app.it.release('send-digest');
      expect(notes(app)).toHaveLength(refused + 1);
    });
  });

  test("own writes are recognised by the app's account", async () => {
    const { app, issue } = await moved();
    await issue.edit(update('- a'));
    await app.it.settled();
    const tenant = await app.it.tenants.find(app.it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    await app.it.sync.noticed({ tenant, account: ADDON_ACCOUNT }, issue.id, { kind: 'property', mayHide: false });
    await app.it.settled();
    const rows = await use().raw('select kind from revision where issue = $1', [issue.id]);
    expect(rows.map(({ kind }) => kind)).toEqual(['updateChecklistFromText']);
  });
});

async function callerOf({ it }: ForgeApp, account: string) {
  const tenant = await it.tenants.find(it.tenant.id);
  if (!tenant) throw new Error('Not installed.');
  return { tenant, account };
}
