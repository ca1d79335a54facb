import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createTracker } from '../../src/tracker/app.ts';
import { layOut, type NginxOptions, startNginx } from '../deploy/nginx.ts';
import { freePort } from '../run/free-port.ts';
import { addonServer, onPostgres, type Program } from './programs.ts';
import { panel, type Site, siteOf } from './site.ts';

const dist = join(import.meta.dirname, '../../dist');

/** Another build of the client: the same files under other names, as after a change in each, with another title. */
async function otherBuild(folder: string): Promise<string> {
  const client = join(folder, 'client');
  await cp(join(dist, 'client'), client, { recursive: true });
  const assets = (await readdir(join(client, 'assets'))).filter(name => !name.endsWith('.map'));
  const renamed = new Map<string, string>();
  for (const [index, name] of assets.entries()) {
    const [, start = '', end = ''] = /^(.*?)-[\w-]{6,8}(\.\w+)$/.exec(name) ?? [];
    renamed.set(name, `${start}-n${String(index).padStart(6, '0')}${end}`);
  }
  const change = async (path: string, to = path) => {
    const text = await readFile(path, 'utf8');
    const changed = [...renamed].reduce((all, [from, name]) => all.replaceAll(from, name), text);
    if (to !== path) await rm(path);
    await writeFile(to, changed.replace('<title>Checklist</title>', '<title>Checklist, newer</title>'));
  };
  await change(join(client, 'index.html'));
  await change(join(client, '.vite/manifest.json'));
  for (const [from, to] of renamed) await change(join(client, 'assets', from), join(client, 'assets', to));
  return client;
}

export interface Versions {
  site: Site;
  older: Program;
  newer: Program;
  /** Opens an issue. Resolves with what its panel got: whether it shows its rows, of which build it is, its missing files. */
  opening(page: Page): Promise<{ works: boolean; title: string; missing: string[] }>;
  stop(): Promise<void>;
}

export interface VersionsOptions {
  browser: Browser;
  database: string;
  /** Whether the processes share their files. */
  shares: boolean;
  replace?: NginxOptions['replace'];
}

/** Two processes on one database, each with a build of its own, behind nginx as shipped. Neither runs yet. */
export async function startVersions({ browser, database, shares, replace = [] }: VersionsOptions): Promise<Versions> {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-versions-'));
  const ports = {
    tracker: await freePort(),
    older: await freePort(),
    newer: await freePort(),
    nginx: await freePort(),
  };
  const url = `http://127.0.0.1:${ports.nginx}`;
  const trackerUrl = `http://localhost:${ports.tracker}`;
  const program = (port: number, client: string) =>
    addonServer({
      ...{ port, trackerUrl, data: join(folder, String(port)) },
      env: {
        ...onPostgres(database),
        ...{ BASE_URL: url, TRUST_PROXY: '127.0.0.1', CLIENT_DIR: client },
        ...(shares && { ASSETS_DIR: join(folder, 'assets') }),
      },
    });
  const older = program(ports.older, join(dist, 'client'));
  const newer = program(ports.newer, await otherBuild(folder));
  const nginx = join(folder, 'nginx');
  const processes = [ports.older, ports.newer] as const;
  await layOut(nginx, { site: 'checklist-behind-proxy', processes, port: ports.nginx, replace });
  const stopNginx = await startNginx(nginx, ports.nginx);
  await older.start();
  const pageDir = join(dist, 'tracker/page');
  const tracker = await createTracker({
    port: ports.tracker,
    addonUrls: [url],
    data: undefined,
    pageDir,
    logLevel: 'silent',
  });
  await tracker.app.listen({ host: '127.0.0.1', port: ports.tracker });
  const isReady = () => fetch(`${trackerUrl}/health`).then(answer => answer.json());
  for (let health = await isReady(); health.ready === false; health = await isReady()) {
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const runnable = { url: trackerUrl, kill: async () => {}, start: async () => {} };
  const site = siteOf(
    { tracker: runnable, addon: { ...older, url }, start: async () => {}, stop: async () => {} },
    browser,
  );
  return {
    ...{ site, older, newer },
    async opening(page) {
      const missing: string[] = [];
      page.on('response', answer => {
        if (answer.status() === 404 && answer.url().includes('/assets/')) missing.push(new URL(answer.url()).pathname);
      });
      await site.open(page, 'WEB-2');
      const shown = panel(page).getByRole('textbox').first();
      const works = await shown.waitFor({ timeout: 15_000 }).then(
        () => true,
        () => false,
      );
      const title = await panel(page)
        .locator('title')
        .innerHTML({ timeout: 2_000 })
        .catch(() => '');
      page.removeAllListeners('response');
      return { works, title, missing };
    },
    async stop() {
      await site.stop();
      await stopNginx();
      tracker.app.server.closeAllConnections();
      await tracker.app.close();
      await Promise.all([older.kill(), newer.kill()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
