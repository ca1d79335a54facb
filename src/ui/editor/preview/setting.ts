import * as v from 'valibot';
import { createShelf, keyOf, openStorage } from '../../../client/shelf.ts';
import { edition } from '../../../domain/edition.ts';
import { readAs } from '../../../domain/shape.ts';

/** How the preview stands beside the text. */
export interface PreviewSetting {
  open: boolean;
  /** Percent of the room that text and preview share. */
  width: number;
}

export const WIDTH_LEAST = 20;
export const WIDTH_MOST = 70;

const key = keyOf(`${edition.key}.preview`);
const shape = v.object({
  open: v.boolean(),
  width: v.pipe(v.number(), v.minValue(WIDTH_LEAST), v.maxValue(WIDTH_MOST)),
});
const initial: PreviewSetting = { open: false, width: 40 };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As the browser remembers it; closed, and two fifths wide, where it does not. */
export const readSetting = (storage = openStorage()): PreviewSetting =>
  readAs(shape, parsed(createShelf(storage).get(key) ?? '')) ?? initial;

/** Has the browser remember it, if it will. */
export const keepSetting = (setting: PreviewSetting, storage = openStorage()): void =>
  void createShelf(storage).set(key, JSON.stringify(setting));
