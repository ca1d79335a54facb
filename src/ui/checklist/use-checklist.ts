import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type ChecklistStore, type ChecklistView, checklistQuery, createChecklist } from '../../client/checklist.ts';
import type { IssueRef } from '../../client/reading.ts';
import { useBridge, useGraphql } from '../app/hooks.ts';

export interface OpenChecklist {
  store: ChecklistStore;
  /** What there is to show; `undefined` until something was read. */
  view: ChecklistView | undefined;
  /** Why nothing could be read. */
  error: Error | null;
  retry(): void;
}

/** The checklist of an issue, read as long as it is on the screen. */
export function useChecklist({ issueId, issueKey }: IssueRef): OpenChecklist {
  const bridge = useBridge();
  const graphql = useGraphql();
  const store = useMemo(
    () => createChecklist({ bridge, graphql }, { issueId, issueKey }),
    [bridge, graphql, issueId, issueKey],
  );
  useEffect(() => store.start(), [store]);
  const { error, refetch } = useQuery({ ...checklistQuery(store), meta: { silent: true } });
  const view = useSyncExternalStore(store.subscribe, store.get);
  return { store, view, error, retry: () => void refetch() };
}
