import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { createHierarchy, type Hierarchy, type HierarchyView } from '../../client/hierarchy/hierarchy.ts';
import { createPolling } from '../../client/live/polling.ts';
import { useBridge, useGraphql, useLive } from '../shell/hooks.ts';

/** Milliseconds between two readings of the whole tree: what happens to the rows that show is told, where that is. */
const POLL = 60_000;
const POLL_TOLD = 180_000;

export interface UsedHierarchy {
  hierarchy: Hierarchy;
  view: HierarchyView;
  /** Why the tree cannot be read, `undefined` while it is tried. */
  failure: unknown;
  retry(): void;
}

/** The hierarchy around an issue, read as long as it is on the screen. */
export function useHierarchy(issueKey: string): UsedHierarchy {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { hierarchy, watch } = useMemo(() => {
    const hierarchy = createHierarchy({ bridge, graphql }, issueKey);
    return { hierarchy, watch: createPolling(hierarchy.refresh, POLL) };
  }, [bridge, graphql, issueKey]);
  useEffect(() => watch.start(), [watch]);
  useEffect(() => hierarchy.stop, [hierarchy]);
  const told = useLive({}, ({ kind }) => {
    // What happened while nothing was told may be anywhere.
    if (kind === 'open' || kind === 'gap' || kind === 'statuses') hierarchy.gap();
  });
  useEffect(() => watch.pace(told ? POLL_TOLD : POLL), [watch, told]);
  const view = useSyncExternalStore(hierarchy.subscribe, hierarchy.get);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  return { hierarchy, view, failure, retry: watch.retry };
}
