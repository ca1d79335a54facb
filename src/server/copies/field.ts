import { FIELD_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { normalizedField } from '../checklists/read/stored.ts';
import { TrackerRefused } from '../errors/tracker.ts';
import { writeJson } from '../platform/json.ts';
import { hashText } from '../text-workers/hash.ts';

/** Identifies the app's own writes of the field. */
export const fieldMark = (text: string): string => hashText(normalizedField(text));

const offScreen = /not on the appropriate screen/i;
const tooLong = /CONTENT_LIMIT_EXCEEDED|too long/i;

/** Why a field write of the newest text can have no effect until something else changes; `undefined` for other refusals. */
export function fieldRefusal(error: TrackerRefused): 'screen' | 'size' | undefined {
  const reason = writeJson(error.body ?? '');
  if (offScreen.test(reason)) return 'screen';
  return tooLong.test(reason) ? 'size' : undefined;
}

/** The user's message for a field write of this size that the tracker refused. */
export function fieldNotice(error: TrackerRefused, size: number): string {
  const refusal = fieldRefusal(error);
  if (refusal === 'screen') return storage.fieldNotOnScreen;
  return refusal === 'size' ? storage.fieldTooLarge(size, FIELD_CAPACITY) : storage.fieldRefused;
}

/** Id of the field that mirrors a site's checklists, undefined if there is none; or why the tracker does not list its fields. */
export type FieldLookup = { id: string | undefined; refusal?: undefined } | { id?: undefined; refusal: TrackerRefused };

/** Looks up the field. A refused lookup concerns the field alone: the property is read and written without it. */
export async function lookUpField({ field }: { field(): Promise<string | undefined> }): Promise<FieldLookup> {
  try {
    return { id: await field() };
  } catch (error) {
    if (error instanceof TrackerRefused && error.status >= 300) return { refusal: error };
    throw error;
  }
}
