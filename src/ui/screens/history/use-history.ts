import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Change } from '../../../client/changes.ts';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import {
  type ChangeKind,
  getHistory,
  getRevision,
  getTouches,
  type HistoryEntry,
  type Position,
} from '../../../client/history.ts';
import { inverses } from '../../../client/outbox/inverse.ts';
import type { Base } from '../../../client/reading.ts';
import { inverseEntry } from '../../../domain/change.ts';
import { failures } from '../../../domain/messages.ts';
import { outcomeNotifier } from '../../model/checklist/use-checklist.ts';
import { useBridge, useGraphql, useNotify } from '../../shell/services/services.ts';

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
  const knownRevision = useRef(revision);
  useEffect(() => {
    if (revision === undefined || knownRevision.current === revision) return;
    const first = knownRevision.current === undefined;
    knownRevision.current = revision;
    if (!first) void client.invalidateQueries({ queryKey: ['history', issueId] });
  }, [client, issueId, revision]);
}

/** The last undo or restore made here. */
export interface Done {
  /** The message. */
  words: string;
  /** The entry in the history. */
  entry: string;
  /** The text before and after. */
  before: string;
  after: Base;
}

export interface Revert {
  /** Applies the inverse of a revision's changes; later changes are kept. */
  undo(entry: HistoryEntry): Promise<void>;
  /** Restores a revision's whole text. */
  restore(position: Position): Promise<void>;
  /** The last undo or restore. */
  done: Done | undefined;
  undoLast(): Promise<void>;
  /** Why the last attempt failed, until the next one. */
  error: unknown;
  busy: boolean;
}

/** Undoes or restores revisions of an issue's checklist. Each makes a new revision and can be undone. */
export function useRevert(store: ChecklistStore, issueId: string): Revert {
  const bridge = useBridge();
  const graphql = useGraphql();
  const notify = useNotify();
  const [done, setDone] = useState<Done | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);

  const run = useCallback(
    async (words: string, entry: string, start: () => Promise<Change | undefined>) => {
      setBusy(true);
      setError(undefined);
      try {
        await store.prepare();
        const before = store.get()?.text ?? '';
        const change = await start();
        if (!change) return notify("There's nothing left to undo.", 'info');
        const outcome = await change.outcome;
        outcomeNotifier(bridge, notify)(outcome);
        setDone({ words, entry, before, after: outcome.base });
      } catch (error) {
        setError(error);
        notify(failureMessage(error, failures.updateChecklist), 'error');
      } finally {
        setBusy(false);
      }
    },
    [store, bridge, notify],
  );

  const textAt = async (position: Position | null): Promise<string> => {
    if (!position) return '';
    const { epoch, seq } = position;
    return (await graphql.query(getRevision, { issueId, epoch, seq })).checklistRevision.text;
  };
  const invert = (before: string, after: Base, log: string) => {
    const currentChecklist = store.get()?.model;
    const [inverse] = currentChecklist ? inverses({ text: before }, after, currentChecklist, () => true) : [];
    return inverse && store.change({ ...inverse.edit, log }, inverse.base);
  };
  const undone = async (entry: HistoryEntry) => {
    const { epoch, seq } = entry;
    return invert(await textAt(entry.previous), { epoch, seq, text: await textAt(entry) }, inverseEntry(entry.kind));
  };

  return {
    done,
    error,
    busy,
    undo: entry => run('Change undone.', inverseEntry(entry.kind), () => undone(entry)),
    restore: ({ epoch, seq }) =>
      run('Version restored.', 'restoreChecklistRevision', async () =>
        store.change({ kind: 'restoreChecklistRevision', epoch, seq }),
      ),
    undoLast: async () => {
      if (!done) return;
      const { before, after } = done;
      const entry = inverseEntry(done.entry);
      await run('Restored to the previous state.', entry, async () => invert(before, after, entry));
    },
  };
}
