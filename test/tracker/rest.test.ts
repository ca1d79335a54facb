import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDON_KEY } from './addon.ts';
import { type Ask, accountOf, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
beforeAll(async () => {
  site = await startTracker();
  editor = site.as('editor');
});
afterAll(() => site.close());

const FIELD = 'customfield_10100';
const withFields = v.object({ fields: v.record(v.string(), v.unknown()) });
const created = v.object({ key: v.string() });
const refusal = (...errorMessages: string[]) => ({ errorMessages, errors: {} });

describe('reading an issue', () => {
  test('answers what was asked for', async () => {
    const { status, body } = await editor('GET', '/rest/api/2/issue/WEB-6?fields=summary,status,-status&expand=names');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: '10006', key: 'WEB-6', names: { summary: 'Summary' } });
    expect(body).toHaveProperty('fields', { summary: 'Basket empties after signing in' });
    expect(body).not.toHaveProperty('properties');
  });

  test('has the checklist field among its names, and properties by name', async () => {
    const property = `${ADDON_KEY}.checklist`;
    const { body } = await editor('GET', `/rest/api/2/issue/10006?properties=${property},other&expand=names`);
    expect(body).toMatchObject({ names: { [FIELD]: 'Checklist Text' }, fields: { [FIELD]: null } });
    expect(body).toHaveProperty('properties', { [property]: expect.stringContaining('- Reproduce on staging') });
  });

  test('has parent, sub-tasks, people and icons in the shapes that screens read', async () => {
    const { body } = await editor('GET', '/rest/api/2/issue/WEB-2');
    expect(body).toMatchObject({
      fields: {
        parent: { key: 'WEB-1', fields: { issuetype: { name: 'Epic', hierarchyLevel: 1 } } },
        subtasks: [{ key: 'WEB-3' }, { key: 'WEB-4' }],
        status: { name: 'In Progress', statusCategory: { colorName: 'yellow' } },
        priority: { name: 'High', iconUrl: expect.stringMatching(/^http:\/\/localhost:2990\/images\/priorities\//) },
        assignee: { accountId: accountOf('editor'), avatarUrls: { '16x16': expect.stringMatching(/\?size=16$/) } },
      },
    });
  });

  test('gives long text as a document in version 3', async () => {
    const { body } = await editor('GET', '/rest/api/3/issue/WEB-1?fields=description');
    expect(body).toMatchObject({ fields: { description: { type: 'doc', content: [{ type: 'paragraph' }] } } });
  });

  test('gives ten of several users, unless it is asked for more', async () => {
    const { body } = await editor('GET', `/rest/api/3/user/bulk?accountId=${accountOf('editor')}`);
    expect(body).toMatchObject({ maxResults: 10, total: 1 });
  });

  test('has times in the zone of the site, which is not that of Greenwich', async () => {
    const { body } = await editor('GET', '/rest/api/3/issue/WEB-1?fields=created,updated');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-0800$/);
    expect(body).toMatchObject({ fields: { created: time, updated: time } });
  });

  test.each(['WEB-999', '99999', 'nothing'])('does not find %s', async key => {
    expect(await editor('GET', `/rest/api/2/issue/${key}`)).toMatchObject({
      status: 404,
      body: refusal('Issue does not exist or you do not have permission to see it.'),
    });
  });
});

