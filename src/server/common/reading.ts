import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { carry, type Identified, type Reader } from '../../text/identity.ts';
import { readChecklist } from '../../text/read.ts';
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
export function readText(text: string, statuses: StatusRegistry, like?: string): Checklist {
  const reading = readings.get(text);
  const known = reading?.statuses === statuses ? reading : undefined;
  const checklist = known ?? readChecklist(text, statuses, like === undefined ? undefined : readings.get(like));
  readings.set(text, checklist);
  return checklist;
}

/** Counts a text's items, without headers. The statuses affect only the use of the cache. */
export const itemCount = (text: string, statuses: StatusRegistry = builtIn): number =>
  readText(text, statuses).rows.filter(({ kind }) => kind === 'checkbox').length;

/** Reads texts with these statuses, and generates persistent ids of new rows. */
export const readerBy = (statuses: StatusRegistry): Reader => ({
  read: (text, like) => readText(text, statuses, like),
  newId: () => randomBytes(6).toString('base64url'),
});

/** The rows' ids after a change, see `carry`. */
export const carryRows = (
  before: Identified,
  after: string,
  statuses: StatusRegistry,
  earlier: readonly Identified[] = [],
): string[] => carry(before, after, earlier, readerBy(statuses));
