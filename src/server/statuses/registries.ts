import { LRUCache } from 'lru-cache';
import { builtInStatuses } from '../../domain/statuses.ts';
import { registryOf } from '../../text/registry.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Store } from '../store/store.ts';
import { loadStatuses, type StoredStatus } from './records.ts';

/** The statuses of a tenant. */
export interface SiteStatuses {
  /** Whether some project has its own statuses. */
  ofProjects: boolean;
  /** The statuses of a project's issues; without a project those of the site. */
  of(project: string | undefined): StatusRegistry;
}

export type Registries = (tenant: Pick<Tenant, 'id' | 'statusVersion'>) => Promise<SiteStatuses>;

/** Most tenants whose statuses are cached. */
const MOST = 1_000;

/** The statuses of a project, in order: built-in ones, the site's, its own. */
export function seenStatuses(stored: readonly StoredStatus[], project: string | undefined): StoredStatus[] {
  const known = new Set(stored.map(({ slug }) => slug));
  const unchanged = builtInStatuses
    .filter(({ slug }) => !known.has(slug))
    .map(status => ({
      ...status,
      ...{ project: null, builtIn: true, former: [], going: false, position: 0, movesTo: null },
    }));
  return [
    ...unchanged,
    ...stored.filter(status => status.project === null),
    ...stored.filter(status => status.project !== null && status.project === project),
  ];
}

/** The registries of a tenant's stored statuses, each made once. */
export function siteStatuses(stored: readonly StoredStatus[]): SiteStatuses {
  const made = new Map<string, StatusRegistry>();
  const projects = new Set(stored.flatMap(({ project }) => project ?? []));
  return {
    ofProjects: projects.size > 0,
    of(project) {
      const key = project !== undefined && projects.has(project) ? project : '';
      const registry = made.get(key) ?? registryOf(seenStatuses(stored, key || undefined));
      made.set(key, registry);
      return registry;
    },
  };
}

/** Caches the stored registries by the tenant's version of them, which each request loads. */
export function createRegistries(store: Store): Registries {
  const known = new LRUCache<string, { version: number; statuses: SiteStatuses }>({ max: MOST });
  return async ({ id, statusVersion }) => {
    const cached = known.get(id);
    if (cached && cached.version >= statusVersion) return cached.statuses;
    const statuses = siteStatuses(await store.tenant(id, tx => loadStatuses(tx, id)));
    known.set(id, { version: statusVersion, statuses });
    return statuses;
  };
}
