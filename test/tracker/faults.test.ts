import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
beforeAll(async () => {
  site = await startTracker({ install: false });
  editor = site.as('editor');
});
afterEach(() => editor('DELETE', '/host/faults'));
afterAll(() => site.close());

const property = '/rest/api/2/issue/WEB-1/properties/x';

test('a fault answers instead of the tracker, so many times', async () => {
  const fault = {
    match: '^PUT .*/properties/',
    status: 429,
    retryAfter: 2,
    reason: 'jira-per-issue-on-write',
    times: 2,
  };
  expect((await editor('POST', '/host/faults', { json: fault })).status).toBe(204);
  expect(await editor('PUT', property, { json: 1 })).toMatchObject({
    status: 429,
    body: { errorMessages: ['Rate limit exceeded.'] },
    headers: { 'retry-after': '2', 'ratelimit-reason': 'jira-per-issue-on-write' },
  });
  expect((await editor('GET', property)).status).toBe(404);
  expect((await editor('PUT', property, { json: 1 })).status).toBe(429);
  expect((await editor('PUT', property, { json: 1 })).status).toBe(201);
});

test('faults last until they are cleared', async () => {
  await editor('POST', '/host/faults', { json: { match: 'myself', status: 503, delayMs: 1 } });
  expect((await editor('GET', '/rest/api/2/myself')).status).toBe(503);
  expect((await editor('GET', '/host/faults')).body).toEqual([{ match: 'myself', status: 503, delayMs: 1 }]);
  await editor('DELETE', '/host/faults');
  expect((await editor('GET', '/rest/api/2/myself')).status).toBe(200);
  expect((await editor('POST', '/host/faults', { json: { match: '(' } })).status).toBe(400);
});

test('a connection is cut before the work is done, or after', async () => {
  const url = await site.tracker.app.listen({ host: '127.0.0.1', port: 0 });
  const signedIn = await fetch(`${url}/host/state`);
  const headers = {
    cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '',
    'content-type': 'application/json',
  };
  for (const cut of ['before', 'after'] as const) {
    await editor('POST', '/host/faults', { json: { match: '^PUT', cut, times: 1 } });
    const address = `/rest/api/2/issue/WEB-2/properties/${cut}`;
    await expect(fetch(url + address, { method: 'PUT', headers, body: '1' })).rejects.toThrow();
    expect((await editor('GET', address)).status).toBe(cut === 'after' ? 200 : 404);
  }
});
