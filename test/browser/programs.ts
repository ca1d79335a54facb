import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEmptyDatabase } from '../run/embedded.ts';
import { freePort } from '../run/free-port.ts';
import { spawnNode } from '../run/spawn.ts';

const dist = join(import.meta.dirname, '../../dist');

/** The built add-on server and the built local tracker, on free ports, with their data in a folder of their own. */
export interface Programs {
  tracker: Program;
  addon: Program;
  /** The Free edition's server, where it was asked for. */
  free?: Program;
  stop(): Promise<void>;
}

export interface Program {
  url: string;
  /** Ends it; `SIGKILL` is the power cut. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on its port and data. */
  start(): Promise<void>;
  /** What it printed so far. */
  output(): string;
}

export interface Options {
  /** The add-on's, beside what it needs to run here. */
  env?: Record<string, string>;
  /** The Free edition is there first, and the add-on is left to the test to start. */
  withFree?: boolean;
  /** Creates a database for a server and resolves with its address; by default each has an embedded one. */
  createDatabase?: () => Promise<string>;
  /** Whether the tracker keeps its data on disk, so that it can be killed and started again. */
  lastingTracker?: boolean;
}

export async function startPrograms({
  env = {},
  withFree = false,
  createDatabase,
  lastingTracker = false,
}: Options = {}): Promise<Programs> {
  const data = await mkdtemp(join(tmpdir(), 'checklist-'));
  const [trackerPort, addonPort, freePortOfAddon] = await Promise.all([freePort(), freePort(), freePort()]);
  const trackerUrl = `http://localhost:${trackerPort}`;
  const server = async (folder: string, port: number, env: Record<string, string>): Promise<Program> => {
    const dataDir = join(data, folder, 'addon');
    const database = await createDatabase?.();
    if (!database) await copyEmptyDatabase(join(dataDir, 'pg'));
    return addonServer({
      port,
      trackerUrl,
      data: dataDir,
      folder,
      env: { ...(database && onPostgres(database)), ...env },
    });
  };
  const addon = await server('', addonPort, env);
  const free = withFree ? await server('free', freePortOfAddon, {}) : undefined;
  const trackerData = lastingTracker ? join(data, 'tracker') : '';
  if (trackerData) await copyEmptyDatabase(join(trackerData, 'database'));
  const tracker = program('tracker/main.js', `http://127.0.0.1:${trackerPort}/health`, trackerUrl, {
    TRACKER_PORT: String(trackerPort),
    TRACKER_DATA: trackerData,
    ADDON_URL: [addon, ...(free ? [free] : [])].map(({ url }) => url).join(' '),
    PAGE_DIR: join(dist, 'tracker/page'),
    LOG_LEVEL: 'warn',
  });
  const stop = async () => {
    await Promise.all([tracker, addon, free].map(each => each?.kill()));
    await rm(data, { recursive: true, force: true });
  };
  try {
    await Promise.all([(free ?? addon).start(), tracker.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { tracker, addon, ...(free && { free }), stop };
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
  /** Where it keeps its data. */
  data: string;
  /** The folder of `dist` that it was built into. */
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
    FRAME_ANCESTORS: trackerUrl,
    TENANT_HOSTS: 'localhost',
    LOG_LEVEL: 'info',
    ...env,
  });
}

export function program(script: string, healthUrl: string, url: string, env: Record<string, string>): Program {
  let child: ChildProcess | undefined;
  let printed = '';
  let killed = false;
  return {
    url,
    output: () => printed,
    async kill(signal = 'SIGKILL') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      killed = true;
      child.kill(signal);
      await gone;
    },
    async start() {
      if (!existsSync(join(dist, script))) throw new Error(`dist/${script} is missing. Run: npm run build:all`);
      killed = false;
      const running = spawnNode([join(dist, script)], { ...process.env, DATABASE_URL: '', ...env });
      child = running;
      running.stdout?.on('data', chunk => (printed += chunk));
      running.stderr?.on('data', chunk => (printed += chunk));
      running.once('close', (code, signal) => {
        if (!killed)
          process.stderr.write(`\n${script} ended with ${code ?? signal}. Its last lines:\n${tail(printed)}\n`);
      });
      for (let tries = 0; tries < 900; tries++) {
        const end = running.exitCode ?? running.signalCode;
        if (end !== null) throw new Error(`${script} ended with ${end}: ${tail(printed, 1)}`);
        const health = await fetch(healthUrl)
          .then(answer => (answer.ok ? answer.json() : undefined))
          .catch(() => undefined);
        // The tracker is up before it has installed the add-on, and says so.
        if (health && health.ready !== false) return;
        await new Promise(resolve => setTimeout(resolve, 100));
      }
      throw new Error(`${script} did not become ready:\n${tail(printed)}`);
    },
  };
}

/** The last lines of a log. */
const tail = (log: string, lines = 40) => log.trimEnd().split('\n').slice(-lines).join('\n');
