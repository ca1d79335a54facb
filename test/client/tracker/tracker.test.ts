import { afterEach, expect, test, vi } from 'vitest';
import { TrackerError } from '../../../src/client/errors.ts';
import { getHeldPermissions } from '../../../src/client/tracker/held-permissions.ts';
import { getIssue, getStoredText } from '../../../src/client/tracker/issues.ts';
import { findPeople, getMyself, getPeople } from '../../../src/client/tracker/people.ts';
import { getGranted } from '../../../src/client/tracker/permissions.ts';
import { getProject, searchProjects } from '../../../src/client/tracker/projects.ts';
import { getUserProperty, setUserProperty } from '../../../src/client/tracker/properties.ts';
import { allPermissionKeys, fallbackPermissionKeys, permissionKey } from '../../../src/domain/permissions.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { fakeBridge, type Handler, status } from '../fake-bridge.ts';

afterEach(() => vi.restoreAllMocks());

const tracker = (handler: Handler) => {
  const bridge = fakeBridge({ tracker: handler });
  return { bridge, sent: () => bridge.calls.map(({ path, init }) => ({ path, ...init })) };
};

test('an issue is read with the requested fields, joined by commas, its key encoded', async () => {
  const { bridge, sent } = tracker(() => ({ id: '1', key: 'ABC-1', fields: { summary: 'S' } }));
  expect(await getIssue(bridge, 'ABC-1', ['summary', 'status'])).toEqual({
    id: '1',
    key: 'ABC-1',
    fields: { summary: 'S' },
  });
  await getIssue(bridge, 'a/../b?c');
  expect(sent()).toEqual([
    { path: '/rest/api/2/issue/ABC-1', query: { fields: 'summary,status' } },
    { path: '/rest/api/2/issue/a%2F..%2Fb%3Fc', query: {} },
  ]);
});

test('an issue with invalid JSON is empty; an error rejects with its text', async () => {
  expect(await getIssue(tracker(() => status(200, '<html>')).bridge, 'ABC-1')).toEqual({});
  const failure = await getIssue(tracker(() => status(404, '{"errorMessages":["Gone."]}')).bridge, 'ABC-1').catch(
    e => e,
  );
  expect(failure).toBeInstanceOf(TrackerError);
  expect(failure).toMatchObject({ status: 404, text: '{"errorMessages":["Gone."]}' });
});

const KEY = storageKey('checklist');
const names = { summary: 'Summary', customfield_2: 'Checklists (migrated 2)', customfield_9: 'Checklist Text' };
const fields = { summary: 'S', customfield_2: '- old', customfield_9: '- field' };

test.each([
  [
    'our property',
    { [KEY]: { v: 1, epoch: 'e', seq: 7, name: 'Mine', text: '- a', progress: {} } },
    fields,
    { source: 'property', epoch: 'e', seq: 7, name: 'Mine', text: '- a', field: '- field' },
  ],
  [
    'our property with an impossible seq',
    { [KEY]: { v: 1, epoch: 'e', seq: 1.5, name: 'Mine', text: '- a', progress: {} } },
    fields,
    { source: 'property', epoch: '', seq: 0, name: 'Mine', text: '- a', field: '- field' },
  ],
  [
    'a plain string',
    { [KEY]: '- plain' },
    fields,
    { source: 'property', epoch: '', seq: 0, text: '- plain', field: '- field' },
  ],
  [
    'an empty string, which is an empty checklist',
    { [KEY]: '' },
    fields,
    { source: 'property', epoch: '', seq: 0, text: '', field: '- field' },
  ],
  [
    'an array: the field',
    { [KEY]: ['- a'] },
    fields,
    { source: 'field', epoch: '', seq: 0, text: '- field', field: '- field' },
  ],
  [
    'wrong types: the field',
    { [KEY]: { v: 1, text: 5 } },
    fields,
    { source: 'field', epoch: '', seq: 0, text: '- field', field: '- field' },
  ],
  ['no property: the field', {}, fields, { source: 'field', epoch: '', seq: 0, text: '- field', field: '- field' }],
  [
    'an empty field: another of its names',
    {},
    { ...fields, customfield_9: ' \n' },
    { source: 'field', epoch: '', seq: 0, text: '- old', field: '- old' },
  ],
  ['neither', {}, { summary: 'S' }, undefined],
  ['fields of other types', {}, { customfield_9: 5, customfield_2: ['- a'] }, undefined],
])('the stored checklist: %s', async (_name, properties, values, expected) => {
  const { bridge, sent } = tracker(() => ({ id: '1', properties, names, fields: values }));
  expect(await getStoredText(bridge, 'ABC-1')).toEqual(expected);
  expect(sent()).toEqual([{ path: '/rest/api/2/issue/ABC-1', query: { properties: KEY, expand: 'names' } }]);
});

