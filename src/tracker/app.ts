import { setTimeout as sleep } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { type Addon, createAddon } from './connect/addon.ts';
import { openInstallKey } from './connect/keys.ts';
import { createFaults } from './faults/faults.ts';
import { hostRoutes } from './host/routes.ts';
import { pageRoutes } from './pages.ts';
import type { Served } from './rest/observe.ts';
import { restRoutes } from './rest/routes.ts';
import { openSite } from './site/site.ts';
import { openStore } from './store.ts';
import { createTasks } from './tasks.ts';
import { createWebhooks } from './webhooks.ts';

export interface TrackerOptions {
  port: number;
  /** Folder for its data; `undefined` keeps it in memory. */
  data: string | undefined;
  /** At least one; what only one of several add-ons can do falls to the first that is installed. */
  addonUrls: readonly string[];
  pageDir: string;
  logLevel: string;
  /** Milliseconds before each further try of a webhook. */
  webhookPauses?: number[];
  /** Milliseconds that a task waits for its turn. */
  taskPause?: number;
  /** Told of every call of the REST API that was worked on, in the order in which they took effect. */
  onServed?(served: Served): void;
}

export interface Tracker {
  app: FastifyInstance;
  /** In the order of their addresses. */
  addons: readonly Addon[];
  /** The first of them. */
  addon: Addon;
  /** Resolves when no webhook is on its way. */
  webhooksSent(): Promise<void>;
  /** Resolves when no task waits or runs. */
  tasksDone(): Promise<void>;
}

/** Milliseconds between two looks for an add-on that is not there yet. */
const LOOK_AGAIN = 500;
const BODY_LIMIT = 1024 * 1024;

/** Puts the tracker together; it does not listen yet. Closing the app closes its data. Throws `FolderInUse`. */
export async function createTracker({
  port,
  data,
  addonUrls,
  pageDir,
  logLevel,
  webhookPauses,
  taskPause = 200,
  onServed,
}: TrackerOptions): Promise<Tracker> {
  const app = Fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 512 },
  });
  // JSON only: a body of another type is answered with 415, as the real one does.
  app.removeContentTypeParser('text/plain');

  const siteUrl = `http://localhost:${port}`;
  const store = await openStore(data);
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onClose', () => store.close());

  const site = await openSite(store, siteUrl);
  const installKey = await openInstallKey(store);
  const addons = addonUrls.map((addonUrl, number) =>
    createAddon({ ...{ site, store, installKey, addonUrl, number }, log: app.log }),
  );
  const [addon] = addons;
  if (!addon) throw new Error('There is no add-on to install.');
  const faults = createFaults();
  const webhooks = createWebhooks({ addons, faults, log: app.log, ...(webhookPauses && { pauses: webhookPauses }) });
  const tasks = createTasks(faults, taskPause);
  const context = { site, addons, webhooks, tasks };

  app.addHook('onRequest', async (request, reply) => {
    // A foreign name that resolves to this machine must not reach it through a browser.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return reply.code(421).send('');
  });
  await app.register(fastifyCookie);
  await app.register(restRoutes, { prefix: '/rest', context, faults, onServed });
  await app.register(hostRoutes, { prefix: '/host', context, faults });
  let settled = false;
  await app.register(pageRoutes, { siteUrl, pageDir, addons, installKey, isReady: () => settled });
  app.addHook('onListen', () => {
    void Promise.race(addons.map(each => findAddon(each, closing.signal))).then(() => {
      settled = true;
    });
  });
  return { app, addons, addon, webhooksSent: () => webhooks.idle(), tasksDone: () => tasks.idle() };
}

/** Looks for the add-on until it was there once: it may be starting, or its descriptor being mended. */
async function findAddon(addon: Addon, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await addon.check()) return;
    await sleep(LOOK_AGAIN, undefined, { signal }).catch(() => undefined);
  }
}
