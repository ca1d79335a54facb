import { refusals } from '../domain/messages.ts';
import { noPermissions, type PermissionFlags, permissionFlags } from '../domain/permissions.ts';
import { anonymous } from '../domain/user.ts';
import type { Caller } from './connect/tokens.ts';
import { Refused } from './refused.ts';
import type { Tracker } from './tracker/client.ts';
import { isIssueId } from './tracker/issue.ts';
import { grantedInProject, grantedOnSite } from './tracker/permissions.ts';

/** What an account may do in a project, by the tracker's own answer; nothing in one that it may not see. */
export async function flagsInProject(caller: Caller, tracker: Tracker, project: string): Promise<PermissionFlags> {
  if (caller.account === anonymous.id || !isIssueId(project)) return noPermissions;
  const granted = await grantedInProject(tracker, caller.account, project);
  const { manage_permissions_enabled, view_permissions_enabled } = caller.tenant.settings;
  const flags = permissionFlags(granted, {
    manageEnabled: manage_permissions_enabled,
    viewEnabled: view_permissions_enabled,
  });
  return granted.has('BROWSE_PROJECTS') || flags.canManageTemplates ? flags : noPermissions;
}

export async function isSiteAdmin(caller: Caller, tracker: Tracker): Promise<boolean> {
  if (caller.account === anonymous.id) return false;
  const granted = await grantedOnSite(tracker, caller.account);
  return permissionFlags(granted, { manageEnabled: true, viewEnabled: true }).isAdmin;
}

/**
 * Rejects with `Refused` unless the caller administers it (design.md §4): the site whoever administers that, a project
 * whoever manages its templates.
 */
export async function requireAdmin(caller: Caller, tracker: Tracker, project: string | null): Promise<void> {
  if (project === null) {
    if (!(await isSiteAdmin(caller, tracker))) throw new Refused('FORBIDDEN', refusals.permission);
    return;
  }
  const { canManageTemplates } = await flagsInProject(caller, tracker, project);
  if (!canManageTemplates) throw new Refused('FORBIDDEN', refusals.projectAdmin);
}
