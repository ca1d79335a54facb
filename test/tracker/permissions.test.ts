import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../src/tracker/site/model.ts';
import { ADDON_KEY } from './addon.ts';
import { type Ask, accountOf, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
beforeAll(async () => {
  site = await startTracker();
});
afterAll(() => site.close());

const manage = `${ADDON_KEY}__manage-checklist`;
const view = `${ADDON_KEY}__view-checklist`;
const asked = ['BROWSE_PROJECTS', 'EDIT_ISSUES', 'ADMINISTER_PROJECTS', 'ADMINISTER', 'SYSTEM_ADMIN', manage, view];

async function granted(ask: Ask, where: string): Promise<string[]> {
  const { body } = await ask('GET', `/rest/api/2/mypermissions?permissions=${asked.join(',')}&${where}`);
  const { permissions } = body as { permissions: Record<string, { havePermission: boolean }> };
  return Object.keys(permissions).filter(key => permissions[key]?.havePermission);
}

test.each<[Role, string[]]>([
  ['site-admin', asked],
  ['project-admin', ['BROWSE_PROJECTS', 'EDIT_ISSUES', 'ADMINISTER_PROJECTS', manage, view]],
  ['editor', ['BROWSE_PROJECTS', 'EDIT_ISSUES', manage, view]],
  ['viewer', ['BROWSE_PROJECTS', view]],
])('%s holds what the scheme gives', async (role, expected) => {
  expect(new Set(await granted(site.as(role), 'issueKey=HELP-1'))).toEqual(new Set(expected));
});

test('a customer sees own requests in the portal, and nothing by the API', async () => {
  const customer = site.as('customer');
  const seen = (url: (key: string) => string) =>
    Promise.all(['HELP-1', 'HELP-2', 'HELP-3', 'WEB-1'].map(async key => (await customer('GET', url(key))).status));
  expect(await seen(key => `/host/issues/${key}`)).toEqual([200, 200, 404, 404]);
  expect(await seen(key => `/rest/api/2/issue/${key}`)).toEqual([404, 404, 404, 404]);
  expect((await customer('GET', '/host/state')).body).toMatchObject({
    projects: [{ key: 'HELP', issues: [{ key: 'HELP-1' }, { key: 'HELP-2' }] }],
  });
});

test("the add-on sees a customer's view permission on own requests only", async () => {
  const check = async (key: string) => {
    const issue = ((await site.as('editor')('GET', `/rest/api/2/issue/${key}`)).body as { id: string }).id;
    const json = {
      accountId: accountOf('customer'),
      projectPermissions: [
        { permissions: asked.filter(name => !/ADMINISTER$|SYSTEM/.test(name)), issues: [Number(issue)] },
      ],
    };
    const { body } = await site.as('site-admin')('POST', '/rest/api/3/permissions/check', { json });
    const { projectPermissions } = body as { projectPermissions: { permission: string; issues: number[] }[] };
    return projectPermissions.filter(({ issues }) => issues.length > 0).map(({ permission }) => permission);
  };
  expect(await check('HELP-1')).toEqual([view]);
  expect(await check('WEB-1')).toEqual([]);
});

test('an anonymous caller has no permissions', async () => {
  expect(await granted(site.anonymous, 'issueKey=WEB-1')).toEqual([]);
  expect((await site.anonymous('GET', '/rest/api/2/issue/WEB-1')).status).toBe(401);
  expect((await site.anonymous('PUT', '/rest/api/2/issue/WEB-1/properties/x', { json: 1 })).status).toBe(401);
});

test('unknown permissions are refused by name', async () => {
  expect(await site.as('editor')('GET', '/rest/api/2/mypermissions?permissions=EDIT_ISSUES,MOON')).toMatchObject({
    status: 400,
    body: { errorMessages: [], errors: { MOON: 'Unrecognized permission' } },
  });
  expect((await site.as('editor')('GET', '/rest/api/2/mypermissions')).status).toBe(400);
});

test('the permissions of the add-on are known once it is installed', async () => {
  const without = await startTracker({ install: false });
  const url = `/rest/api/2/mypermissions?permissions=${manage}&issueKey=WEB-1`;
  expect((await without.as('editor')('GET', url)).status).toBe(400);
  await without.tracker.addon.check();
  expect((await without.as('editor')('GET', url)).status).toBe(200);
  await without.close();
});

test('administrators of a project find who holds a permission there, among the accounts of a page', async () => {
  const url = (permission: string, page = '&query=') =>
    `/rest/api/3/user/permission/search?permissions=${permission}&projectKey=WEB${page}`;
  const { body } = await site.as('project-admin')('GET', url('ADMINISTER_PROJECTS'));
  expect(body).toMatchObject([{ accountId: accountOf('site-admin') }, { accountId: accountOf('project-admin') }]);
  // Accounts are in the order of their names, and the first two do not hold it: the page is cut before.
  const page = async (query: string) =>
    (await site.as('project-admin')('GET', url('ADMINISTER_PROJECTS', `&query=&${query}`))).body;
  expect(await page('maxResults=2')).toEqual([]);
  expect(await page('startAt=2&maxResults=1')).toMatchObject([{ accountId: accountOf('site-admin') }]);
  expect((await site.as('project-admin')('GET', url('ADMINISTER_PROJECTS', ''))).status).toBe(400);
  expect((await site.as('editor')('GET', url('ADMINISTER_PROJECTS'))).status).toBe(403);
  expect((await site.as('project-admin')('GET', url('MOON'))).status).toBe(400);
});

test('a check without project permissions leaves their list out', async () => {
  const check = (json: unknown) => site.as('site-admin')('POST', '/rest/api/3/permissions/check', { json });
  expect((await check({ globalPermissions: ['ADMINISTER'], projectPermissions: [] })).status).toBe(400);
  expect((await check({ globalPermissions: ['ADMINISTER'] })).status).toBe(200);
});

test('administrators check the permissions of others', async () => {
  const json = {
    accountId: accountOf('viewer'),
    globalPermissions: ['ADMINISTER'],
    projectPermissions: [{ permissions: ['EDIT_ISSUES', view], issues: [10_001, 99_999], projects: [10_000] }],
  };
  const expected = {
    globalPermissions: [],
    projectPermissions: [
      { permission: 'EDIT_ISSUES', issues: [], projects: [] },
      { permission: view, issues: [10_001], projects: [10_000] },
    ],
  };
  const check = (role: Role, body: unknown = json) =>
    site.as(role)('POST', '/rest/api/3/permissions/check', { json: body });
  expect(await check('site-admin')).toMatchObject({ status: 200, body: expected });
  expect(await check('viewer')).toMatchObject({ status: 200, body: expected });
  expect((await check('editor')).status).toBe(403);
  expect((await check('site-admin', { ...json, accountId: 'nobody' })).status).toBe(400);
  expect((await check('site-admin', { globalPermissions: ['MOON'] })).status).toBe(400);
});
