import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountOf } from '../harness.ts';
import { APP_ID, type ForgeTracker, startForge } from './harness.ts';

const ARI = `ari:cloud:ecosystem::app/${APP_ID}`;

let site: ForgeTracker;
beforeEach(async () => {
  site = await startForge();
  site.addon.answer = () => ({ status: 200, body: '{"token":"t"}' });
});
afterEach(() => site.close());

/** The call that a frame's `invokeRemote` makes, its invocation token verified by the keys that are served. */
async function invoked(role: Parameters<ForgeTracker['as']>[0] = 'editor', wanted?: object) {
  const answer = await site.invoke(site.as(role), wanted);
  const [call] = await site.addon.next('/api/forge/session');
  const { body } = await site.anonymous('GET', '/forge/.well-known/jwks.json');
  const token = call?.authorization.replace(/^Bearer /, '') ?? '';
  const { payload } = await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
    ...{ algorithms: ['RS256'], issuer: 'forge/invocation-token', audience: ARI },
    requiredClaims: ['iat', 'nbf', 'exp', 'jti'],
  });
  return { answer, call, payload };
}

test('the remote learns who looks at what, by a token that is good for 25 seconds', async () => {
  const { payload, call } = await invoked('editor', { method: 'POST', body: '{}', headers: { 'x-a': ['b', 'c'] } });
  const { cloudId } = site.tracker.forge?.app ?? {};
  const apiBaseUrl = `http://localhost:2990/forge-gateway/ex/jira/${cloudId}`;
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(25);
  expect(payload).toMatchObject({
    principal: accountOf('editor'),
    app: {
      ...{ id: ARI, version: '1', apiBaseUrl },
      environment: { type: 'PRODUCTION', id: expect.stringContaining(`::environment/${APP_ID}/`) },
      license: { active: true },
      module: { type: 'jira:issueContext', key: 'checklist-context' },
      installation: { contexts: [{ name: 'jira', apiBaseUrl, cloudId, appVersion: '1', license: { active: true } }] },
    },
    context: {
      ...{ cloudId, siteUrl: 'http://localhost:2990', moduleKey: 'checklist-context' },
      extension: { type: 'jira:issueContext', issue: { id: '10001', key: 'WEB-1' }, project: { key: 'WEB' } },
    },
  });
  expect(call).toMatchObject({ method: 'POST', body: '{}', headers: { 'x-a': 'b,c' } });
  expect(call?.headers).toMatchObject({
    'x-forge-oauth-system': expect.stringMatching(/./),
    'x-forge-oauth-user': expect.stringMatching(/./),
    'x-b3-traceid': expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('tokens for the gateway are JWTs of the size of the vendor, which end within four hours', async () => {
  const { call } = await invoked('editor');
  for (const name of ['x-forge-oauth-system', 'x-forge-oauth-user']) {
    const token = String(call?.headers[name]);
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect(exp - iat).toBeGreaterThan(0);
    expect(exp - iat).toBeLessThanOrEqual(4 * 3_600);
    expect(token.length).toBeGreaterThan(1_000);
  }
});

test('a rule with a large configuration has a token of tens of thousands of characters', async () => {
  await site.set({ contextChars: 30_000 });
  const { call } = await invoked();
  expect(call?.authorization.length).toBeGreaterThan(40_000);
});

test('a customer is known by the request alone, without a token', async () => {
  const { payload, call } = await invoked('customer', {
    ...{ place: 'portal', key: 'checklist-portal', issueKey: 'HELP-1' },
  });
  expect(payload.context).toMatchObject({ extension: { portal: { id: 10001 }, request: { key: 'HELP-1' } } });
  expect(JSON.stringify(payload.context)).not.toContain('"issue"');
  expect(call?.headers['x-forge-oauth-user']).toBeUndefined();
});

test('a dialog has its context beside that of the frame that opened it', async () => {
  const { payload } = await invoked('editor', { modal: { json: '{}' } });
  expect(payload.context).toMatchObject({ extension: { issue: { key: 'WEB-1' }, modal: { json: '{}' } } });
});

test('the licence claim is as set', async () => {
  await site.set({ isLicensed: false });
  const { payload } = await invoked();
  expect(payload.app).toMatchObject({ license: { active: false } });
});

test('a frame that the person may not see invokes nothing', async () => {
  const admin = { place: 'admin', key: 'site-settings', path: '/x' };
  expect((await site.as('editor')('POST', '/host/forge/invoke', { json: admin })).status).toBe(404);
  expect((await site.as('site-admin')('POST', '/host/forge/invoke', { json: admin })).status).toBe(200);
});

describe('an answer', () => {
  const invoke = (wanted?: object) => site.invoke(site.as('editor'), wanted);
  const failed = (message: RegExp) => ({ success: false, error: { message: expect.stringMatching(message) } });

  test('comes with its status, headers and JSON', async () => {
    site.addon.answer = () => ({ status: 403, headers: { 'x-a': 'b' }, body: '{"error":{"code":"no"}}' });
    expect(await invoke()).toMatchObject({
      success: true,
      payload: { status: 403, headers: { 'x-a': ['b'] }, body: { error: { code: 'no' } } },
    });
  });

  test('of 401 says that the token was not good', async () => {
    site.addon.answer = () => ({ status: 401, body: '{}' });
    expect(await invoke()).toEqual(failed(/could not verify/));
  });

  test('that redirects, or is no JSON, is an error', async () => {
    site.addon.answer = () => ({ status: 302, headers: { location: '/elsewhere' }, body: '{}' });
    expect(await invoke()).toEqual(failed(/redirect/));
    site.addon.answer = () => ({ status: 200, body: 'yes' });
    expect(await invoke()).toEqual(failed(/no JSON/));
    site.addon.answer = () => 500;
    expect(await invoke()).toEqual(failed(/no JSON/));
    site.addon.answer = () => 204;
    expect(await invoke()).toMatchObject({ success: true, payload: { status: 204, body: null } });
  });

  test('is 5 MB at most, and a request 500 KB', async () => {
    const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    site.addon.answer = () => ({ status: 200, body: text(5 * 1024 * 1024) });
    expect(await invoke()).toMatchObject({ success: true });
    site.addon.answer = () => ({ status: 200, body: text(5 * 1024 * 1024 + 1) });
    expect(await invoke()).toEqual(failed(/5 MB/));
    site.addon.answer = () => 204;
    expect(await invoke({ method: 'POST', body: text(500 * 1024) })).toMatchObject({ success: true });
    expect(await invoke({ method: 'POST', body: text(500 * 1024 + 1) })).toEqual(failed(/500 KB/));
  });

  test('that does not come, or not in time, is an error without a status', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    site.addon.answer = () => held.then(() => ({ status: 200, body: '{}' }));
    await site.set({ invokeSeconds: 0.001 });
    expect(await invoke()).toEqual(failed(/./));
    release();
    await site.set({ invokeSeconds: 25 });
    await site.addon.close();
    expect(await invoke()).toEqual(failed(/./));
  });
});
