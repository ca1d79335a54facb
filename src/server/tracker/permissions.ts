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
  if (answer.status === 400) answer = await ask(tracker, account, id, fallbackPermissionKeys);
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  const { projectPermissions, globalPermissions } = answerShape.parse(answer.body);
  const here = projectPermissions.filter(({ issues }) => issues.includes(id)).map(({ permission }) => permission);
  return new Set([...here, ...globalPermissions]);
}
