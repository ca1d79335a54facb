import type { Tenant } from '../connect/tenants.ts';
import type { Store } from '../store/store.ts';
import type { Tracker } from '../tracker/client.ts';
import { findOwnField } from '../tracker/fields.ts';
import type { Leases } from './lease.ts';

/** What work on one tenant's checklists goes through. */
export interface Site {
  tenant: Tenant;
  tracker: Tracker;
  store: Store;
  leases: Leases;
  /** The id of the field that our descriptor brings; `undefined` when there is none, or nobody can tell. */
  ownField(): Promise<string | undefined>;
  /** Most items that the edition holds in a checklist. */
  itemLimit: number;
}

/** Milliseconds for which the answer is kept: a field stays, but one that is missing may be about to be made. */
const FOUND = 600_000;
const MISSING = 30_000;
const MOST = 1_000;

export type OwnFields = (tenant: Tenant, tracker: Tracker) => Promise<string | undefined>;

export function createOwnFields(onError: (error: unknown) => void, now: () => number = Date.now): OwnFields {
  const known = new Map<string, { until: number; id: string | undefined }>();
  return async ({ id: tenant, epoch }, tracker) => {
    const key = `${tenant} ${epoch}`;
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.id;
    try {
      const id = await findOwnField(tracker);
      if (known.size >= MOST) known.clear();
      known.set(key, { id, until: now() + (id ? FOUND : MISSING) });
      return id;
    } catch (error) {
      // The field is a copy; the checklist does not wait for it.
      onError(error);
      return undefined;
    }
  };
}
