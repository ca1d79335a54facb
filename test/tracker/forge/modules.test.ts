import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ADDON_KEY } from '../addon.ts';
import { accountOf, startTracker } from '../harness.ts';
import { APP_ID, type ForgeTracker, MANIFEST, RESOURCES, startForge } from './harness.ts';

let site: ForgeTracker;
afterEach(() => site.close());

const keys = async (...query: Parameters<ForgeTracker['modules']>) =>
  (await site.modules(...query)).map(({ key }) => key);

test('modules stand where those of Connect do', async () => {
  site = await startForge();
  expect(await keys('editor', 'place=issue-context&issueKey=WEB-1')).toEqual(['checklist-context']);
  expect(await keys('editor', 'place=issue-content&issueKey=WEB-1')).toEqual(['hierarchy-content']);
  expect(await keys('customer', 'place=portal&issueKey=HELP-1')).toEqual(['checklist-portal']);
  expect(await keys('project-admin', 'place=project-admin&projectKey=WEB')).toEqual(['project-settings']);
  expect(await keys('editor', 'place=project-admin&projectKey=WEB')).toEqual([]);
  const pages = ['assigned-items', 'smart-hierarchy', 'smart-templates-editor'];
  expect(await keys('editor', 'place=general')).toEqual(pages);
  expect(await keys('editor', 'place=general&key=smart-hierarchy')).toEqual(['smart-hierarchy']);
  expect(await keys('editor', 'place=project-page&projectKey=WEB')).toEqual(['project-assigned-items']);
  expect(await keys('site-admin', 'place=admin')).toEqual(['site-settings']);
  expect(await keys('site-admin', 'place=configure')).toEqual(['configure']);
  expect(await keys('site-admin', 'place=post-install')).toEqual(['post-install']);
  expect(await keys('editor', 'place=configure')).toEqual([]);
});

test('a module gives its frame the user, the context and its page', async () => {
  site = await startForge();
  const [module] = await site.modules('editor', 'place=issue-context&issueKey=HELP-1');
  const { cloudId } = site.tracker.forge?.app ?? {};
  expect(module).toMatchObject({
    ...{ framework: 'forge', addonKey: ADDON_KEY, label: 'Open checklist' },
    icon: `${RESOURCES}/main/images/logo-pro.svg`,
    url: `${RESOURCES}/main/index.html?hostname=http%3A%2F%2Flocalhost%3A2990`,
    context: {
      ...{ accountId: accountOf('editor'), cloudId, siteUrl: 'http://localhost:2990' },
      ...{ environmentType: 'PRODUCTION', moduleKey: 'checklist-context' },
      extension: {
        type: 'jira:issueContext',
        issue: { key: 'HELP-1', type: 'Service request' },
        project: { key: 'HELP', type: 'service_desk' },
      },
    },
  });
});

test('a property of the project moves the panel, compared as text', async () => {
  site = await startForge();
  const address = `/rest/api/2/project/WEB/properties/${ADDON_KEY}.show-in-center-panel`;
  await site.as('project-admin')('PUT', address, { json: 'true' });
  expect(await keys('editor', 'place=issue-context&issueKey=WEB-1')).toEqual([]);
  expect(await keys('editor', 'place=issue-content&issueKey=WEB-1')).toEqual([
    'checklist-content',
    'hierarchy-content',
  ]);
});

test('a panel is there once it is pinned, before that behind its button', async () => {
  site = await startForge();
  const moduleId = `${site.tracker.forge?.platform.environment.id}/static/hierarchy-content`;
  const pin = (action: string, id = `ari:cloud:ecosystem::extension/${APP_ID}/${moduleId}`) => ({
    json: { moduleId: id, projectList: [{ projectIdOrKey: 'WEB', action }] },
  });
  const address = '/rest/api/3/forge/panel/action/bulk/async';
  const isPresent = async (issueKey: string) =>
    (await site.modules('editor', `place=issue-content&issueKey=${issueKey}`))[0]?.contentPresent;
  expect(await isPresent('WEB-1')).toBe(false);
  const { status, body } = await site.as('site-admin')('POST', address, pin('PIN'));
  expect(status).toBe(202);
  await site.tracker.tasksDone();
  const { taskId } = body as { taskId: string };
  expect((await site.as('site-admin')('GET', `/rest/api/3/task/${taskId}`)).body).toMatchObject({ status: 'COMPLETE' });
  expect([await isPresent('WEB-1'), await isPresent('HELP-1')]).toEqual([true, false]);
  await site.as('site-admin')('POST', address, pin('UNPIN'));
  await site.tracker.tasksDone();
  expect(await isPresent('WEB-1')).toBe(false);

  expect((await site.as('editor')('POST', address, pin('PIN'))).status).toBe(403);
  expect((await site.as('site-admin')('POST', address, pin('PIN', 'ari:other'))).status).toBe(400);
  expect((await site.as('site-admin')('POST', address, pin('LATER'))).status).toBe(400);
});

