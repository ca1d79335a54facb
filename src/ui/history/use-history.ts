import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ChangeKind, getHistory, getTouches, type HistoryEntry, type Position } from '../../client/history.ts';
import { useGraphql } from '../shell/services/services.ts';

/** Filter of the history. */
export interface HistoryFilter {
  account?: string;
  kind?: ChangeKind;
  /** A row's id, and its text when it was chosen. */
  row?: { id: string; text: string };
}

const none: readonly HistoryEntry[] = [];

/** An issue's revisions, newest first, page by page. */
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
  // A page that the filter left empty loads the next one.
  const goesOn = hasNextPage && !isFetching && !isError && last?.entries.length === 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { ...query, entries };
}

/** The last change of each row. */
export function useTouches(issueId: string, wanted: boolean) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['history', issueId, 'touches'],
    queryFn: async ({ signal }) => (await graphql.query(getTouches, { issueId }, signal)).checklistTouches,
    enabled: wanted,
    meta: { silent: true },
  });
}

/** Invalidates the history when the checklist's revision changes. */
export function useRefreshOnChange(issueId: string, revision: string | undefined): void {
  const client = useQueryClient();
  const known = useRef(revision);
  useEffect(() => {
    if (revision === undefined || known.current === revision) return;
    const first = known.current === undefined;
    known.current = revision;
    if (!first) void client.invalidateQueries({ queryKey: ['history', issueId] });
  }, [client, issueId, revision]);
}
