import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostQuota } from '../../../src/tracker/wire/quota.ts';
import { ADDON_KEY } from '../addon.ts';
import { accountOf } from '../harness.ts';
import { type ForgeTracker, startForge } from './harness.ts';

let time: number;
let site: ForgeTracker;
beforeEach(async () => {
  time = Date.now();
  site = await startForge({ now: () => time, secondPort: 2991 });
});
afterEach(() => site.close());

const myself = '/rest/api/3/myself';

test('the app calls with its token as the account that stands for it', async () => {
  const { app } = await site.tokens();
  expect(await site.gateway(app)('GET', myself)).toMatchObject({
    status: 200,
    body: { accountId: `addon:${ADDON_KEY}`, accountType: 'app' },
  });
});

test('it calls with the token of who looked in their name, and with their permissions', async () => {
  const { user } = await site.tokens('viewer');
  expect((await site.gateway(user)('GET', myself)).body).toMatchObject({ accountId: accountOf('viewer') });
  const edit = { json: { fields: { summary: 'Changed' } } };
  expect((await site.gateway(user)('PUT', '/rest/api/3/issue/WEB-1', edit)).status).toBe(403);
  const { app } = await site.tokens();
  expect((await site.gateway(app)('PUT', '/rest/api/3/issue/WEB-1', edit)).status).toBe(204);
});

test('tokens end, and with them what they allow', async () => {
  const { app } = await site.tokens();
  time += 4 * 3_600_000 - 1;
  expect((await site.gateway(app)('GET', myself)).status).toBe(200);
  time += 1;
  expect((await site.gateway(app)('GET', myself)).status).toBe(401);
  const next = await site.tokens();
  expect(next.app).not.toBe(app);
  await site.set({ tokenSeconds: 0 });
  expect((await site.gateway(next.app)('GET', myself)).status).toBe(401);
});

test('a token that is given has half of its life left at least', async () => {
  const first = await site.tokens();
  time += 2 * 3_600_000 - 1;
  expect(await site.tokens()).toEqual(first);
  time += 1;
  expect((await site.tokens()).app).not.toBe(first.app);
});

test('tokens end with the installation', async () => {
  const { app } = await site.tokens();
  const admin = site.as('site-admin');
  expect((await site.as('editor')('POST', '/host/forge/app', { json: { action: 'uninstall' } })).status).toBe(403);
  await admin('POST', '/host/forge/app', { json: { action: 'uninstall' } });
  expect((await site.gateway(app)('GET', myself)).status).toBe(401);
  await admin('POST', '/host/forge/app', { json: { action: 'install' } });
  expect((await site.gateway(app)('GET', myself)).status).toBe(401);
  expect((await site.gateway((await site.tokens()).app)('GET', myself)).status).toBe(200);
});

test('nothing else is let in, nor a token at the site itself or at another site', async () => {
  const { app } = await site.tokens();
  expect((await site.gateway('guess')('GET', myself)).status).toBe(401);
  const headers = { authorization: `Bearer ${app}` };
  expect((await site.anonymous('GET', myself, { headers })).status).toBe(401);
  const other = site.tracker.second?.forge?.app.cloudId;
  expect((await site.anonymous('GET', `/forge-gateway/ex/jira/${other}${myself}`, { headers })).status).toBe(404);
  expect((await site.gateway(app)('GET', '/host/state')).status).toBe(404);
});

describe('scopes', () => {
  test('that the manifest lacks are missed call by call', async () => {
    const { app } = await site.tokens();
    const ask = site.gateway(app);
    expect((await ask('GET', `/rest/atlassian-connect/1/addons/${ADDON_KEY}/properties`)).status).toBe(200);
    const write = { json: 1 };
    expect(await ask('PUT', `/rest/atlassian-connect/1/addons/${ADDON_KEY}/properties/x`, write)).toMatchObject({
      status: 403,
      body: { errorMessages: [expect.stringContaining('scope')] },
    });
    expect((await ask('PUT', '/rest/api/3/project/WEB/properties/x', write)).status).toBe(201);
  });

  test('hold a frame too, and only while the app is installed', async () => {
    const headers = { 'x-forge-app': '11111111-2222-4333-8444-555555555555' };
    const asFrame = () => site.as('editor')('GET', myself, { headers });
    expect((await asFrame()).status).toBe(200);
    await site.as('site-admin')('POST', '/host/forge/app', { json: { action: 'uninstall' } });
    expect((await asFrame()).status).toBe(403);
  });
});

