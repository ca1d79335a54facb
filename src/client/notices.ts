import * as v from 'valibot';
import type { HostBridge } from '../bridge/bridge.ts';
import { readAs } from '../domain/shape.ts';
import { storageKey } from '../domain/storage.ts';
import { getUserProperty, setUserProperty } from './tracker/properties.ts';

/** Where the tracker keeps which notices a person does not want to see again. */
const PROPERTY = storageKey('hide-notice');
const shape = v.array(v.string());

/** Most that are remembered, the last ones. */
const MOST = 100;

/** The notices that a person has hidden for good, by their names. */
export async function hiddenNotices(bridge: HostBridge, accountId: string): Promise<ReadonlySet<string>> {
  return new Set(readAs(shape, await getUserProperty(bridge, accountId, PROPERTY, [])) ?? []);
}

/** Hides a notice for good, on every device. Rejects when the tracker does not keep it. */
export async function hideNotice(bridge: HostBridge, accountId: string, notice: string): Promise<void> {
  const hidden = await hiddenNotices(bridge, accountId);
  if (hidden.has(notice)) return;
  await setUserProperty(bridge, accountId, PROPERTY, [...hidden, notice].slice(-MOST));
}
