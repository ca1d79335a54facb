import * as z from 'zod';
import { edition } from '../../../domain/edition.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** Key of the descriptor's field module; the tracker names the field `{addonKey}__{moduleKey}`. */
const OWN_FIELD = `${edition.key}__checklist-text`;

const fieldsShape = z.array(
  z.object({
    id: z.string(),
    key: z.string().optional(),
    name: z.string(),
    custom: z.boolean().default(false),
    schema: z.object({ type: z.string() }).optional(),
  }),
);

/** A field of issues. */
export interface TrackerField {
  id: string;
  name: string;
  /** It is the app's own, from the descriptor. */
  own: boolean;
  /** It is a custom field with text. */
  text: boolean;
}

export async function listFields(tracker: Tracker): Promise<TrackerField[]> {
  const answer = await tracker({ name: 'listFields', method: 'GET', path: '/rest/api/2/field' });
  if (answer.status !== 200) throw new TrackerRefused('listFields', answer);
  return fieldsShape.parse(answer.body).map(({ id, key, name, custom, schema }) => {
    const own = key === OWN_FIELD;
    return { id, name, own, text: own || (custom && schema?.type === 'string') };
  });
}

/** Id of the app's own field, `undefined` until the tracker has created it. */
export async function findOwnField(tracker: Tracker): Promise<string | undefined> {
  return (await listFields(tracker)).find(({ own }) => own)?.id;
}
