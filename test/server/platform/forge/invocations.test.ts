import { generateKeyPair, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { decodeSession } from '../../../../src/domain/token.ts';
import { startApp } from '../../support/app.ts';
import { APP_ID, type Crooked, forgeOf, GATEWAY, newSite, startForge } from '../../support/forge.ts';
import { embedded, onStore } from '../../support/stores.ts';

const now = () => Math.floor(Date.now() / 1000);
const OTHER_APP = APP_ID.replace('11111111', '22222222');
const { privateKey: otherKey } = await generateKeyPair('RS256');
const { privateKey: otherKind } = await generateKeyPair('PS256');
const routes = ['/api/forge/session', '/forge/events', '/forge/lifecycle', '/forge/uninstall', '/forge/tick'];

/** The same claims without a signature. */
const unsigned = (token: string): string =>
  new UnsecuredJWT(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).encode();

onStore(use => {
  const site = newSite();
  const app = forgeOf(use);

  test('a valid token opens a session; the keys are fetched once', async () => {
    const answer = await app.signIn(site);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ url: app.it.config.BASE_URL, token: expect.any(String) });
    expect(decodeSession(answer.json().token)).toMatchObject({ sub: 'alice', aud: site.cloudId, site: site.url });
    await Promise.all([app.signIn(site), app.signIn(site)]);
    expect(app.forge.fetched()).toBe(1);
  });

  test('a token of a frame is valid for sign-in only, and sign-in accepts no other', async () => {
    const framed = await app.forge.invocation(site, { account: 'alice', context: {} });
    for (const path of routes.slice(1)) {
      expect((await app.send(site, path, {}, { fit: framed })).statusCode, path).toBe(401);
    }
    expect((await app.signIn(site)).statusCode).toBe(200);
    const nameless = { context: { extension: { type: 'jiraServiceManagement:portalRequestDetail' } } };
    const fit = await app.forge.invocation(site, nameless);
    expect((await app.send(site, '/forge/uninstall', {}, { fit })).statusCode).toBe(401);
    expect((await app.signIn(site)).statusCode).toBe(200);
    const authorization = `Bearer ${await app.forge.invocation(site, {})}`;
    const signIn = { method: 'POST', url: '/api/forge/session', headers: { authorization }, payload: {} } as const;
    expect((await app.it.app.inject(signIn)).statusCode).toBe(401);
  });

  test.each(['unidentified', undefined])('a visitor without an account is anonymous: %s', async account => {
    const fit = await app.forge.invocation(site, { account, context: { extension: { type: 'jira:issuePanel' } } });
    const headers = { authorization: `Bearer ${fit}`, 'x-forge-oauth-user': app.userToken('alice') };
    const answer = await app.it.app.inject({ method: 'POST', url: '/api/forge/session', headers, payload: {} });
    expect(decodeSession(answer.json().token).sub).toBe('anonymous');
    expect(await use().raw('select account from forge_asker')).toEqual([]);
  });

  test('sites and installations are read in either format, with tolerance for clock differences', async () => {
    const { cloudId, installation } = site;
    const jira = { name: 'jira', id: `ari:cloud:jira::site/${cloudId}`, apiBaseUrl: `${GATEWAY}/ex/jira/${cloudId}` };
    const shaped = { app: { installation: { id: installation, contexts: [jira] }, apiBaseUrl: undefined } };
    expect((await app.signIn(site, {}, shaped)).statusCode).toBe(200);
    const named = { app: { installation: { id: installation, contexts: [{ name: 'jira', cloudId }] } } };
    expect((await app.signIn(site, {}, named)).statusCode).toBe(200);
    expect((await app.signIn(site, {}, { issuedAt: now() - 50, expires: now() - 25 })).statusCode).toBe(200);
  });

  describe('is refused', () => {
    const contexts = (more: object) => ({
      app: { installation: { id: site.installation, contexts: [{ name: 'jira', cloudId: site.cloudId, ...more }] } },
    });
    test.each<[string, Crooked]>([
      ['for another app', { audience: OTHER_APP }],
      ["of another app, with this app's audience", { app: { id: OTHER_APP } }],
      ['of another environment', { app: { environment: { type: 'DEVELOPMENT' } } }],
      ['of no environment', { app: { environment: undefined } }],
      ['expired', { issuedAt: now() - 100, expires: now() - 60 }],
      ['issued long ago, with a long lifetime', { issuedAt: now() - 300, expires: now() + 300 }],
      ['issued in the future', { issuedAt: now() + 90, expires: now() + 120 }],
      ['of another issuer', { issuer: 'forge/other' }],
      ['by another gateway', { app: { apiBaseUrl: `https://evil.example/ex/jira/${site.cloudId}` } }],
      ["by another site's gateway", { app: { apiBaseUrl: `${GATEWAY}/ex/jira/${newSite().cloudId}` } }],
      ['by a gateway with the same prefix', { app: { apiBaseUrl: `${GATEWAY}/ex/jira/${site.cloudId}/..` } }],
      ['by two gateways', contexts({ apiBaseUrl: `https://evil.example/ex/jira/${site.cloudId}` })],
      ['by none', { app: { ...contexts({}).app, apiBaseUrl: undefined } }],
      ['of a frame on another site', { claims: { context: { cloudId: newSite().cloudId } } }],
      ['of another product', contexts({ name: 'confluence' })],
      ['of an invalid site', contexts({ cloudId: '../secrets' })],
      ['of two sites', contexts({ cloudId: newSite().cloudId })],
      ['before its time', { claims: { nbf: now() + 100 } }],
      ['of no installation', { app: { installation: undefined } }],
      ['of an isolated cloud', { claims: { icLabel: 'cloud' } }],
      ['for an account with odd characters', { claims: { principal: 'a\u0000b' } }],
      ['by another key', { key: otherKey }],
      ['by another key with a name of its own', { key: otherKey, header: { kid: 'other' } }],
      ['by another algorithm', { key: otherKind, header: { alg: 'PS256' } }],
    ])('%s', async (_name, crooked) => {
      const answer = await app.signIn(site, {}, crooked);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ error: 'Unauthorized.' });
    });

    test.each<[string, (good: string) => string | undefined]>([
      ['nothing', () => undefined],
      ['no token', () => 'Bearer a.b.c'],
      ['another scheme', good => `JWT ${good}`],
      ['a changed token', good => `Bearer ${good.slice(0, -9)}aaaaaaaaa`],
      ['an unsigned one', good => `Bearer ${unsigned(good)}`],
    ])('%s, by every route', async (_name, made) => {
      const authorization = made(await app.forge.invocation(site));
      for (const url of routes) {
        const headers = { ...(authorization !== undefined && { authorization }) };
        const answer = await app.it.app.inject({ method: 'POST', url, headers, payload: {} });
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toEqual({ error: 'Unauthorized.' });
      }
    });

    test('a session token as an invocation token, and the reverse', async () => {
      const { token } = (await app.signIn(site)).json();
      const headers = { authorization: `Bearer ${token}` };
      const answer = await app.it.app.inject({ method: 'POST', url: '/api/forge/session', headers, payload: {} });
      expect(answer.statusCode).toBe(401);
      const fit = await app.forge.invocation(site);
      await expect(app.it.tokens.session(fit)).rejects.toThrow();
      await expect(app.it.tokens.context(fit)).rejects.toThrow();
    });
  });

  test('no token is logged', async () => {
    const [appToken, userToken] = [app.appToken(), app.userToken('alice')];
    const fit = await app.forge.invocation(newSite());
    const headers = {
      'x-forge-oauth-system': appToken,
      'x-forge-oauth-user': userToken,
      authorization: `Bearer ${fit}`,
    };
    await app.it.app.inject({ method: 'POST', url: '/api/forge/session', headers, payload: {} });
    for (const secret of [appToken, userToken, fit.split('.')[2]]) expect(app.it.logged.join('')).not.toContain(secret);
  });
});

test('while the keys are unavailable, the answer is 503, not 401', async () => {
  const store = await embedded();
  const app = await startForge(store, { FORGE_JWKS_URL: 'http://127.0.0.1:1/keys' });
  expect((await app.signIn(newSite())).statusCode).toBe(503);
  await app.it.app.close();
  await store.close();
});

test('without an app id the route does not exist', async () => {
  const store = await embedded();
  const it = await startApp(store.store);
  for (const url of routes) {
    expect((await it.app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404);
    expect((await it.app.inject(url)).statusCode).toBe(404);
  }
  await it.app.close();
  await store.close();
});
