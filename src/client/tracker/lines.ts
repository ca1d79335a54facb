import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { type IssueLine, lineFields, parseLine } from '../../domain/issue.ts';
import { call } from './call.ts';

const pageShape = v.object({ issues: v.array(v.unknown()) });

/** Issues by id, at most a hundred, as the user. Missing and hidden ones are left out. */
export async function getLines(
  bridge: HostBridge,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, IssueLine>> {
  if (ids.length === 0) return new Map();
  const answer = await call(bridge, '/rest/api/3/issue/bulkfetch', {
    method: 'POST',
    json: { issueIdsOrKeys: [...ids], fields: [...lineFields] },
    ...(signal && { signal }),
  });
  const lines = v.parse(pageShape, answer).issues.flatMap(value => parseLine(value) ?? []);
  return new Map(lines.map(line => [line.id, line]));
}
