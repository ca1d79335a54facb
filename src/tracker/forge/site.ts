import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Addon } from '../connect/addon.ts';
import type { Forge } from '../context.ts';
import type { Faults } from '../faults/faults.ts';
import type { Site } from '../site/site.ts';
import type { Store } from '../store.ts';
import { createEvents } from './events.ts';
import { openForgeApp } from './installation.ts';
import { openPanels } from './panels.ts';
import type { ForgePlatform } from './platform.ts';

/** The interval of hourly triggers, and the pause between attempts to reach a server that is not up. */
const HOUR_MS = 3_600_000;
const RETRY_INTERVAL_MS = 500;

/** Opens the app on a site; from then on it is reachable through the gateway. */
export async function openForgeSite(
  platform: ForgePlatform,
  {
    server,
    pauses,
    ...parts
  }: {
    server: FastifyInstance;
    site: Site;
    store: Store;
    addon: Addon;
    faults: Faults;
    pauses: readonly number[] | undefined;
  },
): Promise<Forge> {
  const { log } = server;
  const events = createEvents({ platform, faults: parts.faults, log, pauses });
  const app = await openForgeApp({ platform, events, log, ...parts });
  platform.sites.set(app.cloudId, { server, app });
  return { platform, events, app, panels: openPanels(platform, parts.store) };
}

/** Installs the app once its server is up, and fires the hourly triggers. */
export async function runForgeSite({ app, events }: Forge, signal: AbortSignal): Promise<void> {
  const pause = (time: number) => sleep(time, undefined, { signal, ref: false }).catch(() => undefined);
  while (!signal.aborted && !(await app.check())) await pause(RETRY_INTERVAL_MS);
  while (!signal.aborted) {
    events.tick(app.installed);
    await pause(HOUR_MS);
  }
}
