import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTracker, type Tracker } from '../../src/tracker/app.ts';
import { hostScript } from '../../src/tracker/hostscript.ts';
import { people } from '../../src/tracker/site/people.ts';

let tracker: Tracker;
let pageDir: string;
beforeAll(async () => {
  pageDir = await mkdtemp(join(tmpdir(), 'page-'));
  tracker = await createTracker({
    port: 2990,
    data: undefined,
    addonUrls: ['http://127.0.0.1:9'],
    pageDir,
    logLevel: 'silent',
  });
});
afterAll(async () => {
  await tracker.app.close();
  await rm(pageDir, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => tracker.app.inject({ url, headers });

test('every address of the page gets the page, once it is built', async () => {
  expect((await get('/')).body).toContain('npm run build');
  await writeFile(join(pageDir, 'index.html'), '<title>Tracker</title>');
  const paths = ['/', '/browse/WEB-1', '/portal/HELP-1', '/mobile/WEB-1', '/projects/WEB/settings/project-settings'];
  for (const path of [
    ...paths,
    '/faults',
    '/quota',
    '/plugins/smart-hierarchy',
    '/admin/site-settings',
    '/jira/people/abc',
  ]) {
    expect((await get(path)).body).toBe('<title>Tracker</title>');
  }
  expect((await get('/elsewhere')).statusCode).toBe(404);
});

test('people, issue types, priorities and projects have pictures', async () => {
  const names = ['types/epic', 'priorities/lowest', 'statuses/done', 'projects/WEB'];
  for (const name of [...names, ...people.map(({ accountId }) => `avatars/${accountId}`)]) {
    const answer = await get(`/images/${name}.svg?size=16`);
    expect([name, answer.statusCode, answer.headers['content-type']]).toEqual([name, 200, 'image/svg+xml']);
    expect(answer.body).toMatch(/^<svg [^>]*width="16"/);
  }
  expect((await get('/images/types/moon.svg')).statusCode).toBe(404);
});

test('only this machine is served under its own names', async () => {
  expect((await get('/health', { host: 'tracker.example' })).statusCode).toBe(421);
  expect((await get('/health', { host: '127.0.0.1:2990' })).json()).toMatchObject({ status: 'ok' });
});

test('the style sheets of the bridge come from here', async () => {
  const { body } = await get('/atlassian-connect/all.js');
  expect(body).toContain('var CDN_URL = "http://localhost:2990"');
  expect(body).not.toContain('"https://" + CDN_DOMAIN');
  for (const path of ['/themes/atlaskit-tokens_dark.css', '/surfaces.css', '/legacy-text-colors.css']) {
    expect((await get(path)).headers['content-type']).toMatch(/^text\/css/);
  }
});

/** The wrapper of `AP.request` alone, around a host that answers so. */
async function wrapped(host: (options: object) => Promise<unknown>) {
  const script = await hostScript('http://localhost:2990');
  const window = { AP: { request: host } };
  runInNewContext(script.slice(script.lastIndexOf('(function () {\n  if (!window.AP')), { window, AP: window.AP });
  return window.AP as { request(...given: unknown[]): Promise<unknown> };
}

const xhr = { status: 404, statusText: 'Not Found', responseText: 'no', headers: { 'retry-after': '1' } };

test('AP.request resolves and rejects as the product does', async () => {
  const good = await wrapped(async () => ({ ok: true, body: 'yes', xhr: { ...xhr, status: 200 } }));
  expect(await good.request({ url: '/rest' })).toMatchObject({ body: 'yes', xhr: { status: 200 } });
  const bad = await wrapped(async () => ({ ok: false, body: 'no', xhr }));
  await expect(bad.request('/rest')).rejects.toMatchObject({
    err: 'Not Found',
    xhr: { status: 404, responseText: 'no' },
  });
});

test('AP.request calls back, and keeps the functions on its side', async () => {
  const sent: object[] = [];
  const bad = await wrapped(async options => {
    sent.push(options);
    return { ok: false, body: 'no', xhr };
  });
  const args = await new Promise(resolve => {
    bad.request('/rest', { type: 'PUT', error: (...given: unknown[]) => resolve(given) }).catch(() => undefined);
  });
  expect(args).toMatchObject([{ status: 404 }, 'error', 'Not Found']);
  expect(sent).toEqual([{ url: '/rest', type: 'PUT' }]);
});
