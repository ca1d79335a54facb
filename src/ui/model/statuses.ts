import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ChecklistStore } from '../../client/checklist.ts';
import { createStatuses } from '../../client/statuses.ts';
import { builtIn, type StatusRegistry } from '../../text/statuses.ts';
import { useBridge, useGraphql, useHostContext } from '../shell/services/services.ts';
import { useLive } from '../shell/use-live.ts';

/** The statuses that a text is read by where one looks from; the built-in ones until they are known. */
export function useStatusRegistry(): StatusRegistry {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { projectId } = useHostContext();
  const statuses = useMemo(() => createStatuses(bridge, graphql, { projectId }), [bridge, graphql, projectId]);
  useEffect(() => void statuses.refresh(), [statuses]);
  return useSyncExternalStore(statuses.subscribe, statuses.get) ?? builtIn;
}

/** Milliseconds between two readings where changes are not told. */
const POLL = 60_000;

/** Has a checklist read by the statuses of its project, as they are and as they become. For parts that come late. */
export function useChecklistStatuses(store: ChecklistStore): void {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { projectId } = useHostContext();
  const { issueId } = store;
  const statuses = useMemo(
    () => createStatuses(bridge, graphql, { projectId, issueId }),
    [bridge, graphql, projectId, issueId],
  );
  const told = useLive({}, ({ kind }) => {
    if (kind === 'statuses' || kind === 'open' || kind === 'gap') void statuses.refresh(kind === 'statuses');
  });
  useEffect(() => {
    void statuses.refresh();
    const timer = told ? undefined : setInterval(() => void statuses.refresh(), POLL);
    return () => clearInterval(timer);
  }, [statuses, told]);
  const registry = useSyncExternalStore(statuses.subscribe, statuses.get);
  useEffect(() => {
    if (registry) store.readBy(registry);
  }, [store, registry]);
}
