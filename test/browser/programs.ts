import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTracker, type Tracker, type TrackerOptions } from '../../src/tracker/app.ts';
import { copyEmptyDatabase } from '../run/embedded.ts';
import { freePort } from '../run/free-port.ts';
import { spawnNode, tail } from '../run/spawn.ts';
import { recordCall } from '../run/vendor-calls.ts';

const dist = join(import.meta.dirname, '../../dist');

// If the run dies, this worker would stay alive because of its open servers.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

/** The built add-on server and the local tracker, on free ports, with their data in a folder of their own. */
export interface Programs {
  tracker: Runnable;
  addon: Program;
  /** The Free edition's server, if requested. */
  free?: Program;
  /** Address of the tracker's second site, if requested. */
  secondSite?: string;
  /** Starts programs that are not running, and resolves when the tracker has installed the add-on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Runnable {
  url: string;
  /** Ends the program; `SIGKILL` simulates a power failure. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the program on its port and data, unless it runs. */
  start(): Promise<void>;
}

/** A process. */
export interface Program extends Runnable {
  /** Its settings. */
  env: Readonly<Record<string, string>>;
  /** Its output so far. */
  output(): string;
}

export interface Options {
  /** Additional environment of the add-on. */
  env?: Record<string, string>;
  /** Installs the Free edition first; the test starts the add-on. */
  withFree?: boolean;
  /** Creates a database for a server and resolves with its address; by default each has an embedded one. */
  createDatabase?: () => Promise<string>;
  /**
   * Whether the tracker is a process with its data on disk, which can be killed and restarted. By default it runs in
   * this process, in memory: after a restart it is another site.
   */
  persistentTracker?: boolean;
  /** Whether the tracker in this process has a second site. */
  withSecondSite?: boolean;
  /** Whether the tracker in this process also installs the add-on as a Forge app. */
  withForge?: boolean;
  /** Called with the tracker in this process when it has started. */
  onTracker?: (tracker: Tracker) => void;
}

export async function startPrograms(options: Options = {}): Promise<Programs> {
  const programs = await createPrograms(options);
  try {
    await programs.start();
  } catch (error) {
    await programs.stop();
    throw error;
  }
  return programs;
}

/** Creates the programs without starting them. */
export async function createPrograms({
  env = {},
  withFree = false,
  createDatabase,
  persistentTracker = false,
  withSecondSite = false,
  withForge = false,
  onTracker,
}: Options = {}): Promise<Programs> {
  const data = await mkdtemp(join(tmpdir(), 'checklist-'));
  const [trackerPort, addonPort, freePortOfAddon] = await Promise.all([freePort(), freePort(), freePort()]);
  const secondPort = withSecondSite ? await freePort() : undefined;
  const secondSite = secondPort && trackerUrl(secondPort);
  const resourcePort = withForge ? await freePort() : undefined;
  const server = async (folder: string, port: number, env: Record<string, string>): Promise<Program> => {
    const dataDir = join(data, folder, 'addon');
    const database = await createDatabase?.();
    if (!database) await copyEmptyDatabase(join(dataDir, 'pg'));
    return addonServer({
      port,
      trackerUrl: trackerUrl(trackerPort),
      data: dataDir,
      folder,
      env: {
        ...(database && onPostgres(database)),
        ...(secondSite && { FRAME_ANCESTORS: `${trackerUrl(trackerPort)} ${secondSite}` }),
        ...(resourcePort && onForge(trackerUrl(trackerPort), resourcePort)),
        ...env,
      },
    });
  };
  const addon = await server('', addonPort, env);
  const free = withFree ? await server('free', freePortOfAddon, {}) : undefined;
  const addonUrls = [addon, ...(free ? [free] : [])].map(({ url }) => url);
  const tracker = persistentTracker
    ? await persistentTrackerOn(trackerPort, addonUrls, join(data, 'tracker'))
    : trackerOn({ port: trackerPort, secondPort, resourcePort, addonUrls, onTracker });
  return {
    tracker,
    addon,
    ...(free && { free }),
    ...(secondSite && { secondSite }),
    start: async () => void (await Promise.all([(free ?? addon).start(), tracker.start()])),
    async stop() {
      await Promise.all([tracker, addon, free].map(each => each?.kill()));
      await rm(data, { recursive: true, force: true });
    },
  };
}

const pageDir = join(dist, 'tracker/page');
const trackerUrl = (port: number) => `http://localhost:${port}`;

interface LocalTracker extends Pick<TrackerOptions, 'port' | 'secondPort' | 'addonUrls'> {
  /** Address of the network that serves the Forge app's pages, if there is one. */
  resourcePort: number | undefined;
  onTracker: Options['onTracker'];
}

const FORGE = { appId: '11111111-2222-4333-8444-555555555555', environment: 'PRODUCTION' } as const;

/** Settings of a server whose Forge app the local tracker hosts. */
const onForge = (tracker: string, resourcePort: number): Record<string, string> => ({
  FORGE_APP_ID: FORGE.appId,
  FORGE_ENVIRONMENT: FORGE.environment,
  FORGE_JWKS_URL: `${tracker}/forge/.well-known/jwks.json`,
  FORGE_GATEWAY: `${tracker}/forge-gateway`,
  FORGE_ORIGINS: trackerUrl(resourcePort),
});

