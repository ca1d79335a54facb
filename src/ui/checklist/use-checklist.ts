import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type ChecklistStore, type ChecklistView, checklistQuery, createChecklist } from '../../client/checklist.ts';
import type { IssueRef } from '../../client/reading.ts';
import { useBridge, useGraphql, useLive } from '../app/hooks.ts';

export interface OpenChecklist {
  store: ChecklistStore;
  /** What there is to show; `undefined` until something was read. */
  view: ChecklistView | undefined;
  /** Why nothing could be read; nothing while it is tried again. */
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
  const told = useLive({ issue: issueId }, ({ kind }) => {
    // A failure is nothing to tell: the next reading comes by itself.
    if (kind !== 'presence') void store.refresh().catch(() => undefined);
  });
  const { error, refetch } = useQuery({ ...checklistQuery(store, told), meta: { silent: true } });
  const view = useSyncExternalStore(store.subscribe, store.get);
  const [retrying, setRetrying] = useState(false);
  const retry = () => {
    setRetrying(true);
    void refetch().finally(() => setRetrying(false));
  };
  return { store, view, error: retrying ? null : error, retry };
}
