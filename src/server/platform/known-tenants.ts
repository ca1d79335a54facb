import { LRUCache } from 'lru-cache';
import type { LiveEvent } from '../store/live-events.ts';
import type { Tenant, Tenants } from './tenants.ts';

/** Milliseconds for which a tenant is taken to be as it was read: bounds what is missed where no events are heard. */
const KEPT = 5_000;
/** Most tenants that are kept. */
const MOST = 1_000;

/** Events that tell of something that `find` resolves with. */
const telling: readonly LiveEvent['kind'][] = ['settings', 'statuses', 'uninstalled'];

type Heard = (LiveEvent & { tenant: string }) | { kind: 'gap' };

/** Tenants that are read once for many requests. */
export interface KnownTenants extends Tenants {
  /** Forgets what another process has changed. */
  hear(heard: Heard): void;
}

export function createKnownTenants(tenants: Tenants, now: () => number = Date.now): KnownTenants {
  const known = new LRUCache<string, { until: number; found: Promise<Tenant | undefined> }>({ max: MOST });

  /** Requests of this process see what it has changed, without waiting for the event. */
  async function changing<T>(id: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      known.delete(id);
    }
  }

  return {
    find(id) {
      const kept = known.get(id);
      if (kept && kept.until > now()) return kept.found;
      const entry = { until: now() + KEPT, found: tenants.find(id) };
      known.set(id, entry);
      const drop = () => {
        if (known.get(id) === entry) known.delete(id);
      };
      // One that is not installed may be any moment.
      entry.found.then(tenant => tenant === undefined && drop(), drop);
      return entry.found;
    },
    change: (id, work) => changing(id, tenants.change(id, work)),
    install: installation => changing(installation.id, tenants.install(installation)),
    uninstall: id => changing(id, tenants.uninstall(id)),
    hear(heard) {
      if (heard.kind === 'gap') known.clear();
      else if (telling.includes(heard.kind)) known.delete(heard.tenant);
    },
  };
}
