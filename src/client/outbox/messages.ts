import type { ChecklistChange } from '../../domain/edits.ts';
import { failures } from '../../domain/messages.ts';

const kinds: Record<Exclude<ChecklistChange['kind'], 'changeChecklistItems'>, string> = {
  updateChecklistFromText: failures.updateChecklist,
  addChecklistItemsFromText: failures.addItem,
  setItemStatus: failures.updateChecklist,
  updateChecklistItem: failures.updateChecklist,
  deleteChecklistItem: failures.deleteItem,
  moveChecklistItem: failures.moveItem,
  clearChecklist: failures.clearChecklist,
  applyTemplateToChecklist: failures.updateChecklist,
  applyDemoTemplateToChecklist: failures.updateChecklist,
  convertItemToIssue: failures.updateChecklist,
  restoreChecklistRevision: failures.updateChecklist,
};

/** What is said when a change fails, unless it was refused in words of its own (spec §8). */
export function changeFailure(change: ChecklistChange): string {
  if (change.kind !== 'changeChecklistItems') return kinds[change.kind];
  const deletes = change.edits.every(({ kind }) => kind === 'deleteChecklistItem');
  return deletes ? failures.deleteItem : failures.updateChecklist;
}
