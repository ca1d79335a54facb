import closeWithGrace from 'close-with-grace';
import { type Logger, pino } from 'pino';
import { build } from '../domain/build/build.ts';
import { createApp } from './app/app.ts';
import { assertClient, BadConfig, type Config, openVault, readConfig, storeOf } from './app/config/config.ts';
import { createServices } from './app/services.ts';
import { startWatch } from './copies/watch.ts';
import { StoreUnavailable } from './errors/unavailable.ts';
import { createHub } from './http/live/hub.ts';
import { logOptions, logStream } from './http/log.ts';
import { startMaintenance } from './jobs/pruning.ts';
import { createFailureLog } from './monitoring/failure-log.ts';
import { commit, createMetrics, measureProcess } from './monitoring/metrics.ts';
import { clockOf, createClocks, waitForClock } from './platform/clock.ts';
import { askersOf, createForge } from './platform/forge/forge.ts';
import { dropAppToken } from './platform/forge/sites.ts';
import { createKnownTenants } from './platform/known-tenants.ts';
import { createTenants } from './platform/tenants.ts';
import type { TrackerOptions } from './platform/tracker/client.ts';
import { createTrackers } from './platform/tracker/trackers.ts';
import { createQueue } from './queue/create.ts';
import { createQuota } from './quota/quota.ts';
import { isRefusal, openWhenReachable } from './store/reachable.ts';
import { assertKey } from './store/sealed.ts';
import { createTextWorkers } from './text-workers/pool.ts';

/** Exit codes of the start (sysexits.h): the configuration cannot work, the database went away meanwhile. */
const EX_CONFIG = 78;
const EX_UNAVAILABLE = 69;
/** Running requests have this time to end before the process exits. */
const SHUTDOWN_GRACE_MS = 10_000;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

async function start(config: Config, log: Logger): Promise<void> {
  const failureLog = createFailureLog(log);
  const onError = (error: unknown) => void (failureLog.failed(error) || log.error(error, 'went on after an error'));
  let close = async () => {};
  const onEnd = ({ message }: Error) => {
    log.fatal({ reason: message }, 'the embedded database has ended, and with it this process');
    const exit = () => process.exit(EX_UNAVAILABLE);
    setTimeout(exit, SHUTDOWN_GRACE_MS);
    void close().finally(exit);
  };
  // Nothing is under way yet. The first process of a container has no default for signals: it would wait on.
  const leave = () => process.exit();
  for (const signal of SIGNALS) process.once(signal, leave);
  log.info({ version: build.version, commit, edition: build.edition }, 'starting');
  await assertClient(config);
  const store = await openWhenReachable({ ...storeOf(config), onError, onEnd, failureLog }, log);
  const vendor = clockOf('the tracker', config.INSTALL_KEYS_URL);
  await waitForClock([vendor, { name: 'the database', read: store.time }], log);
  const vault = await openVault(config);
  await assertKey(store, vault);
  const tenants = createKnownTenants(createTenants(store, vault));
  const metrics = createMetrics();
  measureProcess(metrics);
  const clocks = createClocks(metrics, log);
  const queue = createQueue({ store, metrics, onError });
  const quota = createQuota({
    store,
    metrics,
    onError,
    most: config.QUOTA_POINTS,
    onTime: time => clocks.saw('database', time),
  });
  const askers = askersOf(config, { store, vault });
  const refused: TrackerOptions['refused'] = (tenant, token) => dropAppToken({ tenants, vault }, tenant, token);
  const trackerOf = createTrackers({
    ...{ metrics, quota, askers, refused },
    onTime: time => clocks.saw('tracker', time),
  });
  const watch = await startWatch(store, onError);
  const workers = createTextWorkers({ onError });
  const retention = { days: config.REVISION_DAYS, count: config.REVISION_COUNT };
  const { jobs, ...services } = createServices({
    ...{ store, vault, tenants, metrics, queue, trackerOf, retention, watch, onError, baseUrl: config.BASE_URL },
    webhooks: { privateHosts: config.WEBHOOK_HOSTS },
    workers,
    keepUninstalled: config.KEEP_UNINSTALLED_DAYS,
  });
  const forge = createForge(config, {
    ...{ store, vault, tenants, trackerOf, askers, metrics, onError },
    installed: services.wideJobs.installed,
    async renewed(tenant) {
      await services.sync.recoverTenant(tenant);
      await services.wideJobs.wake(tenant);
    },
  });
  const hub = await createHub(store, tenants);
  hub.subscribeAll(tenants.invalidate);
  await quota.start();
  const app = await createApp({
    ...{ config, log, onError, store, vault, tenants, trackerOf, forge, metrics, hub, ...services },
  });
  let stopMaintenance = async () => {};
  app.addHook('onClose', async () => {
    await Promise.all([hub.close(), stopMaintenance(), queue.stop()]);
    await Promise.all([quota.stop(), watch.stop(), workers.close()]);
    await store.close();
  });

  try {
    await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await app.close();
    throw new BadConfig(`HOST, PORT: ${error instanceof Error ? error.message : 'it cannot listen'}`);
  }
  close = () => app.close();
  for (const signal of SIGNALS) process.off(signal, leave);
  closeWithGrace({ delay: SHUTDOWN_GRACE_MS, logger: log }, async ({ signal, err }) => {
    if (err) log.fatal(err, 'closing after an error');
    else log.info({ signal }, 'closing');
    await app.close();
  });
  queue.start(jobs);
  const { recover } = services.sync;
  const recoverAll = async () => {
    const prunes = [queue.prune, quota.prune, ...(forge ? [forge.prune] : [])];
    for (const dropOld of prunes) await dropOld().catch(onError);
    await recover();
    await services.following.recover();
    await services.recoverProjects();
    await services.recoverEvents();
    await services.pruning.recover();
    await services.wideJobs.recover();
    await services.people.recover();
    await services.fieldMoves.recover();
    await services.checklists.refreshIndexes();
  };
  stopMaintenance = startMaintenance(recoverAll, onError);
}

/**
 * The exit code for an error of the start that an operator can mend: of settings, of a folder that they name, or of a
 * database that went away after it was reached. `undefined` for others, which are bugs.
 */
function codeOf(error: Error): number | undefined {
  if (error instanceof StoreUnavailable) return EX_UNAVAILABLE;
  return error instanceof BadConfig || isRefusal(error) || 'syscall' in error ? EX_CONFIG : undefined;
}

try {
  const config = readConfig(process.env);
  await start(config, pino(logOptions(config.LOG_LEVEL), logStream()));
} catch (error) {
  const code = error instanceof Error ? codeOf(error) : undefined;
  if (!(error instanceof Error) || code === undefined) throw error;
  process.stderr.write(`${error.message}\n`);
  // Open handles, such as connections and the port, would keep the process alive.
  process.exit(code);
}
