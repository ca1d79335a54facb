import { builtInStatuses, type RegistryStatus, type Status } from '../domain/statuses.ts';
import { normalName, type StatusRegistry } from './status-registry.ts';

const builtIn = new Map<string, Status>(builtInStatuses.map(status => [status.slug, status]));

/** The visible properties of an entry; a built-in status keeps its flag. */
const toStatus = ({ slug, name, checked, color }: RegistryStatus): Status => ({
  slug,
  name,
  checked: builtIn.get(slug)?.checked ?? checked,
  color,
});

/**
 * The registry of what a site, or a project, keeps. Built-in statuses that it does not name are as they always are, and
 * come first. A former name is read if no other status bears it now, and what is going is read but not offered.
 */
export function registryOf(entries: readonly RegistryStatus[]): StatusRegistry {
  const slugs = new Map<string, Status>();
  for (const status of builtInStatuses) {
    if (!entries.some(({ slug }) => slug === status.slug)) slugs.set(status.slug, status);
  }
  const names = new Map<string, Status>();
  const formerly: [string, Status][] = [];
  for (const entry of entries) {
    if (slugs.has(entry.slug)) continue;
    const status = toStatus(entry);
    if (!entry.going) slugs.set(entry.slug, status);
    if (builtIn.has(entry.slug)) continue;
    const name = normalName(entry.name);
    if (!names.has(name)) names.set(name, status);
    formerly.push(...entry.former.map((former): [string, Status] => [normalName(former), status]));
  }
  for (const [name, status] of formerly) if (!names.has(name)) names.set(name, status);
  return { list: [...slugs.values()], bySlug: slug => slugs.get(slug), byName: name => names.get(normalName(name)) };
}
