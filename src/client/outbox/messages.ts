import type { ChecklistChange } from '../../domain/edits.ts';
import { failures } from '../../domain/messages.ts';

/** What is said when a change fails, unless it was refused in words of its own (spec §8). */
export const changeFailures: Record<ChecklistChange['kind'], string> = {
  updateChecklistFromText: failures.updateChecklist,
  addChecklistItemsFromText: failures.addItem,
  setItemStatus: failures.updateChecklist,
  updateChecklistItem: failures.updateChecklist,
  deleteChecklistItem: failures.deleteItem,
  changeChecklistItems: failures.updateChecklist,
  moveChecklistItem: failures.moveItem,
  clearChecklist: failures.clearChecklist,
  applyTemplateToChecklist: failures.updateChecklist,
  applyDemoTemplateToChecklist: failures.updateChecklist,
  convertItemToIssue: failures.updateChecklist,
  restoreChecklistRevision: failures.updateChecklist,
};
