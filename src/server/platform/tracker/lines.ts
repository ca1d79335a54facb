import * as v from 'valibot';
import { parseAs, readAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { browserAddress, type Called } from './endpoint.ts';

const lineShape = v.object({
  id: v.string(),
  key: v.string(),
  fields: v.object({
    summary: v.nullish(v.string()),
    status: v.object({ name: v.string(), statusCategory: v.object({ colorName: v.string() }) }),
    issuetype: v.object({ name: v.string(), iconUrl: v.string() }),
    project: v.object({ id: v.string(), key: v.string(), name: v.string() }),
  }),
});
const pageShape = v.object({ issues: v.array(v.unknown()) });

/** An issue in lists. */
export interface IssueLine {
  id: string;
  key: string;
  summary: string;
  /** `color` is the tracker's name of the category's color. */
  status: { name: string; color: string };
  type: { name: string; icon: string };
  project: { id: string; key: string; name: string };
}

/** Most issues of one call. */
export const MOST_LINES = 100;

/** Reads issues by id, at most `MOST_LINES`, as the app. Missing ones are left out. */
export async function readLines(
  tracker: Tracker,
  tenant: Called,
  ids: readonly string[],
): Promise<Map<string, IssueLine>> {
  if (ids.length === 0) return new Map();
  const answer = await tracker({
    name: 'readLines',
    method: 'POST',
    path: '/rest/api/3/issue/bulkfetch',
    json: { issueIdsOrKeys: ids, fields: ['summary', 'status', 'issuetype', 'project'] },
  });
  if (answer.status !== 200) throw new TrackerRefused('readLines', answer);
  const lines = parseAs(pageShape, answer.body).issues.flatMap((value): IssueLine[] => {
    const line = readAs(lineShape, value);
    if (!line) return [];
    const { id, key, fields } = line;
    const { summary, status, issuetype, project } = fields;
    return [
      {
        ...{ id, key, summary: summary ?? '', project },
        status: { name: status.name, color: status.statusCategory.colorName },
        type: { name: issuetype.name, icon: browserAddress(tenant, issuetype.iconUrl) },
      },
    ];
  });
  return new Map(lines.map(line => [line.id, line]));
}
