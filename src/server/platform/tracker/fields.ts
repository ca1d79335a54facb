import * as v from 'valibot';
import { isOwnField, ownFields } from '../../../domain/automation/own-fields.ts';
import { edition } from '../../../domain/edition.ts';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** Key of the descriptor's field module; the tracker names the field `{addonKey}__{moduleKey}`. */
const OWN_FIELD_KEY = `${edition.key}__${ownFields.text}`;

const fieldsShape = v.array(
  v.object({
    id: v.string(),
    key: v.optional(v.string()),
    name: v.string(),
    custom: v.optional(v.boolean(), false),
    schema: v.optional(v.object({ type: v.string() })),
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
  return parseAs(fieldsShape, answer.body).map(({ id, key, name, custom, schema }) => {
    const isOwn = key === OWN_FIELD_KEY;
    const isText = custom && schema?.type === 'string' && !isOwnField(key ?? '');
    return { id, name, own: isOwn, text: isOwn || isText };
  });
}
