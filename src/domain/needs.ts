import type { ChecklistChange } from './edits.ts';
import type { PermissionFlags } from './permissions.ts';

/** Which flag a change needs (design.md §4); one that is made of others needs theirs. */
export const neededFor: Record<Exclude<ChecklistChange['kind'], 'changeChecklistItems'>, keyof PermissionFlags> = {
  updateChecklistFromText: 'canEditChecklist',
  addChecklistItemsFromText: 'canAddChecklistItems',
  setItemStatus: 'canChangeItemStatuses',
  updateChecklistItem: 'canEditChecklist',
  moveChecklistItem: 'canEditChecklist',
  deleteChecklistItem: 'canDeleteChecklistItems',
  clearChecklist: 'canDeleteChecklistItems',
  applyTemplateToChecklist: 'canImportTemplate',
  applyDemoTemplateToChecklist: 'canImportTemplate',
  restoreChecklistRevision: 'canEditChecklist',
  // And the account's own permission to create issues.
  convertItemToIssue: 'canEditChecklist',
};

/**
 * The flags that a change needs: its kind's, or those of all that it is made of; and where a template takes the place of
 * rows, that of deleting them.
 */
export function flagsFor(change: ChecklistChange): (keyof PermissionFlags)[] {
  if (change.kind === 'changeChecklistItems') return [...new Set(change.edits.map(({ kind }) => neededFor[kind]))];
  const replaces = 'mode' in change && change.mode === 'REPLACE';
  return replaces ? [neededFor[change.kind], 'canDeleteChecklistItems'] : [neededFor[change.kind]];
}

/** Whether somebody with these flags may make a change. */
export const mayMake = (flags: PermissionFlags, change: ChecklistChange): boolean =>
  flagsFor(change).every(flag => flags[flag]);
