import { builtInStatuses, type RegistryStatus } from '../../domain/statuses.ts';
import { normalName, type StatusRegistry } from '../../text/status-registry.ts';
import type { Tenant } from '../platform/tenants.ts';
import { createCache } from '../store/cached.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { hashText } from '../text-workers/hash.ts';
import { registryBy } from '../text-workers/reading.ts';
import { isBuiltInSlug, loadStatuses, type StoredStatus } from './records.ts';

/** The statuses of a tenant. */
export interface SiteStatuses {
  /** Whether some project has its own statuses. */
  ofProjects: boolean;
  /** The statuses of a project's issues; without a project, the site's statuses. */
  of(project: string | undefined): StatusRegistry;
  /** Its statuses as plain data, from which `registryBy` makes the same registry. */
  listOf(project: string | undefined): readonly RegistryStatus[];
  /** The projects with their own statuses. */
  projects: readonly string[];
}

export type Registries = (tenant: Pick<Tenant, 'id' | 'statusVersion'>) => Promise<SiteStatuses>;

/** Applies to cached statuses. */
const MAX_CACHED_TENANTS = 1_000;

/** The statuses of a project, in order: built-in ones, the site's, its own. */
export function seenStatuses(stored: readonly StoredStatus[], project: string | undefined): StoredStatus[] {
  const storedSlugs = new Set(stored.map(({ slug }) => slug));
  const unchanged = builtInStatuses
    .filter(({ slug }) => !storedSlugs.has(slug))
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

/**
 * Raise the version if equal texts and statuses make other indexes or another property: all stored data is made anew.
 */
const FORM_VERSION = 1;

const prints = new WeakMap<StatusRegistry, string>();

/**
 * A hash of the values that decide how a text is read and how its statuses are called. Colors and order are left out.
 */
function printFrom(registry: StatusRegistry, spelled: readonly string[]): string {
  const list = registry.list.map(({ slug, name, checked }) => [slug, name, checked]);
  const names = [...new Set(spelled.map(normalName))].map(name => [name, registry.byName(name)?.slug ?? null]);
  const sorted = (pairs: unknown[][]) =>
    pairs.map(pair => JSON.stringify(pair)).sort((one, other) => (one < other ? -1 : 1));
  return hashText(JSON.stringify([FORM_VERSION, sorted(list), sorted(names)]));
}

/** A hash of the statuses, stored with indexes and properties, to find those that were made with other statuses. */
export function registryPrint(registry: StatusRegistry): string {
  const cachedPrint = prints.get(registry);
  if (cachedPrint !== undefined) return cachedPrint;
  const print = printFrom(
    registry,
    registry.list.flatMap(status => (isBuiltInSlug(status.slug) ? [] : status.name)),
  );
  prints.set(registry, print);
  return print;
}

/** The registries of a tenant's stored statuses, each made once. */
export function siteStatuses(stored: readonly StoredStatus[]): SiteStatuses {
  const lists = new Map<string, readonly RegistryStatus[]>();
  const projects = new Set(stored.flatMap(({ project }) => project ?? []));
  function listOf(project: string | undefined): readonly RegistryStatus[] {
    const key = project !== undefined && projects.has(project) ? project : '';
    const list = lists.get(key);
    if (list) return list;
    const entries = seenStatuses(stored, key || undefined);
    const registry = registryBy(entries);
    const spelled = entries.flatMap(({ name, former, builtIn }) => (builtIn ? [] : [name, ...former]));
    prints.set(registry, printFrom(registry, spelled));
    lists.set(key, entries);
    return entries;
  }
  return {
    ofProjects: projects.size > 0,
    of: project => registryBy(listOf(project)),
    listOf,
    projects: [...projects],
  };
}

/**
 * Stores the hashes of a tenant's registries, which make what was made with other ones stale. Resolves with whether a
 * hash changed. Every change of statuses calls it in its transaction.
 */
export async function noteRegistries(tx: Tx, tenant: string): Promise<boolean> {
  const statuses = siteStatuses(await loadStatuses(tx, tenant));
  const projects = ['', ...statuses.projects];
  const rows = await tx.selectFrom('registry').select(['project', 'print']).where('tenant', '=', tenant).execute();
  const stored = new Map(rows.map(({ project, print }) => [project, print]));
  const expectedRows = projects.map(project => ({
    ...{ tenant, project },
    print: registryPrint(statuses.of(project || undefined)),
  }));
  const isSame =
    stored.size === expectedRows.length && expectedRows.every(({ project, print }) => stored.get(project) === print);
  if (isSame) return false;
  await tx.deleteFrom('registry').where('tenant', '=', tenant).where('project', 'not in', projects).execute();
  await tx
    .insertInto('registry')
    .values(expectedRows)
    .onConflict(conflict =>
      conflict.columns(['tenant', 'project']).doUpdateSet(({ ref }) => ({ print: ref('excluded.print') })),
    )
    .execute();
  return true;
}

/** Caches the stored registries by the tenant's version of them, which each request loads. */
export function createRegistries(store: Store): Registries {
  const cachedStatuses = createCache<{ version: number; statuses: SiteStatuses }>(MAX_CACHED_TENANTS);
  return async ({ id, statusVersion }) => {
    const cached = cachedStatuses.get(id);
    if (cached && cached.version >= statusVersion) return cached.statuses;
    const statuses = siteStatuses(await store.tenant(id, tx => loadStatuses(tx, id)));
    cachedStatuses.set(id, { version: statusVersion, statuses });
    return statuses;
  };
}
