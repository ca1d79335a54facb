import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { TrackerError } from '../errors.ts';
import type { Throttled } from '../tracker/throttle.ts';
import { parseTreeIssue, TREE_FIELDS, type TreeIssue } from './issue.ts';

/** The tracker's maximum, for searches and bulk reads. */
const ISSUES_PER_PAGE = 100;

const issuesShape = v.object({ issues: v.array(v.unknown()), nextPageToken: v.nullish(v.string()) });

const parsed = (values: readonly unknown[]): TreeIssue[] => values.flatMap(value => parseTreeIssue(value) ?? []);

const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ISSUES_PER_PAGE) }, (_, at) =>
    all.slice(at * ISSUES_PER_PAGE, (at + 1) * ISSUES_PER_PAGE),
  );

/** Reads issues by id or key, unordered. Those that do not exist or are not visible are left out. */
export async function fetchIssues({ call }: Throttled, ids: readonly string[]): Promise<TreeIssue[]> {
  const fetchedIssues: TreeIssue[] = [];
  for (const chunk of chunks(ids)) {
    const json = { issueIdsOrKeys: chunk, fields: TREE_FIELDS };
    const answer = await call('/rest/api/3/issue/bulkfetch', { method: 'POST', json });
    fetchedIssues.push(...parsed(readAs(issuesShape, answer)?.issues ?? []));
  }
  return fetchedIssues;
}

async function pages({ call }: Throttled, parents: readonly string[], onPage: (issues: TreeIssue[]) => boolean) {
  const query = {
    jql: `parent in (${parents.join(', ')}) order by created asc`,
    fields: TREE_FIELDS.join(','),
    maxResults: String(ISSUES_PER_PAGE),
  };
  for (let page: string | undefined, more = true; more; ) {
    const answer = await call('/rest/api/3/search/jql', {
      query: page === undefined ? query : { ...query, nextPageToken: page },
    });
    const issuePage = readAs(issuesShape, answer);
    const before = page;
    page = issuePage?.nextPageToken ?? undefined;
    more = onPage(parsed(issuePage?.issues ?? [])) && page !== undefined && page !== before;
  }
}

/**
 * Reads the children of these issues page by page, oldest first. `onPage` returns whether to continue. Parents deleted
 * meanwhile are skipped.
 */
export async function fetchChildren(
  calls: Throttled,
  parents: readonly string[],
  onPage: (issues: TreeIssue[]) => boolean,
): Promise<void> {
  for (const chunk of chunks(parents)) {
    try {
      await pages(calls, chunk, onPage);
    } catch (error) {
      // A query that names a missing issue is refused as a whole.
      if (!(error instanceof TrackerError && error.status === 400)) throw error;
      const existingIds = (await fetchIssues(calls, chunk)).map(({ id }) => id);
      if (existingIds.length === chunk.length) throw error;
      if (existingIds.length > 0) await pages(calls, existingIds, onPage);
    }
  }
}
