import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ChangeKind, getHistory, getTouches, type HistoryEntry, type Position } from '../../client/history.ts';
import { useGraphql } from '../shell/services/services.ts';

/** What of the history is asked for. */
export interface HistoryFilter {
  account?: string;
  kind?: ChangeKind;
  /** A row, and what it said where it was chosen. */
  row?: { id: string; text: string };
}

const none: readonly HistoryEntry[] = [];

/** An issue's versions, newest first, page by page. */
export function useHistory(issueId: string, { account, kind, row }: HistoryFilter) {
  const graphql = useGraphql();
  const filter = { account: account ?? null, kind: kind ?? null, rowId: row?.id ?? null };
  const query = useInfiniteQuery({
    queryKey: ['history', issueId, 'entries', filter],
    initialPageParam: null as Position | null,
    queryFn: async ({ pageParam: before, signal }) =>
      (await graphql.query(getHistory, { issueId, before, filter }, signal)).checklistHistory,
    getNextPageParam: page => page.next,
    meta: { silent: true },
  });
  const { data, hasNextPage, isFetching, fetchNextPage, isError } = query;
  const entries = data?.pages.flatMap(page => page.entries) ?? none;
  const last = data?.pages.at(-1);
  // A filter may leave nothing of a page: the next one is what was asked for.
  const goesOn = hasNextPage && !isFetching && !isError && last?.entries.length === 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { ...query, entries };
}

/** What touched each row last. */
export function useTouches(issueId: string, wanted: boolean) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['history', issueId, 'touches'],
    queryFn: async ({ signal }) => (await graphql.query(getTouches, { issueId }, signal)).checklistTouches,
    enabled: wanted,
    meta: { silent: true },
  });
}

/** Asks anew when the checklist is another version than it was. */
export function useRefreshOnChange(issueId: string, version: string | undefined): void {
  const client = useQueryClient();
  const known = useRef(version);
  useEffect(() => {
    if (version === undefined || known.current === version) return;
    const first = known.current === undefined;
    known.current = version;
    if (!first) void client.invalidateQueries({ queryKey: ['history', issueId] });
  }, [client, issueId, version]);
}
