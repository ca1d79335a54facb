import { cached } from '../store/cached.ts';
import type { LiveEvent } from '../store/live-events.ts';
import type { Tenant, Tenants } from './tenants.ts';

/** Limits how stale a cached tenant can be if events are missed. */
export const TENANT_CACHE_MS = 5_000;
const MAX_TENANTS = 1_000;

/** Events of changes to what `find` resolves with. */
const invalidating: readonly LiveEvent['kind'][] = ['settings', 'statuses', 'uninstalled'];

type TenantEvent = (LiveEvent & { tenant: string }) | { kind: 'gap' };

/** Tenants with a cache. */
export interface KnownTenants extends Tenants {
  /** Invalidates a tenant that another process has changed. */
  invalidate(event: TenantEvent): void;
}

export function createKnownTenants(tenants: Tenants, now: () => number = Date.now): KnownTenants {
  // Unknown tenants are not cached: they may be installed at any moment.
  const cachedTenants = cached<Tenant | undefined>({
    max: MAX_TENANTS,
    ttl: tenant => (tenant ? TENANT_CACHE_MS : undefined),
    now,
  });

  /** Invalidates a tenant that this process changes at once, without waiting for the event. */
  async function changing<T>(id: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      cachedTenants.delete(id);
    }
  }

  return {
    find: id => cachedTenants.get(id, () => tenants.find(id)),
    change: (id, work) => changing(id, tenants.change(id, work)),
    install: installation => changing(installation.id, tenants.install(installation)),
    uninstall: (id, token) => changing(id, tenants.uninstall(id, token)),
    invalidate(event) {
      if (event.kind === 'gap') cachedTenants.clear();
      else if (invalidating.includes(event.kind)) cachedTenants.delete(event.tenant);
    },
  };
}
