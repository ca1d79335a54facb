import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ChecklistStore } from '../../client/checklist.ts';
import { createStatuses, type StatusStore } from '../../client/status-registry.ts';
import { createTimer } from '../../domain/timing.ts';
import { builtIn, type StatusRegistry } from '../../text/status-registry.ts';
import { useBridge, useGraphql, useHostContext } from '../shell/services/services.ts';
import { useLive } from '../shell/use-live.ts';

const RETRY_AFTER_MS = 10_000;

/** Reads the statuses now, and again after a failure, until the returned function is called. */
function keepReading(statuses: StatusStore): () => void {
  const timer = createTimer(() => void readStatuses());
  let ended = false;
  const readStatuses = async () => {
    if (!(await statuses.refresh()) && !ended) timer.start(RETRY_AFTER_MS);
  };
  void readStatuses();
  return () => {
    ended = true;
    timer.stop();
  };
}

/** The statuses of the current project; the built-in ones until they are loaded. */
export function useStatusRegistry(): StatusRegistry {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { projectId } = useHostContext();
  const statuses = useMemo(() => createStatuses(bridge, graphql, { projectId }), [bridge, graphql, projectId]);
  useEffect(() => keepReading(statuses), [statuses]);
  return useSyncExternalStore(statuses.subscribe, statuses.get) ?? builtIn;
}

/** Used only without live events. */
const POLL_INTERVAL_MS = 60_000;

/** Parses a checklist with the statuses of its project and keeps them current. For lazy chunks. */
export function useChecklistStatuses(store: ChecklistStore): void {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { projectId } = useHostContext();
  const { issueId } = store;
  const statuses = useMemo(
    () => createStatuses(bridge, graphql, { projectId, issueId }),
    [bridge, graphql, projectId, issueId],
  );
  const live = useLive({}, ({ kind }) => {
    if (kind === 'statuses' || kind === 'open' || kind === 'gap') void statuses.refresh(kind === 'statuses');
  });
  useEffect(() => {
    const end = keepReading(statuses);
    const timer = live ? undefined : setInterval(() => void statuses.refresh(), POLL_INTERVAL_MS);
    return () => {
      end();
      clearInterval(timer);
    };
  }, [statuses, live]);
  const registry = useSyncExternalStore(statuses.subscribe, statuses.get);
  useEffect(() => {
    if (registry) store.readBy(registry);
  }, [store, registry]);
}
