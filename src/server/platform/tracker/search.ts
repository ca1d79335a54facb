import * as v from 'valibot';
import { byName, parseAs, readAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** A found issue with the requested fields and properties. */
export interface FoundIssue {
  id: string;
  key: string;
  fields: Readonly<Record<string, unknown>>;
  properties: Readonly<Record<string, unknown>>;
}

export interface Search {
  jql: string;
  fields: readonly string[];
  properties: readonly string[];
  /** Token of the page; `null` for the first. */
  page: string | null;
}

export interface FoundPage {
  issues: FoundIssue[];
  /** Token of the next page; `null` after the last. */
  next: string | null;
}

const pageShape = v.object({
  issues: v.optional(v.array(v.object({ id: v.string(), key: v.string(), fields: byName, properties: byName })), []),
  nextPageToken: v.nullish(v.string()),
});
const countShape = v.object({ count: v.pipe(v.number(), v.safeInteger()) });

/** Pages are small, as the properties of issues may be large. */
const ISSUES_PER_PAGE = 50;

/** Reads a page of found issues. The tracker requires a bounded query. */
export async function searchIssues(tracker: Tracker, { jql, fields, properties, page }: Search): Promise<FoundPage> {
  const answer = await tracker({
    name: 'searchIssues',
    method: 'GET',
    path: '/rest/api/2/search/jql',
    query: {
      jql,
      // Without a field the tracker leaves out the key, too.
      fields: ['created', ...fields].join(','),
      properties: properties.join(','),
      maxResults: String(ISSUES_PER_PAGE),
      ...(page !== null && { nextPageToken: page }),
    },
  });
  if (answer.status !== 200) throw new TrackerRefused('searchIssues', answer);
  const { issues, nextPageToken } = parseAs(pageShape, answer.body);
  return { issues, next: nextPageToken ?? null };
}

/** Estimated number of found issues; `null` if unknown. */
export async function countIssues(tracker: Tracker, jql: string): Promise<number | null> {
  const path = '/rest/api/2/search/approximate-count';
  const { body } = await tracker({ name: 'countIssues', method: 'POST', path, json: { jql } });
  return readAs(countShape, body)?.count ?? null;
}
