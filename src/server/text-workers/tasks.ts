import { calledChange } from '../automation/actions.ts';
import { decision } from '../checklists/decide/decide.ts';
import { derivation, progressTask } from '../checklists/decide/derived.ts';
import { addedFindings } from '../checklists/decide/findings.ts';
import { baseSearch } from '../checklists/decide/nearest-base.ts';
import { excess } from '../checklists/decide/property.ts';
import { historyEntries, lastTouches } from '../checklists/read/history-entries.ts';
import { portalTask } from '../checklists/read/portal.ts';
import { digestTask } from '../events/notifications/digest.ts';
import { rowsView } from '../http/rest/view.ts';
import { conversion } from '../jobs/conversion.ts';
import { countedItems, havingStatus, joinedText, relabelledTexts, untickedText } from '../templates/text-tasks.ts';
import type { TextTask } from './task.ts';

const textTasks: readonly TextTask<never, unknown>[] = [
  // Changes of a checklist, and the data that is stored beside it.
  decision,
  baseSearch,
  addedFindings,
  derivation,
  excess,
  // Views of checklists.
  historyEntries,
  lastTouches,
  portalTask,
  progressTask,
  rowsView,
  digestTask,
  // Templates.
  countedItems,
  havingStatus,
  joinedText,
  relabelledTexts,
  untickedText,
  // Texts of other programs.
  calledChange,
  conversion,
];

/** All tasks of a worker thread, by name. */
export const tasks: ReadonlyMap<string, TextTask<never, unknown>> = new Map(textTasks.map(task => [task.name, task]));
