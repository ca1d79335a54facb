import { sql } from 'kysely';
import { mirrorOf } from '../../../src/server/checklists/service/site.ts';
import { checkIssues } from '../../../src/server/copies/check.ts';
import { TrackerDeferred } from '../../../src/server/errors/tracker.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import type { Tenant, Tenants } from '../../../src/server/platform/tenants.ts';
import { MAX_ISSUES } from '../../../src/server/platform/tracker/bulk-issues.ts';
import { listFields } from '../../../src/server/platform/tracker/fields.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { createRegistries } from '../../../src/server/statuses/registries.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { runHere } from '../../../src/server/text-workers/task.ts';
import { unlimited } from './quota.ts';
import type { FakeTracker } from './tracker.ts';

/** The tracker without the faults of a test, and without a trace of the call. */
function quietly(tracker: FakeTracker): typeof fetch {
  return async (...call) => {
    const { faults, meanwhile, lost, calls } = tracker;
    Object.assign(tracker, { faults: [], meanwhile: [], lost: [], calls: [] });
    try {
      return await tracker.fetch(...call);
    } finally {
      Object.assign(tracker, { faults, meanwhile, lost, calls });
    }
  };
}

/**
 * Returns a function that compares the issues of a site that were stored since its last call: copies in the tracker and
 * indexes that differ from the newest text while nothing is due that mends them.
 */
export function watchCopies({
  store,
  tenants,
  id,
  tracker,
}: {
  store: Store;
  tenants: Tenants;
  id: string;
  tracker: FakeTracker;
}): () => Promise<string[]> {
  const send = quietly(tracker);
  const trackerOf = createTrackers({ metrics: createMetrics(), quota: unlimited, send, sleep: async () => {} });
  const registries = createRegistries(store);
  let seen = 0;

  /** Ids of issues whose rows are newer than those of the last call. Later transactions have greater numbers. */
  async function storedSince(): Promise<string[]> {
    const { rows } = await store.tenant(id, tx =>
      sql<{ issue: string; written: number }>`select issue, greatest(c.xmin::text::bigint, s.xmin::text::bigint)::float
        as written from checklist c join sync s using (issue)
        where c.tenant = ${id} and s.tenant = ${id} and missing is null and seq > 0
          and greatest(c.xmin::text::bigint, s.xmin::text::bigint) > ${seen}`.execute(tx),
    );
    seen = Math.max(seen, ...rows.map(({ written }) => written));
    return rows.map(({ issue }) => issue);
  }

  /** Those of an installed site; nothing is known where the platform gives the app no token. */
  async function differencesOf(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
    const caller = trackerOf(tenant, { work: 'person', account: null });
    const site = {
      ...{ store, tenant, tracker: caller, texts: { run: runHere } },
      field: () => mirrorOf(tenant, () => listFields(caller)),
      registries: () => registries(tenant),
    };
    const found: string[] = [];
    for (let at = 0; at < ids.length; at += MAX_ISSUES) {
      for (const { issue, differences } of await checkIssues(site, ids.slice(at, at + MAX_ISSUES))) {
        // The queue of the tests is not in the database.
        const things = differences.filter(thing => thing !== 'schedule');
        if (things.length > 0) found.push(`${things.join(', ')} of issue ${issue}`);
      }
    }
    return found;
  }

  return async () => {
    const tenant = await tenants.find(id);
    const ids = tenant ? await storedSince() : [];
    if (!tenant || ids.length === 0) return [];
    return differencesOf(tenant, ids).catch(error => {
      if (error instanceof TrackerDeferred) return [];
      throw error;
    });
  };
}
