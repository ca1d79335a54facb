import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { TrackerError } from '../errors.ts';
import type { Throttled } from '../tracker/throttle.ts';
import { parseTreeIssue, TREE_FIELDS, type TreeIssue } from './issue.ts';

/** Most issues that the tracker gives at once, by a search or by their ids. */
const PAGE = 100;

const issuesShape = v.object({ issues: v.array(v.unknown()), nextPageToken: v.nullish(v.string()) });

const parsed = (values: readonly unknown[]): TreeIssue[] => values.flatMap(value => parseTreeIssue(value) ?? []);

const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PAGE) }, (_, at) => all.slice(at * PAGE, (at + 1) * PAGE));

/** Issues by id or key, in no particular order. What is not there, or not to be seen by whoever asks, is left out. */
export async function fetchIssues({ call }: Throttled, ids: readonly string[]): Promise<TreeIssue[]> {
  const found: TreeIssue[] = [];
  for (const chunk of chunks(ids)) {
    const json = { issueIdsOrKeys: chunk, fields: TREE_FIELDS };
    const answer = await call('/rest/api/3/issue/bulkfetch', { method: 'POST', json });
    found.push(...parsed(readAs(issuesShape, answer)?.issues ?? []));
  }
  return found;
}

async function pages({ call }: Throttled, parents: readonly string[], onPage: (issues: TreeIssue[]) => boolean) {
  const query = {
    jql: `parent in (${parents.join(', ')}) order by created asc`,
    fields: TREE_FIELDS.join(','),
    maxResults: String(PAGE),
  };
  for (let page: string | undefined, more = true; more; ) {
    const answer = await call('/rest/api/3/search/jql', {
      query: page === undefined ? query : { ...query, nextPageToken: page },
    });
    const found = readAs(issuesShape, answer);
    const before = page;
    page = found?.nextPageToken ?? undefined;
    more = onPage(parsed(found?.issues ?? [])) && page !== undefined && page !== before;
  }
}

/**
 * The issues below these ones, page by page in the order in which they were made. `onPage` answers whether there is need
 * for more. Whatever of the parents has gone meanwhile is passed over.
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
      // A query that names an issue which is not there is refused as a whole.
      if (!(error instanceof TrackerError && error.status === 400)) throw error;
      const left = (await fetchIssues(calls, chunk)).map(({ id }) => id);
      if (left.length === chunk.length) throw error;
      if (left.length > 0) await pages(calls, left, onPage);
    }
  }
}
