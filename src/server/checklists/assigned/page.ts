import { readCursor, writeCursor } from './cursor.ts';
import { countIn, type LoadedItem, loadItems } from './records.ts';
import type { AssignedIssue, AssignedPage, AssignedPageQuery } from './types.ts';
import { callIssues, linesOf, linesOnDemand, statusOf, type Viewer, viewable } from './view.ts';

/** Each item of a page may be on another issue, and the tracker names a hundred issues per call. */
const MAX_ITEMS = 100;
/** More items are read than a page shows, as items of issues without permission to view are skipped. */
const BATCH_SIZE = 200;
const MAX_READ_ITEMS = 2_000;

/**
 * A page of items, with their issues, all of which the viewer has permission to view. Reads from the tracker only the
 * projects that are not known yet.
 */
export async function assignedPage(
  viewer: Viewer,
  { who, filter, today, order, after, first }: AssignedPageQuery,
): Promise<AssignedPage> {
  const { store, tenant, account } = viewer;
  const selection = { tenant, account, who, filter, today };
  if (filter.text) await callIssues(viewer, who);
  const most = Math.min(Math.max(first, 1), MAX_ITEMS);
  let from = after === undefined ? undefined : readCursor(after);
  const visible: LoadedItem[] = [];
  const may: AssignedIssue['may'][] = [];
  let more = true;
  for (let readCount = 0; more && visible.length < most && readCount < MAX_READ_ITEMS; readCount += BATCH_SIZE) {
    const at = { order, from, limit: BATCH_SIZE + 1 };
    const loadedItems = await store.tenant(tenant, tx => loadItems(tx, selection, at));
    const flags = await viewable(
      viewer,
      loadedItems.map(({ issue }) => issue),
    );
    more = loadedItems.length > BATCH_SIZE;
    for (const [index, item] of loadedItems.slice(0, BATCH_SIZE).entries()) {
      from = item;
      const issueFlags = flags.get(item.issue);
      if (issueFlags) {
        visible.push(item);
        may.push(issueFlags);
      }
      if (visible.length < most) continue;
      more ||= index < loadedItems.length - 1;
      break;
    }
  }
  const unknown = visible.filter(({ project }) => project === null);
  const placed = await linesOf(viewer, unknown);
  const ids = [...new Set(visible.map(({ issue }) => issue))];
  const counts = ids.length > 0 ? await store.tenant(tenant, tx => countIn(tx, selection, ids)) : new Map();
  const lineOf = linesOnDemand(viewer, visible);
  const issues = new Map<string, AssignedIssue>();
  const items = visible.flatMap((item, index) => {
    const issueFlags = may[index];
    if (!issueFlags) return [];
    const { issue, position, row, section, text, mandatory, due } = item;
    const project = item.project ?? placed.get(issue)?.project.id ?? null;
    issues.set(issue, {
      ...{ id: issue, project, may: issueFlags, count: counts.get(issue) ?? 0 },
      line: () => lineOf(issue),
    });
    const status = statusOf(viewer, { ...item, project });
    return [{ id: row ?? `${issue} ${position}`, issue, position, section, text, status, mandatory, due }];
  });
  return { items, issues: [...issues.values()], ...(more && from && { next: writeCursor(from) }) };
}
