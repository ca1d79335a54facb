import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { people } from '../../src/tracker/site/people.ts';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let app: Ask;
let admin: Ask;
beforeEach(async () => {
  site = await startTracker();
  app = site.asAddon();
  admin = site.as('site-admin');
});
afterEach(() => site.close());

const idOf = (role: string) => people.find(person => person.role === role)?.accountId ?? '';
const notify = (users: readonly string[], more: object = {}, issue = 'WEB-1') =>
  app('POST', `/rest/api/3/issue/${issue}/notify`, {
    json: {
      textBody: 'text',
      htmlBody: '<p>html</p>',
      to: { users: users.map(accountId => ({ accountId })) },
      ...more,
    },
  });
const entries = async () => ((await admin('GET', '/host/outbox')).body as { entries: object[] }).entries;

test('a notification reaches those with the permissions that it asks for', async () => {
  const restrict = { permissions: [{ key: 'EDIT_ISSUES' }] };
  expect((await notify([idOf('editor'), idOf('viewer')], { restrict })).status).toBe(204);
  expect(await entries()).toMatchObject([
    {
      ...{ kind: 'notification', issue: 'WEB-1', text: 'text', html: '<p>html</p>' },
      subject: expect.stringMatching(/^\(WEB-1\) /),
      ...{ to: ['Emma Richards'], withheld: ['Victor Sato'] },
    },
  ]);
  await admin('DELETE', '/host/outbox');
  expect(await entries()).toEqual([]);
});

test('refusals of notifications', async () => {
  expect((await notify([])).status).toBe(400);
  expect((await notify(['nowhere'])).status).toBe(400);
  expect((await notify([idOf('editor')], { restrict: { permissions: [{ key: 'NO' }] } })).status).toBe(400);
  expect((await notify([idOf('editor')], { to: 7 })).status).toBe(400);
  expect((await notify([idOf('editor')], {}, 'WEB-999')).status).toBe(404);
  expect((await site.anonymous('POST', '/rest/api/3/issue/WEB-1/notify', { json: {} })).status).toBe(401);
  expect(await entries()).toEqual([]);
});

test('the receiver checks signatures by its secret, and answers the chosen status', async () => {
  const body = '{"event":"test"}';
  const mac = createHmac('sha256', 'shared').update(`7.${body}`).digest('hex');
  const send = (signature: string) =>
    site.anonymous('POST', '/receiver', {
      raw: body,
      headers: {
        ...{ 'content-type': 'application/json', 'smart-checklist-event': 'test' },
        'smart-checklist-signature': signature,
      },
    });
  expect((await send('')).status).toBe(204);
  await admin('PUT', '/host/outbox', { json: { secret: 'shared', status: 503 } });
  expect((await send(`t=7,v1=${mac}`)).status).toBe(503);
  await send(`t=8,v1=${mac}`);
  await send('none');
  expect(await entries()).toMatchObject([
    { signature: 'wrong' },
    { signature: 'wrong' },
    { signature: 'valid', event: 'test', body },
    { signature: 'unchecked' },
  ]);
});

test('the automation calls apps only', async () => {
  const request = { address: 'http://127.0.0.1:1/hooks/x', secret: 's', signed: false, body: '{}' };
  expect((await admin('POST', '/host/automation', { json: request })).status).toBe(400);
  const address = `${site.addon.url}/hooks/x`;
  const answer = await admin('POST', '/host/automation', { json: { ...request, address } });
  expect(answer).toMatchObject({ status: 200, body: { status: expect.any(Number), body: expect.any(String) } });
});
