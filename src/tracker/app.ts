import { setTimeout as sleep } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { connectApp } from './apps.ts';
import { type Addon, createAddon } from './connect/addon.ts';
import { type InstallKey, openInstallKey } from './connect/keys.ts';
import type { Context, Forge } from './context.ts';
import { createFaults, type FaultOptions } from './faults/faults.ts';
import { gatewayRoutes } from './forge/gateway.ts';
import { type ForgeOptions, type ForgePlatform, openForge } from './forge/platform.ts';
import { createResources } from './forge/resources.ts';
import { openForgeSite, runForgeSite } from './forge/site.ts';
import { receiverRoutes } from './host/outbox.ts';
import { hostRoutes } from './host/routes.ts';
import { createOutbox } from './outbox.ts';
import { pageRoutes } from './pages.ts';
import { createQuota, type Quota } from './quota/quota.ts';
import type { Served } from './rest/observe.ts';
import { restRoutes } from './rest/routes.ts';
import { openSite } from './site/site.ts';
import { openStore, type Store, subStore } from './store.ts';
import { createTasks } from './tasks.ts';
import { createWebhooks, type TrackerEvent } from './webhooks.ts';
import type { QuotaLimit } from './wire/quota.ts';

export interface TrackerOptions {
  port: number;
  /** Port of a second site, if any: other data and installations, the same apps and users. */
  secondPort?: number | undefined;
  /** Folder for its data; `undefined` keeps it in memory. */
  data: string | undefined;
  /** At least one; single-use features belong to the first that is installed. */
  addonUrls: readonly string[];
  /** The first of them as a Forge app beside the add-on; none unless given. */
  forge?: ForgeOptions | undefined;
  pageDir: string;
  logLevel: string;
  /** Milliseconds before each further try of a webhook. */
  webhookPauses?: number[];
  /** Milliseconds between tries of a Forge event. */
  eventPauses?: readonly number[];
  /** Milliseconds that a task waits before it starts. */
  taskPause?: number;
  /** Quota of each app for both sites together; unlimited unless given. */
  quota?: QuotaLimit | undefined;
  /** Milliseconds of the clock for the quota's window. */
  now?(): number;
  /** Waits for the delays of faults. */
  sleep?: FaultOptions['sleep'];
  /** Called with every handled call of the REST API, in the order of taking effect. */
  onServed?(served: Served): void;
  /** Called with every delivered webhook. */
  onDelivered?(trackerEvent: TrackerEvent): void;
}

/** A site, served on its port. */
export interface TrackerSite {
  app: FastifyInstance;
  /** Without a trailing slash. */
  url: string;
  /** In the order of their addresses. */
  addons: readonly Addon[];
  /** The first of them. */
  addon: Addon;
  forge: Forge | undefined;
  /** Resolves when no webhook or Forge event is pending. */
  webhooksSent(): Promise<void>;
  /** Resolves when no task is pending. */
  tasksDone(): Promise<void>;
}

/** The first site; closing it closes the second. */
export interface Tracker extends TrackerSite {
  second: TrackerSite | undefined;
  /** The server of the Forge app's pages, to listen on its port. */
  resources: FastifyInstance | undefined;
}

/** The pause between attempts to reach an add-on that is not up. */
const RETRY_INTERVAL_MS = 500;
const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Creates the tracker; it does not listen yet. Closing the app closes its data. Throws `FolderInUse`, and
 * `ManifestRefused`.
 */
