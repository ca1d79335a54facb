import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { edition } from '../../../../src/domain/edition.ts';
import { decodeSession } from '../../../../src/domain/token.ts';
import { appKey, SITE } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { type ForgeApp, newSite, startForge } from '../../support/forge.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

/** Payload of an installation or upgrade, as documented. */
const entered = { id: 'i', app: { id: 'a', version: '1' }, environment: { id: 'e' } };

onStore(use => {
  async function start(env: NodeJS.ProcessEnv = {}): Promise<ForgeApp> {
    const app = await startForge(use(), env);
    onTestFinished(() => app.it.app.close());
    return app;
  }
  const tenantOf = (answer: { json(): { token: string } }) => decodeSession(answer.json().token).aud;
  const read = (app: ForgeApp, token: string) =>
    app.it.app.inject({ url: '/graphql?query={featureFlags}', headers: { authorization: `JWT ${token}` } });

  describe('a site without a Connect past', () => {
    test('is a tenant by its cloud id, with an address, an encrypted token and no secret', async () => {
      const app = await start();
      const site = newSite('https://fresh.example.net/');
      const appToken = app.appToken();
      expect(tenantOf(await app.signIn(site, { appToken }))).toBe(site.cloudId);
      const tenant = await app.it.tenants.find(site.cloudId);
      expect(tenant).toMatchObject({ url: 'https://fresh.example.net', secret: undefined, licensed: true });
      expect(tenant?.forge).toMatchObject({ cloudId: site.cloudId, token: { value: appToken } });
      const [row] = await use().raw("select encode(token, 'escape') as token from forge_site where tenant = $1", [
        site.cloudId,
      ]);
      expect(row?.token).not.toContain(appToken);
      // Asked once: afterwards it is known.
      await app.signIn(site);
      expect(app.forge.calls.filter(({ path }) => path.startsWith('/rest/atlassian-connect/1/addons/'))).toHaveLength(
        1,
      );
    });

    test("is looked up by the app's own key and token, not by its own signature", async () => {
      const app = await start();
      const site = newSite();
      await app.signIn(site);
      expect(app.forge.calls[0]?.path).toBe(
        `/rest/atlassian-connect/1/addons/${edition.key}/properties/connect_client_key_019cdff3-8bfb-71fe-9628-875b700aebb8`,
      );
      const headers = { ...appKey, authorization: `JWT ${app.it.contextToken('alice', { iss: site.cloudId })}` };
      expect((await app.it.app.inject({ url: '/api/jira/auth', headers })).statusCode).toBe(401);
    });

    test('is unknown until a frame sends its address', async () => {
      const app = await start();
      const site = newSite();
      for (const path of ['/forge/lifecycle', '/forge/tick']) {
        expect((await app.send(site, path, entered)).statusCode).toBe(204);
      }
      expect(await app.it.tenants.find(site.cloudId)).toBeUndefined();
      await app.signIn(site);
      expect((await app.send(site, '/forge/tick', {})).statusCode).toBe(204);
      expect(await app.it.tenants.find(site.cloudId)).toBeDefined();
    });

    test.each(['down', 'refused'] as const)(
      'is not created while the Connect app cannot be looked up: %s',
      async past => {
        provokes({ answers: [503] });
        const app = await start();
        app.forge.past = past;
        const site = newSite();
        const answer = await app.signIn(site);
        expect(answer.statusCode).toBe(503);
        expect(answer.json()).toEqual({ error: expect.any(String) });
        expect(await app.it.tenants.find(site.cloudId)).toBeUndefined();
        app.forge.past = 'none';
        expect(tenantOf(await app.signIn(site))).toBe(site.cloudId);
      },
    );

    test('where the lookup is denied, is another tenant if its address is unused', async () => {
      const app = await start();
      app.forge.past = 'refused';
      const site = newSite('https://elsewhere.example.net');
      expect(tenantOf(await app.signIn(site))).toBe(site.cloudId);
    });

    test('with FORGE_PAST=none, is not looked up, also beside a Connect app at its address', async () => {
      const app = await start({ FORGE_PAST: 'none' });
      app.forge.past = 'refused';
      const site = newSite();
      expect(tenantOf(await app.signIn(site, { appToken: null }))).toBe(site.cloudId);
      expect(app.forge.calls).toEqual([]);
      expect(await app.it.tenants.find(app.it.tenant.id)).toMatchObject({ secret: app.it.tenant.secret });
    });

    test('without an app token is answered with 503', async () => {
      provokes({ answers: [503] });
      const app = await start();
      expect((await app.signIn(newSite(), { appToken: null })).statusCode).toBe(503);
    });
  });

  describe('a site with a Connect past', () => {
    test('keeps its tenant: data, sessions and numbers stay, and calls go through the gateway', async () => {
      const app = await start();
      const { it } = app;
      const issue = await newIssue(it);
      await issue.edit(update('- one'));
      const before = await it.tenants.find(it.tenant.id);
      const old = await it.session('alice');
      const site = newSite();
      app.forge.past = { key: it.tenant.id };
      expect(tenantOf(await app.signIn(site, { userToken: app.userToken('alice') }))).toBe(it.tenant.id);
      const after = await it.tenants.find(it.tenant.id);
      expect(after).toMatchObject({ epoch: before?.epoch, secret: it.tenant.secret, url: SITE });
      expect(after?.forge?.cloudId).toBe(site.cloudId);
      expect((await read(app, old)).statusCode).toBe(200);
      await issue.edit(update('- one\n- two'));
      await it.settled();
      const written = app.forge.calls.filter(({ method }) => method === 'PUT').map(({ as }) => as);
      expect(written).toContain(null);
      expect(it.tracker.property(issue.id)).toMatchObject({ text: '- one\n- two' });
    });

    test('is not taken over by a copy of the site', async () => {
      provokes({ answers: [503] });
      const app = await start();
      const [site, copy] = [newSite(), newSite()];
      app.forge.past = { key: app.it.tenant.id };
      await app.signIn(site);
      expect((await app.signIn(copy)).statusCode).toBe(503);
      expect((await app.send(copy, '/forge/tick', {})).statusCode).toBe(503);
      expect((await app.it.tenants.find(app.it.tenant.id))?.forge?.cloudId).toBe(site.cloudId);
      expect((await app.signIn(site)).statusCode).toBe(200);
    });

    test('is recognised by the installation id of its lifecycle event, without a lookup', async () => {
      const app = await start();
      const { it } = app;
      const site = newSite();
      const forge = site.installation;
      await it.tenants.install({ id: it.tenant.id, url: SITE, secret: it.tenant.secret, forge });
      app.forge.past = 'down';
      expect(tenantOf(await app.signIn(site))).toBe(it.tenant.id);
    });

    test('is found by triggers, too', async () => {
      const app = await start();
      const { it } = app;
      const site = newSite();
      app.forge.past = { key: it.tenant.id };
      expect((await app.send(site, '/forge/tick', {})).statusCode).toBe(204);
      expect((await it.tenants.find(it.tenant.id))?.forge?.cloudId).toBe(site.cloudId);
    });

    test('works over Connect again after an uninstallation on Forge, and the reverse', async () => {
      const app = await start();
      const { it } = app;
      const site = newSite();
      app.forge.past = { key: it.tenant.id };
      const { token } = (await app.signIn(site)).json();
      const context = () =>
        it.app.inject({ url: '/api/jira/auth', headers: { ...appKey, authorization: `JWT ${it.contextToken()}` } });
      expect((await context()).statusCode).toBe(200);

      await app.send(site, '/forge/uninstall', {});
      const tenant = await it.tenants.find(it.tenant.id);
      expect(tenant).toMatchObject({ secret: it.tenant.secret, forge: undefined });
      expect((await read(app, token)).statusCode).toBe(200);
      expect((await context()).statusCode).toBe(200);

      expect((await app.signIn(site)).statusCode).toBe(200);
      await it.tenants.uninstall(it.tenant.id);
      expect(await it.tenants.find(it.tenant.id)).toMatchObject({ secret: undefined, epoch: tenant?.epoch });
      expect((await read(app, token)).statusCode).toBe(200);
      expect((await context()).statusCode).toBe(401);

      await it.tenants.install({ ...it.tenant, url: SITE });
      expect((await it.tenants.find(it.tenant.id))?.epoch).toBe(tenant?.epoch);
      expect((await context()).statusCode).toBe(200);

      await it.tenants.uninstall(it.tenant.id);
      await app.send(site, '/forge/uninstall', {});
      expect(await it.tenants.find(it.tenant.id)).toBeUndefined();
      expect((await read(app, token)).statusCode).toBe(401);
    });
  });

  describe('an installation', () => {
    test('with another id starts another epoch; an upgrade or a missing id does not', async () => {
      const app = await start();
      const site = newSite();
      const first = (await app.signIn(site)).json().token;
      const epoch = async () => (await app.it.tenants.find(site.cloudId))?.epoch;
      const before = await epoch();
      await app.send(site, '/forge/lifecycle', entered);
      expect(await epoch()).toBe(before);

      await use().raw(
        `insert into webhook (tenant, id, direction, name, secret, token, account)
          values ($1, 'w', 'OUTGOING', 'Name', 'x', 'y', 'a')`,
        [site.cloudId],
      );
      const again = { ...site, installation: randomUUID() };
      const second = (await app.signIn(again)).json().token;
      expect(await epoch()).not.toBe(before);
      // Secrets of the earlier installation end, though its end was never told.
      expect(await use().raw('select secret, token, enabled from webhook where tenant = $1', [site.cloudId])).toEqual([
        { secret: null, token: null, enabled: false },
      ]);
      expect((await read(app, first)).statusCode).toBe(401);
      expect((await read(app, second)).statusCode).toBe(200);
    });

    test('that is uninstalled has no valid sessions; late events do not restore it, a new one does', async () => {
      const app = await start();
      const site = newSite();
      const userToken = app.userToken('alice');
      const { token } = (await app.signIn(site, { userToken })).json();
      await use().raw(
        `insert into webhook (tenant, id, direction, name, secret, token, account)
          values ($1, 'w', 'INCOMING', 'Name', 'x', 'y', 'a')`,
        [site.cloudId],
      );
      expect((await app.send(site, '/forge/uninstall', '')).statusCode).toBe(204);
      expect((await read(app, token)).statusCode).toBe(401);
      expect(await use().raw('select account from forge_asker where tenant = $1', [site.cloudId])).toEqual([]);
      expect(await use().raw('select secret, token, enabled from webhook where tenant = $1', [site.cloudId])).toEqual([
        { secret: null, token: null, enabled: false },
      ]);
      const event = { eventType: 'avi:jira:updated:issue', issue: { id: '1' }, atlassianId: 'bob' };
      expect((await app.send(site, '/forge/events', event)).statusCode).toBe(204);
      expect(await app.it.tenants.find(site.cloudId)).toBeUndefined();
      const again = { ...site, installation: randomUUID() };
      const next = (await app.signIn(again)).json().token;
      expect((await read(app, token)).statusCode).toBe(401);
      expect((await read(app, next)).statusCode).toBe(200);
    });

    test('that is uninstalled and calls again is not uninstalled by the same token again', async () => {
      const app = await start();
      const site = newSite();
      await app.signIn(site);
      const fit = await app.forge.invocation(site, {});
      const uninstall = (token: string) => app.send(site, '/forge/uninstall', '', { fit: token });
      expect((await uninstall(fit)).statusCode).toBe(204);
      // A call whose answer was lost is repeated.
      expect((await uninstall(fit)).statusCode).toBe(204);
      const { token } = (await app.signIn(site)).json();
      // A signature can be spelled in several ways.
      for (const again of [fit, `${fit}==`]) expect((await uninstall(again)).statusCode).toBe(401);
      expect((await read(app, token)).statusCode).toBe(200);
      expect((await uninstall(await app.forge.invocation(site, {}))).statusCode).toBe(204);
      expect((await read(app, token)).statusCode).toBe(401);
    });

    test('without calls for a day is removed when the gateway refuses the app, and restored by its next call', async () => {
      const app = await start();
      const { it } = app;
      const site = newSite();
      const appToken = app.appToken();
      const { token } = (await app.signIn(site, { appToken })).json();
      it.elapse(23 * 3_600_000);
      app.forge.good.delete(appToken);
      await it.forge?.prune();
      expect(await it.tenants.find(site.cloudId)).toBeDefined();

      it.elapse(2 * 3_600_000);
      app.forge.fault = () => new Response(null, { status: 502 });
      await it.forge?.prune();
      expect(await it.tenants.find(site.cloudId)).toBeDefined();
      app.forge.fault = undefined;
      await it.forge?.prune();
      expect(await it.tenants.find(site.cloudId)).toBeUndefined();

      await app.send(site, '/forge/tick', {});
      expect(await it.tenants.find(site.cloudId)).toBeDefined();
      expect((await read(app, token)).statusCode).toBe(200);
    });
  });
});
