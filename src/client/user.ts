import type { HostBridge, HostContext } from '../bridge/bridge.ts';
import { type PermissionSettings, permissionFlags } from '../domain/permissions.ts';
import { anonymous, type User } from '../domain/user.ts';
import { getMyself } from './tracker/people.ts';
import { getGranted, type Scope } from './tracker/permissions.ts';

function scopeOf({ issueKey, projectKey }: HostContext): Scope {
  if (issueKey !== undefined) return { issueKey };
  return projectKey === undefined ? {} : { projectKey };
}

/** Who looks, and what they may do here; somebody whom the tracker does not name is anonymous. Never rejects. */
export async function loadUser(bridge: HostBridge, context: HostContext, settings: PermissionSettings): Promise<User> {
  try {
    const [{ accountId, key = accountId, displayName }, granted, site] = await Promise.all([
      getMyself(bridge),
      getGranted(bridge, scopeOf(context)),
      bridge.hostUrl('/'),
    ]);
    const flags = permissionFlags(granted, settings);
    return { id: accountId, key, name: displayName, domain: new URL(site).host, isAnonymous: false, ...flags };
  } catch {
    return anonymous;
  }
}
