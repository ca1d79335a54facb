import { builtInStatuses, type RegistryStatus } from '../../domain/statuses.ts';
import { cleanText } from '../../text/document.ts';
import { nameProblem } from '../../text/statuses.ts';
import type { Tx } from '../store/tables.ts';
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

/**
 * Adds the statuses that another edition had. Which of them were the whole site's its projects do not say: one that more
 * than one project saw, or the only project there is. Those whose slug there is already, or whose name is taken where
 * they are seen, stay as they are.
 */
export async function inheritStatuses(tx: Tx, tenant: string, seen: readonly SeenStatuses[]): Promise<void> {
  const found = new Map<string, { status: RegistryStatus; projects: string[] }>();
  for (const { project, statuses } of seen) {
    for (const status of statuses) {
      const { projects } = found.get(status.slug) ?? { projects: [] };
      found.set(status.slug, { status, projects: [...projects, project] });
    }
  }
  const wanted = [...found.values()].filter(({ status }) => isUsable(status) && !untouched(status));
  if (wanted.length === 0) return;
  const stored = await takeStatuses(tx, tenant);
  const slugs = new Set(stored.map(({ slug }) => slug));
  const fresh: StoredStatus[] = [];
  for (const { status, projects } of wanted) {
    const { slug, name } = status;
    const builtIn = isBuiltInSlug(slug);
    const ofSite = builtIn || projects.length > 1 || seen.length === 1;
    const project = ofSite ? null : (projects[0] ?? null);
    if (slugs.has(slug) || isTaken(name, [...stored, ...fresh], { slug, project, renaming: false })) continue;
    const position = stored.length + fresh.length;
    const former = status.former.filter(isClean);
    fresh.push({ ...status, ...{ former, project, builtIn, going: false, movesTo: null, position } });
  }
  await putStatuses(tx, tenant, fresh);
}
