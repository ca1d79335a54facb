import { readChecklist } from '../read.ts';
import type { StatusRegistry } from '../status-registry.ts';
import type { Checklist } from '../types.ts';

let lastLine: Checklist | undefined;

/**
 * Reads one row's own text. Edits read it to see what a line would say, and then again to edit it further: the last
 * reading is kept.
 */
export function readLine(text: string, statuses: StatusRegistry): Checklist {
  if (lastLine?.text !== text || lastLine.statuses !== statuses) lastLine = readChecklist(text, statuses);
  return lastLine;
}
