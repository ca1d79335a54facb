import { useEffect, useMemo, useSyncExternalStore } from 'react';
import {
  type ChecklistStore,
  type ChecklistView,
  createChecklist,
  pollPause,
  watchChecklist,
} from '../../client/checklist.ts';
import type { IssueRef } from '../../client/reading.ts';
import { useBridge, useGraphql, useLive } from '../app/hooks.ts';

export interface OpenChecklist {
  store: ChecklistStore;
  /** What there is to show; `undefined` until something was read. */
  view: ChecklistView | undefined;
  /** Why nothing could be read, `undefined` while it is tried. */
  failure: unknown;
  retry(): void;
}

/** The checklist of an issue, read as long as it is on the screen. */
export function useChecklist({ issueId, issueKey }: IssueRef): OpenChecklist {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { store, watch } = useMemo(() => {
    const store = createChecklist({ bridge, graphql }, { issueId, issueKey });
    return { store, watch: watchChecklist(store) };
  }, [bridge, graphql, issueId, issueKey]);
  useEffect(() => store.start(), [store]);
  const told = useLive({ issue: issueId }, ({ kind }) => {
    // A failure is nothing to tell: the next reading comes by itself.
    if (kind !== 'presence') void store.refresh().catch(() => undefined);
  });
  useEffect(() => watch.pace(pollPause(told)), [watch, told]);
  useEffect(() => watch.start(), [watch]);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  const view = useSyncExternalStore(store.subscribe, store.get);
  return { store, view, failure, retry: watch.retry };
}
