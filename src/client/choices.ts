import { edition } from '../domain/edition.ts';
import type { Owner } from './owner.ts';
import { createShelf, keyOf, openStorage } from './shelf.ts';

/** Something that somebody switches on or off in this browser, as long as it keeps that. */
export interface Choice {
  /** `undefined` when nothing was chosen, or nothing is kept. */
  read(): boolean | undefined;
  keep(on: boolean): void;
}

/** One person's choice of that name. */
export function openChoice({ tenant, account }: Owner, name: string, storage = openStorage()): Choice {
  const shelf = createShelf(storage);
  const key = keyOf(`${edition.key}.choice`, tenant, account, name);
  return {
    read: () => {
      const kept = shelf.get(key);
      return kept === 'true' ? true : kept === 'false' ? false : undefined;
    },
    keep: on => void shelf.set(key, String(on)),
  };
}
