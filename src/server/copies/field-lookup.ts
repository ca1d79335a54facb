import { TrackerRefused } from '../errors/tracker.ts';

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
