import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { issuePath } from './issue.ts';

/** Project, type and history of an issue. */
export interface IssueHistory {
  project: string;
  type: string;
  created: Date;
  /** The last field changes; `to` is the new value's id, if it has one. */
  changes: readonly { at: Date; field: string; to: string | null }[];
}

/** A time in the format of the tracker, with an offset of any sign: `2026-09-01T09:30:00.000-0800`. */
const time = v.pipe(
  v.string(),
  v.transform(text => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
  v.date('Expected a time'),
);
const id = v.object({ id: v.string() });
const item = v.object({ field: v.string(), fieldId: v.optional(v.string()), to: v.nullish(v.string()) });
const historyShape = v.object({
  fields: v.object({ project: id, issuetype: id, created: time }),
  changelog: v.optional(v.object({ histories: v.array(v.object({ created: time, items: v.array(item) })) }), {
    histories: [],
  }),
});

/** Reads the history; `undefined` if there is no such issue. */
export async function readIssueHistory(tracker: Tracker, issue: string): Promise<IssueHistory | undefined> {
  const answer = await tracker({
    name: 'readIssueHistory',
    method: 'GET',
    path: issuePath(issue),
    query: { fields: 'project,issuetype,created', expand: 'changelog' },
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('readIssueHistory', answer);
  const { fields, changelog } = parseAs(historyShape, answer.body);
  return {
    project: fields.project.id,
    type: fields.issuetype.id,
    created: fields.created,
    changes: changelog.histories.flatMap(({ created, items }) =>
      items.map(({ field, fieldId, to }) => ({ at: created, field: fieldId ?? field, to: to ?? null })),
    ),
  };
}