const permissions = async () => {
  const { body } = await site.as('editor')('GET', '/rest/api/3/permissions');
  return Object.keys((body as { permissions: object }).permissions).filter(key => key.includes('view-checklist'));
};
const fields = async () => {
  const { body } = await site.as('editor')('GET', '/rest/api/3/field');
  return (body as { name: string }[]).filter(({ name }) => name === 'Checklist Text');
};

test('with a Connect past the app brings nothing twice, and keeps all when the add-on goes', async () => {
  site = await startForge();
  expect(await permissions()).toEqual([`${ADDON_KEY}__view-checklist`]);
  const before = await fields();
  expect(before).toHaveLength(1);
  await site.as('site-admin')('POST', '/host/addon', { json: { action: 'uninstall', number: 0 } });
  expect(await permissions()).toEqual([`${ADDON_KEY}__view-checklist`]);
  expect(await fields()).toEqual(before);
});

test('an address of Connect leads to the module with its key, which gets the address', async () => {
  site = await startForge();
  const get = (url: string) => site.tracker.app.inject({ url });
  const address = `/plugins/servlet/ac/${ADDON_KEY}/assigned-items?issueKey=WEB-1`;
  const { statusCode, headers } = await get(address);
  const to = new URL(String(headers.location), 'http://localhost');
  expect([statusCode, to.pathname]).toEqual([302, '/plugins/assigned-items']);
  expect(Buffer.from(to.searchParams.get('x_atlassian_cf') ?? '', 'base64').toString()).toBe(address);
  for (const other of [`${ADDON_KEY}/elsewhere`, 'other.app/assigned-items'])
    expect((await get(`/plugins/servlet/ac/${other}`)).statusCode).toBe(404);
});

test('a fresh app has permissions of its own keys, held as those of Connect are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  const manifest = join(folder, 'manifest.yml');
  const text = await readFile(MANIFEST, 'utf8');
  const fresh = text
    .replace(/ {2}connect:\n {4}key: .*\n {4}remote: .*\n/, '')
    .replaceAll(/ +migratedFromConnect: true\n/g, '')
    .replace(/ {2}jira:customField:[\s\S]*?(?= {2}jira:entityProperty)/, '');
  await writeFile(manifest, fresh);
  site = await startForge({ manifest });
  await rm(folder, { recursive: true });
  const environment = site.tracker.forge?.platform.environment.id;
  const key = `ari:cloud:ecosystem::extension/${APP_ID}/${environment}/static/view-checklist`;
  expect(await permissions()).toEqual([`${ADDON_KEY}__view-checklist`, key]);
  expect(await fields()).toHaveLength(1);
  const held = await site.as('viewer')(
    'GET',
    `/rest/api/3/mypermissions?issueKey=WEB-1&permissions=${encodeURIComponent(`${key},${key.replace('view-checklist', 'add-items')}`)}`,
  );
  const granted = Object.values(
    (held.body as { permissions: Record<string, { havePermission: boolean }> }).permissions,
  );
  expect(granted.map(({ havePermission }) => havePermission)).toEqual([false, true]);
});

test('without Forge, none of it is there', async () => {
  const plain = await startTracker();
  expect((await plain.as('editor')('GET', '/host/state')).body).not.toHaveProperty('forge');
  expect((await plain.as('editor')('GET', '/host/modules?framework=forge&place=general')).body).toEqual([]);
  for (const path of ['/forge/.well-known/jwks.json', '/host/forge', '/forge-gateway/graphql'])
    expect((await plain.anonymous('GET', path)).status).toBe(404);
  await plain.close();
  site = await startForge();
});
