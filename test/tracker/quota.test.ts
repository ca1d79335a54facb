import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HostQuota, LedgerLine, QuotaLimit } from '../../src/tracker/wire/quota.ts';
import { ADDON_KEY } from './addon.ts';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

const OTHER_KEY = 'app.example.checklist.other';
const HOUR = 3_600_000;
/** Twenty minutes past a full hour. */
const START = Date.parse('2026-11-22T10:20:00Z');
const ISSUE = '/rest/api/3/issue/WEB-1';
const PROPERTY = `${ISSUE}/properties/x`;

let site: TestTracker;
let addon: Ask;
let now = START;

async function start(options: Parameters<typeof startTracker>[0] = {}): Promise<void> {
  now = START;
  site = await startTracker({ now: () => now, ...options });
  addon = site.asAddon();
}

const quota = async () => (await site.as('viewer')('GET', '/host/quota')).body as HostQuota;
const spent = async () => (await quota()).apps.find(({ key }) => key === ADDON_KEY)?.spent ?? 0;
const limitTo = (limit: QuotaLimit | null) => site.as('viewer')('PUT', '/host/quota', { json: { limit } });
const reset = () => site.as('viewer')('DELETE', '/host/quota');
const limit = (points: number, rest: Partial<QuotaLimit> = {}): QuotaLimit => ({
  points,
  seconds: 3_600,
  beta: false,
  ...rest,
});

/** Calls so often, one after the other, and gives the last answer. */
async function repeat(count: number, call: () => ReturnType<Ask>) {
  let answer = await call();
  for (let made = 1; made < count; made++) answer = await call();
  return answer;
}

