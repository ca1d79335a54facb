import type { GenericSchema, InferOutput } from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readAs, readJson } from '../domain/shape.ts';
import { keyOf, openStorage, safeStorage } from './browser-storage.ts';

/** Something that somebody prefers in this browser, as long as it keeps that. */
export interface Choice<Value> {
  /** `undefined` when nothing was chosen, nothing is kept, or what is kept has another shape. */
  read(): Value | undefined;
  keep(value: Value): void;
}

/** One person's choice of that name, kept as JSON. */
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
