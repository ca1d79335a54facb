import * as z from 'zod';
import { edition } from '../../domain/edition.ts';
import type { Tracker } from './client.ts';
import { TrackerRefused } from './issue.ts';

/** Key of the descriptor's field module; the tracker names the field `{addonKey}__{moduleKey}`. */
const OWN_FIELD = `${edition.key}__checklist-text`;

const fieldsShape = z.array(z.object({ id: z.string(), key: z.string().optional() }));

/** The id of the field that our descriptor brings, `undefined` while the tracker has not made it. */
export async function findOwnField(tracker: Tracker): Promise<string | undefined> {
  const answer = await tracker({ name: 'listFields', method: 'GET', path: '/rest/api/2/field' });
  if (answer.status !== 200) throw new TrackerRefused('listFields', answer);
  return fieldsShape.parse(answer.body).find(({ key }) => key === OWN_FIELD)?.id;
}
