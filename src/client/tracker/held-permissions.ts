import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { allPermissionKeys } from '../../domain/permissions.ts';
import { call } from './call.ts';
import { askAll, type SiteKeys, siteNames } from './permissions.ts';

/** Keys that apply to the site, not to an issue. */
const GLOBAL: readonly string[] = ['ADMINISTER', 'SYSTEM_ADMIN'];

const heldShape = v.object({
  projectPermissions: v.array(v.object({ permission: v.string(), issues: v.optional(v.array(v.number()), []) })),
});

/** Maximum number of issues in one request. */
export const MAX_PERMISSION_ISSUES = 1_000;

/**
 * The user's permission keys on each of these issues, by id, that the user may browse; at most `MAX_ASKED_ISSUES`. Asked as the
 * user: that costs the app no points.
 */
export async function getHeldPermissions(
  bridge: HostBridge,
  issueIds: readonly string[],
  siteKeys: SiteKeys = {},
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const nameOf = siteNames(siteKeys);
  const issues = issueIds.map(Number);
  const { projectPermissions } = await askAll(async all => {
    const keys = all.filter(key => !GLOBAL.includes(key));
    const json = { projectPermissions: [{ permissions: keys.map(nameOf), issues, projects: [] }] };
    const answer = await call(bridge, '/rest/api/3/permissions/check', {
      method: 'POST',
      json,
      ...(signal && { signal }),
    });
    return v.parse(heldShape, answer);
  });
  const granted = new Map(projectPermissions.map(({ permission, issues }) => [permission, new Set(issues)]));
  const keysOn = (id: string) => allPermissionKeys.filter(key => granted.get(nameOf(key))?.has(Number(id)));
  const heldKeys = issueIds.map(id => [id, new Set(keysOn(id))] as const);
  return new Map(heldKeys.filter(([, keys]) => keys.has('BROWSE_PROJECTS')));
}