describe('editing an issue', () => {
  const put = (fields: unknown, ask = editor, version = 2) =>
    ask('PUT', `/rest/api/${version}/issue/WEB-7`, { json: { fields } });
  const fieldText = async () => {
    const { body } = await editor('GET', `/rest/api/2/issue/WEB-7?fields=${FIELD}`);
    return v.parse(withFields, body).fields[FIELD];
  };

  test('renders a long text anew', async () => {
    expect((await put({ [FIELD]: '\r\n- a  \r\n\r\n\r\n\r\n- b\t\r\n  indented\r\n' })).status).toBe(204);
    expect(await fieldText()).toBe('- a\n\n- b\n  indented');
  });

  test('takes text up to the limit and refuses one more', async () => {
    expect((await put({ [FIELD]: 'x'.repeat(32_767) })).status).toBe(204);
    expect(await put({ [FIELD]: 'y'.repeat(32_768) })).toMatchObject({
      status: 400,
      body: { errorMessages: [], errors: { [FIELD]: expect.stringMatching(/too long.*32,767/) } },
    });
    expect(await fieldText()).toBe('x'.repeat(32_767));
  });

  test('sets all fields or none', async () => {
    const answer = await put({ summary: 'Changed', [FIELD]: 5, unknown: 'x' });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: {
          [FIELD]: 'Operation value must be a string',
          unknown: "Field 'unknown' cannot be set. It is not on the appropriate screen, or unknown.",
        },
      },
    });
    expect((await editor('GET', '/rest/api/2/issue/WEB-7?fields=summary')).body).toMatchObject({
      fields: { summary: 'Currency sign jumps on narrow screens' },
    });
  });

  test('takes a field that is on no screen of the project: only creation looks at screens', async () => {
    await site.as('project-admin')('PUT', '/host/projects/WEB', { json: { checklistFieldOnScreen: false } });
    expect((await put({ [FIELD]: '- a' })).status).toBe(204);
    const fields = { project: { key: 'WEB' }, issuetype: { id: '10001' }, summary: 'New', [FIELD]: '- a' };
    expect(await editor('POST', '/rest/api/2/issue', { json: { fields } })).toMatchObject({
      status: 400,
      body: { errors: { [FIELD]: `Field '${FIELD}' cannot be set. It is not on the appropriate screen, or unknown.` } },
    });
    await site.as('project-admin')('PUT', '/host/projects/WEB', { json: { checklistFieldOnScreen: true } });
  });

  test('wants documents in version 3', async () => {
    const document = {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: '- a' }] }],
    };
    expect((await put({ [FIELD]: '- a' }, editor, 3)).status).toBe(400);
    expect((await put({ [FIELD]: document }, editor, 3)).status).toBe(204);
    expect(await fieldText()).toBe('- a');
  });

  test.each([['viewer'], ['customer']] as const)('is not for a %s', async role => {
    expect((await put({ summary: 'x' }, site.as(role))).status).toBe(role === 'viewer' ? 403 : 404);
  });

  test('refuses a body that is no JSON, is too large, or of another type', async () => {
    const url = '/rest/api/2/issue/WEB-7';
    expect((await editor('PUT', url, { raw: '{"fields":' })).status).toBe(400);
    expect((await editor('PUT', url, { raw: `"${'x'.repeat(1024 * 1024)}"` })).status).toBe(413);
    expect((await editor('PUT', url, { raw: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await editor('PUT', url, { json: [] })).status).toBe(400);
  });
});

