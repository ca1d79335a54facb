import type { GenericSchema, InferOutput } from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { edition } from '../domain/edition.ts';
import { readJson } from '../domain/json.ts';
import { readAs } from '../domain/shape.ts';
import { createShelf, keyOf, openStorage } from './browser-storage.ts';

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
  const shelf = createShelf(storage);
  const key = keyOf(`${edition.key}.choice`, tenant, account, name);
  return {
    read: () => readAs(shape, readJson(shelf.get(key) ?? '')),
    keep: value => void shelf.set(key, JSON.stringify(value)),
  };
}
