import { builtInStatuses, type Status } from '../domain/statuses.ts';

/** The statuses that an item can have: the four of every site, then the site's and the project's own. */
export interface StatusRegistry {
  readonly list: readonly Status[];
  bySlug(slug: string): Status | undefined;
  /** The custom status of that name; case and runs of blanks do not matter. Built-in names are text, not statuses. */
  byName(name: string): Status | undefined;
}

const normalName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** A registry of the built-in and the given statuses. Where slugs or names clash, the earlier one stands. */
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
