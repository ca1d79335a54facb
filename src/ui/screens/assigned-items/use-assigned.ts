import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type AssignedIssue, type AssignedItem, getAssignedCounts, getAssignedPage } from '../../../client/assigned.ts';
import { getHeldPermissions, MAX_PERMISSION_ISSUES } from '../../../client/tracker/held-permissions.ts';
import { permissionFlags, withoutLicense } from '../../../domain/permissions.ts';
import { createTimer, type Timer } from '../../../domain/timing.ts';
import { productSettings } from '../../../domain/token.ts';
import { useProjectNames } from '../../model/projects.tsx';
import { useToday } from '../../model/today.ts';
import { useBridge, useGraphql, useHostContext, useSession, useTrack } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/**
 * Whose items: the user's, those that the user assigned to others, everyone's in projects with items of the user,
 * everyone's in one project, or one person's.
 */
export type Who = { kind: 'ME' | 'BY_ME' | 'MY_PROJECTS' } | { kind: 'PROJECT' | 'PERSON'; id: string };

/** Filter and order of items. */
export interface AssignedView {
  who: Who;
  order: 'ISSUE' | 'DUE';
  /** Open items, completed items, all items, or the items of one status by its slug. */
  status: 'open' | 'checked' | 'all' | { slug: string };
  /** A project's id; empty for all. */
  project: string;
  overdue: boolean;
  text: string;
}

/** Everyone's open items on a project's page, else the user's. */
export const wholeView = (projectId: string | undefined): AssignedView => ({
  who: projectId === undefined ? { kind: 'ME' } : { kind: 'PROJECT', id: projectId },
  ...{ order: 'ISSUE', status: 'open', project: '', overdue: false, text: '' },
});

/** Whether a filter hides open items. */
export const isNarrow = ({ status, project, overdue, text }: AssignedView): boolean =>
  typeof status === 'object' || project !== '' || overdue || text !== '';

const filterOf = ({ status, project, overdue, text }: AssignedView, projectId: string | undefined) => ({
  checked: status === 'open' ? false : status === 'checked' ? true : null,
  status: typeof status === 'object' ? status.slug : null,
  projectId: projectId ?? (project || null),
  overdue: overdue || null,
  text: text || null,
});

/** The first part of this screen's query keys. */
const QUERY_KEY = ['assigned'];
/** Polling continues with live events, less often, since no event reports e.g. lost permissions. */
const POLL_INTERVAL_MS = 15_000;
const LIVE_POLL_INTERVAL_MS = 60_000;
const REFRESH_DEBOUNCE_MS = 400;
/** Longest list, in pages, that is refreshed automatically; for a longer one the user is asked. */
const MAX_REFRESHED_PAGES = 10;

const none: readonly AssignedItem[] = [];

