import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shareAssets } from '../../../src/server/http/assets.ts';
import { type ClientOptions, clientRoutes } from '../../../src/server/http/client.ts';

const DAY = 86_400_000;

let folder = '';
let shared = '';
let lines: string[] = [];
let open: FastifyInstance[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checklist-assets-'));
  shared = join(folder, 'shared');
  lines = [];
  open = [];
});
afterEach(async () => {
  for (const app of open) await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** A build with one chunk and one style sheet. */
async function build(version: string): Promise<string> {
  const clientDir = join(folder, version);
  await mkdir(join(clientDir, '.vite'), { recursive: true });
  await mkdir(join(clientDir, 'assets'));
  const [chunk, style] = [`assets/history-${version}.js`, `assets/history-${version}.css`];
  const manifest = { 'history.tsx': { file: chunk, css: [style], isDynamicEntry: true } };
  await writeFile(join(clientDir, '.vite/manifest.json'), JSON.stringify(manifest));
  await writeFile(join(clientDir, 'index.html'), `<script src="/${chunk}"></script>`);
  await writeFile(join(clientDir, chunk), `export default '${version}';`);
  await writeFile(join(clientDir, style), `.${version} {}`);
  await writeFile(join(clientDir, `${chunk}.map`), '{}');
  return clientDir;
}

/** A process of a build. */
async function start(clientDir: string, assetsDir: string | undefined = shared): Promise<FastifyInstance> {
  const app = fastify({ logger: { stream: { write: line => void lines.push(line) } } });
  open.push(app);
  const unused = { tokens: {}, limits: {}, tenants: {} } as ClientOptions;
  await clientRoutes(app, { ...unused, clientDir, assetsDir, hostScriptUrl: 'https://host.example/all.js' });
  return app;
}

const get = async (app: FastifyInstance, name: string) => {
  const { statusCode, body, headers } = await app.inject(`/assets/${name}`);
  return { status: statusCode, body, cache: headers['cache-control'], type: headers['content-type'] };
};
const shares = async () => (await readdir(shared)).sort();
const problems = () => lines.filter(line => line.includes('"level":50'));

test('processes of two builds serve the files of both, before and after the other one ends', async () => {
  const older = await start(await build('v100000'));
  const newer = await start(await build('v200000'));
  for (const app of [older, newer]) {
    for (const version of ['v100000', 'v200000']) {
      const chunk = await get(app, `history-${version}.js`);
      expect(chunk).toMatchObject({ status: 200, body: `export default '${version}';` });
      expect(chunk).toMatchObject({ cache: 'public, max-age=31536000, immutable' });
      expect(chunk.type).toContain('javascript');
      expect((await get(app, `history-${version}.css`)).type).toContain('text/css');
    }
  }
  await older.close();
  await rm(join(folder, 'v100000'), { recursive: true });
  expect((await get(newer, 'history-v100000.js')).body).toBe("export default 'v100000';");
});

test('without a shared folder a process serves only its own build', async () => {
  await start(await build('v100000'));
  const clientDir = await build('v200000');
  const single = fastify();
  open.push(single);
  const unused = { tokens: {}, limits: {}, tenants: {} } as ClientOptions;
  await clientRoutes(single, { ...unused, clientDir, assetsDir: undefined, hostScriptUrl: 'https://host.example' });
  expect((await get(single, 'history-v200000.js')).status).toBe(200);
  expect(await get(single, 'history-v100000.js')).toMatchObject({ status: 404, cache: 'no-store' });
});

test('only hashed files are served from the shared folder, and nothing beside it', async () => {
  const app = await start(await build('v100000'));
  await writeFile(join(shared, 'notes.txt'), 'secret');
  await writeFile(join(shared, '.hidden-a1b2c3.js'), 'secret');
  await writeFile(join(shared, 'map-a1b2c3.js.map'), 'secret');
  await writeFile(join(folder, 'beside-a1b2c3.js'), 'secret');
  await mkdir(join(shared, 'folder-a1b2c3.js'));
  for (const name of [
    ...['notes.txt', '.hidden-a1b2c3.js', 'map-a1b2c3.js.map', 'folder-a1b2c3.js', '', '.'],
    ...['../beside-a1b2c3.js', '..%2fbeside-a1b2c3.js', '%2e%2e/beside-a1b2c3.js', 'x/..%2f..%2fbeside-a1b2c3.js'],
  ]) {
    const { status, body } = await get(app, name);
    expect([name, status >= 400, body.includes('secret')]).toEqual([name, true, false]);
  }
});

test('source maps and files that the bundler does not list are not shared', async () => {
  const clientDir = await build('v100000');
  await writeFile(join(clientDir, 'assets/other-a1b2c3.js'), '');
  await start(clientDir);
  expect(await shares()).toEqual(['history-v100000.css', 'history-v100000.js']);
});

test('files that no build has had for 30 days go, those of a build seen within that time stay', async () => {
  const log = { error: (...line: unknown[]) => void lines.push(`"level":50 ${JSON.stringify(line)}`), info: () => {} };
  const [first, second] = [await build('v100000'), await build('v200000')];
  const started = Date.now();
  const at = (days: number, clientDir: string) =>
    shareAssets({ clientDir, folder: shared, log, now: () => started + days * DAY });
  await at(0, first);
  await at(20, second);
  await at(29, second);
  expect(await shares()).toHaveLength(4);
  // The first one is there again, for instance since the second one had to be taken back.
  await at(31, first);
  await at(59, second);
  expect(await shares()).toHaveLength(4);
  await writeFile(join(shared, 'README'), 'an operator wrote this');
  await utimes(join(shared, 'README'), new Date(0), new Date(0));
  await at(62, second);
  expect(await shares()).toEqual(['README', 'history-v200000.css', 'history-v200000.js']);
  expect(problems()).toEqual([]);
});

test('a file that was left half written is written again, and leftovers of killed processes go', async () => {
  const clientDir = await build('v100000');
  await mkdir(shared);
  await writeFile(join(shared, 'history-v100000.js'), 'export');
  const left = join(shared, '.history-v100000.js.0b7e.unfinished');
  await writeFile(left, '');
  await utimes(left, new Date(0), new Date(0));
  await start(clientDir);
  expect((await stat(join(shared, 'history-v100000.js'))).size).toBe("export default 'v100000';".length);
  expect(await shares()).toEqual(['history-v100000.css', 'history-v100000.js']);
});

/** A folder that cannot be written: as root any can, except for those of the kernel. */
async function locked(): Promise<string> {
  if (process.getuid?.() === 0) return '/proc/self';
  const made = join(folder, 'locked');
  await mkdir(made);
  await chmod(made, 0o500);
  return made;
}

async function file(): Promise<string> {
  await writeFile(shared, '');
  return shared;
}

test.each([
  ['is a file', file],
  ['cannot be written', locked],
  ['cannot be made', async () => join(await file(), 'assets')],
])('where the shared folder %s, a line says so and the process serves its own build', async (_, prepare) => {
  const path = await prepare();
  const app = await start(await build('v100000'), path);
  expect((await get(app, 'history-v100000.js')).status).toBe(200);
  expect((await get(app, 'history-v200000.js')).status).toBe(404);
  expect(problems()).toHaveLength(1);
  expect(problems()[0]).toContain('are not shared');
  expect(problems()[0]).toContain(path);
});
