import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

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
}

export async function startPrograms({ env = {}, withFree = false }: Options = {}): Promise<Programs> {
  const data = await mkdtemp(join(tmpdir(), 'checklist-'));
  const [trackerPort, addonPort, freeAddonPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const trackerUrl = `http://localhost:${trackerPort}`;
  /** A server as it was built into a folder of `dist`. */
  const server = (folder: string, port: number, more: Record<string, string>): Program => {
    const url = `http://127.0.0.1:${port}`;
    return program(join(folder, 'server/main.js'), `${url}/health/ready`, url, {
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: join(data, folder, 'addon'),
      CLIENT_DIR: join(dist, folder, 'client'),
      HOST_SCRIPT_URL: `${trackerUrl}/atlassian-connect/all.js`,
      INSTALL_KEYS_URL: `${trackerUrl}/install-keys`,
      FRAME_ANCESTORS: trackerUrl,
      TENANT_HOSTS: 'localhost',
      LOG_LEVEL: 'info',
      ...more,
    });
  };
  const addon = server('', addonPort, env);
  const free = withFree ? server('free', freeAddonPort, {}) : undefined;
  const tracker = program('tracker/main.js', `http://127.0.0.1:${trackerPort}/health`, trackerUrl, {
    TRACKER_PORT: String(trackerPort),
    TRACKER_DATA: join(data, 'tracker'),
    ADDON_URL: [addon, ...(free ? [free] : [])].map(({ url }) => url).join(' '),
    PAGE_DIR: join(dist, 'tracker/page'),
  });
  const stop = async () => {
    await Promise.all([tracker, addon, free].map(each => each?.kill('SIGTERM')));
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

export function program(script: string, healthUrl: string, url: string, env: Record<string, string>): Program {
  let child: ChildProcess | undefined;
  let printed = '';
  return {
    url,
    output: () => printed,
    async kill(signal = 'SIGKILL') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    async start() {
      child = spawn(process.execPath, [join(dist, script)], { env: { ...process.env, DATABASE_URL: '', ...env } });
      child.stdout?.on('data', chunk => (printed += chunk));
      child.stderr?.on('data', chunk => (printed += chunk));
      const running = child;
      for (let tries = 0; tries < 900; tries++) {
        if (running.exitCode !== null) throw new Error(`${script} ended with ${running.exitCode}:\n${printed}`);
        const health = await fetch(healthUrl)
          .then(answer => (answer.ok ? answer.json() : undefined))
          .catch(() => undefined);
        // The tracker is up before it has installed the add-on, and says so.
        if (health && health.ready !== false) return;
        await new Promise(resolve => setTimeout(resolve, 100));
      }
      throw new Error(`${script} did not become ready:\n${printed}`);
    },
  };
}
