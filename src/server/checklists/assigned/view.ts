import type { IssueLine } from '../../../domain/issue.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import type { Status } from '../../../domain/statuses.ts';
import type { Tracker } from '../../platform/tracker/client.ts';
import type { CallTarget } from '../../platform/tracker/endpoint.ts';
import { MAX_LINES_PER_CALL, readLines } from '../../platform/tracker/lines.ts';
import type { SiteStatuses } from '../../statuses/registries.ts';
import type { Store } from '../../store/store.ts';
import { loadUnnamedIssues, notePlaced, type PlacedIssue } from './records.ts';
import type { AssignedWho } from './types.ts';

/** The dependencies of one account's queries, with its permissions. */
export interface Viewer {
  store: Store;
  tenant: string;
  site: CallTarget;
  account: string;
  tracker: Tracker;
  statuses: SiteStatuses;
  /** The account's permissions on each issue, without issues that it has no permission to view. */
  flags(issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
}

/** Applies to one call to the tracker. */
const MAX_ISSUES_PER_CALL = 1_000;

/** The issues whose checklists the account has permission to view, with its permissions. */
export async function viewable(viewer: Viewer, issues: Iterable<string>): Promise<Map<string, PermissionFlags>> {
  const distinctIssues = [...new Set(issues)];
  const flagsByIssue = new Map<string, PermissionFlags>();
  for (let from = 0; from < distinctIssues.length; from += MAX_ISSUES_PER_CALL) {
    for (const [issue, may] of await viewer.flags(distinctIssues.slice(from, from + MAX_ISSUES_PER_CALL))) {
      if (may.canViewChecklist) flagsByIssue.set(issue, may);
    }
  }
  return flagsByIssue;
}

/** The status of an item; one that its registry no longer has is named by its slug. */
export const statusOf = (viewer: Viewer, item: { project: string | null; status: string; checked: boolean }): Status =>
  viewer.statuses.of(item.project ?? undefined).bySlug(item.status) ?? {
    ...{ slug: item.status, name: item.status, checked: item.checked, color: 'gray' },
  };

/** Reads project, key and summary of issues that the account has permission to view. Stores changed values. */
export async function linesOf(
  { store, tenant, site, tracker }: Viewer,
  items: readonly (Omit<PlacedIssue, 'called'> & Partial<PlacedIssue>)[],
): Promise<Map<string, IssueLine>> {
  const itemsByIssue = new Map(items.map(item => [item.issue, item]));
  const ids = [...itemsByIssue.keys()];
  const lines = new Map<string, IssueLine>();
  for (let from = 0; from < ids.length; from += MAX_LINES_PER_CALL) {
    const some = await readLines(tracker, site, ids.slice(from, from + MAX_LINES_PER_CALL));
    for (const [id, line] of some) lines.set(id, line);
  }
  const placed = [...lines.values()].map(({ id, key, summary, project }): PlacedIssue => {
    return { issue: id, project: project.id, called: `${key} ${summary}` };
  });
  const changedPlaces = placed.filter(current => {
    const before = itemsByIssue.get(current.issue);
    const renamed = before?.called !== undefined && before.called !== current.called;
    return renamed || before?.project !== current.project;
  });
  if (changedPlaces.length > 0) await store.tenant(tenant, tx => notePlaced(tx, tenant, changedPlaces));
  return lines;
}

/** A function that reads one of the issues; all of them are read together when it is first called. */
export function linesOnDemand(
  viewer: Viewer,
  items: Parameters<typeof linesOf>[1],
): (issue: string) => Promise<IssueLine | undefined> {
  let lines: ReturnType<typeof linesOf> | undefined;
  return async issue => {
    lines ??= linesOf(viewer, items);
    return (await lines).get(issue);
  };
}

/** Applies to one search. The name of an issue is loaded once, until an event invalidates it. */
const MAX_NAMED_ISSUES = { own: 2_000, others: 200 };

/** Loads the unknown keys and summaries of the issues, so that they can be searched. */
export async function callIssues(viewer: Viewer, who: AssignedWho): Promise<void> {
  const { store, tenant, account } = viewer;
  const most = MAX_NAMED_ISSUES[who.kind === 'me' ? 'own' : 'others'];
  const uncalled = await store.tenant(tenant, tx => loadUnnamedIssues(tx, { tenant, account, who }, most));
  const visibleIssues = await viewable(
    viewer,
    uncalled.map(({ issue }) => issue),
  );
  await linesOf(
    viewer,
    uncalled.filter(({ issue }) => visibleIssues.has(issue)),
  );
}
