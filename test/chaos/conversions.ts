import * as v from 'valibot';
import { siteAdmin } from '../../src/tracker/site/people.ts';
import type { Acknowledged, Violation } from './model.ts';
import { type ChaosSite, cookieOf } from './site.ts';

const other = v.object({ key: v.string() });
const link = v.object({ inwardIssue: v.optional(other), outwardIssue: v.optional(other) });
const read = v.object({
  fields: v.object({ subtasks: v.optional(v.array(other), []), issuelinks: v.optional(v.array(link), []) }),
});

/** Keys of the sub-tasks of an issue and of what is linked to it. */
export async function relatedTo({ tracker }: Pick<ChaosSite, 'tracker'>, issue: string): Promise<string[]> {
  const url = `/rest/api/2/issue/${issue}?fields=subtasks,issuelinks`;
  const answer = await tracker.app.inject({ url, headers: cookieOf(siteAdmin.accountId) });
  const { subtasks, issuelinks } = v.parse(read, answer.json()).fields;
  return [...subtasks, ...issuelinks.flatMap(each => each.inwardIssue ?? each.outwardIssue ?? [])].map(
    each => each.key,
  );
}

/**
 * Checks the issues made of one issue's items: one for each acknowledged conversion, no two items share one, and none
 * is unacknowledged.
 */
export function checkConversions(
  issue: string,
  { before, after, changes }: { before: readonly string[]; after: readonly string[]; changes: readonly Acknowledged[] },
): { made: string[]; violations: Violation[] } {
  const violations: Violation[] = [];
  const report = (what: string, detail: string) => violations.push({ what, issue, detail });
  const made = after.filter(key => !before.includes(key));
  const items = new Map<string, string>();
  for (const { converted, who } of changes) {
    if (!converted) continue;
    const { key, number } = converted;
    const owner = items.get(key) ?? number;
    items.set(key, owner);
    if (owner !== number) report('one issue for two items', `${key} was made of row ${owner} and of row ${number}`);
    if (!made.includes(key))
      report('an issue that was made is not there', `${who} was told of ${key} for row ${number}`);
  }
  for (const key of made.filter(each => !items.has(each))) report('an unacknowledged issue', key);
  if (new Set(made).size !== made.length) report('an issue is there twice', made.join(' '));
  return { made, violations };
}
