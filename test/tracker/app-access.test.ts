import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

/** What apps may do in projects that keep something from them. */
let site: TestTracker;
let addon: Ask;
beforeEach(async () => {
  site = await startTracker();
  addon = site.asAddon();
});
afterEach(() => site.close());

const ISSUE = '/rest/api/2/issue/WEB-1';
const edit = { json: { fields: { summary: 'Changed' } } };
const set = (apps: string) => site.as('project-admin')('PUT', '/host/projects/WEB', { json: { apps } });
const summary = async () => (await site.as('editor')('GET', `${ISSUE}?fields=summary`)).body;

describe('without administration of the project', () => {
  test('a write without mail is refused as a whole, and one with mail is made', async () => {
    await set('restricted');
    const before = await summary();
    expect(await addon('PUT', `${ISSUE}?notifyUsers=false`, edit)).toMatchObject({
      status: 403,
      body: {
        errorMessages: ['To discard the user notification either admin or project admin permissions are required.'],
        errors: {},
      },
    });
    expect(await summary()).toEqual(before);
    expect((await addon('PUT', ISSUE, edit)).status).toBe(204);
    expect(await summary()).toHaveProperty('fields.summary', 'Changed');
  });

  test('the same holds for people', async () => {
    expect((await site.as('editor')('PUT', `${ISSUE}?notifyUsers=false`, edit)).status).toBe(403);
    expect((await site.as('project-admin')('PUT', `${ISSUE}?notifyUsers=false`, edit)).status).toBe(204);
  });
});

test('where a policy blocks apps, they get 403 and 404 in turn, and find nothing', async () => {
  await set('blocked');
  const answers = [];
  for (const _ of [1, 2, 3]) answers.push((await addon('GET', ISSUE)).status);
  expect(answers).toEqual([403, 404, 403]);
  expect((await addon('PUT', ISSUE, edit)).status).toBe(404);
  const fetched = await addon('POST', '/rest/api/2/issue/bulkfetch', { json: { issueIdsOrKeys: ['WEB-1', 'HELP-1'] } });
  expect(fetched.body).toMatchObject({ issues: [{ key: 'HELP-1' }] });
  expect((await site.as('editor')('GET', ISSUE)).status).toBe(200);
  await set('administrator');
  expect((await addon('GET', ISSUE)).status).toBe(200);
});

test('an archived issue is read, and not changed', async () => {
  const archive = (isArchived: boolean) =>
    site.as('project-admin')('PUT', '/host/issues/WEB-1', { json: { isArchived } });
  expect((await site.as('editor')('PUT', '/host/issues/WEB-1', { json: { isArchived: true } })).status).toBe(403);
  await archive(true);
  expect((await addon('GET', ISSUE)).status).toBe(200);
  expect((await addon('PUT', ISSUE, edit)).status).toBe(400);
  expect((await addon('PUT', `${ISSUE}/properties/x`, { json: 1 })).status).toBe(400);
  await archive(false);
  expect((await addon('PUT', ISSUE, edit)).status).toBe(204);
});

test('a team-managed project says so', async () => {
  await site.as('project-admin')('PUT', '/host/projects/WEB', { json: { isTeamManaged: true } });
  expect((await addon('GET', '/rest/api/2/project/WEB')).body).toMatchObject({ simplified: true, style: 'next-gen' });
});

test('Connect apps read no changelogs of many issues', async () => {
  const json = { issueIdsOrKeys: ['WEB-1'] };
  expect((await addon('POST', '/rest/api/3/changelog/bulkfetch', { json })).status).toBe(403);
  expect((await site.as('editor')('POST', '/rest/api/3/changelog/bulkfetch', { json })).status).toBe(200);
});
