import { createCloudClient } from 'jira.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Role, roles } from '../../src/tracker/site/model.ts';
import { people } from '../../src/tracker/site/people.ts';
import { accountOf, PORT, startTracker, type TestTracker } from './harness.ts';

/**
 * The client library that the vendor's own document generates works through the REST part of this tracker. It checks each
 * answer against the document's models, and throws where one has another shape.
 */

let site: TestTracker;
beforeAll(async () => {
  site = await startTracker();
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', headers = {}, body }: RequestInit = {}) => {
    const { pathname, search } = new URL(input);
    const { app } = site.tracker;
    const answer = await app.inject({
      ...{ method: method as 'GET', url: pathname + search, headers: headers as Record<string, string> },
      ...(typeof body === 'string' && { payload: body }),
    });
    const isEmpty = answer.statusCode === 204;
    return new Response(isEmpty ? null : answer.body, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  });
  return async () => {
    vi.unstubAllGlobals();
    await site.close();
  };
});
afterAll(() => vi.unstubAllGlobals());

const clientOf = (role: Role) =>
  createCloudClient({
    host: `http://localhost:${PORT}`,
    headers: { cookie: `tracker.account=${encodeURIComponent(people[roles.indexOf(role)]?.accountId ?? '')}` },
    onSchemaMismatch: 'throw',
  });

test('issues are read, edited, searched and fetched', async () => {
  const jira = clientOf('editor');
  const issue = await jira.issues.getIssue({ issueIdOrKey: 'WEB-1', expand: 'names,changelog', properties: ['*all'] });
  expect(issue.key).toBe('WEB-1');
  for (const summary of ['One', 'Two', 'Three'])
    await jira.issues.editIssue({ issueIdOrKey: 'WEB-1', fields: { summary } });
  const found: string[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = await jira.issueSearch.searchAndReconsileIssuesUsingJql({
      ...{ jql: 'project = WEB', maxResults: 3, fields: ['summary', 'status', 'parent'] },
      ...(token !== '' && { nextPageToken: token }),
    });
    found.push(...(page.issues ?? []).flatMap(({ key }) => key ?? []));
    token = page.nextPageToken ?? undefined;
  }
  expect(new Set(found).size).toBe(found.length);
  expect(found.length).toBeGreaterThan(3);
  const { issues } = await jira.issues.bulkFetchIssues({ issueIdsOrKeys: ['WEB-1', 'HELP-1'], fields: ['summary'] });
  expect(issues).toHaveLength(2);
  expect((await jira.issueSearch.countIssues({ jql: 'project = WEB' })).count).toBe(found.length);
});

test('changelogs are read page by page, of one issue and of many', async () => {
  const jira = clientOf('editor');
  const first = await jira.issues.getChangeLogs({ issueIdOrKey: 'WEB-1', maxResults: 2 });
  const rest = await jira.issues.getChangeLogs({ issueIdOrKey: 'WEB-1', startAt: 2, maxResults: 2 });
  expect([...(first.values ?? []), ...(rest.values ?? [])]).toHaveLength(first.total ?? 0);
  const many = await jira.issues.getBulkChangelogs({ issueIdsOrKeys: ['WEB-1', 'WEB-2'] });
  expect(many.issueChangeLogs).toHaveLength(1);
});

test('properties are set, read, listed and deleted, and set on many issues by a task', async () => {
  const jira = clientOf('editor');
  const of = { issueIdOrKey: 'WEB-2', propertyKey: 'x' };
  await jira.issueProperties.setIssueProperty({ ...of, body: { a: 1 } });
  expect(await jira.issueProperties.getIssueProperty(of)).toMatchObject({ key: 'x', value: { a: 1 } });
  expect((await jira.issueProperties.getIssuePropertyKeys(of)).keys?.map(({ key }) => key)).toContain('x');
  await jira.issueProperties.deleteIssueProperty(of);
  await expect(jira.issueProperties.getIssueProperty(of)).rejects.toMatchObject({ status: 404 });
  const answer = await site.as('editor')('PUT', '/rest/api/3/issue/properties/x', {
    json: { value: 1, filter: { entityIds: [10_001], hasProperty: false } },
  });
  await site.tracker.tasksDone();
  const taskId = String(answer.headers.location).split('/').at(-1) ?? '';
  expect(await jira.tasks.getTask({ taskId })).toMatchObject({ status: 'COMPLETE' });
});

test('permissions and people are found', async () => {
  const jira = clientOf('site-admin');
  expect((await jira.myself.getCurrentUser()).accountId).toBe(accountOf('site-admin'));
  const { globalPermissions } = await jira.permissions.getBulkPermissions({ globalPermissions: ['ADMINISTER'] });
  expect(globalPermissions).toEqual(['ADMINISTER']);
  const checked = await jira.permissions.getBulkPermissions({
    accountId: accountOf('viewer'),
    projectPermissions: [{ permissions: ['BROWSE_PROJECTS', 'EDIT_ISSUES'], issues: [10_001], projects: [10_000] }],
  });
  expect(checked.projectPermissions).toContainEqual({ permission: 'EDIT_ISSUES', issues: [], projects: [] });
  const mine = await jira.permissions.getMyPermissions({ permissions: 'EDIT_ISSUES', issueKey: 'WEB-1' });
  expect(Object.keys(mine.permissions ?? {})).toEqual(['EDIT_ISSUES']);
  expect(Object.keys((await jira.permissions.getAllPermissions()).permissions ?? {})).toContain('EDIT_ISSUES');
  const ask = { permissions: 'ADMINISTER_PROJECTS', projectKey: 'WEB', query: '', maxResults: 1_000 };
  const holders = await jira.userSearch.findUsersWithAllPermissions(ask);
  expect(holders.map(({ accountId }) => accountId)).toContain(accountOf('project-admin'));
  expect((await jira.users.getUser({ accountId: accountOf('viewer') })).displayName).toBe('Victor Sato');
  expect((await jira.userSearch.findUsersForPicker({ query: 'emma' })).users).toHaveLength(1);
});

test('fields, projects, types, statuses and transitions are listed', async () => {
  const jira = clientOf('editor');
  expect((await jira.issueFields.getFields()).map(({ id }) => id)).toContain('summary');
  const projects = await jira.projects.searchProjects({ maxResults: 1, expand: 'lead,issueTypes' });
  expect([projects.values?.length, projects.isLast]).toEqual([1, false]);
  expect((await jira.projects.getProject({ projectIdOrKey: 'WEB' })).key).toBe('WEB');
  expect((await jira.projects.getAllStatuses({ projectIdOrKey: 'WEB' })).length).toBeGreaterThan(0);
  expect((await jira.issueTypes.getIssueAllTypes()).length).toBeGreaterThan(0);
  expect((await jira.issues.getTransitions({ issueIdOrKey: 'WEB-1' })).transitions?.length).toBeGreaterThan(0);
  expect((await jira.issueLinkTypes.getIssueLinkTypes()).issueLinkTypes?.length).toBeGreaterThan(0);
});

test.each([
  ['an issue that is not there', 404, () => clientOf('editor').issues.getIssue({ issueIdOrKey: 'WEB-999' })],
  [
    'an edit without the permission',
    403,
    () => clientOf('viewer').issues.editIssue({ issueIdOrKey: 'WEB-1', fields: { summary: 'x' } }),
  ],
  [
    'an edit that a field refuses',
    400,
    () => clientOf('editor').issues.editIssue({ issueIdOrKey: 'WEB-1', fields: { summary: '' } }),
  ],
])('%s is refused with %i', async (_, status, call) => {
  await expect(call()).rejects.toMatchObject({ status });
});
