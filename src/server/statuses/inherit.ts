import { builtInStatuses, type RegistryStatus } from '../../domain/statuses.ts';
import { cleanText } from '../../text/document.ts';
import { nameProblem } from '../../text/statuses.ts';
import type { Tx } from '../store/tables.ts';
import { agreed, type Inherited, idIn, isInherited } from '../templates/inheritance.ts';
import { isTaken } from './names.ts';
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

/** What no server of ours has written is left where it is: slugs and names that cannot be stored, or be a label. */
const slugShape = /^[\w-]{1,64}$/;
const isClean = (text: string): boolean => cleanText(text).text === text;
const isUsable = ({ slug, name }: RegistryStatus): boolean => slugShape.test(slug) && nameProblem(name) === undefined;

/** A status as it is to come here: for the whole site, or for a project alone. */
type Wanted = Omit<RegistryStatus, 'slug'> & Inherited;

interface Taking {
  wanted: Wanted[];
  /** Names of built-in ones that are not the same in all projects: they cannot be for a project alone. */
  left: string[];
}

/**
 * What is to come. A status that the projects saw alike is the whole site's; any other one is for each of the projects
 * that saw it, under a slug of its own where several did.
 */
function takingOf(seen: readonly SeenStatuses[], projects: number): Taking {
  const bySlug = new Map<string, Map<string, RegistryStatus>>();
  for (const { project, statuses } of seen) {
    for (const status of statuses) {
      if (!isUsable(status) || untouched(status)) continue;
      const claims = bySlug.get(status.slug) ?? new Map<string, RegistryStatus>();
      if (!claims.has(project)) claims.set(project, status);
      bySlug.set(status.slug, claims);
    }
  }
  const taking: Taking = { wanted: [], left: [] };
  for (const [slug, claims] of bySlug) {
    const shared = agreed(
      seen.map(({ project }) => claims.get(project)),
      projects,
    );
    const come = ({ slug: was, ...status }: RegistryStatus, id: string, project: string | null) =>
      taking.wanted.push({ ...status, was, id, project });
    if (shared) come(shared, slug, null);
    else if (isBuiltInSlug(slug)) taking.left.push(...new Set([...claims.values()].map(({ name }) => name)));
    else {
      for (const [project, status] of claims) come(status, claims.size === 1 ? slug : idIn(slug, project), project);
    }
  }
  return taking;
}

/**
 * Adds the statuses that projects saw in another edition; the site has so many projects in all. Those whose slug there is
 * already, or whose name is taken where they are seen, stay as they are. Answers the names of changed built-in ones that
 * were left out, since not all projects saw them so.
 */
export async function inheritStatuses(
  tx: Tx,
  tenant: string,
  seen: readonly SeenStatuses[],
  projects: number,
): Promise<string[]> {
  const { wanted, left } = takingOf(seen, projects);
  if (wanted.length === 0) return left;
  const stored = await takeStatuses(tx, tenant);
  const slugs = new Set(stored.map(({ slug }) => slug));
  const fresh: StoredStatus[] = [];
  const all = seen.map(({ project }) => project);
  for (const { was, id: slug, project, ...status } of wanted) {
    const place = { slug, project, renaming: false };
    if (!slugShape.test(slug) || isInherited({ was, id: slug, project }, slugs, all)) continue;
    if (isTaken(status.name, [...stored, ...fresh], place)) continue;
    const position = stored.length + fresh.length;
    const [former, builtIn] = [status.former.filter(isClean), isBuiltInSlug(slug)];
    fresh.push({ ...status, ...{ slug, project, former, builtIn, going: false, movesTo: null, position } });
  }
  await putStatuses(tx, tenant, fresh);
  return left;
}
