import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { allPermissionKeys, fallbackPermissionKeys, permissionKey } from '../../domain/permissions.ts';
import { isAnswer, TrackerError } from '../errors.ts';
import { call } from './call.ts';

/** The scope of a permission query: the issue if known, else the project, else the site. */
export type Scope = { issueKey: string } | { projectKey: string } | Record<string, never>;

const shape = v.object({ permissions: v.record(v.string(), v.object({ havePermission: v.boolean() })) });

/** A tracker that does not know our own keys yet, such as just after installing, refuses all of them. */
const unrecognized = (error: unknown) =>
  error instanceof TrackerError && error.text.includes('Unrecognized permission');

/** The site's keys of our permissions, by module, if they differ from the app's. */
export type SiteKeys = Readonly<Record<string, string>>;

/** The site's key of a permission, by the app's key. */
export function siteNames(siteKeys: SiteKeys): (key: string) => string {
  const names = new Map(Object.entries(siteKeys).map(([module, key]) => [permissionKey(module), key]));
  return key => names.get(key) ?? key;
}

/** Asks for all keys, and for the tracker's own alone if it does not know ours. */
export const askAll = <T>(ask: (keys: readonly string[]) => Promise<T>): Promise<T> =>
  ask(allPermissionKeys).catch(error => {
    if (unrecognized(error)) return ask(fallbackPermissionKeys);
    throw error;
  });

/** The permission keys granted to the user; none if the tracker refuses. Rejects without an answer. */
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
  } catch (error) {
    if (isAnswer(error)) return new Set();
    throw error;
  }
}
