import * as z from 'zod';
import { addonPermissions, permissionKey } from '../../../domain/permissions.ts';
import type { Tracker } from '../tracker/client.ts';

const shape = z.object({ permissions: z.record(z.string(), z.unknown()) });

/**
 * The site's keys of our permissions, by module: those of Connect where the app was one there, else those that Forge makes
 * (`ari:cloud:ecosystem::extension/{app}/{environment}/static/{module}`). `undefined` while the site does not know them.
 */
export async function readPermissionNames(
  tracker: Tracker,
  app: { appId: string; environmentId: string | undefined },
): Promise<Record<string, string> | undefined> {
  const { body } = await tracker({ name: 'readPermissions', method: 'GET', path: '/rest/api/3/permissions' });
  const keys = Object.keys(shape.safeParse(body).data?.permissions ?? {});
  // A site may have the app of two environments.
  const own = `ari:cloud:ecosystem::extension/${app.appId.split('/').at(-1)}/${app.environmentId ?? ''}`;
  const named = Object.values(addonPermissions).flatMap(module => {
    const connect = permissionKey(module);
    const key = keys.find(each => each === connect || (each.startsWith(own) && each.endsWith(`/static/${module}`)));
    return key === undefined ? [] : [[module, key] as const];
  });
  return named.length === Object.keys(addonPermissions).length ? Object.fromEntries(named) : undefined;
}
