import * as z from 'zod';
import { FIELD_NAME } from '../../domain/storage.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import { fieldText } from './site.ts';

/**
 * Where Issue Checklist keeps a checklist that others may read (its documentation, "Custom fields" and "Entity
 * properties"): in a field as text, in one without descriptions, and in a property with the items' lines.
 */
const FIELD_NAMES = [FIELD_NAME, `${FIELD_NAME} (view-only)`];
export const RIVAL_PROPERTY = 'checklist';

const propertyShape = z.object({
  items: z.union([z.string(), z.array(z.string()).transform(lines => lines.join('\n'))]),
});

/** The fields of those names that are not ours, the fullest first. */
export const rivalFields = (fields: readonly TrackerField[]): string[] =>
  FIELD_NAMES.flatMap(name => fields.filter(field => field.name === name && !field.own).map(({ id }) => id));

/** The rival's text of an issue: from its fields, else from its property. */
export function rivalText(issue: FoundIssue, fields: readonly string[]): string | undefined {
  const inField = fields.map(field => fieldText(issue.fields[field])).find(text => text !== undefined);
  if (inField !== undefined) return inField;
  return fieldText(propertyShape.safeParse(issue.properties[RIVAL_PROPERTY]).data?.items);
}
