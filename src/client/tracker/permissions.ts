import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { allPermissionKeys, fallbackPermissionKeys, isGlobal, permissionKey } from '../../domain/permissions.ts';
import { TrackerError } from '../errors.ts';
import { call } from './call.ts';

/** What the permissions apply to: the issue if known, else the project, else the site. */
export type Scope = { issueKey: string } | { projectKey: string } | Record<string, never>;

const shape = v.object({ permissions: v.record(v.string(), v.object({ havePermission: v.boolean() })) });

/** A tracker that does not know our own keys yet, such as just after installing, refuses all of them. */
const unrecognized = (error: unknown) =>
  error instanceof TrackerError && error.text.includes('Unrecognized permission');

/** The site's keys of our permissions, by module, where they differ from the app's. */
type SiteKeys = Readonly<Record<string, string>>;

/** The site's key of a permission, by the app's key. */
function siteNames(siteKeys: SiteKeys): (key: string) => string {
  const names = new Map(Object.entries(siteKeys).map(([module, key]) => [permissionKey(module), key]));
  return key => names.get(key) ?? key;
}

/** Asks for all keys, and for the tracker's own alone where it does not know ours. */
const askAll = <T>(ask: (keys: readonly string[]) => Promise<T>): Promise<T> =>
  ask(allPermissionKeys).catch(error => {
    if (unrecognized(error)) return ask(fallbackPermissionKeys);
    throw error;
  });

/** The permission keys granted to the user (spec §7, row 9); none where the answer is invalid. */
export async function getGranted(
  bridge: HostBridge,
  scope: Scope,
  siteKeys: SiteKeys = {},
): Promise<ReadonlySet<string>> {
  const nameOf = siteNames(siteKeys);
  const ask = async (keys: readonly string[]) => {
    const query = { permissions: keys.map(nameOf).join(','), ...scope };
    const { permissions } = v.parse(shape, await call(bridge, '/rest/api/2/mypermissions', { query }));
    return new Set(keys.filter(key => permissions[nameOf(key)]?.havePermission));
  };
  try {
    return await askAll(ask);
  } catch {
    return new Set();
  }
}

const heldShape = v.object({
  projectPermissions: v.array(v.object({ permission: v.string(), issues: v.optional(v.array(v.number()), []) })),
});

/** Maximum number of issues in one request. */
export const MOST_HELD = 1_000;

/**
 * The user's permission keys on each of these issues, by id, that the user may browse; at most `MOST_HELD`. Asked as the
 * user: that costs the app no points.
 */
export async function getHeld(
  bridge: HostBridge,
  issueIds: readonly string[],
  siteKeys: SiteKeys = {},
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const nameOf = siteNames(siteKeys);
  const issues = issueIds.map(Number);
  const { projectPermissions } = await askAll(async all => {
    const keys = all.filter(key => !isGlobal(key));
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
  const held = issueIds.map(id => [id, new Set(keysOn(id))] as const);
  return new Map(held.filter(([, keys]) => keys.has('BROWSE_PROJECTS')));
}
