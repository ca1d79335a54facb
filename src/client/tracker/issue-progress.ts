import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import { builtIn, type StatusRegistry } from '../../text/status-registry.ts';
import type { Progress } from '../../text/types.ts';
import { call } from './call.ts';

/** An open or done item of an issue's checklist. */
export interface ProgressItem {
  words: string;
  checked: boolean;
  assignee?: string;
  dueDate?: string;
}

/** An issue with its checklist, as the tracker holds it. */
export interface IssueProgress {
  key: string;
  summary: string;
  progress: Progress;
  items: ProgressItem[];
}

/** The maximum number of issues that are read; the tracker gives them in pages. */
export const MAX_ISSUES = 300;
const ISSUES_PER_PAGE = 100;

const searchShape = v.object({
  issues: v.array(
    v.object({
      key: v.string(),
      fields: v.optional(
        v.object({ summary: v.nullish(v.string()), project: v.nullish(v.object({ id: v.string() })) }),
        {},
      ),
      properties: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
  nextPageToken: v.nullish(v.string()),
});
const progressShape = v.object({
  progress: v.object({ total: v.number(), checked: v.number(), percent: v.number(), mandatoryOpen: v.number() }),
});

/**
 * The checklists of issues that the user can see, by a query; `statusesOf` has the statuses of a project. Rejects with the
 * tracker's answer for an invalid query.
 */
export async function readIssueProgress(
  bridge: HostBridge,
  jql: string,
  statusesOf: (projectId: string) => Promise<StatusRegistry>,
  signal?: AbortSignal,
): Promise<{ issues: IssueProgress[]; hasMore: boolean }> {
  const property = storageKey('checklist');
  const issues: IssueProgress[] = [];
  let token: string | undefined;
  do {
    const query = {
      ...{ jql, fields: 'summary,project', properties: property, maxResults: String(ISSUES_PER_PAGE) },
      ...(token !== undefined && { nextPageToken: token }),
    };
    const answer = await call(bridge, '/rest/api/3/search/jql', { query, ...(signal && { signal }) });
    const page = readAs(searchShape, answer);
    for (const { key, fields, properties } of page?.issues ?? []) {
      const value = properties[property];
      const stored = parseChecklistProperty(value);
      if (!('text' in stored)) continue;
      const { rows } = readChecklist(stored.text, fields.project ? await statusesOf(fields.project.id) : builtIn);
      // As in the tracker's fields and searches.
      const { progress } = readAs(progressShape, value) ?? { progress: progressOf(rows) };
      const items = rows.flatMap((row): ProgressItem[] => {
        if (row.kind !== 'checkbox') return [];
        const { words, status, assignee, dueDate } = row;
        return [{ words, checked: status.checked, ...(assignee && { assignee }), ...(dueDate && { dueDate }) }];
      });
      issues.push({ key, summary: fields.summary ?? '', progress, items });
    }
    token = page?.nextPageToken ?? undefined;
  } while (token !== undefined && issues.length < MAX_ISSUES);
  return { issues, hasMore: token !== undefined };
}

/** The items assigned to a person, as counts. */
export interface PersonProgress {
  accountId: string;
  total: number;
  done: number;
  overdue: number;
}

/** Progress by assignee; the assignee with the most open items comes first. `today` is an ISO day. */
export function byPerson(issues: readonly IssueProgress[], today: string): PersonProgress[] {
  const people = new Map<string, PersonProgress>();
  for (const { assignee, checked, dueDate } of issues.flatMap(({ items }) => items)) {
    if (assignee === undefined) continue;
    const person = people.get(assignee) ?? { accountId: assignee, total: 0, done: 0, overdue: 0 };
    person.total += 1;
    if (checked) person.done += 1;
    else if (dueDate !== undefined && dueDate < today) person.overdue += 1;
    people.set(assignee, person);
  }
  return [...people.values()].sort((a, b) => b.total - b.done - (a.total - a.done));
}

/** Open items whose day has passed, the oldest first. */
export const overdueItems = (issues: readonly IssueProgress[], today: string) =>
  issues
    .flatMap(({ key, items }) => items.map(item => ({ ...item, key, dueDate: item.dueDate ?? '' })))
    .filter(({ checked, dueDate }) => !checked && dueDate !== '' && dueDate < today)
    .sort((a, b) => a.dueDate.localeCompare(b.dueDate, 'en'));
