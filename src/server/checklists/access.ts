import type { ChecklistChange } from '../../domain/edits.ts';
import { refusals, storage } from '../../domain/messages.ts';
import { type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import type { Caller } from '../connect/tokens.ts';
import { Refused } from '../refused.ts';
import type { Tracker } from '../tracker/client.ts';
import { isIssueId } from '../tracker/issue.ts';
import { grantedPermissions } from '../tracker/permissions.ts';

/** Which flag a change needs (design.md §4). */
export const neededFor: Record<ChecklistChange['kind'], keyof PermissionFlags> = {
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
};

/** The flags that a change needs: its kind's, and where a template takes the place of rows, that of deleting them. */
export const flagsFor = (change: ChecklistChange): (keyof PermissionFlags)[] =>
  'mode' in change && change.mode === 'REPLACE'
    ? [neededFor[change.kind], 'canDeleteChecklistItems']
    : [neededFor[change.kind]];

/** Rejects with `Refused` unless the caller has the flag on the issue, by the tracker's own answer. */
export type Access = (caller: Caller, tracker: Tracker, issueId: string, flag: keyof PermissionFlags) => Promise<void>;

/** Milliseconds for which an answer of the tracker is believed. */
const KEPT = 10_000;
const MOST = 10_000;

export function createAccess(now: () => number = Date.now): Access {
  const answers = new Map<string, { until: number; granted: ReadonlySet<string> }>();

  async function granted(caller: Caller, tracker: Tracker, issueId: string): Promise<ReadonlySet<string>> {
    const key = JSON.stringify([caller.tenant.id, caller.tenant.epoch, caller.account, issueId]);
    const known = answers.get(key);
    if (known && known.until > now()) return known.granted;
    const answer = await grantedPermissions(tracker, caller.account, issueId);
    answers.delete(key);
    const oldest = answers.keys().next();
    if (answers.size >= MOST && !oldest.done) answers.delete(oldest.value);
    answers.set(key, { until: now() + KEPT, granted: answer });
    return answer;
  }

  return async (caller, tracker, issueId, flag) => {
    if (!isIssueId(issueId)) throw new Refused('NOT_FOUND', storage.issueNotFound);
    // Without an account the tracker would answer for the add-on itself.
    const known = caller.account !== anonymous.id;
    const keys = known ? await granted(caller, tracker, issueId) : new Set<string>();
    if (!keys.has('BROWSE_PROJECTS')) throw new Refused('NOT_FOUND', storage.issueNotFound);
    const { manage_permissions_enabled, view_permissions_enabled } = caller.tenant.settings;
    const flags = permissionFlags(keys, {
      manageEnabled: manage_permissions_enabled,
      viewEnabled: view_permissions_enabled,
    });
    if (!flags[flag]) throw new Refused('FORBIDDEN', refusals.permission);
  };
}
