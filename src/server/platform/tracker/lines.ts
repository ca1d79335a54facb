import * as v from 'valibot';
import { type IssueLine, lineFields, parseLine } from '../../../domain/issue.ts';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';
import { browserAddress, type CallTarget } from './endpoint.ts';

const pageShape = v.object({ issues: v.array(v.unknown()) });

/** Applies to one call. */
export const MAX_LINES_PER_CALL = 100;

/** Reads issues by id, at most `MAX_LINES_PER_CALL`, as the app. Missing issues are left out. */
export async function readLines(
  tracker: Tracker,
  tenant: CallTarget,
  ids: readonly string[],
): Promise<Map<string, IssueLine>> {
  if (ids.length === 0) return new Map();
  const answer = await tracker({
    name: 'readLines',
    method: 'POST',
    path: '/rest/api/3/issue/bulkfetch',
    json: { issueIdsOrKeys: ids, fields: lineFields },
  });
  if (answer.status !== 200) throw new TrackerRefused('readLines', answer);
  const lines = parseAs(pageShape, answer.body).issues.flatMap((value): IssueLine[] => {
    const line = parseLine(value);
    return line ? [{ ...line, type: { ...line.type, icon: browserAddress(tenant, line.type.icon) } }] : [];
  });
  return new Map(lines.map(line => [line.id, line]));
}
