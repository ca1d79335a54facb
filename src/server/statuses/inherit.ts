import { builtInStatuses, type RegistryStatus } from '../../domain/statuses.ts';
import { normalName } from '../../text/statuses.ts';
import type { Tx } from '../store/tables.ts';
import { isBuiltInSlug, putStatuses, type StoredStatus, takeStatuses } from './records.ts';

/** What a project saw of statuses in another edition, in its order. */
export interface SeenStatuses {
  project: string;
  statuses: readonly RegistryStatus[];
}

/** A built-in one as nobody has changed it. */
const untouched = ({ slug, name, color, checked }: RegistryStatus): boolean =>
  builtInStatuses.some(
    status => status.slug === slug && status.name === name && status.color === color && status.checked === checked,
  );

/**
 * Adds the statuses that another edition had. Which of them were the whole site's its projects do not say: one that more
 * than one project saw, or the only project there is. Those whose slug or name there is already stay as they are.
 */
export async function inheritStatuses(tx: Tx, tenant: string, seen: readonly SeenStatuses[]): Promise<void> {
  const found = new Map<string, { status: RegistryStatus; projects: string[] }>();
  for (const { project, statuses } of seen) {
    for (const status of statuses) {
      const { projects } = found.get(status.slug) ?? { projects: [] };
      found.set(status.slug, { status, projects: [...projects, project] });
    }
  }
  const wanted = [...found.values()].filter(({ status }) => !untouched(status));
  if (wanted.length === 0) return;
  const stored = await takeStatuses(tx, tenant);
  const slugs = new Set(stored.map(({ slug }) => slug));
  const names = new Set(stored.map(({ name }) => normalName(name)));
  const fresh = wanted.filter(({ status: { slug, name } }) => !slugs.has(slug) && !names.has(normalName(name)));
  await putStatuses(
    tx,
    tenant,
    fresh.map(({ status, projects }, index): StoredStatus => {
      const builtIn = isBuiltInSlug(status.slug);
      const ofSite = builtIn || projects.length > 1 || seen.length === 1;
      const project = ofSite ? null : (projects[0] ?? null);
      return { ...status, ...{ project, builtIn, going: false, movesTo: null, position: stored.length + index } };
    }),
  );
}