describe('what a call costs', () => {
  beforeAll(() => start());
  afterEach(reset);
  afterAll(() => site.close());

  const created = {
    fields: { project: { key: 'WEB' }, issuetype: { name: 'Task' }, summary: 'New' },
  };

  test.each<[string, number, Parameters<Ask>[0], string, unknown?]>([
    ['an issue', 2, 'GET', ISSUE],
    ['an issue with its changes and properties', 2, 'GET', `${ISSUE}?expand=changelog&properties=*all`],
    ['an issue that is not there', 1, 'GET', '/rest/api/3/issue/WEB-999'],
    ['an address that is not there', 1, 'GET', '/rest/api/3/nothing'],
    ['a write of a field', 1, 'PUT', ISSUE, { fields: { summary: 'Other' } }],
    ['a write that is refused', 1, 'PUT', ISSUE, { fields: { summary: '' } }],
    ['a new issue', 1, 'POST', '/rest/api/2/issue', created],
    ['a search by its results', 4, 'GET', '/rest/api/3/search/jql?jql=project%20%3D%20WEB&maxResults=3'],
    ['a search without results', 1, 'GET', '/rest/api/3/search/jql?jql=parent%20%3D%20WEB-3'],
    ['a count', 1, 'POST', '/rest/api/3/search/approximate-count', { jql: 'project = WEB' }],
    ['issues at once', 3, 'POST', '/rest/api/3/issue/bulkfetch', { issueIdsOrKeys: ['WEB-1', 'WEB-2', 'WEB-999'] }],
    ['an issue picker', 2, 'GET', '/rest/api/3/issue/picker?query=WEB-6&currentJQL='],
    ['changes of an issue', 2, 'GET', `${ISSUE}/changelog`],
    ['projects found', 3, 'GET', '/rest/api/2/project/search'],
    ['a project', 2, 'GET', '/rest/api/2/project/WEB'],
    ['the account that calls', 3, 'GET', '/rest/api/2/myself'],
    ['users found', 3, 'GET', '/rest/api/2/user/search?query=emma'],
    ['permissions of the caller', 5, 'GET', '/rest/api/2/mypermissions?permissions=ADMINISTER,EDIT_ISSUES'],
    ['a check of permissions', 3, 'POST', '/rest/api/3/permissions/check', { globalPermissions: ['ADMINISTER'] }],
    ['projects by permission', 1, 'POST', '/rest/api/3/permissions/project', { permissions: ['EDIT_ISSUES'] }],
    ['a property of a project', 1, 'GET', '/rest/api/2/project/WEB/properties/x'],
    ['a property of its own', 1, 'PUT', `/rest/atlassian-connect/1/addons/${ADDON_KEY}/properties/x`, 1],
    ['names of properties', 1, 'GET', `${ISSUE}/properties`],
    ['types of links', 3, 'GET', '/rest/api/2/issueLinkType'],
  ])('%s: %i', async (_, points, method, url, json) => {
    await addon(method, url, json === undefined ? {} : { json });
    expect(await spent()).toBe(points);
  });

  test('a property: a write, then a read', async () => {
    await addon('PUT', PROPERTY, { json: 1 });
    expect(await spent()).toBe(1);
    await addon('GET', PROPERTY);
    expect(await spent()).toBe(3);
  });

  test('an update of many issues, and each look at its task', async () => {
    const body = { value: 1, filter: { entityIds: [10001, 10002] } };
    const { headers } = await addon('PUT', '/rest/api/3/issue/properties/x', { json: body });
    expect(await spent()).toBe(1);
    await site.tracker.tasksDone();
    await addon('GET', new URL(String(headers.location)).pathname);
    expect(await spent()).toBe(3);
  });

  test('nothing for calls of users and their frames, nor for rejected calls', async () => {
    await site.as('editor')('GET', ISSUE);
    await site.as('editor')('PUT', PROPERTY, { json: 1, headers: { 'ap-app-key': ADDON_KEY } });
    await site.anonymous('GET', ISSUE, { headers: { authorization: 'JWT a.b.c' } });
    expect((await quota()).ledger).toEqual([]);
  });

  test('nothing for an answer that a fault gives instead', async () => {
    await site.as('editor')('POST', '/host/faults', { json: { match: '.', status: 503 } });
    expect((await addon('GET', ISSUE)).status).toBe(503);
    await site.as('editor')('DELETE', '/host/faults');
    expect(await spent()).toBe(0);
  });

  test('what was done though its answer got lost', async () => {
    await site.as('editor')('POST', '/host/faults', { json: { match: '.', cut: 'after', times: 1 } });
    addon('PUT', PROPERTY, { json: 1 }).catch(() => undefined);
    await expect.poll(spent).toBe(1);
  });

  test('without a limit nothing is refused or announced, and no hour ends', async () => {
    const { headers } = await repeat(40, () => addon('GET', ISSUE));
    expect(Object.keys(headers).filter(name => name.includes('ratelimit'))).toEqual([]);
    now += 2 * HOUR;
    expect(await quota()).toMatchObject({ limit: null, ends: null, apps: [{ key: ADDON_KEY, spent: 80 }] });
  });
});

describe('the ledger', () => {
  beforeAll(() => start({ others: [OTHER_KEY] }));
  afterEach(async () => {
    await limitTo(null);
    await reset();
  });
  afterAll(() => site.close());

  const line = (rest: Partial<LedgerLine>): LedgerLine => ({
    app: ADDON_KEY,
    site: 'http://localhost:2990',
    call: 'GET /issue/:issue',
    cause: null,
    source: 'documented',
    calls: 1,
    points: 2,
    refused: 0,
    ...rest,
  });

  test('counts by call and cause, until reset', async () => {
    await repeat(2, () => addon('GET', '/rest/api/2/issue/WEB-1'));
    await addon('GET', '/rest/api/3/issue/WEB-2', { headers: { 'x-cause': 'tick' } });
    await addon('POST', '/rest/api/3/permissions/check', { json: { globalPermissions: ['ADMINISTER'] } });
    expect(await quota()).toEqual({
      limit: null,
      since: '2026-11-22T10:20:00.000Z',
      ends: null,
      apps: [{ key: ADDON_KEY, spent: 9 }],
      ledger: [
        line({ calls: 2, points: 4 }),
        line({ cause: 'tick' }),
        line({ call: 'POST /permissions/check', source: 'estimated', points: 3 }),
      ],
    });
    now += 1_000;
    expect((await reset()).status).toBe(204);
    expect(await quota()).toMatchObject({ since: '2026-11-22T10:20:01.000Z', apps: [], ledger: [] });
  });

  test('keeps apps apart: one is refused, the other goes on', async () => {
    await limitTo(limit(2));
    await addon('GET', ISSUE);
    expect((await addon('GET', ISSUE)).status).toBe(429);
    const other = site.asAddon(site.tracker, 1);
    expect((await other('GET', ISSUE)).status).toBe(200);
    expect((await quota()).apps).toEqual([
      { key: ADDON_KEY, spent: 2 },
      { key: OTHER_KEY, spent: 2 },
    ]);
  });

  test.each([
    {},
    { limit: 5 },
    { limit: { points: 0, seconds: 1, beta: false } },
    { limit: { points: 1, seconds: 1 } },
  ])('%j is no limit', async json => {
    expect((await site.as('viewer')('PUT', '/host/quota', { json })).status).toBe(400);
    expect((await quota()).limit).toBeNull();
  });
});

