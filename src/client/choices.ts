import type { GenericSchema, InferOutput } from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readAs, readJson } from '../domain/shape.ts';
import { keyOf, openStorage, safeStorage } from './browser-storage.ts';

/** A user's preference, stored in this browser. */
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
