import { LRUCache } from 'lru-cache';
import type { RegistryStatus } from '../../domain/statuses.ts';
import type { Reader } from '../../text/identity.ts';
import { readChecklist } from '../../text/read.ts';
import { registryOf } from '../../text/registry.ts';
import { builtIn, type StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';

/**
 * The cache's limits. A change reads one or two texts, a foreign one the last hundred revisions. Readings of texts that
 * were made of each other share their rows.
 */
const MAX_READINGS = 256;
const MAX_READING_CHARS = 2_000_000;
const readings = new LRUCache<string, Checklist>({
  max: MAX_READINGS,
  maxSize: MAX_READING_CHARS,
  sizeCalculation: ({ text }) => text.length + 1,
});

const registries = new WeakMap<readonly RegistryStatus[], StatusRegistry>();
const MAX_REGISTRIES = 256;
const registriesByContent = new LRUCache<string, StatusRegistry>({ max: MAX_REGISTRIES });

/**
 * The registry of a list of statuses, the same one for equal lists: the cached readings of another one are not used. In a
 * worker thread every list is a copy.
 */
export function registryBy(statuses: readonly RegistryStatus[]): StatusRegistry {
  const cachedRegistry = registries.get(statuses);
  if (cachedRegistry) return cachedRegistry;
  const content = JSON.stringify(statuses);
  const registry = registriesByContent.get(content) ?? registryOf(statuses);
  registriesByContent.set(content, registry);
  registries.set(statuses, registry);
  return registry;
}

/**
 * Reads a text, with a cache. `like` is its base: if that is cached, only the difference is read.
 */
export function readText(text: string, statuses: StatusRegistry, like?: string): Checklist {
  const last = readings.get(text);
  const cachedReading = last?.statuses === statuses ? last : undefined;
  const checklist = cachedReading ?? readChecklist(text, statuses, like === undefined ? undefined : readings.get(like));
  readings.set(text, checklist);
  return checklist;
}

/** Counts a text's items, without headers. The statuses affect only the use of the cache. */
export const itemCount = (text: string, statuses: StatusRegistry = builtIn): number =>
  readText(text, statuses).rows.filter(({ kind }) => kind === 'checkbox').length;

/** Reads texts with these statuses; `newId` makes the persistent ids of new rows. */
export const readerBy = (statuses: StatusRegistry, newId: () => string): Reader => ({
  read: (text, like) => readText(text, statuses, like),
  newId,
});

/** Ids as this server makes them, that a client gave the rows of a text: '' for a row without one, or with another's. */
export function lastingIds(ids: readonly string[], text: string, statuses: StatusRegistry): string[] | undefined {
  if (ids.length !== readText(text, statuses).rows.length) return undefined;
  const seenIds = new Set<string>();
  return ids.map(id => {
    if (!/^[\w-]{8}$/.test(id) || seenIds.has(id)) return '';
    seenIds.add(id);
    return id;
  });
}

/** Fills the missing ids of rows with the ids in `otherIds` if they are free, else with new ids. */
export function completeIds(ids: readonly string[], newId: () => string, otherIds: readonly string[] = []): string[] {
  const usedIds = new Set(ids);
  return ids.map((id, index) => {
    if (id !== '') return id;
    const other = otherIds[index] ?? '';
    if (other === '' || usedIds.has(other)) return newId();
    usedIds.add(other);
    return other;
  });
}
