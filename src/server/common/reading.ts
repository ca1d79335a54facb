import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { carrying, type Identified, type Reader } from '../../text/identity.ts';
import { reading } from '../../text/read.ts';
import { finish, type Sliced } from '../../text/sliced.ts';
import { builtIn, type StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';

/**
 * Most cached texts, and most characters in them: a change reads one or two, a foreign one the last hundred revisions.
 * Readings of texts that were made of each other share their rows.
 */
const MOST = 256;
const CHARACTERS = 2_000_000;
const readings = new LRUCache<string, Checklist>({
  max: MOST,
  maxSize: CHARACTERS,
  sizeCalculation: ({ text }) => text.length + 1,
});

/**
 * Reads a text, with a cache. `like` is its base: where that is cached, only the difference is read.
 */
export const readText = (...given: Parameters<typeof readingText>): Checklist => finish(readingText(...given));

/** The same in parts; what needs the reading next finds it in the cache. */
export function* readingText(text: string, statuses: StatusRegistry, like?: string): Sliced<Checklist> {
  const last = readings.get(text);
  const known = last?.statuses === statuses ? last : undefined;
  const checklist = known ?? (yield* reading(text, statuses, like === undefined ? undefined : readings.get(like)));
  readings.set(text, checklist);
  return checklist;
}

/** Counts a text's items, without headers. The statuses affect only the use of the cache. */
export const itemCount = (text: string, statuses: StatusRegistry = builtIn): number =>
  readText(text, statuses).rows.filter(({ kind }) => kind === 'checkbox').length;

/** Reads texts with these statuses, and generates persistent ids of new rows. */
export const readerBy = (statuses: StatusRegistry): Reader => ({
  read: (text, like) => readText(text, statuses, like),
  reading: (text, like) => readingText(text, statuses, like),
  newId,
});

/** Bytes of an id, and how many ids are drawn at once: each drawing costs as much as a row's reading. */
const ID = 6;
const DRAWN = 256;
let [drawn, used] = [Buffer.alloc(0), 0];

function newId(): string {
  if (used === drawn.length) [drawn, used] = [randomBytes(ID * DRAWN), 0];
  used += ID;
  return drawn.toString('base64url', used - ID, used);
}

/** Ids as this server makes them, that a client gave the rows of a text: '' for a row without one, or with another's. */
export function lastingIds(ids: readonly string[], text: string, statuses: StatusRegistry): string[] | undefined {
  if (ids.length !== readText(text, statuses).rows.length) return undefined;
  const seen = new Set<string>();
  return ids.map(id => {
    if (!/^[\w-]{8}$/.test(id) || seen.has(id)) return '';
    seen.add(id);
    return id;
  });
}

/** The ids with new ones for the rows that have none: those of `others`, as far as they are free. */
export function completeIds(ids: readonly string[], others: readonly string[] = []): string[] {
  const taken = new Set(ids);
  return ids.map((id, index) => {
    if (id !== '') return id;
    const other = others[index] ?? '';
    if (other === '' || taken.has(other)) return newId();
    taken.add(other);
    return other;
  });
}

/** The rows' ids after a change, see `carry`. */
export const carryRows = (...given: Parameters<typeof carryingRows>): string[] => finish(carryingRows(...given));

/** The same in parts. */
export function* carryingRows(
  before: Identified,
  after: string,
  statuses: StatusRegistry,
  earlier: readonly Identified[] = [],
  given?: readonly string[],
): Sliced<string[]> {
  yield* readingText(before.text, statuses);
  yield* readingText(after, statuses, before.text);
  return yield* carrying(before, after, earlier, readerBy(statuses), given);
}
