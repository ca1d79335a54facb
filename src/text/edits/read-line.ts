import { readChecklist } from '../read.ts';
import { builtIn, type StatusRegistry } from '../status-registry.ts';
import type { Checklist } from '../types.ts';

let last: Checklist | undefined;

/** Reads a line as an edit would write it. The reading is cached for the next edit of the line. */
export function readLine(text: string, statuses: StatusRegistry = builtIn): Checklist {
  if (last?.text !== text || last.statuses !== statuses) last = readChecklist(text, statuses);
  return last;
}
