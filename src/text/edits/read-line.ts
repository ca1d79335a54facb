import { readChecklist } from '../read.ts';
import { builtIn, type StatusRegistry } from '../status-registry.ts';
import type { Checklist } from '../types.ts';

let last: Checklist | undefined;

/** Reads a line, which edits do to see what it would say. The next edit of the line finds it read. */
export function readLine(text: string, statuses: StatusRegistry = builtIn): Checklist {
  if (last?.text !== text || last.statuses !== statuses) last = readChecklist(text, statuses);
  return last;
}