/** Assigned items across issues, page by page, with counts; refreshed when they change. */
export function useAssigned(view: AssignedView) {
  const graphql = useGraphql();
  const bridge = useBridge();
  const track = useTrack();
  const client = useQueryClient();
  const { surface, projectId } = useHostContext();
  const today = useToday();
  const filter = filterOf(view, projectId);
  const { order, who } = view;
  const live = useLive({ assigned: true }, ({ kind }) => {
    if (kind === 'assigned' || kind === 'open' || kind === 'gap' || kind === 'statuses') changed();
  });
  const refetchInterval = live ? LIVE_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
  const list = useInfiniteQuery({
    queryKey: [...QUERY_KEY, 'list', who, order, filter, today],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: after, signal }) =>
      getAssignedPage(graphql, bridge, { today, who, order, filter, after }, signal),
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: query => ((query.state.data?.pages.length ?? 0) > MAX_REFRESHED_PAGES ? false : refetchInterval),
    meta: { silent: true },
  });
  const counts = useQuery({
    queryKey: [...QUERY_KEY, 'counts', who, filter, today],
    queryFn: async ({ signal }) =>
      (await graphql.query(getAssignedCounts, { today, who, filter }, signal)).assignedCounts,
    placeholderData: keepPreviousData,
    refetchInterval,
    // The list reports errors.
    meta: { silent: true },
  });
  const counted = useMemo(
    () => (projectId === undefined ? (counts.data?.projects.map(({ id }) => id).toSorted() ?? []) : []),
    [projectId, counts.data],
  );
  const { data: projectNames } = useProjectNames(counted);
  const { data, hasNextPage, isFetching, fetchNextPage, isError, isPlaceholderData } = list;

  const queryJson = JSON.stringify([who, order, filter]);
  const queried = useEffectEvent(() => track('Assigned items queried', { surface }));
  const first = data !== undefined && !isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per query.
  useEffect(() => {
    if (first) queried();
  }, [first, queryJson]);

  const pages = data?.pages.length ?? 0;
  const long = pages > MAX_REFRESHED_PAGES;
  /** The query whose long list is stale. */
  const [staleQuery, setStaleQuery] = useState<string>();
  const refresh = useEffectEvent(() => {
    if (long) setStaleQuery(queryJson);
    void client.invalidateQueries({
      queryKey: QUERY_KEY,
      predicate: ({ queryKey }) => !long || queryKey[1] !== 'list',
    });
  });
  const timer = useRef<Timer>(undefined);
  useEffect(() => {
    const refreshing = createTimer(refresh);
    timer.current = refreshing;
    return refreshing.stop;
  }, []);
  const changed = () => {
    const refreshing: Timer | undefined = timer.current;
    refreshing?.start(REFRESH_DEBOUNCE_MS);
  };

  const retry = () => void client.invalidateQueries({ queryKey: QUERY_KEY });
  /** Reloads a long list from its first page. */
  const anew = () => {
    setStaleQuery(undefined);
    void client.resetQueries({ queryKey: [...QUERY_KEY, 'list'] });
    void client.invalidateQueries({ queryKey: [...QUERY_KEY, 'counts'] });
  };

  // An empty page, after reassignments, loads the next one.
  const goesOn = hasNextPage && !isFetching && !isError && data?.pages.at(-1)?.items.length === 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);

  const items = useMemo(() => data?.pages.flatMap(page => page.items) ?? none, [data]);
  const issues = useMemo(
    () => new Map<string, AssignedIssue>(data?.pages.flatMap(page => page.issues.map(issue => [issue.id, issue]))),
    [data],
  );
  const stale = long && staleQuery === queryJson;
  return {
    list,
    items,
    issues,
    counts: counts.data,
    projectNames,
    today,
    changed,
    retry,
    stale,
    anew,
    asked: first ? queryJson : undefined,
  };
}

/**
 * The new list with those items of the previous one that the user changed and that therefore left it. They keep their
 * positions, against layout shift and to allow correcting a mistake.
 */
export function keepChangedItems<Item extends { id: string }>(
  before: readonly Item[],
  now: readonly Item[],
  touched: (item: Item) => boolean,
): readonly Item[] {
  const present = new Set(now.map(({ id }) => id));
  const keptBelow = new Map<string | undefined, Item[]>();
  let above: string | undefined;
  for (const item of before) {
    if (present.has(item.id)) above = item.id;
    else if (touched(item)) keptBelow.set(above, [...(keptBelow.get(above) ?? []), item]);
  }
  if (keptBelow.size === 0) return now;
  return [...(keptBelow.get(undefined) ?? []), ...now.flatMap(item => [item, ...(keptBelow.get(item.id) ?? [])])];
}

interface Shown {
  items: readonly AssignedItem[];
  issues: ReadonlyMap<string, AssignedIssue>;
}

