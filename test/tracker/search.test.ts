import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
beforeAll(async () => {
  site = await startTracker();
  editor = site.as('editor');
});
afterAll(() => site.close());

const page = v.object({
  issues: v.array(v.object({ key: v.string(), fields: v.record(v.string(), v.unknown()) })),
  isLast: v.boolean(),
  nextPageToken: v.optional(v.string()),
});

const search = async (ask: Ask, query: Record<string, string>) => {
  const { status, body } = await ask('GET', `/rest/api/3/search/jql?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return v.parse(page, body);
};
const keys = ({ issues }: v.InferOutput<typeof page>) => issues.map(({ key }) => key);

test('finds the issues of a project, page by page, oldest first, with what was asked for', async () => {
  const jql = 'project = WEB order by created asc';
  const first = await search(editor, { jql, fields: 'summary', maxResults: '5' });
  expect(keys(first)).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-5']);
  expect(first).toMatchObject({
    isLast: false,
    issues: [{ fields: { summary: 'One-page checkout' } }, {}, {}, {}, {}],
  });
  const second = await search(editor, { jql, maxResults: '5', nextPageToken: first.nextPageToken ?? '' });
  expect(keys(second)).toEqual(['WEB-6', 'WEB-7', 'WEB-8']);
  expect(second).toMatchObject({ isLast: true, issues: [{ fields: {} }, {}, {}] });
  expect(second.nextPageToken).toBeUndefined();
});

test('finds one issue by id or key, and all of them', async () => {
  expect(keys(await search(editor, { jql: 'id = 10006' }))).toEqual(['WEB-6']);
  expect(keys(await search(editor, { jql: 'issue = "WEB-6"' }))).toEqual(['WEB-6']);
  expect(keys(await search(editor, { jql: 'id = 99999' }))).toEqual([]);
  expect(keys(await search(editor, { jql: 'project is not empty', maxResults: '100' }))).toHaveLength(12);
  const { body } = await editor('POST', '/rest/api/3/search/approximate-count', {
    json: { jql: 'project = HELP' },
  });
  expect(body).toEqual({ count: 4 });
});

test('finds several issues by their keys, all of which have to be there', async () => {
  expect(keys(await search(editor, { jql: 'key in (WEB-6, "WEB-2")' }))).toEqual(['WEB-2', 'WEB-6']);
  const unknown = new URLSearchParams({ jql: 'key in (WEB-6, WEB-999)' });
  expect((await editor('GET', `/rest/api/3/search/jql?${unknown}`)).status).toBe(400);
});

test('finds issues below one or several parents, which have to be there', async () => {
  expect(keys(await search(editor, { jql: 'parent = WEB-1' }))).toEqual(['WEB-2', 'WEB-5']);
  expect(keys(await search(editor, { jql: 'parent in (10001, WEB-2) order by created asc' }))).toEqual([
    ...['WEB-2', 'WEB-3', 'WEB-4', 'WEB-5'],
  ]);
  expect(keys(await search(editor, { jql: 'parent in (WEB-8)' }))).toEqual([]);
  const unknown = new URLSearchParams({ jql: 'parent in (WEB-1, WEB-999)' });
  expect((await editor('GET', `/rest/api/3/search/jql?${unknown}`)).status).toBe(400);
});

test('finds issues by several clauses, newest first where that is asked for', async () => {
  const { issues } = await search(editor, {
    jql: 'project = WEB',
    fields: 'project,issuetype,status',
    maxResults: '50',
  });
  const shape = v.object({ project: v.object({ id: v.string() }), issuetype: v.object({ id: v.string() }) });
  const all = issues.map(({ key, fields }) => ({ key, ...v.parse(shape, fields) }));
  const [first] = all;
  const type = first?.issuetype.id ?? '';
  const jql = `project in (${first?.project.id}) and issuetype in (${type}, 99) order by created desc`;
  const expected = all.filter(({ issuetype }) => issuetype.id === type).map(({ key }) => key);
  expect(keys(await search(editor, { jql, maxResults: '50' }))).toEqual(expected.reverse());
  expect(keys(await search(editor, { jql: 'project is not empty and status in (1)', maxResults: '50' }))).toEqual([]);
  const unknown = new URLSearchParams({ jql: 'project = WEB and key = WEB-1' });
  expect((await editor('GET', `/rest/api/3/search/jql?${unknown}`)).status).toBe(400);
});

test('shows no inaccessible issue', async () => {
  expect(keys(await search(site.as('customer'), { jql: 'project = WEB' }))).toEqual([]);
});

test.each([
  ['jql='],
  ['jql=order+by+created'],
  ['jql=project+%3D+NONE'],
  ['jql=assignee+%3D+currentUser()'],
  ['jql=project+%3D+WEB&nextPageToken=abc'],
])('refuses %s', async query => {
  expect((await editor('GET', `/rest/api/3/search/jql?${query}`)).status).toBe(400);
});
