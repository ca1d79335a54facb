import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFaults } from '../../src/tracker/faults/faults.ts';
import { faultKinds } from '../../src/tracker/faults/kinds.ts';
import type { Fault, HostFault } from '../../src/tracker/wire/faults.ts';
import { type Ask, heldSleep, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
const held = heldSleep();
beforeAll(async () => {
  site = await startTracker({ install: false, sleep: held.sleep });
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
  const answer = editor('GET', '/rest/api/2/myself');
  await expect.poll(held.waiting).toBe(1);
  held.end();
  expect((await answer).status).toBe(503);
  expect((await editor('GET', '/host/faults')).body).toEqual([
    { match: 'myself', status: 503, delayMs: 1, id: expect.any(String), struck: 1 },
  ]);
  await editor('DELETE', '/host/faults');
  expect((await editor('GET', '/rest/api/2/myself')).status).toBe(200);
  expect((await editor('POST', '/host/faults', { json: { match: '(' } })).status).toBe(400);
});

const add = async (fault: Fault) => expect((await editor('POST', '/host/faults', { json: fault })).status).toBe(204);
const listed = async () => (await editor('GET', '/host/faults')).body;

test('one fault ends by its id, the others stay', async () => {
  await add({ match: 'a', status: 500 });
  await add({ match: 'b', status: 500 });
  const [{ id }] = (await listed()) as [HostFault];
  expect((await editor('DELETE', `/host/faults/${id}`)).status).toBe(204);
  expect(await listed()).toMatchObject([{ match: 'b' }]);
  expect((await editor('DELETE', `/host/faults/${id}`)).status).toBe(404);
});

test.each([
  ['burst', 'jira-burst-based', '1'],
  ['issueLimit', 'jira-per-issue-on-write', '2'],
  ['quota', 'jira-quota-tenant-based', '30'],
] as const)('the limit %s tells its reason and when to come again', async (kind, reason, seconds) => {
  await add(faultKinds[kind].fault);
  expect(await editor('PUT', property, { json: 1 })).toMatchObject({
    status: 429,
    headers: {
      'ratelimit-reason': reason,
      'retry-after': seconds,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/),
    },
  });
});

test('the limit of writes to one issue leaves reading and other calls alone', async () => {
  await add(faultKinds.issueLimit.fault);
  expect((await editor('GET', '/rest/api/2/issue/WEB-1')).status).toBe(200);
  expect((await editor('PUT', '/rest/api/2/project/WEB/properties/x', { json: 1 })).status).toBe(403);
  expect((await editor('PUT', '/rest/api/2/issue/WEB-1?notifyUsers=false', { json: {} })).status).toBe(429);
});

test('strikes by chance, repeatably, and lets the next fault have what it spares', async () => {
  const outcomes = async () => {
    await editor('DELETE', '/host/faults');
    await add({ match: 'myself', status: 500, chance: 0.3, seed: 7 });
    await add({ match: 'myself', status: 503, chance: 0.5, seed: 8 });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await editor('GET', '/rest/api/2/myself')).status);
    return statuses;
  };
  const first = await outcomes();
  expect(new Set(first)).toEqual(new Set([200, 500, 503]));
  expect(first.filter(status => status === 500).length).toBeGreaterThan(6);
  expect(first.filter(status => status === 500).length).toBeLessThan(32);
  expect(await outcomes()).toEqual(first);
  const struck = (await listed()) as HostFault[];
  expect(struck.map(fault => fault.struck)).toEqual([500, 503].map(code => first.filter(each => each === code).length));
});

test('ends after its time', () => {
  let now = 0;
  const faults = createFaults({ now: () => now });
  faults.add({ match: '.', cut: 'before', forMs: 1000 });
  expect(faults.ofCall('GET /', 'addon')).toBeDefined();
  now = 1000;
  expect(faults.ofCall('GET /', 'addon')).toBeUndefined();
  expect(faults.list()).toEqual([]);
});

test('strikes only those whose calls it is for', async () => {
  await add({ match: 'myself', status: 500, by: 'addon' });
  expect((await editor('GET', '/rest/api/2/myself')).status).toBe(200);
  await add({ match: 'myself', status: 500, by: 'people' });
  expect((await editor('GET', '/rest/api/2/myself')).status).toBe(500);
});