test.each([
  ['no JSON', status(200, '<html>')],
  ['a list', status(200, '[]')],
  ['nothing in it', status(200, '{}')],
])('an issue of %s holds no checklist', async (_name, answer) => {
  expect(await getStoredText(tracker(() => answer).bridge, 'ABC-1')).toBeUndefined();
});

test('people are found ten at a time with small pictures', async () => {
  const { bridge, sent } = tracker(() => ({
    users: [
      { accountId: 'a', displayName: 'Ann', avatarUrl: 'https://x/16' },
      { accountId: 'b', displayName: 'Ben' },
    ],
  }));
  expect(await findPeople(bridge, 'a b')).toEqual([
    { accountId: 'a', name: 'Ann', avatar: 'https://x/16' },
    { accountId: 'b', name: 'Ben', avatar: '' },
  ]);
  expect(sent()).toEqual([
    {
      path: '/rest/api/3/user/picker',
      query: { showAvatar: 'true', query: 'a b', avatarSize: '16x16', maxResults: '10' },
    },
  ]);
  await expect(findPeople(tracker(() => status(403, 'No.')).bridge, 'a')).rejects.toThrow('No.');
});

test('the current user is read', async () => {
  const me = { accountId: 'a', displayName: 'Ann' };
  expect(await getMyself(tracker(() => ({ ...me, self: 'x' })).bridge)).toEqual(me);
  await expect(getMyself(tracker(() => status(401, '')).bridge)).rejects.toBeInstanceOf(TrackerError);
});

test('people in bulk: repeated ids, fifty a call, no call without ids', async () => {
  const person = (accountId: string) => ({ accountId, displayName: `N ${accountId}`, avatarUrls: { '16x16': 'u' } });
  const { bridge, sent } = tracker((_path, { query }) => ({ values: [query?.accountId ?? []].flat().map(person) }));
  expect(await getPeople(bridge, [])).toEqual([]);
  expect(sent()).toEqual([]);
  expect(await getPeople(bridge, ['a', 'b'])).toEqual([
    ['a', { accountId: 'a', name: 'N a', avatar: 'u' }],
    ['b', { accountId: 'b', name: 'N b', avatar: 'u' }],
  ]);
  expect(sent()).toEqual([{ path: '/rest/api/3/user/bulk', query: { accountId: ['a', 'b'], maxResults: '2' } }]);
  const many = Array.from({ length: 120 }, (_, index) => `id-${index}`);
  expect(await getPeople(bridge, many)).toHaveLength(120);
  expect(sent()).toHaveLength(4);
});

test('people in bulk that the answer lacks are null', async () => {
  const { bridge } = tracker(() => ({ values: [{ accountId: 'b', displayName: 'Ben' }] }));
  expect(await getPeople(bridge, ['a', 'b'])).toEqual([
    ['a', null],
    ['b', { accountId: 'b', name: 'Ben', avatar: '' }],
  ]);
});

test('people in bulk that fail are left out, with a warning', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await getPeople(tracker(() => status(500, 'Oh.')).bridge, ['a'])).toEqual([]);
  expect(warned).toHaveBeenCalledWith('Failed to fetch batch of users', expect.any(TrackerError));
});

test.each([
  ['there', [{ key: 'k' }], { key: 'k', value: 'true' }, 'true'],
  ['there and false', [{ key: 'k' }], { key: 'k', value: false }, false],
  ['empty', [{ key: 'k' }], { key: 'k', value: '' }, 'default'],
  ['null', [{ key: 'k' }], { key: 'k', value: null }, 'default'],
  ['not among the keys', [{ key: 'other' }], { key: 'k', value: 'true' }, 'default'],
])("a user's property that is %s", async (_name, keys, value, expected) => {
  const { bridge, sent } = tracker(path => (path.endsWith('/k') ? value : { keys }));
  expect(await getUserProperty(bridge, 'acc', 'k', 'default')).toBe(expected);
  expect(sent()[0]).toEqual({ path: '/rest/api/2/user/properties', query: { accountId: 'acc' } });
  expect(sent()).toHaveLength(keys[0]?.key === 'k' ? 2 : 1);
});

test("a user's property is set as JSON for the account", async () => {
  const { bridge, sent } = tracker(() => status(200));
  await setUserProperty(bridge, 'acc:1', 'hide_completed_items', 'true');
  expect(sent()).toEqual([
    {
      path: '/rest/api/2/user/properties/hide_completed_items',
      method: 'PUT',
      query: { accountId: 'acc:1' },
      json: 'true',
    },
  ]);
});

const permissions = (granted: Record<string, boolean>) => ({
  permissions: Object.fromEntries(
    Object.entries(granted).map(([key, havePermission]) => [key, { key, havePermission }]),
  ),
});

