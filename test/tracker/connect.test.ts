import {
  createQueryStringHash,
  decodeAsymmetric,
  decodeSymmetric,
  encodeSymmetric,
  fromMethodAndUrl,
  getKeyId,
} from 'atlassian-jwt';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostModule } from '../../src/tracker/wire/modules.ts';
import type { HostState } from '../../src/tracker/wire/site.ts';
import { ADDON_KEY, type Call } from './addon.ts';
import { accountOf, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
beforeEach(async () => {
  site = await startTracker({ install: false });
});
afterEach(() => site.close());

type Algorithms = Parameters<typeof decodeSymmetric>[2];
const RS256 = 'RS256' as Algorithms;
const HS256 = 'HS256' as Algorithms;

const installed = v.object({
  key: v.string(),
  clientKey: v.string(),
  sharedSecret: v.string(),
  baseUrl: v.literal('http://localhost:2990'),
  productType: v.literal('jira'),
  eventType: v.literal('installed'),
});

const tokenOf = (call: Call | undefined) => call?.authorization.replace(/^JWT /, '') ?? '';

/** Installs, and returns the data that the add-on received. */
async function install() {
  await site.tracker.addon.check();
  const [call] = await site.addon.next('/installed');
  return { call, ...v.parse(installed, JSON.parse(call?.body ?? '')) };
}

const state = async (): Promise<HostState['addons'][number] | undefined> => {
  const { body } = await site.as('editor')('GET', '/host/state');
  return (body as HostState).addons[0];
};

describe('the handshake', () => {
  test('is signed with a key that the site serves', async () => {
    const { call, clientKey, key, sharedSecret } = await install();
    const token = tokenOf(call);
    const { status, body } = await site.anonymous('GET', `/install-keys/${getKeyId(token)}`);
    expect(status).toBe(200);
    const claims = decodeAsymmetric(token, String(body), RS256);
    expect(claims).toMatchObject({
      iss: clientKey,
      aud: [site.addon.url],
      qsh: createQueryStringHash(fromMethodAndUrl('POST', '/installed'), false),
    });
    expect(claims.exp - claims.iat).toBe(180);
    expect(key).toBe(ADDON_KEY);
    expect(sharedSecret.length).toBeGreaterThanOrEqual(32);
    expect(await state()).toEqual({ state: 'installed', key: ADDON_KEY, name: 'Example Checklist' });
    expect((await site.anonymous('GET', '/install-keys/another')).status).toBe(404);
  });

  test('happens once for one descriptor, and anew with a fresh secret when it changes', async () => {
    const first = await install();
    await site.tracker.addon.check();
    expect(site.addon.calls.filter(({ url }) => url === '/installed')).toEqual([]);
    site.addon.descriptor = { ...site.addon.descriptor, version: '2.0.0' };
    const second = await install();
    expect(second.clientKey).toBe(first.clientKey);
    expect(second.sharedSecret).not.toBe(first.sharedSecret);
  });

  test('is repeated when the add-on refuses our frame addresses', async () => {
    await install();
    site.addon.answer = ({ url }) => (url.startsWith('/assigned-items') ? 401 : 200);
    await install();
  });

  test('that is refused leaves the former installation in force', async () => {
    const { clientKey } = await install();
    site.addon.descriptor = { ...site.addon.descriptor, version: '2.0.0' };
    site.addon.answer = ({ url }) => (url === '/installed' ? 500 : 200);
    expect(await state()).toMatchObject({ state: 'failed', reason: expect.stringContaining('500') });
    expect(site.tracker.addon.installed()?.shared.clientKey).toBe(clientKey);
  });

  test('does not happen for a broken descriptor, and the page says why', async () => {
    site.addon.descriptor = { ...site.addon.descriptor, scopes: ['ALL'] };
    expect(await state()).toMatchObject({ state: 'failed', reason: expect.stringContaining('scopes[0]') });
    expect(site.addon.calls).toEqual([]);
  });

  test('waits for an add-on that is not there', async () => {
    await site.addon.close();
    expect(await state()).toEqual({ state: 'absent', reason: `Waiting for the add-on at ${site.addon.url}.` });
    site.addon.close = async () => undefined;
  });

  test('is undone by uninstalling, which lasts until the add-on is installed by hand', async () => {
    await install();
    const act = (role: 'site-admin' | 'editor', action: string) =>
      site.as(role)('POST', '/host/addon', { json: { action } });
    expect((await act('editor', 'uninstall')).status).toBe(403);
    expect((await act('site-admin', 'uninstall')).body).toEqual({ state: 'absent', reason: 'Uninstalled.' });
    const [call] = await site.addon.next('/uninstalled');
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ eventType: 'uninstalled' });
    expect(call?.body).not.toContain('sharedSecret');
    expect(await state()).toMatchObject({ state: 'absent' });
    expect((await site.as('editor')('GET', '/host/modules?place=general')).body).toEqual([]);
    expect((await act('site-admin', 'install')).body).toMatchObject({ state: 'installed' });
  });
});