export async function createTracker(trackerOptions: TrackerOptions): Promise<Tracker> {
  const { data, secondPort, quota, now, forge, ...options } = trackerOptions;
  const store = await openStore(data);
  const url = `http://localhost:${options.port}`;
  const remoteUrl = options.addonUrls[0] ?? '';
  const platform = forge && (await openForge(store, forge, { url, remoteUrl, now }));
  // Apps fetch the key of an installation from one address for all sites.
  const installKey = await openInstallKey(store);
  const shared = { ...options, platform, installKey, quota: createQuota(quota ?? null, now) };
  const second =
    secondPort === undefined
      ? undefined
      : await createSite({ ...shared, name: 'Second site', port: secondPort, store: subStore(store, 'second') });
  const first = await createSite({
    ...shared,
    name: 'Local tracker',
    store,
    async onClose() {
      await resources?.close();
      await second?.app.close();
      await store.close();
    },
  });
  const siteUrls = [first, ...(second ? [second] : [])].map(({ url }) => url);
  const resources =
    platform && (await createResources({ platform, dist: forge.dist, siteUrls, logLevel: options.logLevel }));
  return { ...first, second, resources };
}

interface SiteOptions extends Omit<TrackerOptions, 'secondPort' | 'data' | 'quota' | 'now' | 'forge'> {
  platform: ForgePlatform | undefined;
  name: string;
  store: Store;
  installKey: InstallKey;
  quota: Quota;
  onClose?(): Promise<void>;
}

async function createSite({
  name,
  port,
  store,
  installKey,
  quota,
  addonUrls,
  pageDir,
  logLevel,
  platform,
  webhookPauses,
  eventPauses,
  taskPause = 200,
  sleep,
  onServed,
  onDelivered,
  onClose,
}: SiteOptions): Promise<TrackerSite> {
  const app = Fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 512 },
  });
  // JSON only: a body of another type is answered with 415, as the real one does.
  app.removeContentTypeParser('text/plain');

  const siteUrl = `http://localhost:${port}`;
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  if (onClose) app.addHook('onClose', onClose);

  const site = await openSite(store, siteUrl, name);
  const addons = addonUrls.map((addonUrl, number) =>
    createAddon({ ...{ site, store, installKey, addonUrl, number }, log: app.log }),
  );
  const [addon] = addons;
  if (!addon) throw new Error('There is no add-on to install.');
  const faults = createFaults({ ...(sleep && { sleep }) });
  const webhooks = createWebhooks({
    ...{ addons, faults, log: app.log, onDelivered },
    ...(webhookPauses && { pauses: webhookPauses }),
  });
  const tasks = createTasks(faults, taskPause);
  const forge =
    platform && (await openForgeSite(platform, { server: app, site, store, addon, faults, pauses: eventPauses }));
  const apps = () => [
    ...addons.flatMap(each => each.installed() ?? []).map(({ descriptor }) => connectApp(descriptor)),
    ...[forge?.app.known() ?? []].flat(),
  ];
  const outbox = createOutbox();
  const context: Context = { site, addons, apps, forge, webhooks, tasks, outbox };

  app.addHook('onRequest', async (request, reply) => {
    // Protects against DNS rebinding through a browser.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return reply.code(421).send('');
  });
  await app.register(fastifyCookie);
  await app.register(restRoutes, { prefix: '/rest', context, faults, quota, onServed });
  await app.register(hostRoutes, { prefix: '/host', context, faults, quota, addonUrls });
  await app.register(receiverRoutes, { outbox });
  if (platform) await app.register(gatewayRoutes, { platform });
  let settled = false;
  await app.register(pageRoutes, { siteUrl, pageDir, addons, forge, installKey, isReady: () => settled });
  app.addHook('onListen', () => {
    void Promise.race(addons.map(each => findAddon(each, closing.signal))).then(() => {
      settled = true;
    });
    if (forge) void runForgeSite(forge, closing.signal);
  });
  return {
    ...{ app, url: siteUrl, addons, addon, forge },
    async webhooksSent() {
      await webhooks.idle();
      await forge?.events.idle();
    },
    tasksDone: () => tasks.idle(),
  };
}

/** Retries until the add-on has been reached once: it may be starting, or its descriptor being fixed. */
async function findAddon(addon: Addon, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await addon.check()) return;
    await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