/** The tracker in this process, its data in memory. */
function trackerOn({ onTracker, resourcePort, ...options }: LocalTracker): Runnable {
  let running: Tracker | undefined;
  const url = trackerUrl(options.port);
  const forge = resourcePort && { ...FORGE, resourcePort, variables: {}, dist: join(dist, 'forge') };
  return {
    url,
    async start() {
      if (running) return;
      running = await createTracker({
        ...options,
        ...(forge && { forge }),
        data: undefined,
        pageDir,
        logLevel: 'silent',
        onServed: recordCall,
      });
      const host = '127.0.0.1';
      await running.resources?.listen({ host, port: resourcePort ?? 0 });
      await running.app.listen({ host, port: options.port });
      await running.second?.app.listen({ host, port: options.secondPort ?? 0 });
      for (const site of [options.port, options.secondPort ?? []].flat()) {
        await isReady(`${trackerUrl(site)}/health`, 'The tracker');
      }
      onTracker?.(running);
    },
    async kill() {
      running?.app.server.closeAllConnections();
      await running?.app.close();
      running = undefined;
    },
  };
}

/** The built tracker as a process, its data in a folder. */
async function persistentTrackerOn(port: number, addonUrls: readonly string[], data: string): Promise<Program> {
  await copyEmptyDatabase(join(data, 'database'));
  const url = trackerUrl(port);
  return program('tracker/main.js', `${url}/health`, url, {
    TRACKER_PORT: String(port),
    TRACKER_DATA: data,
    ADDON_URL: addonUrls.join(' '),
    PAGE_DIR: pageDir,
    LOG_LEVEL: 'warn',
  });
}

/** Settings of a server on that database. */
export const onPostgres = (address: string): Record<string, string> => ({
  DATABASE_URL: address,
  ENCRYPTION_KEY: encryptionKey,
});
const encryptionKey = randomBytes(32).toString('base64');

export interface AddonServer {
  port: number;
  trackerUrl: string;
  /** The folder of its data. */
  data: string;
  /** The folder of `dist` with its build. */
  folder?: string;
  env?: Record<string, string>;
}

/** The built server of the add-on on the embedded database. */
export function addonServer({ port, trackerUrl, data, folder = '', env = {} }: AddonServer): Program {
  const url = `http://127.0.0.1:${port}`;
  return program(join(folder, 'server/main.js'), `${url}/health/ready`, url, {
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: data,
    CLIENT_DIR: join(dist, folder, 'client'),
    HOST_SCRIPT_URL: `${trackerUrl}/atlassian-connect/all.js`,
    INSTALL_KEYS_URL: `${trackerUrl}/install-keys`,
    WEBHOOK_HOSTS: `${new URL(trackerUrl).host}=${new URL(trackerUrl).host}`,
    FRAME_ANCESTORS: trackerUrl,
    TENANT_HOSTS: 'localhost',
    LOG_LEVEL: 'info',
    // Tests and soaks do in minutes what customers do in hours.
    QUOTA_POINTS: '10000000',
    ...env,
  });
}

export function program(script: string, healthUrl: string, url: string, env: Record<string, string>): Program {
  let child: ChildProcess | undefined;
  let printed = '';
  let killed: ChildProcess | undefined;
  const isRunning = (it: ChildProcess | undefined): it is ChildProcess =>
    it !== undefined && it.exitCode === null && it.signalCode === null;
  return {
    url,
    env,
    output: () => printed,
    async kill(signal = 'SIGKILL') {
      if (!isRunning(child)) return;
      const gone = once(child, 'exit');
      killed = child;
      child.kill(signal);
      await gone;
    },
    async start() {
      if (isRunning(child)) return;
      if (!existsSync(join(dist, script))) throw new Error(`dist/${script} is missing. Run: npm run build:all`);
      const running = spawnNode([join(dist, script)], { ...process.env, DATABASE_URL: '', ...env });
      child = running;
      running.stdout?.on('data', chunk => (printed += chunk));
      running.stderr?.on('data', chunk => (printed += chunk));
      running.once('close', (code, signal) => {
        if (killed !== running)
          process.stderr.write(`\n${script} ended with ${code ?? signal}. Its last lines:\n${tail(printed)}\n`);
      });
      await isReady(healthUrl, script, () => {
        const end = running.exitCode ?? running.signalCode;
        if (end !== null) throw new Error(`${script} ended with ${end}: ${tail(printed, 1)}`);
      }).catch(error => {
        throw isRunning(running) ? new Error(`${error.message}:\n${tail(printed)}`) : error;
      });
    },
  };
}

/** Resolves when a program reports that it is ready; rejects after 90 seconds, or as soon as `check` throws. */
async function isReady(healthUrl: string, name: string, check = () => {}): Promise<void> {
  for (const end = Date.now() + 90_000; Date.now() < end; await pause(50)) {
    check();
    const health = await fetch(healthUrl)
      .then(answer => (answer.ok ? answer.json() : undefined))
      .catch(() => undefined);
    // The tracker answers before it has installed the add-on, and reports that.
    if (health && health.ready !== false) return;
  }
  throw new Error(`${name} did not become ready`);
}
