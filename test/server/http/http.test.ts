import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/domain/build/build.ts';
import { edition } from '../../../src/domain/edition.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { appKey, startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD } from '../support/tracker.ts';

const HTML = '<!doctype html><script src="%HOST_SCRIPT_URL%"></script><div id="root"></div>';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    const clientDir = await mkdtemp(join(tmpdir(), 'checklist-client-'));
    await mkdir(join(clientDir, 'assets'));
    await mkdir(join(clientDir, 'images'));
    await mkdir(join(clientDir, '.vite'));
    await writeFile(join(clientDir, '.vite/manifest.json'), '{}');
    await writeFile(join(clientDir, 'index.html'), HTML);
    await writeFile(join(clientDir, 'assets/index-1a2b3c.js'), 'export {};');
    await writeFile(join(clientDir, 'images/logo-pro.svg'), '<svg/>');
    it = await startApp(use().store, {
      CLIENT_DIR: clientDir,
      HOST_SCRIPT_URL: 'https://host.example/atlassian-connect/all.js?a=1&b=2',
      FRAME_ANCESTORS: 'https://*.atlassian.net http://localhost:2990',
    });
    return async () => {
      await it.app.close();
      await rm(clientDir, { recursive: true });
    };
  });

  const get = (url: string, headers: Record<string, string> = {}) => it.app.inject({ url, headers });

  describe('pages', () => {
    test.each(['/', '/checklist', '/templates/new', '/smart-hierarchy?surface=page', '/anything/else', '/index'])(
      '%s is the client page, with the host script filled in',
      async url => {
        const response = await get(url);
        expect(response.statusCode).toBe(200);
        expect(response.headers['content-type']).toContain('text/html');
        expect(response.headers['cache-control']).toBe('no-cache');
        expect(response.body).toContain('src="https://host.example/atlassian-connect/all.js?a=1&#38;b=2"');
      },
    );

    test('a token in the query must be valid', async () => {
      const page = '/checklist?issueKey=A-1&surface=issue-content';
      expect((await get(`${page}&jwt=${it.requestToken('GET', page)}`)).statusCode).toBe(200);

      const wrong = await get(`/checklist?issueKey=A-2&jwt=${it.requestToken('GET', page)}`);
      expect(wrong.statusCode).toBe(401);
      expect(wrong.headers['content-type']).toContain('text/html');
      expect(wrong.body).toContain('Unauthorized.');
      expect(wrong.body).toContain('If the problem persists, please contact customer support.');
      expect((await get(`${page}&jwt=${it.contextToken()}`)).statusCode).toBe(401);
      expect((await get(`${page}&jwt=`)).statusCode).toBe(401);
    });

    test.each([
      '/index.html',
      '//index.html',
      '/assets/../index.html',
      '/.vite/manifest.json',
      '/assets/gone.js',
      '/api/unknown',
      '/missing.png',
      '/webhooks/unknown',
      '/../secret.txt',
    ])('%s is not found, and not the client page', async url => {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.body).not.toContain('root');
    });
  });

  test('hashed files are cached without limit, others for an hour', async () => {
    const asset = await get('/assets/index-1a2b3c.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toContain('javascript');
    expect((await get('/images/logo-pro.svg')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('the security policy allows the loaded sources, and frames only in the configured sites', async () => {
    const { headers } = await get('/checklist');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' https://host.example;");
    expect(policy).toContain("img-src 'self' https: data: https://host.example;");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toMatch(/frame-ancestors https:\/\/\*\.atlassian\.net http:\/\/localhost:2990$/);
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test("the descriptor is served with the app's address", async () => {
    const response = await get('/atlassian-connect.json');
    expect(response.json()).toMatchObject({ key: edition.key, baseUrl: 'https://addon.example' });
  });

  test('health and metrics are served', async () => {
    for (const path of ['/health', '/health/live', '/health/ready']) {
      expect((await get(path)).json()).toEqual({ status: 'ok', version: build.version, commit: 'unknown' });
    }
    await get('/checklist?secret=1');
    const { body } = await get('/metrics');
    expect(body).toContain('http_request_duration_seconds_count{route="/health/live",method="GET",status="200"}');
    expect(body).toMatch(/^database_ping_seconds \d/m);
    expect(body).toMatch(/^database_connections\{state="waiting"\} \d/m);
    expect(body).not.toContain('secret');
  });

  describe('webhooks', () => {
    const hook = (path: string, token: string, payload = '{"webhookEvent":"jira:issue_updated"}') =>
      it.app.inject({
        method: 'POST',
        url: path,
        headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
        payload,
      });

    const update = (...items: Record<string, string | null>[]) => JSON.stringify({ changelog: { items } });

    test.each(['issue-created', 'issue-updated', 'issue-deleted', 'issue-property'])('%s is accepted', async name => {
      const path = `/webhooks/${name}?issueId=10001&user_id=x`;
      expect((await hook(path, it.requestToken('POST', path))).statusCode).toBe(204);
      expect((await hook(path, it.requestToken('POST', path), 'not json')).statusCode).toBe(204);
    });

    test.each<[string, string, string, boolean]>([
      ['moves it to another project', 'issue-updated', update({ field: 'project' }, { field: 'Key' }), true],
      ['restricts its visibility', 'issue-updated', update({ field: 'Security', fieldId: 'security' }), true],
      ['is too long to be read', 'issue-updated', `"${'x'.repeat(2_000_000)}"`, true],
      ['is no JSON', 'issue-updated', 'what', true],
      ['changes accounts that permissions may refer to', 'issue-updated', update({ field: 'assignee' }), true],
      ['is a comment', 'issue-updated', '{"webhookEvent":"jira:issue_updated"}', false],
      ['deletes it', 'issue-deleted', '{}', true],
      ['changes other fields', 'issue-updated', update({ field: 'summary' }, { field: 'A text', fieldId: 'x' }), false],
      ['sets a property', 'issue-property', '{}', false],
    ])('an event that %s: whether permissions are checked again', async (_, event, body, again) => {
      const { id, checklists } = await newIssue(it, EDITOR);
      await checklists.viewable([id]);
      const path = `/webhooks/${event}?issueId=${id}`;
      expect((await hook(path, it.requestToken('POST', path), body)).statusCode).toBe(204);
      // The revocation is later than this event.
      const other = await newIssue(it, EDITOR);
      const asked = async (of: typeof other) => {
        const before = it.tracker.calls.length;
        await of.checklists.viewable([of.id]);
        return it.tracker.calls.length > before;
      };
      await asked(other);
      await it.checklists.doubtAccess(it.tenant.id, other.id);
      await expect.poll(() => asked(other)).toBe(true);
      const before = it.tracker.calls.length;
      await checklists.viewable([id]);
      expect(it.tracker.calls.length > before).toBe(again);
    });

    const field = (to: string | null) => update({ field: 'Checklist Text', fieldId: OWN_FIELD, toString: to });
    test.each<[string, string, string, boolean]>([
      ['moves it to another project', 'issue-updated', update({ field: 'project', toString: 'Other' }), true],
      ["writes another text into the app's field", 'issue-updated', field('- a\n- by hand'), true],
      ['is the echo of an own write', 'issue-updated', field('- a'), false],
      ['differs in line breaks only', 'issue-updated', field('- a\r\n'), false],
      ["empties the app's field", 'issue-updated', field(null), true],
      ['changes other fields', 'issue-updated', update({ field: 'summary' }), false],
      ['is a comment', 'issue-updated', '{}', false],
      ['is no JSON', 'issue-updated', 'what', true],
      ['names no field', 'issue-updated', update({}), false],
      ['deletes it', 'issue-deleted', '{}', true],
      ['creates it', 'issue-created', '{}', false],
      ['sets a property', 'issue-property', '{}', true],
    ])('an event that %s: whether the issue is read', async (_, event, body, read) => {
      const issue = await newIssue(it, EDITOR);
      await issue.edit(add('a'));
      await it.settled();
      const path = `/webhooks/${event}?issueId=${issue.id}`;
      const { length } = it.tracker.calls;
      expect((await hook(path, it.requestToken('POST', path), body)).statusCode).toBe(204);
      // The webhook answers before any call of the tracker.
      expect(it.tracker.calls).toHaveLength(length);
      await it.settled();
      const reads = it.tracker.calls.slice(length).filter(call => call.path.endsWith(`/issue/${issue.id}`));
      expect(reads.map(({ method }) => method)).toEqual(read ? ['GET'] : []);
      expect(await issue.text()).toBe('- a');
    });

    test.each([
      ['of the checklist', storageKey('checklist'), true],
      ['of another app, or the badge of the panel', 'com.atlassian.jira.issue:x:checklist-context:status', false],
      ['that the tracker does not name', '', true],
    ])('an event about a property %s: whether the issue is read', async (_, key, read) => {
      const issue = await newIssue(it, EDITOR);
      await issue.edit(add('a'));
      await it.settled();
      const path = `/webhooks/issue-property?issueId=${issue.id}&property=${encodeURIComponent(key)}`;
      const { length } = it.tracker.calls;
      expect((await hook(path, it.requestToken('POST', path))).statusCode).toBe(204);
      await it.settled();
      expect(it.tracker.calls.slice(length).map(({ method }) => method)).toEqual(read ? ['GET'] : []);
    });

    test('a token of another request is refused', async () => {
      const token = it.requestToken('POST', '/webhooks/issue-created');
      expect((await hook('/webhooks/issue-updated', token)).statusCode).toBe(401);
      expect((await hook('/webhooks/issue-created', it.contextToken())).statusCode).toBe(401);
    });
  });

  test('requests are limited by account token', async () => {
    const left = async (account: string) => {
      const { headers } = await get('/api/jira/auth', { ...appKey, authorization: `JWT ${tokens[account]}` });
      return headers['ratelimit-remaining'];
    };
    const tokens: Record<string, string> = { one: it.contextToken('one'), two: it.contextToken('two') };
    expect([await left('one'), await left('one'), await left('two')]).toEqual(['599', '598', '599']);
  });

  test('the readiness check fails without a database, the liveness check does not', async () => {
    const gone = await startApp({ ...use().store, ping: () => Promise.reject(new Error('gone')) });
    expect((await gone.app.inject('/health/ready')).statusCode).toBe(503);
    expect((await gone.app.inject('/health/live')).statusCode).toBe(200);
    await gone.app.close();
  });
});
