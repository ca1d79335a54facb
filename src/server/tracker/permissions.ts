import * as z from 'zod';
import { allPermissionKeys, fallbackPermissionKeys } from '../../domain/permissions.ts';
import type { Tracker, TrackerAnswer } from './client.ts';
import { TrackerRefused } from './issue.ts';

const GLOBAL = ['ADMINISTER', 'SYSTEM_ADMIN'];

const answerShape = z.object({
  projectPermissions: z
    .array(z.object({ permission: z.string(), issues: z.array(z.number()).default([]) }))
    .default([]),
  globalPermissions: z.array(z.string()).default([]),
});

function ask(tracker: Tracker, accountId: string, issue: number, keys: readonly string[]): Promise<TrackerAnswer> {
  const permissions = keys.filter(key => !GLOBAL.includes(key));
  return tracker({
    name: 'checkPermissions',
    method: 'POST',
    path: '/rest/api/3/permissions/check',
    json: { accountId, projectPermissions: [{ permissions, issues: [issue] }], globalPermissions: GLOBAL },
  });
}

const unrecognized = ({ status, body }: TrackerAnswer) =>
  status === 400 && JSON.stringify(body ?? '').includes('Unrecognized permission');

function readAnswer({ body }: TrackerAnswer, id: number): ReadonlySet<string> {
  const { projectPermissions, globalPermissions } = answerShape.parse(body);
  const here = projectPermissions.filter(({ issues }) => issues.includes(id)).map(({ permission }) => permission);
  return new Set([...here, ...globalPermissions]);
}

/**
 * The permission keys that the tracker grants this account on this issue. Just after an installation it does not know
 * our own keys yet and refuses them all; then only its own are asked for.
 */
export async function grantedPermissions(
  tracker: Tracker,
  account: string,
  issue: string,
): Promise<ReadonlySet<string>> {
  const id = Number(issue);
  let answer = await ask(tracker, account, id, allPermissionKeys);
  if (unrecognized(answer)) answer = await ask(tracker, account, id, fallbackPermissionKeys);
  // An account or issue that the tracker does not know.
  if (answer.status === 400 || answer.status === 404) return new Set();
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  return readAnswer(answer, id);
}

/** Whether the account may itself create issues where this one is. */
export async function mayCreateIssues(tracker: Tracker, account: string, issue: string): Promise<boolean> {
  const id = Number(issue);
  const answer = await ask(tracker, account, id, ['CREATE_ISSUES']);
  return answer.status === 200 && readAnswer(answer, id).has('CREATE_ISSUES');
}
