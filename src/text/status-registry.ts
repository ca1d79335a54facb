import { builtInStatuses, normalName, type Status } from '../domain/statuses.ts';
import { cleanText } from './document.ts';

export { normalName };

/** The statuses that an item can have: the four of every site, then the site's and the project's own. */
export interface StatusRegistry {
  readonly list: readonly Status[];
  bySlug(slug: string): Status | undefined;
  /** The custom status of that name; case and runs of blanks do not matter. Built-in names are text, not statuses. */
  byName(name: string): Status | undefined;
}

export const MAX_STATUS_NAME_CHARS = 50;

/**
 * A registry of the built-in and the given statuses. Any list makes one: if slugs or names clash, the earlier one
 * stands, and a status whose name no label can hold is in the list but never read. `statusProblems` (statuses/problems.ts) tells which.
 */
export function statusRegistry(custom: readonly Status[] = []): StatusRegistry {
  const slugs = new Map<string, Status>(builtInStatuses.map(status => [status.slug, status]));
  const names = new Map<string, Status>();
  for (const status of custom) {
    if (slugs.has(status.slug)) continue;
    slugs.set(status.slug, status);
    const name = normalName(status.name);
    if (!names.has(name)) names.set(name, status);
  }
  return { list: [...slugs.values()], bySlug: slug => slugs.get(slug), byName: name => names.get(normalName(name)) };
}

/** The registry of a site without statuses of its own. */
export const builtIn: StatusRegistry = statusRegistry();

/** The reason why a name cannot be written between brackets. Its length counts in UTF-16 units, as in the grammar. */
export function nameProblem(name: string): 'NAME_REQUIRED' | 'NAME_TOO_LONG' | 'NAME_CHARACTERS' | undefined {
  if (name.trim() === '') return 'NAME_REQUIRED';
  if (name.length > MAX_STATUS_NAME_CHARS) return 'NAME_TOO_LONG';
  if (/[[\]`\r\n]|^~/.test(name) || cleanText(name).text !== name) return 'NAME_CHARACTERS';
  return undefined;
}

/** Whether an item can be given a status so that it is read again: it needs a sign of its own, or a name that leads to it. */
export const isWritable = (statuses: StatusRegistry, { slug, name }: Status): boolean =>
  builtInStatuses.some(status => status.slug === slug) ||
  (nameProblem(name) === undefined && statuses.byName(name)?.slug === slug);
