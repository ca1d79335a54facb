import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { call } from './call.ts';

const lineShape = v.pipe(
  v.object({
    id: v.string(),
    key: v.string(),
    fields: v.object({
      summary: v.nullish(v.string()),
      status: v.object({ name: v.string(), statusCategory: v.object({ colorName: v.string() }) }),
      issuetype: v.object({ name: v.string(), iconUrl: v.string() }),
      project: v.object({ id: v.string(), name: v.string() }),
    }),
  }),
  v.transform(({ id, key, fields: { summary, status, issuetype, project } }) => ({
    ...{ id, key, summary: summary ?? '', status: status.name, statusColor: status.statusCategory.colorName },
    ...{ type: issuetype.name, typeIcon: issuetype.iconUrl, projectId: project.id, projectName: project.name },
  })),
);
/** An issue in lists. `statusColor` is the tracker's name of the color. */
export type IssueLine = v.InferOutput<typeof lineShape>;

const pageShape = v.object({ issues: v.array(v.unknown()) });

/** Most issues of one call. */
export const MOST_LINES = 100;

/** Issues by id, at most `MOST_LINES`, as the user. Missing and hidden ones are left out. */
export async function getLines(
  bridge: HostBridge,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, IssueLine>> {
  if (ids.length === 0) return new Map();
  const answer = await call(bridge, '/rest/api/3/issue/bulkfetch', {
    method: 'POST',
    json: { issueIdsOrKeys: [...ids], fields: ['summary', 'status', 'issuetype', 'project'] },
    ...(signal && { signal }),
  });
  const lines = v.parse(pageShape, answer).issues.flatMap(value => readAs(lineShape, value) ?? []);
  return new Map(lines.map(line => [line.id, line]));
}
