import { refusals } from '../../../domain/messages.ts';
import { permissionFlags } from '../../../domain/permissions.ts';
import { anonymous } from '../../../domain/user.ts';
import type { Checklists } from '../../checklists/types.ts';
import type { Caller } from '../../connect/tokens.ts';
import { Refused } from '../../refused.ts';
import type { Tracker } from '../../tracker/client.ts';
import { isIssueId } from '../../tracker/issue.ts';
import { grantedInProject, grantedOnSite } from '../../tracker/permissions.ts';
import type { Scope } from './types.ts';

/**
 * Rejects with `Refused` unless the caller may run jobs there (design.md §4): on the site whoever administers it, in a
 * project whoever manages its templates, on an issue whoever edits its checklist.
 */
export async function requireScope(caller: Caller, tracker: Tracker, checklists: Checklists, scope: Scope) {
  if (caller.account === anonymous.id) throw new Refused('FORBIDDEN', refusals.permission);
  if (scope.kind === 'issue') {
    if (await checklists.allowed(scope.id, 'canEditChecklist')) return;
    throw new Refused('FORBIDDEN', refusals.permission);
  }
  const site = scope.kind === 'site';
  const refusal = new Refused('FORBIDDEN', site ? refusals.permission : refusals.projectAdmin);
  if (!site && !isIssueId(scope.id)) throw refusal;
  const granted = site
    ? await grantedOnSite(tracker, caller.account)
    : await grantedInProject(tracker, caller.account, scope.id);
  const { isAdmin, canManageTemplates } = permissionFlags(granted, { manageEnabled: true, viewEnabled: true });
  if (!(site ? isAdmin : canManageTemplates)) throw refusal;
}
