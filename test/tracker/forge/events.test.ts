import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fault } from '../../../src/tracker/wire/faults.ts';
import { ADDON_KEY } from '../addon.ts';
import { type Ask, accountOf, heldSleep } from '../harness.ts';
import { APP_ID, type ForgeTracker, startForge } from './harness.ts';

const held = heldSleep();
let site: ForgeTracker;
let editor: Ask;
beforeEach(async () => {
  site = await startForge({ sleep: held.sleep });
  editor = site.as('editor');
});
afterEach(() => site.close());

const property = '/rest/api/2/issue/WEB-1/properties/x';
const bodies = (calls: { body: string }[]) => calls.map(({ body }) => JSON.parse(body));
const events = async () => {
  await site.tracker.webhooksSent();
  return bodies(site.addon.calls.filter(({ url }) => url === '/forge/events'));
};
const set = (fault: Fault) => editor('POST', '/host/faults', { json: fault });

test('the app gets events of its installation and uninstallation', async () => {
  const [call] = await site.addon.next('/forge/lifecycle');
  const installation = expect.stringMatching(/^ari:cloud:ecosystem::installation\//);
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    eventType: 'avi:forge:installed:app',
    id: installation,
    installerAccountId: accountOf('site-admin'),
    app: { id: `ari:cloud:ecosystem::app/${APP_ID}`, version: '1' },
    context: `ari:cloud:jira::site/${site.tracker.forge?.app.cloudId}`,
  });
  expect(decodeJwt(call?.authorization.slice(7) ?? '')).toMatchObject({
    app: { installationId: installation, module: { type: 'trigger', key: 'lifecycle' } },
  });
  expect(call?.headers['x-forge-oauth-system']).toEqual(expect.stringMatching(/./));
  expect(call?.headers['x-forge-oauth-user']).toBeUndefined();

  await site.as('site-admin')('POST', '/host/forge/app', { json: { action: 'uninstall' } });
  const [last] = await site.addon.next('/forge/uninstall');
  expect(decodeJwt(last?.authorization.slice(7) ?? '')).toMatchObject({
    app: { module: { type: 'preUninstall', key: 'uninstall' } },
  });
  expect((await editor('GET', '/host/state')).body).toMatchObject({ forge: { state: 'absent' } });
});

test('events of issues and properties name the actor', async () => {
  await editor('PUT', '/rest/api/2/issue/WEB-1', { json: { fields: { summary: 'Changed' } } });
  await editor('PUT', property, { json: 'a' });
  await editor('DELETE', property);
  expect(await events()).toMatchObject([
    {
      eventType: 'avi:jira:updated:issue',
      atlassianId: accountOf('editor'),
      selfGenerated: false,
      timestamp: expect.stringMatching(/^\d+$/),
      jiraEventTypeName: 'issue_updated',
      associatedUsers: [{ accountId: accountOf('editor') }],
      // Of the fields only a few.
      issue: { id: '10001', key: 'WEB-1', fields: expect.not.objectContaining({ priority: expect.anything() }) },
      changelog: { items: [{ field: 'summary' }] },
    },
    { eventType: 'avi:jira:set:issue-property', issue: { id: '10001' } },
    { eventType: 'avi:jira:deleted:issue-property', issue: { id: '10001' } },
  ]);
});

test('the app gets events of its own edits, and not of its own properties', async () => {
  const { app } = await site.tokens();
  await site.gateway(app)('PUT', property, { json: 'a' });
  await site.gateway(app)('PUT', '/rest/api/2/issue/WEB-1', { json: { fields: { summary: 'Changed' } } });
  expect(await events()).toMatchObject([
    { eventType: 'avi:jira:updated:issue', atlassianId: `addon:${ADDON_KEY}`, selfGenerated: true },
  ]);
});

test('events are as late as was set', async () => {
  await site.set({ eventDelayMs: 180_000 });
  await editor('PUT', property, { json: 'a' });
  await site.addon.next('/webhooks/issue-property');
  expect(site.addon.calls.filter(({ url }) => url === '/forge/events')).toEqual([]);
  held.end();
  expect(await events()).toHaveLength(1);
  expect((await editor('PUT', '/host/forge', { json: { eventDelayMs: 180_001 } })).status).toBe(400);
});

test('events may come before the app has its permissions: then it sees no issue, and its own permissions are unknown', async () => {
  const { app } = await site.tokens();
  await site.as('site-admin')('POST', '/host/addon', { json: { action: 'uninstall' } });
  await site.set({ isPermitted: false });
  await editor('PUT', property, { json: 'a' });
  expect(await events()).toMatchObject([{ eventType: 'avi:jira:set:issue-property' }]);
  const ask = site.gateway(app);
  const own = async () => {
    const { permissions } = (await ask('GET', '/rest/api/3/permissions')).body as { permissions: object };
    return Object.keys(permissions).filter(key => key.includes('manage-checklist'));
  };
  const statuses = () =>
    Promise.all([ask('GET', property), ask('PUT', property, { json: 'b' })].map(async each => (await each).status));
  expect(await statuses()).toEqual([404, 404]);
  expect(await own()).toEqual([]);
  await site.set({ isPermitted: true });
  expect(await statuses()).toEqual([200, 200]);
  expect(await own()).toHaveLength(1);
});

test('an event is tried five times, and says so', async () => {
  site.addon.answer = ({ url }) => (url === '/forge/events' ? 503 : 200);
  await editor('PUT', property, { json: 'a' });
  expect((await events()).map(({ retryContext }) => retryContext?.retryCount)).toEqual([undefined, 1, 2, 3, 4]);
});

test('an event that is refused is not tried again', async () => {
  site.addon.answer = ({ url }) => (url === '/forge/events' ? 403 : 200);
  await editor('PUT', property, { json: 'a' });
  expect(await events()).toHaveLength(1);
});

test('faults strike events by their own names', async () => {
  await set({ match: '^avi:jira:set:issue-property WEB-1$', webhook: 'dropped', times: 1 });
  await editor('PUT', property, { json: 'a' });
  expect(await events()).toEqual([]);
  await set({ match: '^avi:', webhook: 'doubled', times: 1 });
  await editor('PUT', property, { json: 'b' });
  await vi.waitFor(() => expect(held.waiting()).toBe(1));
  held.end();
  expect(await events()).toHaveLength(2);
});

test('the hourly triggers are fired on demand', async () => {
  await editor('POST', '/host/forge/tick');
  const [call] = await site.addon.next('/forge/tick');
  expect(decodeJwt(call?.authorization.slice(7) ?? '')).toMatchObject({
    app: { module: { type: 'scheduledTrigger', key: 'token' } },
  });
  expect(call?.headers['x-forge-oauth-system']).toEqual(expect.stringMatching(/./));
});

test('a site without the app sends no events', async () => {
  await site.as('site-admin')('POST', '/host/forge/app', { json: { action: 'uninstall' } });
  await site.addon.next('/forge/uninstall');
  await editor('PUT', property, { json: 'a' });
  await editor('POST', '/host/forge/tick');
  expect(await events()).toEqual([]);
  expect(site.addon.calls.filter(({ url }) => url === '/forge/tick')).toEqual([]);
});
