import * as z from 'zod';
import { siteAdmin } from '../../src/tracker/site/people.ts';
import type { Acknowledged, Violation } from './model.ts';
import { type ChaosSite, cookieOf } from './site.ts';

const other = z.object({ key: z.string() });
const link = z.object({ inwardIssue: other.optional(), outwardIssue: other.optional() });
const read = z.object({
  fields: z.object({ subtasks: z.array(other).default([]), issuelinks: z.array(link).default([]) }),
});

/** Keys of the sub-tasks of an issue and of what is linked to it. */
export async function relatedTo({ tracker }: Pick<ChaosSite, 'tracker'>, issue: string): Promise<string[]> {
  const url = `/rest/api/2/issue/${issue}?fields=subtasks,issuelinks`;
  const answer = await tracker.app.inject({ url, headers: cookieOf(siteAdmin.accountId) });
  const { subtasks, issuelinks } = read.parse(answer.json()).fields;
  return [...subtasks, ...issuelinks.flatMap(each => each.inwardIssue ?? each.outwardIssue ?? [])].map(
    each => each.key,
  );
}

/**
 * What must hold of the issues that were made of one issue's items: for each conversion that was acknowledged there is
 * one, no two items share one, and there is none that nobody was told of.
 */
export function checkMade(
  issue: string,
  { before, after, changes }: { before: readonly string[]; after: readonly string[]; changes: readonly Acknowledged[] },
): { made: string[]; violations: Violation[] } {
  const violations: Violation[] = [];
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  const made = after.filter(key => !before.includes(key));
  const items = new Map<string, string>();
  for (const { converted, who } of changes) {
    if (!converted) continue;
    const { key, number } = converted;
    const owner = items.get(key) ?? number;
    items.set(key, owner);
    if (owner !== number) tell('one issue for two items', `${key} was made of row ${owner} and of row ${number}`);
    if (!made.includes(key)) tell('an issue that was made is not there', `${who} was told of ${key} for row ${number}`);
  }
  for (const key of made.filter(each => !items.has(each))) tell('an issue that nobody was told of', key);
  if (new Set(made).size !== made.length) tell('an issue is there twice', made.join(' '));
  return { made, violations };
}