describe('properties', () => {
  const url = '/rest/api/2/issue/WEB-1/properties/my.key';

  test('are created, read, listed, replaced and deleted', async () => {
    expect((await editor('PUT', url, { json: { a: null } })).status).toBe(201);
    expect((await editor('PUT', url, { json: 'plain\u0000\ud800' })).status).toBe(200);
    expect((await editor('GET', '/rest/api/2/issue/10001/properties/my.key')).body).toEqual({
      key: 'my.key',
      value: 'plain\u0000\ud800',
    });
    expect((await editor('GET', '/rest/api/3/issue/WEB-1/properties')).body).toMatchObject({
      keys: [{ key: 'my.key' }],
    });
    expect((await editor('DELETE', url)).status).toBe(204);
    expect((await editor('GET', url)).status).toBe(404);
    expect((await editor('DELETE', url)).status).toBe(404);
  });

  test('hold 32,768 characters of JSON and no more', async () => {
    expect((await editor('PUT', url, { json: 'x'.repeat(32_766) })).status).toBe(201);
    const { status, body } = await editor('PUT', url, { json: 'x'.repeat(32_767) });
    expect([status, body]).toEqual([400, refusal('The property value cannot be longer than 32768 characters.')]);
    expect((await editor('PUT', `${url}${'k'.repeat(300)}`, { json: 1 })).status).toBe(400);
  });

  test.each(['{', '', 'undefined'])('refuse %j', async raw => {
    expect((await editor('PUT', url, { raw })).status).toBe(400);
  });

  test('of a project are changed by its administrators', async () => {
    const ofProject = '/rest/api/2/project/WEB/properties/shown';
    expect((await editor('PUT', ofProject, { json: 'true' })).status).toBe(403);
    expect((await site.as('project-admin')('PUT', ofProject, { json: 'true' })).status).toBe(201);
    expect((await editor('GET', '/rest/api/2/project/10000?properties=shown')).body).toMatchObject({
      properties: { shown: 'true' },
    });
  });

  test('of a user are writable by the user only', async () => {
    const mine = `accountId=${accountOf('editor')}`;
    expect((await editor('PUT', `/rest/api/2/user/properties/hide?${mine}`, { json: 'true' })).status).toBe(201);
    expect((await editor('GET', `/rest/api/2/user/properties?${mine}`)).body).toMatchObject({
      keys: [{ key: 'hide' }],
    });
    expect((await editor('GET', `/rest/api/2/user/properties/hide?${mine}`)).body).toMatchObject({ value: 'true' });
    expect((await site.as('viewer')('GET', `/rest/api/2/user/properties?${mine}`)).status).toBe(403);
  });
});

describe('creating and deleting issues', () => {
  const story = { project: { key: 'WEB' }, issuetype: { name: 'Story' }, summary: 'A new story' };
  const create = async (fields: object, ask = editor) => {
    const { status, body } = await ask('POST', '/rest/api/3/issue', { json: { fields } });
    return { status, key: status === 201 ? v.parse(created, body).key : '' };
  };

  test('takes the next key, and a parent for a sub-task', async () => {
    const first = await create(story);
    const number = Number(first.key.replace('WEB-', ''));
    const subtask = { ...story, issuetype: { name: 'Sub-task' } };
    const second = await create({ ...subtask, parent: { key: first.key } });
    expect(second).toEqual({ status: 201, key: `WEB-${number + 1}` });
    expect((await editor('GET', `/rest/api/2/issue/${second.key}?fields=parent`)).body).toMatchObject({
      fields: { parent: { key: first.key } },
    });
    expect((await create(subtask)).status).toBe(400);
    expect((await create({ ...story, summary: ' ' })).status).toBe(400);
    expect((await create({ ...story, issuetype: { name: 'Incident' } })).status).toBe(400);
    expect((await create(story, site.as('viewer'))).status).toBe(403);
  });

  test('takes properties and links along, which the other issue shows too', async () => {
    const { key } = await create(story);
    const types = await editor('GET', '/rest/api/2/issueLinkType');
    expect(types.body).toMatchObject({ issueLinkTypes: [{ name: 'Relates' }, { name: 'Blocks' }] });
    const link = (to: string) => ({ issuelinks: [{ add: { type: { name: 'Blocks' }, outwardIssue: { key: to } } }] });
    const ask = (to: string) =>
      editor('POST', '/rest/api/2/issue', {
        json: { fields: story, update: link(to), properties: [{ key: 'made', value: { mark: 'm' } }] },
      });
    const made = v.parse(created, (await ask(key)).body).key;
    expect((await editor('GET', `/rest/api/2/issue/${made}/properties/made`)).body).toMatchObject({
      value: { mark: 'm' },
    });
    const linksOf = async (of: string) => (await editor('GET', `/rest/api/2/issue/${of}?fields=issuelinks`)).body;
    expect(await linksOf(made)).toMatchObject({ fields: { issuelinks: [{ outwardIssue: { key } }] } });
    expect(await linksOf(key)).toMatchObject({ fields: { issuelinks: [{ inwardIssue: { key: made } }] } });
    expect((await ask('WEB-999')).status).toBe(400);
  });

  test('deletes sub-tasks only on request', async () => {
    const { key } = await create(story);
    const child = await create({ ...story, issuetype: { name: 'Sub-task' }, parent: { key } });
    const admin = site.as('project-admin');
    expect((await editor('DELETE', `/rest/api/3/issue/${key}`)).status).toBe(403);
    expect((await admin('DELETE', `/rest/api/3/issue/${key}`)).status).toBe(400);
    expect((await admin('DELETE', `/rest/api/3/issue/${key}?deleteSubtasks=true`)).status).toBe(204);
    expect((await admin('GET', `/rest/api/3/issue/${child.key}`)).status).toBe(404);
  });
});

