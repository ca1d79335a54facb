import { randomUUID } from 'node:crypto';
import { createQueryStringHash, encodeSymmetric, fromMethodAndUrl, SymmetricAlgorithm } from 'atlassian-jwt';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import * as v from 'valibot';
import { edition } from '../../../src/domain/edition.ts';
import { createApp } from '../../../src/server/app/app.ts';
import { type Config, readConfig } from '../../../src/server/app/config/config.ts';
import { createServices } from '../../../src/server/app/services.ts';
import type { Retention } from '../../../src/server/checklists/commit/retention.ts';
import type { ChecklistService } from '../../../src/server/checklists/service/checklists.ts';
import type { Sync } from '../../../src/server/copies/sync.ts';
import { type JoinedWatch, joinWatch } from '../../../src/server/copies/watch.ts';
import type { Following } from '../../../src/server/events/following.ts';
import { createHub } from '../../../src/server/http/live/hub.ts';
import { logOptions } from '../../../src/server/http/log.ts';
import type { WideJobs } from '../../../src/server/jobs/jobs.ts';
import { createMetrics, type Metrics } from '../../../src/server/monitoring/metrics.ts';
import { askersOf, createForge, type Forge } from '../../../src/server/platform/forge/forge.ts';
import { dropAppToken } from '../../../src/server/platform/forge/sites.ts';
import { createTenants, type Tenants } from '../../../src/server/platform/tenants.ts';
import { createTokens, type Tokens } from '../../../src/server/platform/tokens.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import type { Handlers, JobName } from '../../../src/server/queue/queue.ts';
import { createQuota, type SharedQuota } from '../../../src/server/quota/quota.ts';
import { createRates, type Rates } from '../../../src/server/quota/rates.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { createVault, type Vault } from '../../../src/server/store/vault.ts';
import type { TemplateLimits } from '../../../src/server/templates/rules.ts';
import { createTextWorkers, type TextWorkersOptions } from '../../../src/server/text-workers/pool.ts';
import { watchApp } from './left-behind.ts';
import { watchCopies } from './left-copies.ts';
import { createTestQueue, type TestQueue } from './queue.ts';
import { createClock, HALF_PAST } from './quota.ts';
import { type Hook, started } from './stores.ts';
import { threadProgram } from './text-workers.ts';
import { ADDON_ACCOUNT, type FakeTracker, fakeTracker } from './tracker.ts';

export const BASE_URL = 'https://addon.example';
export const SITE = 'https://site.example.net';

/** The setting with which webhooks of that site reach receivers on this machine. */
export const webhookHosts = (...receivers: readonly { host: string }[]): string =>
  receivers.map(({ host }) => `${new URL(SITE).host}=${host}`).join(' ');

/** An app without a listening socket, with one installed tenant on a fake tracker. */
export interface TestApp {
  app: FastifyInstance;
  config: Config;
  tenant: { id: string; secret: string };
  tenants: Tenants;
  tokens: Tokens;
  tracker: FakeTracker;
  metrics: Metrics;
  forge: Forge | undefined;
  /** Ids of tenants whose Forge token was renewed, in order. */
  renewed: string[];
  quota: SharedQuota;
  /** Counts of requests. */
  rates: Rates;
  /** The clock of rate limits and tokens. */
  now(): number;
  /** Advances that clock by some milliseconds. */
  elapse(delay: number): void;
  /** Advances the clock of webhooks and notifications by some milliseconds. */
  advance(delay: number): void;
  /** The accounts whose turn of a worker thread has ended, in order. */
  turns: string[];
  checklists: ChecklistService;
  sync: Sync;
  /** Valid until something renews or replaces it. */
  watch: JoinedWatch;
  wideJobs: WideJobs;
  following: Following;
  /** Restores lost jobs of webhooks and notifications, as every ten minutes. */
  recoverEvents(): Promise<void>;
  /** Restores lost updates of the copies in projects, as every ten minutes. */
  recoverProjects(): Promise<void>;
  /** Makes stale indexes anew, as every ten minutes. */
  refreshIndexes(): Promise<void>;
  /** The handlers of jobs. */
  jobs: Handlers;
  /** Jobs of the checklists. They run when a test calls for it. */
  background: TestQueue;
  /** Runs all waiting jobs, except for webhooks and notifications. */
  settled(): Promise<void>;
  /** Runs the waiting jobs of webhooks or notifications once. Resolves with what they threw. */
  release(name: JobName): Promise<unknown[]>;
  /** The log, by lines. */
  logged: string[];
  contextToken(account?: string, claims?: Record<string, unknown>): string;
  requestToken(method: string, url: string, claims?: Record<string, unknown>): string;
  session(account: string): Promise<string>;
  graphql(account: string, query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
}

const answerShape = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.optional(
    v.array(v.object({ message: v.string(), extensions: v.optional(v.record(v.string(), v.unknown())) })),
  ),
});
export type GraphqlAnswer = v.InferOutput<typeof answerShape> & { status: number };

