import * as z from 'zod';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { issuePath } from './issue.ts';

/** Project, type and history of an issue. */
export interface IssueHistory {
  project: string;
  type: string;
  created: Date;
  /** The last field changes; `to` is the new value's id, where it has one. */
  changes: readonly { at: Date; field: string; to: string | null }[];
}

/** A time in the format of the tracker: `2026-09-01T09:30:00.000+0000`. */
const time = z.string().transform((text, context) => {
  const date = new Date(text.replace(/\+(\d\d)(\d\d)$/, '+$1:$2'));
  if (Number.isNaN(date.getTime())) context.addIssue('not a time');
  return date;
});
const id = z.object({ id: z.string() });
const item = z.object({ field: z.string(), fieldId: z.string().optional(), to: z.string().nullish() });
const historyShape = z.object({
  fields: z.object({ project: id, issuetype: id, created: time }),
  changelog: z
    .object({ histories: z.array(z.object({ created: time, items: z.array(item) })) })
    .default({ histories: [] }),
});

/** Reads the history; `undefined` where there is no such issue. */
export async function readIssueHistory(tracker: Tracker, issue: string): Promise<IssueHistory | undefined> {
  const answer = await tracker({
    name: 'readIssueHistory',
    method: 'GET',
    path: issuePath(issue),
    query: { fields: 'project,issuetype,created', expand: 'changelog' },
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('readIssueHistory', answer);
  const { fields, changelog } = historyShape.parse(answer.body);
  return {
    project: fields.project.id,
    type: fields.issuetype.id,
    created: fields.created,
    changes: changelog.histories.flatMap(({ created, items }) =>
      items.map(({ field, fieldId, to }) => ({ at: created, field: fieldId ?? field, to: to ?? null })),
    ),
  };
}
