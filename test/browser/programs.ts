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

/** `env` is the add-on's beside what it needs to run here. */
export async function startPrograms(env: Record<string, string> = {}): Promise<Programs> {
  const data = await mkdtemp(join(tmpdir(), 'checklist-'));
  const [trackerPort, addonPort] = await Promise.all([freePort(), freePort()]);
  const trackerUrl = `http://localhost:${trackerPort}`;
  const addonUrl = `http://127.0.0.1:${addonPort}`;
  const addon = program('server/main.js', `${addonUrl}/health/ready`, addonUrl, {
    PORT: String(addonPort),
    BASE_URL: addonUrl,
    DATA_DIR: join(data, 'addon'),
    CLIENT_DIR: join(dist, 'client'),
    HOST_SCRIPT_URL: `${trackerUrl}/atlassian-connect/all.js`,
    INSTALL_KEYS_URL: `${trackerUrl}/install-keys`,
    FRAME_ANCESTORS: trackerUrl,
    TENANT_HOSTS: 'localhost',
    LOG_LEVEL: 'info',
    ...env,
  });
  const tracker = program('tracker/main.js', `http://127.0.0.1:${trackerPort}/health`, trackerUrl, {
    TRACKER_PORT: String(trackerPort),
    TRACKER_DATA: join(data, 'tracker'),
    ADDON_URL: addonUrl,
    PAGE_DIR: join(dist, 'tracker/page'),
  });
  const stop = async () => {
    await Promise.all([tracker.kill('SIGTERM'), addon.kill('SIGTERM')]);
    await rm(data, { recursive: true, force: true });
  };
  try {
    await Promise.all([addon.start(), tracker.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { tracker, addon, stop };
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