describe('frames', () => {
  const modules = async (role: Parameters<TestTracker['as']>[0], query: string): Promise<HostModule[]> => {
    const { status, body } = await site.as(role)('GET', `/host/modules?${query}`);
    expect(status).toBe(200);
    return body as HostModule[];
  };
  const keys = async (role: Parameters<TestTracker['as']>[0], query: string) =>
    (await modules(role, query)).map(({ key }) => key);

  test('have signed addresses with the context filled in', async () => {
    const { sharedSecret, clientKey } = await install();
    const [module] = await modules('editor', 'place=issue-context&issueKey=WEB-2');
    const url = new URL(module?.url ?? '');
    const token = url.searchParams.get('jwt') ?? '';
    const claims = decodeSymmetric(token, sharedSecret, HS256);
    expect(claims).toMatchObject({
      iss: clientKey,
      sub: accountOf('editor'),
      qsh: createQueryStringHash(fromMethodAndUrl('GET', `${url.pathname}${url.search}`), false),
    });
    expect(claims.exp - claims.iat).toBe(180);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      issueKey: 'WEB-2',
      issueId: '10002',
      projectKey: 'WEB',
      projectId: '10000',
      xdm_e: 'http://localhost:2990',
      xdm_c: `channel-${ADDON_KEY}__checklist-context`,
      cp: '',
      lic: 'active',
    });
    expect(module).toMatchObject({
      label: 'Open checklist',
      icon: `${site.addon.url}/images/logo.svg`,
      structuredContext: { jira: { issue: { id: '10002', key: 'WEB-2' }, project: { id: '10000', key: 'WEB' } } },
    });
  });

  test('leave variables empty that have no value', async () => {
    await install();
    const [dialog] = await modules('editor', 'place=dialog&key=checklist-templates');
    expect(new URL(dialog?.url ?? '').searchParams.get('issueKey')).toBe('');
    expect(dialog).toMatchObject({ dialog: { size: 'maximum', chrome: false } });
  });

  test('stand where the conditions let them', async () => {
    await install();
    expect(await keys('editor', 'place=issue-context&issueKey=WEB-1')).toEqual(['checklist-context']);
    expect(await keys('editor', 'place=issue-content&issueKey=WEB-1')).toEqual(['hierarchy-content']);
    const property = `/rest/api/2/project/WEB/properties/${ADDON_KEY}.show-in-center-panel`;
    await site.as('project-admin')('PUT', property, { json: 'true' });
    expect(await keys('editor', 'place=issue-context&issueKey=WEB-1')).toEqual([]);
    expect(await modules('editor', 'place=issue-content&issueKey=WEB-1')).toMatchObject([
      { key: 'checklist-content', contentPresent: true },
      { key: 'hierarchy-content' },
    ]);
    expect(await keys('editor', 'place=issue-content&issueKey=HELP-1')).toEqual(['hierarchy-content']);

    expect(await keys('editor', 'place=project-admin&projectKey=WEB')).toEqual([]);
    expect(await keys('project-admin', 'place=project-admin&projectKey=WEB')).toEqual(['project-settings']);
    expect(await keys('project-admin', 'place=admin')).toEqual([]);
    expect(await keys('site-admin', 'place=admin')).toEqual(['site-settings']);
    expect(await keys('site-admin', 'place=configure')).toEqual(['configure']);
    expect(await keys('customer', 'place=portal&issueKey=HELP-1')).toEqual(['checklist-portal']);
  });

  test('are not for issues that one may not see', async () => {
    await install();
    expect((await site.as('customer')('GET', '/host/modules?place=portal&issueKey=HELP-4')).status).toBe(404);
    expect((await site.as('customer')('GET', '/host/context-token?issueKey=HELP-4')).status).toBe(404);
  });

  test('get tokens that name the user and the context', async () => {
    const { sharedSecret, clientKey } = await install();
    const { body } = await site.as('viewer')('GET', '/host/context-token?issueKey=HELP-1');
    expect(decodeSymmetric(String(body), sharedSecret, HS256)).toMatchObject({
      iss: clientKey,
      sub: accountOf('viewer'),
      qsh: 'context-qsh',
      context: { jira: { issue: { id: '10009', key: 'HELP-1' }, project: { id: '10001', key: 'HELP' } } },
    });
  });
});

