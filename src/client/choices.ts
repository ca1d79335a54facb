import type { GenericSchema, InferOutput } from 'valibot';
import type { HostBridge, Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readAs, readJson } from '../domain/shape.ts';
import { canStore, keyOf, openStorage, safeStorage } from './browser-storage.ts';

/** A value that a user chose or typed, stored in this browser. */
export interface Choice<Value> {
  /** `undefined` when nothing is stored, or a value of another shape. */
  read(): Value | undefined;
  keep(value: Value): void;
}

/** Opens a user's choice of that name, stored as JSON. */
export function openChoice<Shape extends GenericSchema>(
  { tenant, account }: Owner,
  name: string,
  shape: Shape,
  storage = openStorage(),
): Choice<InferOutput<Shape>> {
  const safe = safeStorage(storage);
  const key = keyOf(`${edition.key}.choice`, tenant, account, name);
  return {
    read: () => readAs(shape, readJson(safe.get(key) ?? '')),
    keep: value => void safe.set(key, JSON.stringify(value)),
  };
}

/**
 * Opens the user's preference of that name: a choice, in the host's cookies if the browser denies this frame its
 * storage. Rejects if the account is not known.
 */
export async function openPreference<Shape extends GenericSchema>(
  { owner, preferences }: Pick<HostBridge, 'owner' | 'preferences'>,
  name: string,
  shape: Shape,
  storage = openStorage(),
): Promise<Choice<InferOutput<Shape>>> {
  const user = await owner();
  if (canStore(storage)) return openChoice(user, name, shape, storage);
  const key = keyOf(user.tenant, user.account, name);
  let value = readAs(shape, readJson((await preferences.get(key)) ?? ''));
  return {
    read: () => value,
    keep: next => {
      value = next;
      void preferences.set(key, JSON.stringify(next));
    },
  };
}
