import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostModule } from '../../src/tracker/wire/modules.ts';
import type { HostState } from '../../src/tracker/wire/site.ts';
import { ADDON_KEY } from './addon.ts';
import { startTracker, type TestTracker } from './harness.ts';

/** Two add-ons side by side, as editions of one product are. */

const OTHER_KEY = 'app.example.checklist.other';

let site: TestTracker;
beforeEach(async () => {
  site = await startTracker({ others: [OTHER_KEY] });
});
afterEach(() => site.close());

const modules = async (query: string) =>
  (await site.as('editor')('GET', `/host/modules?${query}`)).body as HostModule[];
const keysOf = async (query: string) => (await modules(query)).map(({ addonKey }) => addonKey);
const state = async () => ((await site.as('editor')('GET', '/host/state')).body as HostState).addons;

test('both are installed, each with a secret of its own', async () => {
  expect(await state()).toEqual([
    { state: 'installed', key: ADDON_KEY, name: 'Example Checklist' },
    { state: 'installed', key: OTHER_KEY, name: 'Example Checklist' },
  ]);
  const [one, other] = site.tracker.addons.map(addon => addon.installed()?.shared);
  expect(one?.sharedSecret).not.toBe(other?.sharedSecret);
  expect(one?.clientKey).not.toBe(other?.clientKey);
});

test('both stand beside an issue, or the one that is asked for', async () => {
  const place = 'place=issue-context&issueKey=WEB-1';
  expect(await keysOf(place)).toEqual([ADDON_KEY, OTHER_KEY]);
  expect(await keysOf(`${place}&addonKey=${OTHER_KEY}`)).toEqual([OTHER_KEY]);
  expect(await keysOf(`place=dialog&key=checklist-editor&addonKey=${OTHER_KEY}`)).toEqual([OTHER_KEY]);
});

test('a frame gets the token of its own add-on', async () => {
  for (const [key, addon] of [
    [ADDON_KEY, site.tracker.addons[0]],
    [OTHER_KEY, site.tracker.addons[1]],
  ] as const) {
    const { body } = await site.as('editor')('GET', `/host/context-token?issueKey=WEB-1&addonKey=${key}`);
    expect(decodeJwt(String(body)).iss).toBe(addon?.installed()?.shared.clientKey);
  }
  expect((await site.as('editor')('GET', '/host/context-token?addonKey=app.nobody')).status).toBe(404);
});

test('a frame calls for its own add-on, and for none that is not there', async () => {
  const call = (key: string) => site.as('editor')('GET', '/rest/api/2/myself', { headers: { 'ap-app-key': key } });
  expect((await call(ADDON_KEY)).status).toBe(200);
  expect((await call(OTHER_KEY)).status).toBe(200);
  expect((await call('app.nobody')).status).toBe(403);
});

test('each gets the events, and each brings its field and its permissions', async () => {
  const put = await site.as('editor')('PUT', '/rest/api/2/issue/WEB-1/properties/x', { json: 1 });
  expect(put.status).toBeLessThan(300);
  for (const addon of [site.addon, ...site.others]) await addon.next('/webhooks/issue-property');
  const fields = (await site.as('editor')('GET', '/rest/api/2/field')).body as { key: string; name: string }[];
  expect(fields.filter(({ name }) => name === 'Checklist Text').map(({ key }) => key)).toEqual([
    `${ADDON_KEY}__checklist-text`,
    `${OTHER_KEY}__checklist-text`,
  ]);
  const permissions = [ADDON_KEY, OTHER_KEY].map(key => `${key}__manage-checklist`).join(',');
  const mine = await site.as('site-admin')('GET', `/rest/api/2/mypermissions?permissions=${permissions}`);
  expect(Object.keys((mine.body as { permissions: object }).permissions)).toHaveLength(2);
});

test('one is uninstalled, the other stays, and the first is installed again', async () => {
  const act = (action: string, number: number) =>
    site.as('site-admin')('POST', '/host/addon', { json: { action, number } });
  await act('uninstall', 0);
  await site.addon.next('/uninstalled');
  expect((await state()).map(addon => addon.state)).toEqual(['absent', 'installed']);
  expect(await keysOf('place=issue-context&issueKey=WEB-1')).toEqual([OTHER_KEY]);
  expect((await act('uninstall', 2)).status).toBe(400);
  await act('install', 0);
  expect((await state()).map(addon => addon.state)).toEqual(['installed', 'installed']);
});
