import { refusals, settings } from '../../domain/messages.ts';
import { noPermissions, type PermissionFlags, permissionFlags } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import { grantedInProjects, grantedOnSite } from '../platform/tracker/permissions.ts';
import { findProject } from '../platform/tracker/projects.ts';

/** An account's permissions in a project, loaded from the tracker; none in a project that is not visible to it. */
export async function flagsInProject(caller: Caller, tracker: Tracker, project: string): Promise<PermissionFlags> {
  return (await flagsInProjects(caller, tracker, [project])).get(project) ?? noPermissions;
}

/** Rejects with `Refused` if a project does not exist, or is hidden from the app. Asks the tracker about each. */
export async function requireKnownProjects(tracker: Tracker, projects: readonly string[]): Promise<void> {
  for (const project of projects) {
    const knownProject = isIssueId(project) && (await findProject(tracker, project, []));
    if (!knownProject) throw new Refused('NOT_FOUND', settings.noProject, 'projectIds');
  }
}

const MAX_PROJECTS_PER_CALL = 500;

/** An account's flags in several projects, by project id. Unknown projects are left out. */
export async function flagsInProjects(
  caller: Caller,
  tracker: Tracker,
  projects: readonly string[],
): Promise<ReadonlyMap<string, PermissionFlags>> {
  const flags = new Map<string, PermissionFlags>();
  const askedProjects = caller.account === anonymous.id ? [] : projects.filter(isIssueId);
  const { manage_permissions_enabled, view_permissions_enabled } = caller.tenant.settings;
  const settings = { manageEnabled: manage_permissions_enabled, viewEnabled: view_permissions_enabled };
  for (let from = 0; from < askedProjects.length; from += MAX_PROJECTS_PER_CALL) {
    const some = askedProjects.slice(from, from + MAX_PROJECTS_PER_CALL);
    for (const [index, granted] of (await grantedInProjects(tracker, caller, some)).entries()) {
      const projectFlags = permissionFlags(granted, settings);
      const isVisible = granted.has('BROWSE_PROJECTS') || projectFlags.canManageTemplates;
      flags.set(some[index] ?? '', isVisible ? projectFlags : noPermissions);
    }
  }
  return flags;
}

export async function isSiteAdmin(caller: Caller, tracker: Tracker): Promise<boolean> {
  if (caller.account === anonymous.id) return false;
  const granted = await grantedOnSite(tracker, caller);
  return permissionFlags(granted, { manageEnabled: true, viewEnabled: true }).isAdmin;
}

/**
 * Rejects with `Refused` unless the caller administers the site (`null`), or manages the templates of the project.
 */
export async function requireAdmin(caller: Caller, tracker: Tracker, project: string | null): Promise<void> {
  if (project === null) {
    if (!(await isSiteAdmin(caller, tracker))) throw new Refused('FORBIDDEN', refusals.permission);
    return;
  }
  const { canManageTemplates } = await flagsInProject(caller, tracker, project);
  if (!canManageTemplates) throw new Refused('FORBIDDEN', refusals.projectAdmin);
}

/**
 * Rejects with `Refused` unless the caller administers the site, or each of these projects; none stands for all of the site.
 * Resolves with whether the caller administers the site. At most two calls, of which the second is for all projects.
 */
export async function requireProjects(caller: Caller, tracker: Tracker, projects: readonly string[]): Promise<boolean> {
  if (await isSiteAdmin(caller, tracker)) return true;
  if (projects.length === 0) throw new Refused('FORBIDDEN', refusals.permission);
  const flags = await flagsInProjects(caller, tracker, projects);
  if (!projects.every(project => flags.get(project)?.canManageTemplates)) {
    throw new Refused('FORBIDDEN', refusals.projectAdmin);
  }
  return false;
}