/** The server's list with kept items, until the query changes. `asked` is the answered query, `undefined` while pending. */
export function useKeptItems(
  { items, issues }: Shown,
  asked: string | undefined,
  touched: (item: AssignedItem) => boolean,
): Shown {
  const [state, setState] = useState({ asked, from: items, shown: { items, issues } });
  if (asked === undefined || (state.from === items && state.asked === asked)) return state.shown;
  const same = state.asked === asked;
  const keptItems = same ? keepChangedItems(state.shown.items, items, touched) : items;
  // Keeps the issues of kept items.
  const allIssues = keptItems === items ? issues : new Map([...state.shown.issues, ...issues]);
  const shown = { items: keptItems, issues: allIssues };
  // Derived state, set during rendering and so before the paint.
  setState({ asked, from: items, shown });
  return shown;
}

/** Permissions are polled, since no live event reports a lost one. */
const PERMISSIONS_POLL_INTERVAL_MS = 10_000;

interface Lost {
  id: string;
  key: string;
}

export interface IssuePermissions {
  /** The issues with their current permissions. */
  issues: ReadonlyMap<string, AssignedIssue>;
  /** Listed issues found to be deleted or invisible to the user. */
  lost: readonly Lost[];
}

const nothing: readonly never[] = [];

/**
 * Polls the permissions on the listed issues while the page is visible, as the user: that costs the app no points. Calls
 * `onChange` when the lost issues change.
 */
export function useIssuePermissions(
  issues: ReadonlyMap<string, AssignedIssue>,
  onChange: () => void,
): IssuePermissions {
  const bridge = useBridge();
  const { payload } = useSession();
  const settings = payload?.settings;
  const shown = useRef(issues);
  /** Keys, by id, of issues listed since the last poll and of lost ones. */
  const watched = useRef(new Map<string, string>());
  useEffect(() => {
    shown.current = issues;
    for (const { id, key } of issues.values()) watched.current.set(id, key);
  }, [issues]);
  const { data } = useQuery({
    queryKey: [...QUERY_KEY, 'permissions', settings],
    queryFn: async ({ signal }) => {
      const watchedIssues = [...watched.current].slice(-MAX_PERMISSION_ISSUES);
      if (watchedIssues.length === 0 || !settings) return { lost: nothing, held: nothing };
      const { permissionSettings, permissionKeys, isLicensed } = productSettings(settings);
      const ids = watchedIssues.map(([id]) => id);
      const heldPermissions = [...(await getHeldPermissions(bridge, ids, permissionKeys, signal))].flatMap(
        ([issueId, keys]) => {
          const flags = permissionFlags(keys, permissionSettings);
          return flags.canViewChecklist ? { issueId, permissions: isLicensed ? flags : withoutLicense(flags) } : [];
        },
      );
      const visibleIds = new Set(heldPermissions.map(({ issueId }) => issueId));
      const lost = watchedIssues.flatMap(([id, key]) => (visibleIds.has(id) ? [] : { id, key }));
      const shownIssues = [...shown.current.values()].map(({ id, key }) => ({ id, key }));
      watched.current = new Map([...shownIssues, ...lost].map(({ id, key }) => [id, key]));
      return { lost, held: heldPermissions };
    },
    refetchInterval: PERMISSIONS_POLL_INTERVAL_MS,
    // The list reports errors.
    meta: { silent: true },
  });
  const { lost = nothing, held = nothing } = data ?? {};
  const gone = lost.map(({ id }) => id).join(' ');
  const lastGone = useRef(gone);
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (lastGone.current !== gone) changed();
    lastGone.current = gone;
  }, [gone]);
  const current = useMemo(() => {
    const permissionsOf = new Map(held.map(({ issueId, permissions }) => [issueId, permissions]));
    return new Map([...issues].map(([id, issue]) => [id, withPermissions(issue, permissionsOf.get(id))]));
  }, [issues, held]);
  return { issues: current, lost };
}

/** Returns the same object if unchanged: its rows are not rendered again. */
function withPermissions(issue: AssignedIssue, now: AssignedIssue['permissions'] | undefined): AssignedIssue {
  const current: Record<string, boolean> = { ...now };
  const same = !now || Object.entries(issue.permissions).every(([name, held]) => current[name] === held);
  return same ? issue : { ...issue, permissions: now };
}
