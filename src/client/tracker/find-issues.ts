import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { type IssueSummary, parseIssue } from '../../domain/issue.ts';
import { readAs } from '../../domain/shape.ts';
import { call } from './call.ts';
import { getIssue } from './issues.ts';

/** The fields that an issue summary is read from. */
export const SUMMARY_FIELDS = ['summary', 'assignee', 'priority', 'status', 'issuetype'] as const;

/** The maximum number of suggestions. */
const MAX_SUGGESTIONS = 10;

const pickerShape = v.object({
  sections: v.array(v.object({ issues: v.optional(v.array(v.object({ key: v.string() })), []) })),
});
const searchShape = v.object({ issues: v.array(v.unknown()) });

const numberOf = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1));

/**
 * Issues whose key has this prefix, at most ten, the lower number first: suggestions of the tracker's picker, completed
 * by a second call.
 */
export async function findIssues(bridge: HostBridge, key: string, signal?: AbortSignal): Promise<IssueSummary[]> {
  const init = signal && { signal };
  const query = {
    query: key,
    // Without such a query the picker searches recently viewed issues only.
    currentJQL: 'ORDER BY updated DESC',
    showSubTasks: 'true',
    showSubTaskParent: 'true',
  };
  const sections = readAs(pickerShape, await call(bridge, '/rest/api/2/issue/picker', { query, ...init }))?.sections;
  const keys = [...new Set((sections ?? []).flatMap(({ issues }) => issues.map(issue => issue.key)))]
    .filter(found => found.startsWith(key) && /^[A-Z][A-Z0-9_]+-[1-9]\d*$/.test(found))
    .sort((one, other) => numberOf(one) - numberOf(other))
    .slice(0, MAX_SUGGESTIONS);
  if (keys.length === 0) return [];
  const answer = await call(bridge, '/rest/api/3/search/jql', {
    query: { jql: `key in (${keys.join(', ')})`, fields: SUMMARY_FIELDS.join(','), maxResults: String(keys.length) },
    ...init,
  });
  const issueOfKey = new Map(
    (readAs(searchShape, answer)?.issues ?? []).flatMap(value => {
      const issue = parseIssue(value);
      return issue ? [[issue.key, issue] as const] : [];
    }),
  );
  return keys.flatMap(known => issueOfKey.get(known) ?? []);
}

/** Reads an issue by key; `undefined` if the answer is invalid. */
export const getSummary = async (bridge: HostBridge, key: string): Promise<IssueSummary | undefined> =>
  parseIssue(await getIssue(bridge, key, SUMMARY_FIELDS));
