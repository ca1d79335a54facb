import { prune as pruneHistory, type Retention, usualRetention } from '../checklists/commit/retention.ts';
import { pruneNotices } from '../events/notifications/records.ts';
import { pruneCalls } from '../events/webhooks/records.ts';
import { eachSite } from '../queue/each.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { forgetCompared } from '../queue/wanted-copies.ts';
import { startDelayOf } from '../quota/hours.ts';
import { DEFAULT_RETENTION_DAYS, removeUninstalled } from '../store/removal.ts';
import type { Store } from '../store/store.ts';

/** Numbers of deleted rows. */
export interface PrunedCounts {
  /** Of the history. */
  revisions: number;
  /** All rows of a tenant that uninstalled the app long ago; 0 for every other one. */
  removed: number;
}

/** How long data are kept. */
export interface RetentionSettings {
  retention?: Retention;
  /** Days for which the data of a tenant are kept after it uninstalled the app. */
  keepUninstalled?: number;
}

export interface PruningOptions extends RetentionSettings {
  store: Store;
  queue: Pick<Queue, 'restore'>;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
}

/** Deletes data past its retention, by a daily job of each tenant. */
export interface Pruning {
  jobs: Pick<Handlers, 'prune'>;
  /** Enqueues the job of each tenant for the next day, unless it waits already: restarts do not postpone it. */
  recover(): Promise<void>;
}

const RECOVERY_INTERVAL_MS = 10 * 60_000;
const PRUNING_INTERVAL_MS = 24 * 60 * 60_000;

/** Deletes one tenant's data past its retention, or all data of the tenant if it uninstalled the app long ago. */
export async function pruneTenant(store: Store, tenant: string, keeping: RetentionSettings): Promise<PrunedCounts> {
  const { retention = usualRetention, keepUninstalled = DEFAULT_RETENTION_DAYS } = keeping;
  const removed = await store.tenant(tenant, tx => removeUninstalled(tx, tenant, keepUninstalled));
  if (removed > 0) return { revisions: 0, removed };
  const revisions = await pruneHistory(store, tenant, retention);
  await store.tenant(tenant, async tx => {
    await pruneCalls(tx, tenant);
    await pruneNotices(tx, tenant);
    await forgetCompared(tx, tenant);
  });
  return { revisions, removed };
}

export function createPruning({ store, queue, onError, ...keeping }: PruningOptions): Pruning {
  return {
    jobs: { prune: async ({ tenant }) => void (await pruneTenant(store, tenant, keeping)) },
    async recover() {
      // Uninstalled tenants, too.
      await eachSite('search for lost deletions', await store.tenants(), onError, tenant =>
        queue.restore(
          'prune',
          { tenant },
          { after: PRUNING_INTERVAL_MS + startDelayOf(tenant, 'prune'), key: 'prune' },
        ),
      );
    },
  };
}

/**
 * Runs `recover` at once and every ten minutes, one at a time. Returns the function that stops this and resolves when it
 * does not run.
 */
export function startMaintenance(recover: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(recover).catch(onError);
  };
  const timer = setInterval(run, RECOVERY_INTERVAL_MS);
  run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
