import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Checklist } from '../../text/types.ts';

/** Texts whose reading is kept: every step of a change looks at the same one or two, and the next change at those again. */
const MOST = 32;
const readings = new Map<string, Checklist>();

/**
 * Reads a text, once for all who look at it now. `like` is a text that it was made of: where that was read only what
 * differs is read anew.
 */
export function readText(text: string, statuses: StatusRegistry, like?: string): Checklist {
  const reading = readings.get(text);
  const known = reading?.statuses === statuses ? reading : undefined;
  // Again at the end: what was not asked for longest goes first.
  readings.delete(text);
  const checklist = known ?? readChecklist(text, statuses, like === undefined ? undefined : readings.get(like));
  const oldest = readings.keys().next();
  if (readings.size >= MOST && !oldest.done) readings.delete(oldest.value);
  readings.set(text, checklist);
  return checklist;
}