test('granted permissions are returned, for the issue or the project', async () => {
  const { bridge, sent } = tracker(() => permissions({ EDIT_ISSUES: true, ADMINISTER: false }));
  expect(await getGranted(bridge, { issueKey: 'ABC-1' })).toEqual(new Set(['EDIT_ISSUES']));
  await getGranted(bridge, { projectKey: 'ABC' });
  expect(sent()).toEqual([
    { path: '/rest/api/2/mypermissions', query: { permissions: allPermissionKeys.join(','), issueKey: 'ABC-1' } },
    { path: '/rest/api/2/mypermissions', query: { permissions: allPermissionKeys.join(','), projectKey: 'ABC' } },
  ]);
});

test('a tracker that does not know our permissions is queried for its own', async () => {
  const fallback = fallbackPermissionKeys.join(',');
  const { bridge } = tracker((_path, { query }) =>
    query?.permissions === fallback
      ? permissions({ EDIT_ISSUES: true })
      : status(400, '{"errorMessages":["Unrecognized permission(s): a__b"]}'),
  );
  expect(await getGranted(bridge, { issueKey: 'ABC-1' })).toEqual(new Set(['EDIT_ISSUES']));
});

test.each([
  ['another refusal', status(403, 'No.'), 1],
  ['a fallback that is refused as well', status(400, 'Unrecognized permission'), 2],
])('no permissions from %s', async (_name, answer, calls) => {
  const { bridge, sent } = tracker(() => answer);
  expect(await getGranted(bridge, {})).toEqual(new Set());
  expect(sent()).toHaveLength(calls);
});

test.each([
  ['throttling', status(429, '')],
  ['a failure of the tracker', status(500, '')],
  ['an answer of another shape', status(200, '[]')],
])('%s says nothing about permissions', async (_name, answer) => {
  const { bridge } = tracker(() => answer);
  await expect(getGranted(bridge, {})).rejects.toThrow();
});

test('projects are read in pages, by name', async () => {
  const { bridge, sent } = tracker(() => ({ values: [{ id: '1', key: 'A', name: 'Apple', extra: 1 }], total: 31 }));
  const page = await searchProjects(bridge, {
    query: 'ap',
    page: 3,
    pageSize: 10,
  });
  expect(page).toEqual({ projects: [{ id: '1', key: 'A', name: 'Apple' }], total: 31 });
  expect(sent()[0]?.query).toEqual({
    query: 'ap',
    startAt: '20',
    maxResults: '10',
    orderBy: 'name',
  });
  await searchProjects(bridge, { page: 1, pageSize: 10 });
  expect(sent()[1]?.query).toMatchObject({ startAt: '0', query: undefined });
});

test('one project is read with its properties', async () => {
  const project = { id: '1', key: 'A', name: 'Apple', properties: { x: 'true' } };
  const { bridge, sent } = tracker(() => project);
  expect(await getProject(bridge, '1', ['x'])).toEqual(project);
  expect(sent()).toEqual([{ path: '/rest/api/2/project/1', query: { properties: 'x' } }]);
  await expect(getProject(tracker(() => status(404, 'None.')).bridge, '1', [])).rejects.toThrow('None.');
});

test('the permissions on many issues come from one request, by the keys of the site', async () => {
  const { bridge, sent } = tracker(() => ({
    globalPermissions: [],
    projectPermissions: [
      { permission: 'BROWSE_PROJECTS', issues: [1, 2], projects: [] },
      { permission: 'EDIT_ISSUES', issues: [2, 3] },
      { permission: 'ari:manage', issues: [1] },
    ],
  }));
  const held = await getHeldPermissions(bridge, ['1', '2', '3'], { 'manage-checklist': 'ari:manage' });
  // What the user may not browse is no issue for the user.
  expect([...held]).toEqual([
    ['1', new Set([permissionKey('manage-checklist'), 'BROWSE_PROJECTS'])],
    ['2', new Set(['BROWSE_PROJECTS', 'EDIT_ISSUES'])],
  ]);
  expect(sent()).toEqual([
    {
      path: '/rest/api/3/permissions/check',
      method: 'POST',
      json: {
        projectPermissions: [
          {
            permissions: expect.arrayContaining([
              'ari:manage',
              'BROWSE_PROJECTS',
              'EDIT_ISSUES',
              'ADMINISTER_PROJECTS',
            ]),
            issues: [1, 2, 3],
            projects: [],
          },
        ],
      },
    },
  ]);
});

test('permissions on issues are asked for again where the tracker does not know ours, and failures reject', async () => {
  const { bridge, sent } = tracker((_path, { json }) =>
    JSON.stringify(json).includes('manage-checklist')
      ? status(400, '{"errorMessages":["Unrecognized permission(s): x"]}')
      : { projectPermissions: [{ permission: 'BROWSE_PROJECTS', issues: [1] }] },
  );
  expect([...(await getHeldPermissions(bridge, ['1']))]).toEqual([['1', new Set(['BROWSE_PROJECTS'])]]);
  expect(sent()).toHaveLength(2);
  await expect(getHeldPermissions(tracker(() => status(503)).bridge, ['1'])).rejects.toBeInstanceOf(TrackerError);
});