describe('people and projects', () => {
  test('returns the caller', async () => {
    expect((await editor('GET', '/rest/api/2/myself')).body).toMatchObject({
      accountId: accountOf('editor'),
      displayName: 'Emma Richards',
    });
    expect((await site.anonymous('GET', '/rest/api/2/myself')).status).toBe(401);
  });

  test('the picker finds by the beginnings of names and leaves customers out', async () => {
    const { body } = await editor('GET', '/rest/api/3/user/picker?query=no&showAvatar=true&maxResults=10');
    expect(body).toMatchObject({
      users: [{ displayName: 'Pavel Novak', html: 'Pavel <strong>No</strong>vak', avatarUrl: expect.any(String) }],
      total: 1,
    });
    expect((await editor('GET', '/rest/api/3/user/picker?query=carla')).body).toMatchObject({ users: [] });
    expect((await site.as('customer')('GET', '/rest/api/3/user/picker?query=no')).body).toMatchObject({ users: [] });
  });

  test('several users are read at once', async () => {
    const ids = [accountOf('editor'), 'nobody', accountOf('viewer')].map(id => `accountId=${id}`).join('&');
    const { body } = await editor('GET', `/rest/api/3/user/bulk?${ids}`);
    expect(body).toMatchObject({
      total: 2,
      values: [{ displayName: 'Emma Richards' }, { displayName: 'Victor Sato' }],
    });
    expect((await editor('GET', '/rest/api/3/user/bulk')).status).toBe(400);
  });

  test('projects are searched, sorted and paged', async () => {
    const search = (query: string) => editor('GET', `/rest/api/2/project/search?${query}`);
    expect((await search('orderBy=name&maxResults=1&startAt=1')).body).toMatchObject({
      total: 2,
      isLast: true,
      values: [{ key: 'WEB' }],
    });
    expect((await search('query=help')).body).toMatchObject({ total: 1, values: [{ key: 'HELP' }] });
    expect((await search('orderBy=moon')).status).toBe(400);
    expect((await site.as('customer')('GET', '/rest/api/2/project/search')).body).toMatchObject({ total: 0 });
    expect((await editor('GET', '/rest/api/2/project/NOPE')).status).toBe(404);
  });

  test('a project lists the statuses of each of its issue types', async () => {
    const { body } = await editor('GET', '/rest/api/3/project/WEB/statuses');
    const types = v.parse(
      v.array(v.object({ name: v.string(), statuses: v.array(v.object({ name: v.string() })) })),
      body,
    );
    expect(types.map(({ name }) => name)).toEqual(['Epic', 'Story', 'Bug', 'Sub-task']);
    expect(types[0]?.statuses).toContainEqual({ name: 'In Progress' });
    expect((await site.as('customer')('GET', '/rest/api/3/project/WEB/statuses')).status).toBe(404);
  });

  test('the site lists its issue types and statuses', async () => {
    const names = async (path: string) =>
      v.parse(v.array(v.object({ name: v.string() })), (await editor('GET', path)).body).map(({ name }) => name);
    expect(await names('/rest/api/3/issuetype')).toEqual(expect.arrayContaining(['Epic', 'Story', 'Bug', 'Sub-task']));
    expect(await names('/rest/api/3/status')).toContain('In Progress');
  });

  test('the field of the add-on bears the key of its module', async () => {
    expect((await editor('GET', '/rest/api/2/field')).body).toContainEqual(
      expect.objectContaining({ id: FIELD, key: `${ADDON_KEY}__checklist-text`, name: 'Checklist Text', custom: true }),
    );
  });
});
