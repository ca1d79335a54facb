import type { PermissionFlags } from '../../../domain/permissions.ts';
import type { Status } from '../../../domain/statuses.ts';
import type { SiteStatuses } from '../../statuses/registries.ts';
import type { Store } from '../../store/store.ts';
import type { Tracker } from '../../tracker/client.ts';
import { type IssueLine, MOST_LINES, readLines } from '../../tracker/lines.ts';
import { noteProject } from './records.ts';

/** Of one account: where its items are looked up, and what it may see. */
export interface Viewer {
  store: Store;
  tenant: string;
  account: string;
  tracker: Tracker;
  statuses: SiteStatuses;
  /** What it may do on each of the issues; one that it may not see is missing. */
  flags(issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
}

/** Most issues that the tracker is asked about at once. */
const MOST_ASKED = 1_000;

/** Those of the issues whose checklists the account may view, and what it may do there. */
export async function viewable(viewer: Viewer, issues: Iterable<string>): Promise<Map<string, PermissionFlags>> {
  const all = [...new Set(issues)];
  const found = new Map<string, PermissionFlags>();
  for (let from = 0; from < all.length; from += MOST_ASKED) {
    for (const [issue, may] of await viewer.flags(all.slice(from, from + MOST_ASKED))) {
      if (may.canViewChecklist) found.set(issue, may);
    }
  }
  return found;
}

/** The status of an item; one whose registry does not know it any more is called by its slug. */
export const statusOf = (viewer: Viewer, item: { project: string | null; status: string; checked: boolean }): Status =>
  viewer.statuses.of(item.project ?? undefined).bySlug(item.status) ?? {
    ...{ slug: item.status, name: item.status, checked: item.checked, color: 'gray' },
  };

/** Issues with what names them; only for those that the account may view. Notes where they are, if that was not known. */
export async function linesOf(
  { store, tenant, tracker }: Viewer,
  items: readonly { issue: string; project: string | null }[],
): Promise<Map<string, IssueLine>> {
  const known = new Map(items.map(({ issue, project }) => [issue, project]));
  const ids = [...known.keys()];
  const lines = new Map<string, IssueLine>();
  for (let from = 0; from < ids.length; from += MOST_LINES) {
    for (const [id, line] of await readLines(tracker, ids.slice(from, from + MOST_LINES))) lines.set(id, line);
  }
  const moved = [...lines.values()].filter(({ id, project }) => known.get(id) !== project.id);
  if (moved.length > 0) {
    await store.tenant(tenant, async tx => {
      for (const { id, project } of moved) await noteProject(tx, tenant, id, project.id);
    });
  }
  return lines;
}
