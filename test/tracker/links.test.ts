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

const end = v.optional(v.object({ key: v.string() }));
const linksShape = v.object({
  fields: v.object({
    issuelinks: v.optional(v.array(v.object({ id: v.string(), outwardIssue: end, inwardIssue: end })), []),
  }),
});
const linksOf = async (ask: Ask, key: string) =>
  v.parse(linksShape, (await ask('GET', `/rest/api/3/issue/${key}?fields=issuelinks`)).body).fields.issuelinks;
const link = (from: string, to: string, type = 'Blocks') => ({
  json: { type: { name: type }, inwardIssue: { key: from }, outwardIssue: { key: to } },
});

test('the demo has links between issues', async () => {
  expect(await linksOf(editor, 'WEB-2')).toMatchObject([{ inwardIssue: { key: 'WEB-6' } }]);
  expect(await linksOf(editor, 'WEB-6')).toMatchObject([{ outwardIssue: { key: 'WEB-2' } }]);
});

test('a link is made once and shows at both ends, until it is taken away', async () => {
  expect((await editor('POST', '/rest/api/3/issueLink', link('WEB-7', 'WEB-8'))).status).toBe(201);
  expect((await editor('POST', '/rest/api/3/issueLink', link('WEB-7', 'WEB-8'))).status).toBe(201);
  const [made, ...more] = await linksOf(editor, 'WEB-7');
  expect(made).toMatchObject({ outwardIssue: { key: 'WEB-8' } });
  expect(more).toEqual([]);
  const back = (await linksOf(editor, 'WEB-8')).find(({ id }) => id === made?.id);
  expect(back).toMatchObject({ inwardIssue: { key: 'WEB-7' } });
  expect((await editor('DELETE', `/rest/api/3/issueLink/${made?.id}`)).status).toBe(204);
  expect(await linksOf(editor, 'WEB-7')).toEqual([]);
  expect((await editor('DELETE', `/rest/api/3/issueLink/${made?.id}`)).status).toBe(404);
});

test.each([
  ['a type that there is none of', link('WEB-7', 'WEB-8', 'Likes'), 404],
  ['an issue that is not there', link('WEB-7', 'WEB-999'), 404],
  ['an issue with itself', link('WEB-7', 'WEB-7'), 400],
  ['nothing', { json: {} }, 400],
])('refuses to link %s', async (_, given, status) => {
  expect((await editor('POST', '/rest/api/3/issueLink', given)).status).toBe(status);
});

test('a viewer links nothing', async () => {
  expect((await site.as('viewer')('POST', '/rest/api/3/issueLink', link('WEB-7', 'WEB-8'))).status).toBe(403);
});

test('an issue hidden by its security level is neither found nor named', async () => {
  const admin = site.as('project-admin');
  const set = (security: unknown) => admin('PUT', '/rest/api/3/issue/WEB-5', { json: { fields: { security } } });
  expect((await set({ name: 'Nobody' })).status).toBe(400);
  expect((await set({ name: 'Administrators' })).status).toBe(204);
  await admin('POST', '/rest/api/3/issueLink', link('WEB-5', 'WEB-7'));
  const found = async (ask: Ask) => {
    const { body } = await ask('GET', `/rest/api/3/search/jql?${new URLSearchParams({ jql: 'parent = WEB-1' })}`);
    return v.parse(v.object({ issues: v.array(end) }), body).issues.map(issue => issue?.key);
  };
  expect(await found(editor)).toEqual(['WEB-2']);
  expect(await found(admin)).toEqual(['WEB-2', 'WEB-5']);
  expect((await editor('GET', '/rest/api/3/issue/WEB-5')).status).toBe(404);
  expect(await linksOf(editor, 'WEB-7')).toEqual([]);
  expect(await linksOf(admin, 'WEB-7')).toMatchObject([{ inwardIssue: { key: 'WEB-5' } }]);
  expect((await set(null)).status).toBe(204);
  expect(await found(editor)).toEqual(['WEB-2', 'WEB-5']);
});
