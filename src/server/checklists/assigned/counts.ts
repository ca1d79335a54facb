import { countKinds } from './records.ts';
import { type AssignedCounts, type AssignedQuery, type Counted, type DueTime, dueTimes } from './types.ts';
import { callIssues, linesOnDemand, statusOf, type Viewer, viewable } from './view.ts';

/** The tracker has to be asked about each counted issue, a thousand issues per call. */
const MAX_COUNTED_ISSUES = { own: 20_000, others: 1_000 };
const MAX_PROJECTS = 100;

/** Counts items by each filter, on issues that the viewer has permission to view. */
export async function assignedCounts(viewer: Viewer, { who, filter, today }: AssignedQuery): Promise<AssignedCounts> {
  const { store, tenant, account } = viewer;
  const { text } = filter;
  if (text) await callIssues(viewer, who);
  const most = MAX_COUNTED_ISSUES[who.kind === 'me' ? 'own' : 'others'];
  // Each filter is counted under all other filters, so the chosen values are applied below.
  const selection = { tenant, account, who, filter: { text }, today };
  const countedKinds = await store.tenant(tenant, tx => countKinds(tx, selection, most));
  const visibleIssues = await viewable(
    viewer,
    countedKinds.map(({ issue }) => issue),
  );
  const kinds = countedKinds.filter(({ issue }) => visibleIssues.has(issue));
  type Kind = (typeof kinds)[number];

  const of = {
    status: ({ status, checked }: Kind) =>
      (filter.status === undefined || status === filter.status) &&
      (filter.checked === undefined || checked === filter.checked),
    project: ({ project }: Kind) => filter.project === undefined || project === filter.project,
    due: (kind: Kind) => !filter.overdue || isOverdue(kind),
  };
  const fits = (kind: Kind, leftOut?: keyof typeof of) =>
    (['status', 'project', 'due'] as const).every(part => part === leftOut || of[part](kind));
  const sum = (some: readonly Kind[]) => some.reduce((count, kind) => count + kind.count, 0);
  const chosen = kinds.filter(kind => fits(kind));
  const due = Object.fromEntries(
    dueTimes.map(time => [time, sum(chosen.filter(kind => kind.time === time))]),
  ) as Record<DueTime, number>;
  return {
    partial: new Set(countedKinds.map(({ issue }) => issue)).size === most,
    all: sum(chosen),
    due,
    overdue: sum(kinds.filter(kind => fits(kind, 'due') && isOverdue(kind))),
    projects: projectsOf(
      viewer,
      kinds.filter(kind => fits(kind, 'project')),
    ),
    statuses: statusesOf(
      viewer,
      kinds.filter(kind => fits(kind, 'status')),
    ),
  };
}

const isOverdue = ({ time, checked }: { time: DueTime; checked: boolean }) => time === 'past' && !checked;

interface Kind {
  issue: string;
  project: string | null;
  status: string;
  checked: boolean;
  count: number;
}

/** Counts by project, the largest first. A project's name comes from one of its issues, all visible to the account. */
function projectsOf(viewer: Viewer, kinds: readonly Kind[]): Counted[] {
  const counts = new Map<string, { issue: string; project: string; count: number }>();
  for (const { issue, project, count } of kinds) {
    if (project === null) continue;
    const projectCount = counts.get(project);
    if (projectCount) projectCount.count += count;
    else counts.set(project, { issue, project, count });
  }
  const most = [...counts.values()].sort((one, other) => other.count - one.count).slice(0, MAX_PROJECTS);
  const lineOf = linesOnDemand(viewer, most);
  const nameOf = async ({ issue, project }: { issue: string; project: string }) => {
    const named = (await lineOf(issue))?.project;
    return named?.id === project ? named.name : undefined;
  };
  return most.map(each => ({ id: each.project, count: each.count, name: () => nameOf(each) }));
}

function statusesOf(viewer: Viewer, kinds: readonly Kind[]): AssignedCounts['statuses'] {
  const counts = new Map<string, AssignedCounts['statuses'][number]>();
  for (const kind of kinds) {
    const statusCount = counts.get(kind.status);
    if (statusCount) statusCount.count += kind.count;
    else counts.set(kind.status, { ...statusOf(viewer, kind), count: kind.count });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}
