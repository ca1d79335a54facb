import { sleep } from '../../domain/timing.ts';
import { type Config, openVault, storeOf } from '../app/config/config.ts';
import { pruneTenant } from '../jobs/pruning.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { askersOf } from '../platform/forge/forge.ts';
import { TENANT_CACHE_MS } from '../platform/known-tenants.ts';
import { createTenants } from '../platform/tenants.ts';
import { createTrackers } from '../platform/tracker/trackers.ts';
import { createQuota } from '../quota/quota.ts';
import { background } from '../quota/work.ts';
import { openReachable } from '../store/reachable.ts';
import type { CommandContext } from './program.ts';

/** Sizes are added up over whole tables. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Opens the database of a configuration for operators' work, and closes it afterwards. The tracker is asked within the
 * same quota as by the servers. `onError` receives errors that do not stop the work.
 */
export async function operate<T>(
  config: Config,
  work: (operated: CommandContext) => Promise<T>,
  onError: (error: unknown) => void,
): Promise<T> {
  const at = storeOf(config);
  const store = await openReachable({
    ...at,
    limits: { ...at.limits, statementTimeout: STATEMENT_TIMEOUT_MS },
    onError,
  });
  try {
    const vault = await openVault(config);
    const metrics = createMetrics();
    const quota = createQuota({ store, metrics, onError, most: config.QUOTA_POINTS });
    const trackerOf = createTrackers({ metrics, quota, askers: askersOf(config, { store, vault }) });
    const keeping = {
      retention: { days: config.REVISION_DAYS, count: config.REVISION_COUNT },
      keepUninstalled: config.KEEP_UNINSTALLED_DAYS,
    };
    // Loads the points that the servers have used in this hour, and the stops that the tracker asked for.
    await quota.exchange();
    const answer = await work({
      store,
      vault,
      find: createTenants(store, vault).find,
      tracker: tenant => trackerOf(tenant, background('sweep')),
      prune: tenant => pruneTenant(store, tenant, keeping),
      mostPoints: config.QUOTA_POINTS,
      now: Date.now,
      settled: () => sleep(TENANT_CACHE_MS + config.DATABASE_STATEMENT_TIMEOUT),
    });
    await quota.exchange();
    return answer;
  } finally {
    await store.close();
  }
}
