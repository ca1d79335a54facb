import * as z from 'zod';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { browserAddress, type Called } from './endpoint.ts';

const lineShape = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string().nullish(),
    status: z.object({ name: z.string(), statusCategory: z.object({ colorName: z.string() }) }),
    issuetype: z.object({ name: z.string(), iconUrl: z.string() }),
    project: z.object({ id: z.string(), key: z.string(), name: z.string() }),
  }),
});
const pageShape = z.object({ issues: z.array(z.unknown()) });

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
  const lines = pageShape.parse(answer.body).issues.flatMap((value): IssueLine[] => {
    const parsed = lineShape.safeParse(value);
    if (!parsed.success) return [];
    const { id, key, fields } = parsed.data;
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
