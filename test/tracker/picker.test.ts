import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
beforeAll(async () => {
  site = await startTracker();
});
afterAll(() => site.close());

const answer = v.object({
  sections: v.array(
    v.object({ id: v.string(), issues: v.array(v.object({ key: v.string(), summaryText: v.string() })) }),
  ),
});

async function picked(ask: Ask, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await ask('GET', `/rest/api/2/issue/picker?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return v.parse(answer, body).sections.flatMap(({ issues }) => issues.map(({ key }) => key));
}

const currentJQL = 'ORDER BY updated DESC';

test('the picker finds issues by the beginning of a key or of a word', async () => {
  const found = await picked(site.as('editor'), { query: 'web-', currentJQL });
  expect(found).toHaveLength(8);
  expect(found.every(key => key.startsWith('WEB-'))).toBe(true);
  expect(await picked(site.as('editor'), { query: 'basket', currentJQL })).toEqual(['WEB-6', 'WEB-5']);
});

test('without a search of its own it knows only what was seen last, which is nothing', async () => {
  expect(await picked(site.as('editor'), { query: 'WEB-' })).toEqual([]);
  expect(await picked(site.as('editor'), { query: ' ', currentJQL })).toEqual([]);
});

test('shows no inaccessible issue', async () => {
  expect(await picked(site.as('customer'), { query: 'WEB-', currentJQL })).toEqual([]);
  expect((await site.anonymous('GET', '/rest/api/2/issue/picker?query=WEB')).status).toBe(401);
});
