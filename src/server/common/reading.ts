import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { carry, type Identified, type Reader } from '../../text/identity.ts';
import { readChecklist } from '../../text/read.ts';
import { builtIn, type StatusRegistry } from '../../text/statuses.ts';
import type { Checklist } from '../../text/types.ts';

/** Texts whose reading is kept: every step of a change looks at the same one or two, and the next change at those again. */
const MOST = 32;
const readings = new LRUCache<string, Checklist>({ max: MOST });

/**
 * Reads a text, once for all who look at it now. `like` is a text that it was made of: where that was read only what
 * differs is read anew.
 */
export function readText(text: string, statuses: StatusRegistry, like?: string): Checklist {
  const reading = readings.get(text);
  const known = reading?.statuses === statuses ? reading : undefined;
  const checklist = known ?? readChecklist(text, statuses, like === undefined ? undefined : readings.get(like));
  readings.set(text, checklist);
  return checklist;
}

/** How many items a text has; headers are none. By which statuses it is read makes no difference but to speed. */
export const itemCount = (text: string, statuses: StatusRegistry = builtIn): number =>
  readText(text, statuses).rows.filter(({ kind }) => kind === 'checkbox').length;

/** Reads texts by these statuses, and gives new rows lasting ids. */
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
