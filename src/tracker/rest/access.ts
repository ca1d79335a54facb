import type { Context } from '../context.ts';
import { type Caller, holds, isOwnRequest } from '../permissions.ts';
import type { Issue, Project } from '../site/model.ts';
import { findIssue, findProject, projectOf } from '../site/site.ts';
import { forbidden, issueNotFound, projectNotFound, unauthorized } from './errors.ts';

/** Lookups with access checks: inaccessible objects are not found. */

export function requireSignedIn(caller: Caller): void {
  if (caller.kind === 'anonymous') throw unauthorized();
}

export const maySee = ({ site }: Context, caller: Caller, issue: Issue): boolean =>
  holds(caller, 'BROWSE_PROJECTS', { issue, project: projectOf(site, issue) });

/** Whether a page shows the issue to the caller: the issue view, or the portal to a customer. */
export const isShown = (context: Context, caller: Caller, issue: Issue): boolean =>
  maySee(context, caller, issue) ||
  (caller.kind === 'person' && isOwnRequest(caller.person, { issue, project: projectOf(context.site, issue) }));

export const mayEdit = ({ site }: Context, caller: Caller, issue: Issue): boolean =>
  holds(caller, 'EDIT_ISSUES', { issue, project: projectOf(site, issue) });

/** By id or key, for the API or, with `isShown`, for a page. Throws 401 or 404. */
export function visibleIssue(context: Context, caller: Caller, idOrKey: string, sees = maySee): Issue {
  requireSignedIn(caller);
  const issue = findIssue(context.site, idOrKey);
  if (!issue || !sees(context, caller, issue)) throw issueNotFound();
  return issue;
}

/** Throws 401, 403 or 404. */
export function editableIssue(context: Context, caller: Caller, idOrKey: string): Issue {
  const issue = visibleIssue(context, caller, idOrKey);
  if (!mayEdit(context, caller, issue)) throw forbidden('You do not have permission to edit issues in this project.');
  return issue;
}

/** By id or key. Throws 401 or 404. */
export function visibleProject({ site }: Context, caller: Caller, idOrKey: string): Project {
  requireSignedIn(caller);
  const project = findProject(site, idOrKey);
  if (!project || !holds(caller, 'BROWSE_PROJECTS', { project })) throw projectNotFound(idOrKey);
  return project;
}