export const testVault = (): Vault => createVault(new Uint8Array(32).fill(7));

/** Signs as the tracker does, by an independent implementation. */
export const signed = (claims: Record<string, unknown>, secret: string): string =>
  encodeSymmetric(claims, secret, SymmetricAlgorithm.HS256);

const now = () => Math.floor(Date.now() / 1000);

/** Everything that an app is started with: a database, a tracker, and a site that installed it. */
interface Start {
  store: Store;
  env: NodeJS.ProcessEnv;
  itemLimit: number | undefined;
  retention: Retention | undefined;
  limits: TemplateLimits | undefined;
  tenant: TestApp['tenant'];
  tracker: FakeTracker;
  /** Sends the app's calls. */
  send: typeof fetch;
  background: TestQueue;
  textWorkers?: TextWorkersOptions;
}

export async function startApp(
  store: Store,
  env: NodeJS.ProcessEnv = {},
  itemLimit?: number,
  retention?: Retention,
  limits?: TemplateLimits,
  over: (tracker: FakeTracker, tenant: TestApp['tenant']) => typeof fetch = tracker => tracker.fetch,
  background: TestQueue = createTestQueue(),
  textWorkers: TextWorkersOptions = {},
): Promise<TestApp> {
  const tenants = createTenants(store, testVault());
  const tenant = { id: `client-${randomUUID()}`, secret: randomUUID() };
  await tenants.install({ ...tenant, url: SITE });
  // As an installation from before the choice of what customers see; tests of that choose themselves.
  await tenants.change(tenant.id, tx =>
    tx.updateTable('tenant').set({ portal: 'ALL' }).where('tenant', '=', tenant.id).execute(),
  );
  const tracker = fakeTracker(tenant.id, tenant.secret);
  const send = over(tracker, tenant);
  return start({ store, env, itemLimit, retention, limits, tenant, tracker, send, background, textWorkers });
}

/** Starts another process of the same site on its database, with nothing in memory. */
export const startAgain = (
  { tenant, tracker }: Pick<TestApp, 'tenant' | 'tracker'>,
  { store, send, background }: Pick<Start, 'store' | 'send' | 'background'>,
): Promise<TestApp> => {
  const defaults = { env: {}, itemLimit: undefined, retention: undefined, limits: undefined };
  return start({ ...defaults, store, tenant, tracker, send, background });
};

