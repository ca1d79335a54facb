import { builtInStatuses, type RegistryStatus } from '../../domain/statuses.ts';
import { cleanText } from '../../text/document.ts';
import { nameProblem } from '../../text/status-registry.ts';
import type { Tx } from '../store/tables.ts';
import { commonValue, type Inherited, idIn, isInherited } from '../templates/inheritance.ts';
import { isNameTaken } from './names.ts';
import { isBuiltInSlug, lockStatuses, putStatuses, type StoredStatus } from './records.ts';
import { noteRegistries } from './registries.ts';

/** The statuses of a project in another edition, in order. */
export interface SeenStatuses {
  project: string;
  statuses: readonly RegistryStatus[];
}

/** Whether a status is an unchanged built-in one. */
const isUnchanged = ({ slug, name, color, checked }: RegistryStatus): boolean =>
  builtInStatuses.some(
    status => status.slug === slug && status.name === name && status.color === color && status.checked === checked,
  );

/** Slugs and names that cannot be stored, or be a label, are skipped: the app's servers did not write them. */
const slugShape = /^[\w-]{1,64}$/;
const isClean = (text: string): boolean => cleanText(text).text === text;
const isUsable = ({ slug, name }: RegistryStatus): boolean => slugShape.test(slug) && nameProblem(name) === undefined;

/** A status to add. */
type Wanted = Omit<RegistryStatus, 'slug'> & Inherited;

interface Plan {
  wanted: Wanted[];
  /** Names of built-in ones that differ between projects: they cannot belong to a project. */
  left: string[];
}

/**
 * Plans the statuses to add. A status that all projects have with equal values becomes a site status; any other one is
 * added to each of its projects, under separate slugs for several.
 */
function planOf(inheritedStatuses: readonly SeenStatuses[], projects: number): Plan {
  const bySlug = new Map<string, Map<string, RegistryStatus>>();
  for (const { project, statuses } of inheritedStatuses) {
    for (const status of statuses) {
      if (!isUsable(status) || isUnchanged(status)) continue;
      const claims = bySlug.get(status.slug) ?? new Map<string, RegistryStatus>();
      if (!claims.has(project)) claims.set(project, status);
      bySlug.set(status.slug, claims);
    }
  }
  const plan: Plan = { wanted: [], left: [] };
  for (const [slug, claims] of bySlug) {
    const shared = commonValue(
      inheritedStatuses.map(({ project }) => claims.get(project)),
      projects,
    );
    const add = ({ slug: was, ...status }: RegistryStatus, id: string, project: string | null) =>
      plan.wanted.push({ ...status, was, id, project });
    if (shared) add(shared, slug, null);
    else if (isBuiltInSlug(slug)) plan.left.push(...new Set([...claims.values()].map(({ name }) => name)));
    else {
      for (const [project, status] of claims) add(status, claims.size === 1 ? slug : idIn(slug, project), project);
    }
  }
  return plan;
}

/**
 * Adds the statuses of projects in another edition. `projects` is the number of the site's projects. Skips existing slugs,
 * and names that are taken in the scope. Resolves with the names of changed built-in statuses that were left out, since
 * they differ between projects.
 */
export async function inheritStatuses(
  tx: Tx,
  tenant: string,
  inheritedStatuses: readonly SeenStatuses[],
  projects: number,
): Promise<string[]> {
  const { wanted, left } = planOf(inheritedStatuses, projects);
  if (wanted.length === 0) return left;
  const stored = await lockStatuses(tx, tenant);
  const slugs = new Set(stored.map(({ slug }) => slug));
  const fresh: StoredStatus[] = [];
  const seenProjects = inheritedStatuses.map(({ project }) => project);
  for (const { was, id: slug, project, ...status } of wanted) {
    const place = { slug, project, renaming: false };
    if (!slugShape.test(slug) || isInherited({ was, id: slug, project }, slugs, seenProjects)) continue;
    if (isNameTaken(status.name, [...stored, ...fresh], place)) continue;
    const position = stored.length + fresh.length;
    const [former, builtIn] = [status.former.filter(isClean), isBuiltInSlug(slug)];
    fresh.push({ ...status, ...{ slug, project, former, builtIn, going: false, movesTo: null, position } });
  }
  await putStatuses(tx, tenant, fresh);
  await noteRegistries(tx, tenant);
  return left;
}
