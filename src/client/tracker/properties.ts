import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { call } from './call.ts';

const userPath = (key = '') => `/rest/api/2/user/properties${key && `/${encodeURIComponent(key)}`}`;
const keysShape = v.object({ keys: v.array(v.object({ key: v.string() })) });
const valueShape = v.object({ value: v.unknown() });

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** A user's property, or the default when it is absent or empty. */
export async function getUserProperty(
  bridge: HostBridge,
  accountId: string,
  key: string,
  fallback: unknown,
): Promise<unknown> {
  const query = { accountId };
  const keys = readAs(keysShape, await call(bridge, userPath(), { query }))?.keys ?? [];
  if (!keys.some(entry => entry.key === key)) return fallback;
  const value = readAs(valueShape, await call(bridge, userPath(key), { query }))?.value;
  return isEmpty(value) ? fallback : value;
}

/** Sets a user's property. */
export async function setUserProperty(
  bridge: HostBridge,
  accountId: string,
  key: string,
  value: unknown,
): Promise<void> {
  await call(bridge, userPath(key), { method: 'PUT', query: { accountId }, json: value });
}