test('what the server calls is counted, in a name too; what a frame asks for is not', async () => {
  const { app, user } = await site.tokens();
  await site.gateway(app)('GET', myself);
  await site.gateway(user)('GET', '/rest/api/3/issue/WEB-1', { headers: { 'x-cause': 'panel' } });
  await site.as('editor')('GET', myself, { headers: { 'x-forge-app': '11111111-2222-4333-8444-555555555555' } });
  const { ledger } = (await site.as('editor')('GET', '/host/quota')).body as HostQuota;
  expect(ledger.map(({ app: key, call, cause, calls }) => [key, call, cause, calls])).toEqual([
    [ADDON_KEY, 'GET /myself', null, 1],
    [ADDON_KEY, 'GET /issue/:issue', 'panel', 1],
  ]);
});

test('faults strike there as they do elsewhere', async () => {
  const { app } = await site.tokens();
  await site.as('editor')('POST', '/host/faults', { json: { match: '/myself', by: 'addon', status: 503, times: 1 } });
  expect((await site.gateway(app)('GET', myself)).status).toBe(503);
  expect((await site.gateway(app)('GET', myself)).status).toBe(200);
});

test('the reserved property has the client key of the previous add-on', async () => {
  const { app } = await site.tokens();
  const key = 'connect_client_key_019cdff3-8bfb-71fe-9628-875b700aebb8';
  const properties = `/rest/atlassian-connect/1/addons/${ADDON_KEY}/properties`;
  const value = site.tracker.addon.installed()?.shared.clientKey;
  expect((await site.gateway(app)('GET', `${properties}/${key}`)).body).toEqual({ key, value });
  expect((await site.gateway(app)('GET', properties)).body).toEqual({ keys: [] });
});

describe('a token for an absent user', () => {
  async function offline(userId: string, token: string, contextId?: string) {
    const ofSite = `ari:cloud:jira::site/${site.tracker.forge?.app.cloudId}`;
    const { body, status } = await site.anonymous('POST', '/forge-gateway/graphql', {
      headers: { authorization: `Bearer ${token}` },
      json: {
        query: 'mutation ($input: OfflineUserAuthTokenInput!) { offlineUserAuthToken(input: $input) { success } }',
        variables: { input: { contextIds: [contextId ?? ofSite], userId } },
      },
    });
    const { data } = body as { data?: { offlineUserAuthToken: { authToken: { token: string; ttl: number } | null } } };
    return { status, ...data?.offlineUserAuthToken };
  }

  test('reads in their name by the scopes that allow it, and by no other', async () => {
    const { app } = await site.tokens();
    const { authToken } = await offline(accountOf('viewer'), app);
    expect(authToken?.ttl).toBe(14_400);
    const ask = site.gateway(authToken?.token ?? '');
    expect((await ask('GET', '/rest/api/3/issue/WEB-1')).status).toBe(200);
    const wanted = { projectPermissions: [{ permissions: ['EDIT_ISSUES'], issues: [10_001] }] };
    expect(await ask('POST', '/rest/api/3/permissions/check', { json: wanted })).toMatchObject({
      status: 200,
      body: { projectPermissions: [{ permission: 'EDIT_ISSUES', issues: [] }] },
    });
    expect((await ask('GET', myself)).status).toBe(403);
    expect((await ask('PUT', '/rest/api/3/issue/WEB-1/properties/x', { json: 1 })).status).toBe(403);
  });

  test('is refused for accounts that are not there, other sites, and without the token of the app', async () => {
    const { app, user } = await site.tokens();
    expect(await offline('nobody', app)).toMatchObject({ success: false, authToken: null });
    expect(await offline(accountOf('viewer'), app, 'ari:cloud:jira::site/other')).toMatchObject({ success: false });
    expect((await offline(accountOf('viewer'), user)).status).toBe(401);
  });
});
