import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type AssignedIssue, type AssignedItem, getAssignedCounts, getAssignedItems } from '../../client/assigned.ts';
import { useToday } from '../model/today.ts';
import { useGraphql, useHostContext } from '../shell/services/services.ts';
import { useTrack } from '../shell/track.ts';
import { useLive } from '../shell/use-live.ts';

/** Which of my items show, and in which order. */
export interface AssignedView {
  order: 'ISSUE' | 'DUE';
  /** Those that are open or complete, all, or those of one status by its slug. */
  status: 'open' | 'checked' | 'all' | { slug: string };
  /** A project's id; empty for all. */
  project: string;
  overdue: boolean;
  text: string;
}

export const wholeView: AssignedView = { order: 'ISSUE', status: 'open', project: '', overdue: false, text: '' };

/** Whether less shows than what is to be done. */
export const isNarrow = ({ status, project, overdue, text }: AssignedView): boolean =>
  typeof status === 'object' || project !== '' || overdue || text !== '';

const filterOf = ({ status, project, overdue, text }: AssignedView) => ({
  checked: status === 'open' ? false : status === 'checked' ? true : null,
  status: typeof status === 'object' ? status.slug : null,
  projectId: project || null,
  overdue: overdue || null,
  text: text || null,
});

/** Under which all is kept that is asked for here. */
export const KEY = ['assigned'];
/** Milliseconds between two readings: where changes are told, only for what nobody tells, such as a lost permission. */
const POLL = 15_000;
const POLL_TOLD = 60_000;
/** Milliseconds in which several changes are read at once. */
const SETTLE = 400;
/** Pages that are read anew at once; of a longer list those who look say when. */
const MOST_PAGES = 10;

const none: readonly AssignedItem[] = [];

/** My items across issues, page by page, and how many there are; read anew as they change. */
export function useAssigned(view: AssignedView) {
  const graphql = useGraphql();
  const track = useTrack();
  const client = useQueryClient();
  const { surface } = useHostContext();
  const today = useToday();
  const filter = filterOf(view);
  const { order } = view;
  const told = useLive({ assigned: true }, ({ kind }) => {
    if (kind === 'assigned' || kind === 'open' || kind === 'gap' || kind === 'statuses') changed();
  });
  const refetchInterval = told ? POLL_TOLD : POLL;
  const list = useInfiniteQuery({
    queryKey: [...KEY, 'list', order, filter, today],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam: after, signal }) =>
      (await graphql.query(getAssignedItems, { today, order, filter, after }, signal)).assignedItems,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: query => ((query.state.data?.pages.length ?? 0) > MOST_PAGES ? false : refetchInterval),
    meta: { silent: true },
  });
  const counts = useQuery({
    queryKey: [...KEY, 'counts', filter, today],
    queryFn: async ({ signal }) => (await graphql.query(getAssignedCounts, { today, filter }, signal)).assignedCounts,
    placeholderData: keepPreviousData,
    refetchInterval,
    // The list says what is wrong.
    meta: { silent: true },
  });
  const { data, hasNextPage, isFetching, fetchNextPage, isError, isPlaceholderData } = list;

  const asked = JSON.stringify([order, filter]);
  const queried = useEffectEvent(() => track('Assigned items queried', { surface }));
  const first = data !== undefined && !isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for whatever is asked for.
  useEffect(() => {
    if (first) queried();
  }, [first, asked]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const pages = data?.pages.length ?? 0;
  const long = pages > MOST_PAGES;
  /** What was asked for when the long list that shows was found to be old. */
  const [old, setOld] = useState<string>();
  const read = useEffectEvent(() => {
    if (long) setOld(asked);
    void client.invalidateQueries({ queryKey: KEY, predicate: ({ queryKey }) => !long || queryKey[1] !== 'list' });
  });
  const changed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(read, SETTLE);
  };

  const retry = () => void client.invalidateQueries({ queryKey: KEY });
  /** A long list from its beginning. */
  const anew = () => {
    setOld(undefined);
    void client.resetQueries({ queryKey: [...KEY, 'list'] });
    void client.invalidateQueries({ queryKey: [...KEY, 'counts'] });
  };

  // Everything of a page may have gone to somebody else: the next one is what was asked for.
  const goesOn = hasNextPage && !isFetching && !isError && data?.pages.at(-1)?.items.length === 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);

  const items = useMemo(() => data?.pages.flatMap(page => page.items) ?? none, [data]);
  const issues = useMemo(
    () => new Map<string, AssignedIssue>(data?.pages.flatMap(page => page.issues.map(issue => [issue.id, issue]))),
    [data],
  );
  const stale = long && old === asked;
  return {
    list,
    items,
    issues,
    counts: counts.data,
    today,
    changed,
    retry,
    stale,
    anew,
    asked: first ? asked : undefined,
  };
}
