import { LRUCache } from 'lru-cache';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { KeyedMutex } from '../common/mutex.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { findOwnField } from '../platform/tracker/fields.ts';
import type { Queue } from '../queue/queue.ts';
import type { SiteStatuses } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import type { Adoptions } from './adopt.ts';
import type { Changes } from './change/transaction.ts';

/** A time during which no event was missed and no backup was restored, as far as can be known. */
export interface Watch {
  id: string;
  since: Date;
}

/** The watch that this process takes part in. */
export interface Watching {
  now(): Watch;
  /** Says that this process goes on; where the watch is broken off, another begins. */
  renew(): Promise<void>;
}

/** What work on one tenant's checklists goes through. */
export interface Site {
  tenant: Tenant;
  tracker: Tracker;
  store: Store;
  /** Issues that are made of items, one at a time for each checklist. */
  conversions: KeyedMutex;
  adoptions: Adoptions;
  queue: Queue;
  /** The id of the field that is kept equal to the checklist, `undefined` when there is none. Rejects when nobody can tell. */
  field(): Promise<string | undefined>;
  /** The statuses that issues of a project have; where the project is not known, those of the whole site. */
  statuses(project: string | undefined): Promise<StatusRegistry>;
  /** The statuses of every project. */
  registries(): Promise<SiteStatuses>;
  /** Reads an issue and takes up what the tracker holds of it. Rejects where the tracker does not answer. */
  refresh(issue: string): Promise<void>;
  /** Since when this database has been watched without a gap. */
  watch: Watching;
  /** Makes a change, together with others that wait for the issue. */
  changes: Changes;
  /** Most items that the edition holds in a checklist. */
  itemLimit: number;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
}

/** The field where that can be told: reading and saving do not wait for a copy. */
export const fieldIfKnown = (site: Site): Promise<string | undefined> =>
  site.field().catch((error: unknown) => {
    site.onError(error);
    return undefined;
  });

/** Milliseconds for which the answer is kept: a field stays, but one that is missing may be about to be made. */
const FOUND = 600_000;
const MISSING = 30_000;
const MOST = 1_000;

export type OwnFields = (tenant: Tenant, tracker: Tracker) => Promise<string | undefined>;

/** Which field each tenant's checklists are mirrored in. */
export function createOwnFields(now: () => number = Date.now): OwnFields {
  const known = new LRUCache<string, { until: number; id: string | undefined }>({ max: MOST });
  return async ({ id: tenant, epoch, mirror }, tracker) => {
    if (mirror !== 'own') return mirror === 'none' ? undefined : mirror.field;
    const key = `${tenant} ${epoch}`;
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.id;
    const id = await findOwnField(tracker);
    known.set(key, { id, until: now() + (id ? FOUND : MISSING) });
    return id;
  };
}
