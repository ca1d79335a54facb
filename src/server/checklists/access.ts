import type { ChecklistChange } from '../../domain/edits.ts';
import { refusals, storage } from '../../domain/messages.ts';
import { type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import type { Caller } from '../connect/tokens.ts';
import { Refused } from '../refused.ts';
import type { Tracker } from '../tracker/client.ts';
import { isIssueId, readProject, SERVICE_PROJECT } from '../tracker/issue.ts';
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
  // And the account's own permission to create issues.
  convertItemToIssue: 'canEditChecklist',
};

/** The flags that a change needs: its kind's, and where a template takes the place of rows, that of deleting them. */
export const flagsFor = (change: ChecklistChange): (keyof PermissionFlags)[] =>
  'mode' in change && change.mode === 'REPLACE'
    ? [neededFor[change.kind], 'canDeleteChecklistItems']
    : [neededFor[change.kind]];

/** Rejects with `Refused` unless the caller has the flag on the issue, by the tracker's own answer. */
export type Access = (caller: Caller, tracker: Tracker, issueId: string, flag: keyof PermissionFlags) => Promise<void>;

/** What the tracker says of an account and an issue. */
interface Answer {
  granted: ReadonlySet<string>;
  /** It may see the issue: by permission, or as a customer in the portal. */
  sees: 'issue' | 'request' | 'nothing';
}

/** Milliseconds for which an answer of the tracker is believed. */
const KEPT = 10_000;
const MOST = 10_000;

async function ask({ account, issue }: Caller, tracker: Tracker, issueId: string): Promise<Answer> {
  const granted = await grantedPermissions(tracker, account, issueId);
  if (granted.has('BROWSE_PROJECTS')) return { granted, sees: 'issue' };
  // Customers of a service project use no more of the tracker than its portal, so it grants them nothing. That the
  // tracker framed us with this very request for this account proves that the portal shows it to him.
  const shown = issue === issueId && (await readProject(tracker, issueId)).type === SERVICE_PROJECT;
  return { granted, sees: shown ? 'request' : 'nothing' };
}

export function createAccess(now: () => number = Date.now): Access {
  const answers = new Map<string, { until: number; answer: Answer }>();

  async function answerFor(caller: Caller, tracker: Tracker, issueId: string): Promise<Answer> {
    // Without an account the tracker would answer for the add-on itself.
    if (caller.account === anonymous.id) return { granted: new Set(), sees: 'nothing' };
    const { tenant, account, issue } = caller;
    const key = JSON.stringify([tenant.id, tenant.epoch, account, issueId, issue === issueId]);
    const known = answers.get(key);
    if (known && known.until > now()) return known.answer;
    const answer = await ask(caller, tracker, issueId);
    answers.delete(key);
    const oldest = answers.keys().next();
    if (answers.size >= MOST && !oldest.done) answers.delete(oldest.value);
    answers.set(key, { until: now() + KEPT, answer });
    return answer;
  }

  return async (caller, tracker, issueId, flag) => {
    if (!isIssueId(issueId)) throw new Refused('NOT_FOUND', storage.issueNotFound);
    const { granted, sees } = await answerFor(caller, tracker, issueId);
    if (sees === 'nothing') throw new Refused('NOT_FOUND', storage.issueNotFound);
    const { manage_permissions_enabled, view_permissions_enabled } = caller.tenant.settings;
    const flags = permissionFlags(granted, {
      manageEnabled: manage_permissions_enabled,
      viewEnabled: view_permissions_enabled,
    });
    const allowed = flags[flag] && (sees === 'issue' || flag === 'canViewChecklist');
    if (!allowed) throw new Refused('FORBIDDEN', refusals.permission);
  };
}
