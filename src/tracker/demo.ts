import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { type EditionId, edition, editions } from '../domain/edition.ts';
import { parseAs } from '../domain/shape.ts';
import { port } from './config.ts';
import { errorText } from './log.ts';

/**
 * `npm start`: the add-on's server and the local tracker side by side, each a process of its own. Runs the built
 * programs, or the sources when it is run as a source itself. With the argument `both`, the Free edition is a second
 * add-on, which `npm run build:free` has built. With `TRACKER_SECOND_PORT`, the tracker has a second site there. If the
 * pages for Forge are built, the tracker installs the first add-on by both frameworks, over its one server.
 */

const sourceFolder = import.meta.dirname;
const root = join(sourceFolder, '../..');
const extension = extname(fileURLToPath(import.meta.url));
/** Both programs must be up within this time. The first start makes two databases. */
const START_TIMEOUT_MS = 120_000;
const RETRY_INTERVAL_MS = 100;
/** A program has this time to stop after SIGTERM. */
const STOP_GRACE_MS = 15_000;

const defaults = {
  LOG_LEVEL: 'warn',
  TRACKER_DATA: join(root, '.data/tracker'),
  /** Points that an app has by default at the real tracker. */
  TRACKER_QUOTA: '65000',
};

/** The app's on this machine. */
const FORGE_APP_ID = process.env.FORGE_APP_ID ?? '11111111-2222-4333-8444-555555555555';
const FORGE_DIST = process.env.FORGE_DIST ?? join(root, 'dist/forge');
const withForge = FORGE_APP_ID !== '' && existsSync(join(FORGE_DIST, 'index.html'));

class StartFailed extends Error {
  override readonly name = 'StartFailed';
}

const portsShape = v.object({
  PORT: v.optional(port, 3000),
  TRACKER_PORT: v.optional(port, 2990),
  TRACKER_SECOND_PORT: v.optional(v.union([v.literal(''), port]), ''),
  FORGE_RESOURCE_PORT: v.optional(port, 2992),
});
const healthShape = v.object({
  ready: v.boolean(),
  addons: v.array(v.object({ state: v.string(), reason: v.optional(v.string()) })),
  forge: v.optional(v.object({ state: v.string() })),
});

const startsBoth = process.argv.includes('both') && edition.id !== 'free';

const children: ChildProcess[] = [];
let stopping = false;

process.once('SIGINT', () => void stop(0));
process.once('SIGTERM', () => void stop(0));

try {
  await start();
} catch (error) {
  await stop(1, errorText(error));
}

