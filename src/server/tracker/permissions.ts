import * as z from 'zod';
import { allPermissionKeys, fallbackPermissionKeys } from '../../domain/permissions.ts';
import type { Tracker, TrackerAnswer } from './client.ts';
import { TrackerRefused } from './issue.ts';

const GLOBAL = ['ADMINISTER', 'SYSTEM_ADMIN'];

const ids = z.array(z.number()).default([]);
const answerShape = z.object({
  projectPermissions: z.array(z.object({ permission: z.string(), issues: ids, projects: ids })).default([]),
  globalPermissions: z.array(z.string()).default([]),
});

/** Where permissions are asked for, by id. */
type Where = { issues: [number] } | { projects: [number] } | 'site';

function ask(tracker: Tracker, accountId: string, where: Where, keys: readonly string[]): Promise<TrackerAnswer> {
  const permissions = keys.filter(key => !GLOBAL.includes(key));
  const projectPermissions = where === 'site' ? [] : [{ permissions, ...where }];
  return tracker({
    name: 'checkPermissions',
    method: 'POST',
    path: '/rest/api/3/permissions/check',
    json: { accountId, projectPermissions, globalPermissions: GLOBAL },
  });
}

const unrecognized = ({ status, body }: TrackerAnswer) =>
  status === 400 && JSON.stringify(body ?? '').includes('Unrecognized permission');

function readAnswer({ body }: TrackerAnswer, where: Where): ReadonlySet<string> {
  const { projectPermissions, globalPermissions } = answerShape.parse(body);
  const here = projectPermissions.filter(({ issues, projects }) => {
    if (where === 'site') return false;
    return 'issues' in where ? issues.includes(where.issues[0]) : projects.includes(where.projects[0]);
  });
  return new Set([...here.map(({ permission }) => permission), ...globalPermissions]);
}

async function granted(tracker: Tracker, account: string, where: Where): Promise<ReadonlySet<string>> {
  let answer = await ask(tracker, account, where, allPermissionKeys);
  if (unrecognized(answer)) answer = await ask(tracker, account, where, fallbackPermissionKeys);
  // An account, issue or project that the tracker does not know.
  if (answer.status === 400 || answer.status === 404) return new Set();
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  return readAnswer(answer, where);
}

/**
 * The permission keys that the tracker grants this account on this issue. Just after an installation it does not know
 * our own keys yet and refuses them all; then only its own are asked for.
 */
export const grantedPermissions = (tracker: Tracker, account: string, issue: string): Promise<ReadonlySet<string>> =>
  granted(tracker, account, { issues: [Number(issue)] });

/** Likewise in a project, by its id. */
export const grantedInProject = (tracker: Tracker, account: string, project: string): Promise<ReadonlySet<string>> =>
  granted(tracker, account, { projects: [Number(project)] });

/** Those over the whole site. */
export const grantedOnSite = (tracker: Tracker, account: string): Promise<ReadonlySet<string>> =>
  granted(tracker, account, 'site');

/** Whether the account may itself create issues where this one is. */
export async function mayCreateIssues(tracker: Tracker, account: string, issue: string): Promise<boolean> {
  const where: Where = { issues: [Number(issue)] };
  const answer = await ask(tracker, account, where, ['CREATE_ISSUES']);
  return answer.status === 200 && readAnswer(answer, where).has('CREATE_ISSUES');
}
