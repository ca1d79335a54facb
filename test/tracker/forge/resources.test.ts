import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ForgeTracker, startForge } from './harness.ts';

let site: ForgeTracker;
beforeAll(async () => {
  site = await startForge({ secondPort: 2991 });
});
afterAll(() => site.close());

async function get(url: string, headers: Record<string, string> = {}) {
  const { resources } = site.tracker;
  if (!resources) throw new Error('There are no resources.');
  return resources.inject({ url, headers: { host: 'localhost:2992', ...headers } });
}

test('a page begins with the scripts of the platform', async () => {
  const { body } = await get('/main/index.html');
  const scripts = [...body.matchAll(/<script (?:defer )?src="([^"]+)">/g)].map(([, address]) => address ?? '');
  expect(body.indexOf('<script')).toBeLessThan(body.indexOf('<title'));
  expect(scripts).toHaveLength(2);
  for (const address of scripts) expect((await get(address)).headers['content-type']).toMatch(/javascript/);
});

test("its policy permits the manifest's remote and the embedding site, and no other own address", async () => {
  const { headers } = await get('/main/index.html?hostname=http://localhost:2991');
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  );
  expect(policy['connect-src']).toEqual(expect.arrayContaining(["'self'", 'http://localhost:2991', site.addon.url]));
  expect(policy['frame-ancestors']).toContain('http://localhost:2991');
  expect(policy['style-src']).toContain("'unsafe-inline'");
  expect(policy['script-src']).not.toContain("'unsafe-inline'");
  expect(policy['font-src']).not.toContain('data:');
  // Pictures of the site, and of the hosts that the vendor's package names.
  const pictures: string[] = policy['img-src'] ?? [];
  expect(pictures).toContain('http://localhost:2991');
  expect(pictures.filter(source => ['*', 'http:', 'https:', 'https://*'].includes(source))).toEqual([]);
  expect(policy).not.toHaveProperty('report-uri');
});

test('a foreign page may not show it', async () => {
  const { headers } = await get('/main/index.html?hostname=https://evil.example');
  expect(headers['content-security-policy']).not.toContain('evil.example');
});

test('files of the build are there, source maps and others are not', async () => {
  expect((await get('/main/assets/main.js')).statusCode).toBe(200);
  for (const path of ['/main/assets/main.js.map', '/main/nothing.js', '/other/index.html', '/main/../x'])
    expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
  expect((await get('/main/index.html', { host: 'evil.example' })).statusCode).toBe(421);
});