test('a property is refused; fields are off the screen; both stay as they were', async () => {
  await add(faultKinds.propertyRefused.fault);
  await add(faultKinds.offScreen.fault);
  const key = '/rest/api/2/issue/WEB-3/properties/refused';
  expect((await editor('PUT', key, { json: 1 })).status).toBe(400);
  expect((await editor('GET', key)).status).toBe(404);
  expect(await editor('PUT', '/rest/api/2/issue/WEB-3', { json: { fields: { summary: 'New' } } })).toMatchObject({
    status: 400,
    body: { errors: { summary: expect.stringMatching(/not on the appropriate screen/) } },
  });
  expect((await editor('GET', '/rest/api/2/issue/WEB-3')).body).not.toMatchObject({ fields: { summary: 'New' } });
});

test.each([
  { match: '.', status: 200 },
  { match: '.', chance: 2 },
  { match: '.', cut: 'sideways' },
  { match: '.', webhook: 'late', status: 500 },
  { match: '.', unheardOf: 1 },
])('%j is no fault', async json => {
  expect((await editor('POST', '/host/faults', { json })).status).toBe(400);
  expect(await listed()).toEqual([]);
});

describe('over the network', () => {
  let url: string;
  let headers: Record<string, string>;
  beforeAll(async () => {
    url = await site.tracker.app.listen({ host: '127.0.0.1', port: 0 });
    const signedIn = await fetch(`${url}/host/state`);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    headers = { cookie, 'content-type': 'application/json' };
  });
  // A disconnected client may have opened another connection, on which nothing was ever sent.
  afterAll(() => site.tracker.app.server.closeAllConnections());
  const put = (name: string, init: RequestInit = {}) =>
    fetch(`${url}/rest/api/2/issue/WEB-2/properties/${name}`, { method: 'PUT', headers, body: '1', ...init });
  const stored = async (name: string) => (await editor('GET', `/rest/api/2/issue/WEB-2/properties/${name}`)).status;

  test('a connection is cut before the work is done, or after', async () => {
    for (const cut of ['before', 'after'] as const) {
      await add({ match: '^PUT', cut, times: 1 });
      await expect(put(cut)).rejects.toThrow();
      expect(await stored(cut)).toBe(cut === 'after' ? 200 : 404);
    }
  });

  test('a request that was taken is done late, though its caller is long gone', async () => {
    await add({ match: '^PUT', lateMs: 300, times: 1 });
    const caller = new AbortController();
    const gone = expect(put('late', { signal: caller.signal })).rejects.toThrow();
    await expect.poll(held.waiting).toBe(1);
    caller.abort();
    await gone;
    expect(await stored('late')).toBe(404);
    held.end();
    await expect.poll(() => stored('late')).toBe(200);
  });

  test('a connection is cut when the request was taken, which is done all the same', async () => {
    await add({ match: '^PUT', cut: 'taken', lateMs: 200, times: 1 });
    await expect(put('taken')).rejects.toThrow();
    await expect.poll(held.waiting).toBe(1);
    expect(await stored('taken')).toBe(404);
    held.end();
    await expect.poll(() => stored('taken')).toBe(200);
  });

  test('a late answer reaches a waiting caller', async () => {
    await add({ match: '^PUT', lateMs: 20, times: 1 });
    const answer = put('patient');
    await expect.poll(held.waiting).toBe(1);
    held.end();
    expect((await answer).status).toBe(201);
  });

  test('a slow tracker does nothing for a caller who does not wait', async () => {
    await add({ match: '^PUT', delayMs: 150, times: 1 });
    const closed = new Promise<void>(resolve => {
      site.tracker.app.server.once('request', ({ socket }) => socket.once('close', () => resolve()));
    });
    const caller = new AbortController();
    const gone = expect(put('slow', { signal: caller.signal })).rejects.toThrow();
    await expect.poll(held.waiting).toBe(1);
    caller.abort();
    await Promise.all([gone, closed]);
    held.end();
    expect((await put('after-it')).status).toBe(201);
    expect(await stored('slow')).toBe(404);
  });
});
