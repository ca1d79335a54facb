import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import { incomingRoute } from '../automation/route.ts';
import { answerError } from '../errors/answer.ts';
import { analyticsRoute } from '../http/analytics.ts';
import { createForwarder } from '../http/analytics-forward.ts';
import { clientRoutes } from '../http/client.ts';
import { closeSilentConnections } from '../http/closing.ts';
import { graphqlRoute } from '../http/graphql/plugin.ts';
import type { Hub } from '../http/live/hub.ts';
import { createPresence } from '../http/live/presence.ts';
import { liveRoute } from '../http/live/stream.ts';
import { oneLine } from '../http/log.ts';
import { databaseMetrics, healthRoutes, metricsRoute } from '../http/monitoring.ts';
import { answerIds, proxiesOf, requestIds } from '../http/request-id.ts';
import { restRoutes } from '../http/rest/plugin.ts';
import { registerCors, registerSecurity } from '../http/security.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { createAuthentication } from '../platform/authentication.ts';
import { createInstallKeys } from '../platform/connect/keys.ts';
import { descriptorRoute, lifecycleRoutes } from '../platform/connect/lifecycle.ts';
import { sessionRoute } from '../platform/connect/session.ts';
import { type WebhookOptions, webhookRoutes } from '../platform/connect/webhooks.ts';
import type { Forge } from '../platform/forge/forge.ts';
import { type ProbeOptions, probeRoute } from '../platform/forge/probe.ts';
import { forgeRoutes } from '../platform/forge/routes.ts';
import type { Tenants } from '../platform/tenants.ts';
import { type Caller, createTokens } from '../platform/tokens.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { createLimits, registerLimits } from '../quota/limits.ts';
import { createRates, type Rates } from '../quota/rates.ts';
import { exportRoute } from '../settings/export.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import type { Config } from './config/config.ts';
import type { Services } from './services.ts';

type Served =
  | 'checklists'
  | 'wideJobs'
  | 'administration'
  | 'rules'
  | 'following'
  | 'incoming'
  | 'notifications'
  | 'sync';

export interface AppOptions extends Pick<Services, Served> {
  config: Config;
  log: FastifyBaseLogger;
  store: Store;
  vault: Vault;
  tenants: Tenants;
  trackerOf: Trackers;
  /** `undefined` if the app is not on Forge. */
  forge: Forge | undefined;
  metrics: Metrics;
  hub: Hub;
  /** Counts of requests. */
  rates?: Rates;
  /** Receives errors that do not stop the work; by default a line in the log each. */
  onError?(error: unknown): void;
  /** Overrides of the probe's sending and clock. */
  probing?: Pick<ProbeOptions, 'send' | 'now'>;
}

/** The default for routes without a limit of their own. */
const BODY_LIMIT_BYTES = 65_536;
/** A request must arrive completely within this time. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The platform's token for a workflow rule's frame is sent in a header. It contains the rule's configuration of up to
 * 32 KB.
 */
const MAX_HEADER_BYTES = 65_536;

/** Creates the HTTP server, from the outermost layer to the innermost, without listening. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    config,
    log,
    store,
    vault,
    tenants,
    trackerOf,
    metrics,
    hub,
    forge,
    probing,
    rates = createRates(),
  } = options;
  const { checklists, sync, wideJobs, administration, rules, following, incoming, notifications } = options;
  const { onError = (error: unknown) => log.error(error, 'went on after an error') } = options;
  const tokens = createTokens(tenants, vault, config.BASE_URL);
  const limits = createLimits(rates);
  const authentication = createAuthentication(tokens, limits);
  const installKeys = createInstallKeys(config.INSTALL_KEYS_URL);
  const isProxy = proxiesOf(config.TRUST_PROXY);
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: oneLine(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    forceCloseConnections: 'idle',
    // Without a list of proxies any client could forge the forwarding headers.
    trustProxy: isProxy,
    genReqId: requestIds(isProxy),
    // Only Mercurius's own routes have JSON schemas. Checking them against the schema of schemas takes half of a start.
    ajv: { customOptions: { validateSchema: false } },
  });

  hub.subscribeAll(event => {
    if (event.kind === 'access') checklists.forgetAccess(event.tenant, event.issue);
    if (event.kind === 'workflowRules') administration.workflowRulesEdited(event.tenant);
    if (event.kind === 'gap') checklists.forgetAllAccess();
  });
  await checklists.recallAccess();
  closeSilentConnections(app);
  // Applies to every response.
  answerIds(app);
  app.setErrorHandler(answerError);
  await registerSecurity(app, {
    baseUrl: config.BASE_URL,
    hostScriptUrl: config.HOST_SCRIPT_URL,
    frameAncestors: config.FRAME_ANCESTORS,
  });
  registerLimits(app, limits);
  if (forge) await registerCors(app, config.FORGE_ORIGINS);

  // For operators, without authentication.
  metricsRoute(app, metrics);
  databaseMetrics(metrics, store);
  healthRoutes(app, store, onError);

  // For the tracker; signed by the vendor or with the tenant's secret.
  descriptorRoute(app, config.BASE_URL);
  lifecycleRoutes(app, {
    ...{ limits, tenants, installKeys, baseUrl: config.BASE_URL, tenantHosts: config.TENANT_HOSTS },
    installed: wideJobs.installed,
  });
  const noticed: WebhookOptions['noticed'] = async (caller, issueId, event) => {
    if (event.mayHide) await checklists.doubtAccess(caller.tenant.id, issueId);
    await sync.noticed(caller, issueId, event);
    await rules.noticed(caller, issueId, event);
    await following.noticed(caller, issueId, event);
  };
  await webhookRoutes(app, { tokens, limits, noticed });
  if (forge) {
    const { BASE_URL: baseUrl } = config;
    await forgeRoutes(app, { forge, limits, tokens, store, noticed, delay: metrics.eventDelay, baseUrl });
    if (config.FORGE_PROBE !== undefined) probeRoute(app, { forge, limits, secret: config.FORGE_PROBE, ...probing });
  }

  // For other programs; signed with a webhook's secret.
  await incomingRoute(app, incoming, limits);

  // For the app's frames: authenticated by the tracker's token once, then by a session token.
  sessionRoute(app, { tokens, authentication, store });
  analyticsRoute(app, { authentication, metrics, forwarder: createForwarder(config.ANALYTICS_URL, metrics) });
  const presence = createPresence(store);
  const accessOf = (caller: Caller) => ({
    checklists: checklists.of(caller),
    templates: administration.of(caller).templates,
  });
  const { seenZone } = notifications;
  const { left } = sync;
  liveRoute(app, { tokens, authentication, accessOf, hub, presence, metrics, left, seenZone, onError });
  exportRoute(app, { authentication, store, trackerOf });
  await graphqlRoute(app, {
    authentication,
    featureFlags: config.FEATURE_FLAGS,
    metrics,
    checklistsOf: checklists.of,
    jobsOf: wideJobs.of,
    administrationOf: administration.of,
    presence,
    baseUrl: config.BASE_URL,
  });

  // For programs: authenticated by a token that an administrator created.
  await restRoutes(app, { store, limits, tenants, checklists, baseUrl: config.BASE_URL });

  // The client, for all other paths.
  const { CLIENT_DIR: clientDir, ASSETS_DIR: assetsDir, HOST_SCRIPT_URL: hostScriptUrl } = config;
  await clientRoutes(app, { tokens, limits, tenants, clientDir, assetsDir, hostScriptUrl });
  return app;
}
