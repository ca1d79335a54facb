import { calledChange, progressOfText } from '../automation/actions.ts';
import { decision } from '../checklists/decide/decide.ts';
import { derivation } from '../checklists/decide/derived.ts';
import { addedFindings } from '../checklists/decide/findings.ts';
import { baseSearch } from '../checklists/decide/nearest-base.ts';
import { excess } from '../checklists/decide/property.ts';
import { historyEntries, lastTouches } from '../checklists/history-entries.ts';
import { portalTask } from '../checklists/portal.ts';
import { progressTask } from '../checklists/summaries.ts';
import { conversion } from '../jobs/import.ts';
import { digestTask } from '../notifications/digest.ts';
import { rowsView } from '../rest/view.ts';
import { countedItems, havingStatus, joinedText, relabelled, unticked } from '../templates/text-tasks.ts';
import type { TextTask } from './task.ts';

const all: readonly TextTask<never, unknown>[] = [
  addedFindings,
  baseSearch,
  calledChange,
  conversion,
  countedItems,
  decision,
  derivation,
  digestTask,
  excess,
  havingStatus,
  historyEntries,
  joinedText,
  lastTouches,
  portalTask,
  progressOfText,
  progressTask,
  relabelled,
  rowsView,
  unticked,
];

/** All that a worker thread can compute, by name. */
export const tasks: ReadonlyMap<string, TextTask<never, unknown>> = new Map(all.map(task => [task.name, task]));
