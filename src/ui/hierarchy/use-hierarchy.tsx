import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createHierarchy, type Hierarchy, type HierarchyView } from '../../client/hierarchy/hierarchy.ts';
import { createPolling } from '../../client/live/polling.ts';
import { useBridge, useGraphql } from '../shell/services/services.ts';
import { useLive } from '../shell/use-live.ts';

/** Most checklists that are open at once: each is read and listened to by itself, one that was closed too while it is kept. */
const MOST = 50;

/**
 * Checklists with one more that is opened. Where there are too many, the one that was opened first goes of those that
 * need not stay; `undefined` when all have to.
 */
export function withOpened<Issue extends { id: string }>(
  opened: ReadonlyMap<string, Issue>,
  issue: Issue,
  stays: (id: string) => boolean,
): { opened: ReadonlyMap<string, Issue>; left: readonly string[] } | undefined {
  const next = new Map(opened).set(issue.id, issue);
  if (next.size <= MOST) return { opened: next, left: [] };
  const idle = [...opened.keys()].find(id => !stays(id));
  if (idle === undefined) return undefined;
  next.delete(idle);
  return { opened: next, left: [idle] };
}

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

/** Milliseconds for which the same issues are seen before changes of them are listened for, and most of them at once. */
const REST = 700;
const MOST_LIVE = 40;

interface LiveIssuesProps {
  ids: readonly string[];
  onChange(id: string): void;
}

/** Hears of changes of the checklists that are seen. */
export function LiveIssues({ ids, onChange }: LiveIssuesProps) {
  const [heard, setHeard] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setHeard(ids.slice(0, MOST_LIVE)), REST);
    return () => clearTimeout(timer);
  }, [ids]);
  return heard.map(id => <One key={id} id={id} onChange={onChange} />);
}

function One({ id, onChange }: { id: string; onChange(id: string): void }) {
  useLive({ issue: id }, event => {
    if (event.kind === 'checklist') onChange(id);
  });
  return null;
}