describe('calls of the add-on', () => {
  const url = '/rest/api/2/issue/WEB-1?fields=summary';
  const now = () => Math.floor(Date.now() / 1000);
  const signed = (secret: string, claims: object = {}, method = 'GET', address = url) => {
    const qsh = createQueryStringHash(fromMethodAndUrl(method, address), false);
    const whole = { iss: ADDON_KEY, iat: now(), exp: now() + 180, qsh, ...claims };
    return { headers: { authorization: `JWT ${encodeSymmetric(whole, secret)}` } };
  };

  test('are let in with a token for this very call', async () => {
    const { sharedSecret } = await install();
    expect(await site.anonymous('GET', url, signed(sharedSecret))).toMatchObject({
      status: 200,
      body: { key: 'WEB-1' },
    });
    const own = `/rest/atlassian-connect/1/addons/${ADDON_KEY}/properties/x`;
    const put = { json: { a: 1 }, ...signed(sharedSecret, {}, 'PUT', own) };
    expect(await site.anonymous('PUT', own, put)).toMatchObject({ status: 201, body: { statusCode: 201 } });
    const gone = `${own}-gone`;
    expect(await site.anonymous('GET', gone, signed(sharedSecret, {}, 'GET', gone))).toMatchObject({
      status: 404,
      body: { statusCode: 404 },
    });
    expect((await site.as('site-admin')('GET', own)).status).toBe(401);
  });

  test.each<[string, (secret: string) => { headers: Record<string, string> }]>([
    ['another secret', () => signed('another secret')],
    ['another issuer', secret => signed(secret, { iss: 'somebody' })],
    ['another call', secret => signed(secret, {}, 'GET', '/rest/api/2/issue/WEB-2')],
    ['no time limit', secret => signed(secret, { exp: undefined })],
    ['a time that has passed', secret => signed(secret, { exp: now() - 60 })],
    ['a context token', secret => signed(secret, { qsh: 'context-qsh' })],
    ['another scheme', () => ({ headers: { authorization: 'Basic YTpi' } })],
  ])('are refused with %s', async (_, call) => {
    const { sharedSecret } = await install();
    expect((await site.anonymous('GET', url, call(sharedSecret))).status).toBe(401);
  });

  test('from its frames are held to its scopes', async () => {
    site.addon.descriptor = { ...site.addon.descriptor, scopes: ['READ'] };
    await install();
    const frame = { headers: { 'ap-app-key': ADDON_KEY } };
    const property = '/rest/api/2/issue/WEB-1/properties/x';
    expect((await site.as('editor')('GET', url, frame)).status).toBe(200);
    expect((await site.as('editor')('PUT', property, { json: 1, ...frame })).status).toBe(403);
    expect((await site.as('editor')('PUT', property, { json: 1 })).status).toBe(201);
    expect((await site.as('editor')('GET', url, { headers: { 'ap-app-key': 'another' } })).status).toBe(403);
  });
});