describe('the limit', () => {
  afterEach(() => site.close());

  test('refuses every call of the app until the full hour, and none of users', async () => {
    await start({ quota: limit(10) });
    expect((await repeat(5, () => addon('GET', ISSUE))).status).toBe(200);
    expect(await addon('PUT', PROPERTY, { json: 1 })).toMatchObject({
      status: 429,
      body: { errorMessages: ['Rate limit exceeded.'] },
      headers: {
        'ratelimit-reason': 'jira-quota-global-based',
        'retry-after': '2400',
        'x-ratelimit-reset': '2026-11-22T11:00Z',
        ratelimit: '"global-app-quota";r=0;t=2400',
      },
    });
    expect((await site.as('editor')('GET', PROPERTY)).status).toBe(404);
    now = START + HOUR * (2 / 3) - 1;
    expect(await addon('GET', '/rest/api/3/myself')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    const { ledger, ends } = await quota();
    expect(ends).toBe('2026-11-22T11:00:00.000Z');
    expect(ledger.map(({ call, points, refused }) => [call, points, refused])).toEqual([
      ['GET /issue/:issue', 10, 0],
      ['PUT /issue/:owner/properties/:key', 0, 1],
      ['GET /myself', 0, 1],
    ]);

    now += 1;
    expect((await addon('PUT', PROPERTY, { json: 1 })).status).toBe(201);
    expect(await quota()).toMatchObject({
      since: '2026-11-22T11:00:00.000Z',
      ends: '2026-11-22T12:00:00.000Z',
      apps: [{ key: ADDON_KEY, spent: 1 }],
    });
  });

  test('lets a call through that costs more than is left', async () => {
    await start({ quota: limit(3) });
    await addon('PUT', PROPERTY, { json: 1 });
    expect((await addon('GET', '/rest/api/2/project/search')).status).toBe(200);
    expect(await spent()).toBe(4);
    expect((await addon('GET', ISSUE)).status).toBe(429);
  });

  test('can be changed, taken away and reset while it stands', async () => {
    await start({ quota: limit(2) });
    await addon('GET', ISSUE);
    const status = async () => (await addon('PUT', PROPERTY, { json: 1 })).status;
    expect(await status()).toBe(429);
    await limitTo(limit(4));
    expect(await status()).toBe(201);
    await limitTo(limit(2));
    expect(await status()).toBe(429);
    await limitTo(null);
    expect(await status()).toBe(200);
    await limitTo(limit(2, { seconds: 50 }));
    expect((await addon('GET', ISSUE)).headers).toMatchObject({
      'retry-after': '50',
      'x-ratelimit-reset': '2026-11-22T10:20:50Z',
    });
    await reset();
    expect(await status()).toBe(200);
  });
});

describe('headers', () => {
  afterEach(() => site.close());

  const rateHeaders = async () => {
    const { status, headers } = await addon('PUT', PROPERTY, { json: 1 });
    const limits = Object.entries(headers).filter(([name]) => /ratelimit|retry/.test(name));
    return { ok: status < 300, ...Object.fromEntries(limits) };
  };

  test('say what is left when four fifths are spent', async () => {
    await start({ quota: limit(10) });
    const policy = { 'ratelimit-policy': '"global-app-quota";q=10;w=3600' };
    const far = { ok: true, ...policy, ratelimit: '"global-app-quota";t=2400' };
    expect(await rateHeaders()).toEqual(far);
    await repeat(6, () => addon('PUT', PROPERTY, { json: 1 }));
    expect(await rateHeaders()).toEqual(far);
    const near = { ...policy, 'x-ratelimit-nearlimit': 'true' };
    expect(await rateHeaders()).toEqual({ ok: true, ...near, ratelimit: '"global-app-quota";r=1;t=2400' });
    expect(await rateHeaders()).toEqual({ ok: true, ...near, ratelimit: '"global-app-quota";r=0;t=2400' });
    expect(await rateHeaders()).toEqual({
      ok: false,
      ...near,
      ratelimit: '"global-app-quota";r=0;t=2400',
      'ratelimit-reason': 'jira-quota-global-based',
      'retry-after': '2400',
      'x-ratelimit-reset': '2026-11-22T11:00Z',
    });
  });

  test('with Beta- only announce: nothing is refused', async () => {
    await start({ quota: limit(2, { beta: true }) });
    const policy = { ok: true, 'beta-ratelimit-policy': '"global-app-quota";q=2;w=3600' };
    expect(await rateHeaders()).toEqual({ ...policy, 'beta-ratelimit': '"global-app-quota";t=2400' });
    const used = {
      ...policy,
      'beta-ratelimit': '"global-app-quota";r=0;t=2400',
      'x-beta-ratelimit-nearlimit': 'true',
    };
    expect(await rateHeaders()).toEqual(used);
    expect(await rateHeaders()).toEqual({
      ...used,
      'beta-retry-after': '2400',
      'x-beta-ratelimit-reason': 'jira-quota-global-based',
      'x-beta-ratelimit-reset': '2026-11-22T11:00Z',
    });
    expect(await spent()).toBe(3);
  });

  test('are not sent to users', async () => {
    await start({ quota: limit(10) });
    const { headers } = await site.as('editor')('GET', ISSUE);
    expect(Object.keys(headers).filter(name => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('a second site', () => {
  afterEach(() => site.close());

  test('has data and an installation of its own, and the same pool of points', async () => {
    await start({ secondPort: 2991, quota: limit(4) });
    const { second } = site.tracker;
    if (!second) throw new Error('There is no second site.');
    const other = site.asAddon(second);
    expect(second.addon.installed()?.shared.clientKey).not.toBe(site.tracker.addon.installed()?.shared.clientKey);

    expect((await addon('PUT', PROPERTY, { json: 1 })).status).toBe(201);
    expect((await other('GET', PROPERTY)).status).toBe(404);
    expect((await other('GET', ISSUE)).body).toMatchObject({ self: 'http://localhost:2991/rest/api/3/issue/10001' });
    expect((await addon('GET', ISSUE)).status).toBe(429);
    expect((await other('GET', ISSUE)).status).toBe(429);

    const answer = await second.app.inject('/host/quota');
    expect(answer.json()).toEqual(await quota());
    expect((await quota()).ledger.map(({ site, points, refused }) => [site, points, refused])).toEqual([
      ['http://localhost:2990', 1, 0],
      ['http://localhost:2991', 1, 0],
      ['http://localhost:2991', 2, 1],
      ['http://localhost:2990', 0, 1],
    ]);
  });

  test('rejects tokens of the first, and sends events to its own add-on', async () => {
    await start({ secondPort: 2991 });
    const { second } = site.tracker;
    if (!second) throw new Error('There is no second site.');
    const keys = (await site.addon.next('/installed', 2)).map(({ body }) => JSON.parse(body));
    expect(keys.map(({ baseUrl }) => baseUrl)).toEqual(['http://localhost:2990', 'http://localhost:2991']);
    expect((await addon('GET', ISSUE)).status).toBe(200);
    const foreign = { ...second, addons: site.tracker.addons };
    expect((await site.asAddon(foreign)('GET', ISSUE)).status).toBe(401);
    const [state] = (await second.app.inject('/host/state')).json().addons;
    expect(state).toMatchObject({ state: 'installed', key: ADDON_KEY });
  });
});
