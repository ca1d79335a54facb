import { createQueryStringHash, decodeSymmetric, fromMethodAndUrl } from 'atlassian-jwt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/tracker/wire/faults.ts';
import { type Ask, accountOf, heldSleep, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
const held = heldSleep();
beforeEach(async () => {
  site = await startTracker({ sleep: held.sleep });
  editor = site.as('editor');
});
afterEach(() => site.close());

const HS256 = 'HS256' as Parameters<typeof decodeSymmetric>[2];
const bodies = (calls: { body: string }[]) => calls.map(({ body }) => JSON.parse(body));
const property = '/rest/api/2/issue/WEB-1/properties/x';

test('are signed and describe the event', async () => {
  await editor('PUT', '/rest/api/2/issue/WEB-1', { json: { fields: { summary: 'Changed' } } });
  const [call] = await site.addon.next('/webhooks/issue-updated');
  const secret = site.tracker.addon.installed()?.shared.sharedSecret ?? '';
  expect(decodeSymmetric(call?.authorization.slice(4) ?? '', secret, HS256)).toMatchObject({
    sub: accountOf('editor'),
    qsh: createQueryStringHash(fromMethodAndUrl('POST', '/webhooks/issue-updated?issueId=10001'), false),
  });
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    webhookEvent: 'jira:issue_updated',
    timestamp: expect.any(Number),
    user: { accountId: accountOf('editor') },
    issue: { id: '10001', key: 'WEB-1', fields: { summary: 'Changed' } },
    changelog: { items: [{ field: 'summary', fromString: 'One-page checkout', toString: 'Changed' }] },
  });
});

test('come for properties, new issues and deleted ones', async () => {
  await editor('PUT', property, { json: 'a' });
  await editor('DELETE', property);
  const fields = { project: { key: 'WEB' }, issuetype: { name: 'Bug' }, summary: 'New' };
  await editor('POST', '/rest/api/2/issue', { json: { fields } });
  await site.as('site-admin')('DELETE', '/rest/api/2/issue/WEB-9');
  expect(bodies(await site.addon.next('/webhooks/issue-property', 2))).toMatchObject([
    { webhookEvent: 'issue_property_set', issue: { id: '10001' }, property: { key: 'x', value: 'a' } },
    { webhookEvent: 'issue_property_deleted', property: { key: 'x' } },
  ]);
  expect(bodies(await site.addon.next('/webhooks/issue-created'))).toMatchObject([{ issue: { key: 'WEB-9' } }]);
  expect(bodies(await site.addon.next('/webhooks/issue-deleted'))).toMatchObject([{ issue: { key: 'WEB-9' } }]);
});

test('about a property have its key in their address', async () => {
  await editor('PUT', '/rest/api/2/issue/WEB-1/properties/a:b', { json: 1 });
  const [call] = await site.addon.next('/webhooks/issue-property');
  expect(call?.url).toBe('/webhooks/issue-property?issueId=10001&property=a%3Ab');
});

test('do not come for an edit that changes nothing', async () => {
  await editor('PUT', '/rest/api/2/issue/WEB-1', { json: { fields: { summary: 'One-page checkout' } } });
  await site.tracker.webhooksSent();
  expect(site.addon.calls.filter(({ url }) => url.startsWith('/webhooks'))).toEqual([]);
});

test('of one issue arrive in order, failures and all', async () => {
  let failures = 2;
  site.addon.answer = () => (failures-- > 0 ? 503 : 200);
  for (const value of [1, 2, 3]) await editor('PUT', property, { json: value });
  await site.tracker.webhooksSent();
  const values = bodies(await site.addon.next('/webhooks/issue-property')).map(body => body.property.value);
  expect(values).toEqual([1, 1, 1, 2, 3]);
});

test('fail after some tries, or at once where a retry is no use', async () => {
  site.addon.answer = ({ body }) => (body.includes('"value":1') ? 500 : 400);
  for (const value of [1, 2]) await editor('PUT', property, { json: value });
  await site.tracker.webhooksSent();
  const values = bodies(await site.addon.next('/webhooks/issue-property')).map(body => body.property.value);
  expect(values).toEqual([1, 1, 1, 2]);
});

test('reach an add-on that had lost us: it is installed again first', async () => {
  const former = site.tracker.addon.installed()?.shared.sharedSecret;
  let known = false;
  site.addon.answer = ({ url }) => {
    known ||= url === '/installed';
    return known ? 200 : 401;
  };
  await editor('PUT', property, { json: 'kept' });
  await site.tracker.webhooksSent();
  expect(site.tracker.addon.installed()?.shared.sharedSecret).not.toBe(former);
  expect(bodies((await site.addon.next('/webhooks/issue-property')).slice(-1))).toMatchObject([
    { property: { key: 'x', value: 'kept' } },
  ]);
});

describe('under a fault', () => {
  const suffer = (fault: Fault) => editor('POST', '/host/faults', { json: fault });
  const put = async (...values: number[]) => {
    for (const value of values) await editor('PUT', property, { json: value });
  };
  const path = '/webhooks/issue-property';
  const arrived = async () => {
    await site.tracker.webhooksSent();
    return bodies(await site.addon.next(path)).map(body => body.property.value);
  };
  const match = '^issue_property_set WEB-1$';

  test('come late, and those behind wait', async () => {
    await suffer({ match, webhook: 'late', delayMs: 1_000, times: 1 });
    await put(1, 2);
    await expect.poll(held.waiting).toBe(1);
    await new Promise(resolve => setTimeout(resolve, 10));
    expect(site.addon.calls).not.toContainEqual(expect.objectContaining({ url: '/webhooks/issue-property' }));
    held.end();
    expect(await arrived()).toEqual([1, 2]);
  });

  test('come out of order', async () => {
    await suffer({ match, webhook: 'overtaken', delayMs: 2_000, times: 1 });
    await put(1, 2, 3);
    await expect.poll(() => site.addon.calls.filter(({ url }) => url.startsWith(path))).toHaveLength(2);
    held.end();
    expect(await arrived()).toEqual([2, 3, 1]);
  });

  test('come twice', async () => {
    await suffer({ match, webhook: 'doubled', delayMs: 2_000, times: 1 });
    await put(1, 2);
    await expect.poll(() => site.addon.calls.filter(({ url }) => url.startsWith(path))).toHaveLength(2);
    held.end();
    expect(await arrived()).toEqual([1, 2, 1]);
  });

  test('get lost', async () => {
    await suffer({ match, webhook: 'dropped', times: 1 });
    await put(1, 2);
    expect(await arrived()).toEqual([2]);
  });

  test('of other issues and events come as ever', async () => {
    await suffer({ match, webhook: 'dropped' });
    await put(1);
    await editor('PUT', '/rest/api/2/issue/WEB-2/properties/x', { json: 2 });
    expect(await arrived()).toEqual([2]);
  });
});