async function start(): Promise<void> {
  const { PORT, TRACKER_PORT, TRACKER_SECOND_PORT, FORGE_RESOURCE_PORT } = parseAs(
    portsShape,
    process.env,
    problem => new StartFailed(problem),
  );
  const addons = [
    addonOf(edition.id, PORT, join(sourceFolder, `../server/main${extension}`), join(root, 'dist/client')),
  ];
  if (startsBoth)
    addons.push(addonOf('free', PORT + 1, join(root, 'dist/free/server/main.js'), join(root, 'dist/free/client')));
  await Promise.all([
    ...addons.map(addon => requireFree(addon.port, 'PORT')),
    requireFree(TRACKER_PORT, 'TRACKER_PORT'),
    TRACKER_SECOND_PORT && requireFree(TRACKER_SECOND_PORT, 'TRACKER_SECOND_PORT'),
    withForge && requireFree(FORGE_RESOURCE_PORT, 'FORGE_RESOURCE_PORT'),
  ]);

  const trackerUrl = `http://localhost:${TRACKER_PORT}`;
  const siteUrls = [trackerUrl, ...(TRACKER_SECOND_PORT ? [`http://localhost:${TRACKER_SECOND_PORT}`] : [])];
  const forge = withForge ? { FORGE_APP_ID, FORGE_ENVIRONMENT: 'DEVELOPMENT' } : undefined;
  for (const [number, { name, url, port, script, client, data }] of addons.entries()) {
    run(`The server of ${name}`, script, {
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: url,
      DATA_DIR: data,
      CLIENT_DIR: client,
      HOST_SCRIPT_URL: `${trackerUrl}/atlassian-connect/all.js`,
      INSTALL_KEYS_URL: `${trackerUrl}/install-keys`,
      FRAME_ANCESTORS: siteUrls.join(' '),
      TENANT_HOSTS: 'localhost',
      // The tracker's own receiver of webhooks.
      WEBHOOK_HOSTS: siteUrls.map(url => `${new URL(url).host}=${new URL(url).host}`).join(' '),
      ...(forge &&
        number === 0 && {
          ...forge,
          FORGE_JWKS_URL: `${trackerUrl}/forge/.well-known/jwks.json`,
          FORGE_GATEWAY: `${trackerUrl}/forge-gateway`,
          FORGE_ORIGINS: `http://localhost:${FORGE_RESOURCE_PORT}`,
        }),
    });
  }
  run('The local tracker', join(sourceFolder, `main${extension}`), {
    TRACKER_PORT: String(TRACKER_PORT),
    ADDON_URL: addons.map(({ url }) => url).join(' '),
    PAGE_DIR: join(root, 'dist/tracker/page'),
    ...(forge && { ...forge, FORGE_DIST, FORGE_RESOURCE_PORT: String(FORGE_RESOURCE_PORT) }),
  });
  for (const { url } of addons) await until(`${url}/health/ready`, () => true);
  for (const url of siteUrls) await until(`${url}/health`, hasAddon);
  const names = addons.map(({ name }) => name).join(' and ');
  const runs = addons.length === 1 ? 'runs' : 'run';
  const sites = siteUrls.join(' and ');
  process.stdout.write(`\n${names} ${runs} inside the local tracker: open ${sites} (Ctrl+C ends it)\n\n`);
}

/** Each edition has a data folder of its own, like a database of its own in production. */
function addonOf(id: EditionId, port: number, script: string, client: string) {
  const folder = join(root, '.data', id === 'pro' ? 'addon' : `addon-${id}`);
  const data = process.env.DATA_DIR ? `${process.env.DATA_DIR}${id === edition.id ? '' : `-${id}`}` : folder;
  return { name: editions[id].name, url: `http://127.0.0.1:${port}`, port, script, client, data };
}

async function requireFree(wantedPort: number, variable: string): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(wantedPort, '127.0.0.1'), 'listening');
  } catch {
    throw new StartFailed(`Port ${wantedPort} is in use. Stop what runs there, or set ${variable} to another port.`);
  }
  probe.close();
  await once(probe, 'close');
}

function run(name: string, script: string, env: Record<string, string>): void {
  const loader = extension === '.ts' ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...loader, script], {
    cwd: root,
    env: { ...defaults, ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  children.push(child);
  child.once('exit', (code, signal) => {
    if (!stopping) void stop(1, `${name} ended (${signal ?? `code ${code}`}).`);
  });
}

/** Resolves once the address answers with 2xx and meets the condition. */
async function until(url: string, isEnough: (answer: Response) => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end && !stopping) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok && (await isEnough(answer))) return;
    await sleep(RETRY_INTERVAL_MS);
  }
  throw new StartFailed('The programs did not get ready in time.');
}

async function hasAddon(answer: Response): Promise<boolean> {
  const { ready, addons, forge } = parseAs(healthShape, await answer.json());
  const failed = addons.find(({ state }) => state === 'failed');
  if (failed) throw new StartFailed(failed.reason ?? 'The add-on cannot be installed.');
  return ready && [...addons, ...(forge ? [forge] : [])].every(({ state }) => state === 'installed');
}

async function stop(code: number, reason?: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (reason) process.stderr.write(`${reason}\n`);
  await Promise.all(children.map(end));
  process.exit(code);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  await gone;
  clearTimeout(timer);
}
