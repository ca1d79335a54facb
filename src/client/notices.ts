import * as v from 'valibot';
import type { HostBridge } from '../bridge/bridge.ts';
import { readAs } from '../domain/shape.ts';
import { storageKey } from '../domain/storage.ts';
import { getUserProperty, setUserProperty } from './tracker/properties.ts';

const HIDDEN_NOTICES_PROPERTY = storageKey('hide-notice');
const shape = v.array(v.string());

/** The maximum number of names, the newest ones. */
const MAX_NOTICES = 100;

/** Names of the notices that the user has hidden permanently. */
export async function hiddenNotices(bridge: HostBridge, accountId: string): Promise<ReadonlySet<string>> {
  return new Set(readAs(shape, await getUserProperty(bridge, accountId, HIDDEN_NOTICES_PROPERTY, [])) ?? []);
}

/** Hides a notice permanently, on every device. Rejects when the tracker does not store it. */
export async function hideNotice(bridge: HostBridge, accountId: string, notice: string): Promise<void> {
  const hidden = await hiddenNotices(bridge, accountId);
  if (hidden.has(notice)) return;
  await setUserProperty(bridge, accountId, HIDDEN_NOTICES_PROPERTY, [...hidden, notice].slice(-MAX_NOTICES));
}