async function start(options: Start): Promise<TestApp> {
  const { store, env, itemLimit, retention, limits, tenant, tracker, send, background, textWorkers } = options;
  const config = readConfig({ BASE_URL, TENANT_HOSTS: 'site.example.net', CLIENT_DIR: import.meta.dirname, ...env });
  const logged: string[] = [];
  const log = pino(logOptions('info'), { write: line => void logged.push(line) });
  const vault = testVault();
  const tenants = createTenants(store, vault);
  const metrics = createMetrics();
  const onError = (error: unknown) => log.error(error);
  const sleep = async () => {};
  const clock = createClock(HALF_PAST);
  let ahead = 0;
  const quota = createQuota({ store, metrics, onError, now: clock.now });
  const askers = askersOf(config, { store, vault, send, now: clock.now });
  const trackerOf = createTrackers({
    ...{ metrics, quota, send, askers, now: clock.now },
    refused: (called, token) => dropAppToken({ tenants, vault }, called, token),
    sleep: async delay => clock.elapse(delay),
  });
  const watch = await joinWatch(store);
  const turns: string[] = [];
  const workers = createTextWorkers({
    entry: threadProgram('entry'),
    onError,
    ended: ({ account }) => turns.push(account),
    ...textWorkers,
  });
  const { jobs, ...services } = createServices({
    ...{ store, vault, tenants, metrics, onError, trackerOf, sleep, watch, workers, baseUrl: config.BASE_URL },
    now: () => Date.now() + ahead,
    webhooks: { privateHosts: config.WEBHOOK_HOSTS },
    queue: background,
    ...(itemLimit !== undefined && { itemLimit }),
    ...(retention && { retention }),
    ...(limits && { limits }),
  });
  tracker.onProperty = async issue => {
    const found = await tenants.find(tenant.id);
    const caller = found && { tenant: found, account: ADDON_ACCOUNT };
    if (caller) await services.sync.noticed(caller, issue, { kind: 'property', mayHide: false, isOfChecklist: true });
  };
  const renewed: string[] = [];
  const forge = createForge(config, {
    ...{ store, vault, tenants, trackerOf, askers, metrics, onError, now: clock.now },
    installed: services.wideJobs.installed,
    async renewed(id) {
      renewed.push(id);
      await services.sync.recoverTenant(id);
    },
  });
  const hub = await createHub(store, tenants);
  const rates = createRates(clock.now);
  const app = await createApp({
    rates,
    config,
    log,
    store,
    vault,
    tenants,
    trackerOf,
    forge,
    metrics,
    hub,
    ...services,
    probing: { send, now: clock.now },
  });
  app.addHook('onClose', async () => {
    await hub.close();
    await workers.close();
  });
  const watched = watchApp(logged, background, watchCopies({ store, tenants, id: tenant.id, tracker }));
  app.addHook('onResponse', async (request, reply) => watched.answered(request.url, reply.statusCode));
  app.addHook('preClose', async () => void watched.close());
  const tokens = createTokens(tenants, vault, config.BASE_URL);
  const times = () => ({ iat: now(), exp: now() + 180 });

  const session = async (account: string) => {
    const found = await tenants.find(tenant.id);
    if (!found) throw new Error('Not installed.');
    return tokens.issue({ tenant: found, account }, { ...found.settings, has_checklist: false, licensed: true });
  };

  return {
    app,
    config,
    tenant,
    tenants,
    tokens,
    tracker,
    metrics,
    forge,
    renewed,
    quota,
    rates,
    now: clock.now,
    elapse: clock.elapse,
    advance: delay => {
      ahead += delay;
    },
    turns,
    checklists: services.checklists,
    sync: services.sync,
    watch,
    wideJobs: services.wideJobs,
    following: services.following,
    recoverEvents: services.recoverEvents,
    recoverProjects: services.recoverProjects,
    refreshIndexes: services.checklists.refreshIndexes,
    jobs,
    background,
    settled: () => background.drain(jobs),
    release: name => background.release(name, jobs),
    logged,
    session,
    contextToken: (account = 'alice', claims = {}) =>
      signed({ iss: tenant.id, sub: account, qsh: 'context-qsh', ...times(), ...claims }, tenant.secret),
    requestToken: (method, url, claims = {}) => {
      const qsh = createQueryStringHash(fromMethodAndUrl(method, url));
      return signed({ iss: tenant.id, sub: 'alice', qsh, ...times(), ...claims }, tenant.secret);
    },
    async graphql(account, query, variables) {
      const response = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `JWT ${await session(account)}` },
        payload: { query, variables },
      });
      return { status: response.statusCode, ...v.parse(answerShape, response.json()) };
    },
  };
}

/** Headers of a request from the app's frame. */
export const appKey = { 'app-key': edition.key };

/** The app of the running test: started before all tests of a block, or before each of them, and closed after them. */
export const appOf = (hook: Hook, start: () => Promise<TestApp>): TestApp => started(hook, start, it => it.app.close());
