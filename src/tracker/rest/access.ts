import type { Context } from '../context.ts';
import { type Caller, holds, isByApp, isOwnRequest } from '../permissions.ts';
import type { Issue, Project } from '../site/model.ts';
import { findIssue, findProject, projectOf, type Site } from '../site/site.ts';
import { badRequest, forbidden, issueNotFound, projectNotFound, unauthorized } from './errors.ts';

/** Lookups with access checks: inaccessible objects are not found. */

export function requireSignedIn(caller: Caller): void {
  if (caller.kind === 'anonymous') throw unauthorized();
}

/** Whether a data security policy keeps this call of an app from the project. */
const isBlocked = (caller: Caller, project: Project): boolean => project.apps === 'blocked' && isByApp(caller);

export const maySee = ({ site }: Context, caller: Caller, issue: Issue): boolean => {
  const project = projectOf(site, issue);
  return !isBlocked(caller, project) && holds(caller, 'BROWSE_PROJECTS', { issue, project });
};

const blockedCalls = new WeakMap<Site, number>();

/** Throws 403 and 404 in turn for a blocked app: what the vendor answers is not documented. */
function requireUnblocked(site: Site, caller: Caller, project: Project, notFound: () => Error): void {
  if (!isBlocked(caller, project)) return;
  const calls = (blockedCalls.get(site) ?? 0) + 1;
  blockedCalls.set(site, calls);
  throw calls % 2 === 1 ? forbidden('The app is blocked in this project by a data security policy.') : notFound();
}

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
  if (issue) requireUnblocked(context.site, caller, projectOf(context.site, issue), issueNotFound);
  if (!issue || !sees(context, caller, issue)) throw issueNotFound();
  return issue;
}

/** Throws 401, 403 or 404. */
export function editableIssue(context: Context, caller: Caller, idOrKey: string): Issue {
  const issue = visibleIssue(context, caller, idOrKey);
  if (!mayEdit(context, caller, issue)) throw forbidden('You do not have permission to edit issues in this project.');
  if (issue.isArchived) throw badRequest('The issue is archived and can only be read.');
  return issue;
}

/** By id or key. Throws 401 or 404. */
export function visibleProject({ site }: Context, caller: Caller, idOrKey: string): Project {
  requireSignedIn(caller);
  const project = findProject(site, idOrKey);
  if (project) requireUnblocked(site, caller, project, () => projectNotFound(idOrKey));
  if (!project || !holds(caller, 'BROWSE_PROJECTS', { project })) throw projectNotFound(idOrKey);
  return project;
}
