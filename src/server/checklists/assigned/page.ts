import { readCursor, writeCursor } from './cursor.ts';
import { countIn, type LoadedItem, loadItems } from './records.ts';
import type { AssignedIssue, AssignedPage, AssignedPageQuery } from './types.ts';
import { callIssues, linesOf, linesOnDemand, statusOf, type Viewer, viewable } from './view.ts';

/** How many items a page has: each may be on another issue, and the tracker names a hundred per call. */
const MAX_ITEMS = 100;
/** How many items are read at once, and for a page. Items of issues that the account may not view are skipped. */
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
  const wanted = { tenant, account, who, filter, today };
  if (filter.text) await callIssues(viewer, who);
  const most = Math.min(Math.max(first, 1), MAX_ITEMS);
  let from = after === undefined ? undefined : readCursor(after);
  const visible: LoadedItem[] = [];
  const may: AssignedIssue['may'][] = [];
  let more = true;
  for (let read = 0; more && visible.length < most && read < MAX_READ_ITEMS; read += BATCH_SIZE) {
    const at = { order, from, limit: BATCH_SIZE + 1 };
    const found = await store.tenant(tenant, tx => loadItems(tx, wanted, at));
    const flags = await viewable(
      viewer,
      found.map(({ issue }) => issue),
    );
    more = found.length > BATCH_SIZE;
    for (const [index, item] of found.slice(0, BATCH_SIZE).entries()) {
      from = item;
      const held = flags.get(item.issue);
      if (held) {
        visible.push(item);
        may.push(held);
      }
      if (visible.length < most) continue;
      more ||= index < found.length - 1;
      break;
    }
  }
  const unknown = visible.filter(({ project }) => project === null);
  const placed = await linesOf(viewer, unknown);
  const ids = [...new Set(visible.map(({ issue }) => issue))];
  const counts = ids.length > 0 ? await store.tenant(tenant, tx => countIn(tx, wanted, ids)) : new Map();
  const lineOf = linesOnDemand(viewer, visible);
  const issues = new Map<string, AssignedIssue>();
  const items = visible.flatMap((item, index) => {
    const held = may[index];
    if (!held) return [];
    const { issue, position, row, section, text, mandatory, due } = item;
    const project = item.project ?? placed.get(issue)?.project.id ?? null;
    issues.set(issue, {
      ...{ id: issue, project, may: held, count: counts.get(issue) ?? 0 },
      line: () => lineOf(issue),
    });
    const status = statusOf(viewer, { ...item, project });
    return [{ id: row ?? `${issue} ${position}`, issue, position, section, text, status, mandatory, due }];
  });
  return { items, issues: [...issues.values()], ...(more && from && { next: writeCursor(from) }) };
}
