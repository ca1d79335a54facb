import * as v from 'valibot';
import { byName, parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { CHECKLIST_PROPERTIES, checklistsIn, isServiceIn, projectIn, type TrackerIssue } from './issue.ts';

const issuesShape = v.object({
  issues: v.array(v.object({ id: v.string(), fields: byName, properties: byName })),
});

/** The tracker's limit of one call. */
export const MAX_ISSUES = 100;

/**
 * Reads the app's properties and these fields of issues, by id, at most `MAX_ISSUES`. Missing issues are left out.
 */
export async function readIssues(
  tracker: Tracker,
  ids: readonly string[],
  fields: readonly { id: string; name: string }[],
): Promise<Map<string, TrackerIssue>> {
  if (ids.length === 0) return new Map();
  const answer = await tracker({
    name: 'readIssues',
    method: 'POST',
    path: '/rest/api/2/issue/bulkfetch',
    json: {
      issueIdsOrKeys: ids,
      fields: ['project', ...fields.map(({ id }) => id)],
      properties: CHECKLIST_PROPERTIES,
    },
  });
  if (answer.status !== 200) throw new TrackerRefused('readIssues', answer);
  const { issues } = parseAs(issuesShape, answer.body);
  return new Map(
    issues.map(({ id, fields: values, properties }) => [
      id,
      {
        ...checklistsIn(properties),
        project: projectIn(values),
        service: isServiceIn(values),
        fields: fields.map(field => ({ ...field, value: values[field.id] })),
      },
    ]),
  );
}
