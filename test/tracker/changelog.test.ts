import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, accountOf, startTracker, type TestTracker } from './harness.ts';

const FIELD = 'customfield_10100';

let site: TestTracker;
let editor: Ask;
beforeEach(async () => {
  site = await startTracker();
  editor = site.as('editor');
});
afterEach(() => site.close());

const set = (ask: Ask, fields: Record<string, unknown>, issue = 'WEB-1') =>
  ask('PUT', `/rest/api/2/issue/${issue}`, { json: { fields } });
const fetchBulk = (json: unknown, ask: Ask = editor) => ask('POST', '/rest/api/3/changelog/bulkfetch', { json });

const change = v.object({
  id: v.string(),
  author: v.object({ accountId: v.string() }),
  items: v.array(
    v.object({ fieldId: v.optional(v.string()), fromString: v.nullable(v.string()), toString: v.nullable(v.string()) }),
  ),
});
const bulk = v.object({
  issueChangeLogs: v.array(v.object({ issueId: v.string(), changeHistories: v.array(change) })),
  nextPageToken: v.optional(v.string()),
});
const texts = ({ items }: v.InferOutput<typeof change>) => items.map(item => [item.fromString, item.toString]);

describe('the changelog of an issue', () => {
  test('has who changed a text, from what and to what, oldest first', async () => {
    await set(editor, { [FIELD]: '- a' });
    await set(site.as('site-admin'), { [FIELD]: '- a\n- b' });
    await set(editor, { [FIELD]: null });
    const { body } = await editor('GET', '/rest/api/3/issue/WEB-1/changelog');
    expect(body).toMatchObject({ startAt: 0, maxResults: 100, total: 3, isLast: true });
    expect(body).toHaveProperty('values', [
      expect.objectContaining({ author: expect.objectContaining({ accountId: accountOf('editor') }) }),
      expect.objectContaining({ author: expect.objectContaining({ accountId: accountOf('site-admin') }) }),
      expect.anything(),
    ]);
    const { values } = v.parse(v.object({ values: v.array(change) }), body);
    expect(values.map(texts)).toEqual([[[null, '- a']], [['- a', '- a\n- b']], [['- a\n- b', null]]]);
    const ids = values.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(3);
  });

  test('comes in pages of a hundred at most', async () => {
    for (let number = 1; number <= 105; number++) await set(editor, { summary: `Name ${number}` });
    const page = (query: string) => editor('GET', `/rest/api/3/issue/WEB-1/changelog?${query}`);
    const whole = (await page('maxResults=1000')).body;
    expect(whole).toMatchObject({ maxResults: 100, total: 105, isLast: false });
    expect(whole).toHaveProperty('values.length', 100);
    const rest = (await page('startAt=100&maxResults=3')).body;
    expect(rest).toMatchObject({ startAt: 100, total: 105, isLast: false });
    expect(rest).toHaveProperty('values.2.items.0.toString', 'Name 103');
    expect((await page('startAt=103')).body).toMatchObject({ isLast: true });
  });

  test('is for those who may see the issue, and goes with it', async () => {
    await set(editor, { summary: 'Seen' });
    expect(await site.anonymous('GET', '/rest/api/3/issue/WEB-1/changelog')).toMatchObject({ status: 401 });
    expect(await editor('GET', '/rest/api/3/issue/WEB-999/changelog')).toMatchObject({ status: 404 });
  });

  test('has the id of the change in the webhook', async () => {
    await set(editor, { summary: 'Told' });
    const [call] = await site.addon.next('/webhooks/issue-updated');
    const event = v.parse(v.object({ changelog: v.object({ id: v.string() }) }), JSON.parse(call?.body ?? ''));
    const { body } = await editor('GET', '/rest/api/3/issue/WEB-1/changelog');
    expect(body).toHaveProperty('values.0.id', event.changelog.id);
  });
});

describe('the bulk fetch', () => {
  test('has the changes of several issues, of the wanted fields, each once', async () => {
    await set(editor, { [FIELD]: '- a' });
    await set(editor, { summary: 'Not asked for' }, 'WEB-2');
    await set(editor, { [FIELD]: '- b' }, 'WEB-2');
    const { body } = await fetchBulk({ issueIdsOrKeys: ['WEB-1', '10002', 'WEB-2', 'WEB-999'], fieldIds: [FIELD] });
    const found = v.parse(bulk, body);
    expect(found.nextPageToken).toBeUndefined();
    expect(found.issueChangeLogs.map(({ issueId, changeHistories }) => [issueId, changeHistories.map(texts)])).toEqual([
      ['10001', [[[null, '- a']]]],
      ['10002', [[[null, '- b']]]],
    ]);
  });

  test('goes on where the page before ended', async () => {
    for (const text of ['- a', '- b', '- c']) {
      for (const issue of ['WEB-1', 'WEB-2']) await set(editor, { [FIELD]: `${text} ${issue}` }, issue);
    }
    const seen: string[] = [];
    let nextPageToken: string | undefined;
    do {
      const { body } = await fetchBulk({ issueIdsOrKeys: ['WEB-1', 'WEB-2'], maxResults: 4, nextPageToken });
      const page = v.parse(bulk, body);
      for (const { changeHistories } of page.issueChangeLogs) {
        for (const { items } of changeHistories) seen.push(items[0]?.toString ?? '');
      }
      ({ nextPageToken } = page);
    } while (nextPageToken !== undefined);
    // Pages in the order of changes; no order is promised within one.
    expect(seen).toEqual(['- b WEB-1', '- a WEB-1', '- b WEB-2', '- a WEB-2', '- c WEB-1', '- c WEB-2']);
  });

  test.each([
    ['no issue', { issueIdsOrKeys: [] }],
    ['too many issues', { issueIdsOrKeys: Array.from({ length: 1_001 }, (_, index) => `WEB-${index}`) }],
    ['too many fields', { issueIdsOrKeys: ['WEB-1'], fieldIds: Array.from({ length: 11 }, (_, index) => `f${index}`) }],
    ['too large a page', { issueIdsOrKeys: ['WEB-1'], maxResults: 10_001 }],
    ['a token of another', { issueIdsOrKeys: ['WEB-1'], nextPageToken: 'x' }],
  ])('refuses %s', async (_, json) => {
    expect((await fetchBulk(json)).status).toBe(400);
  });

  test('refuses an anonymous caller', async () => {
    expect((await fetchBulk({ issueIdsOrKeys: ['WEB-1'] }, site.anonymous)).status).toBe(401);
  });
});
