import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createHierarchy, type Hierarchy, type HierarchyView } from '../../../client/hierarchy/hierarchy.ts';
import { createPolling } from '../../../client/live/polling.ts';
import { TooManyCalls } from '../../../client/tracker/throttle.ts';
import { hierarchy, shell } from '../../../domain/messages.ts';
import { useFocusFallback } from '../../kit/focus.ts';
import { Message } from '../../kit/message.tsx';
import { useDebounced } from '../../kit/use-debounced.ts';
import { failureText } from '../../model/checklist/use-checklist.ts';
import { useBridge, useGraphql } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/** Each mounted checklist loads and subscribes separately; closed ones count. */
const MAX_MOUNTED_CHECKLISTS = 50;

/** Adds an issue. Above the maximum it evicts the oldest issue that need not stay; `undefined` if all must stay. */
export function addOpened<Issue extends { id: string }>(
  opened: ReadonlyMap<string, Issue>,
  issue: Issue,
  stays: (id: string) => boolean,
): { opened: ReadonlyMap<string, Issue>; left: readonly string[] } | undefined {
  const next = new Map(opened).set(issue.id, issue);
  if (next.size <= MAX_MOUNTED_CHECKLISTS) return { opened: next, left: [] };
  const idle = [...opened.keys()].find(id => !stays(id));
  if (idle === undefined) return undefined;
  next.delete(idle);
  return { opened: next, left: [idle] };
}

/** The whole tree is polled, less often with live events for the visible rows. */
const POLL_INTERVAL_MS = 60_000;
const LIVE_POLL_INTERVAL_MS = 180_000;

interface UsedHierarchy {
  hierarchy: Hierarchy;
  view: HierarchyView;
  /** Error of the last load, `undefined` while it is running. */
  failure: unknown;
  retry(): void;
}

/** The hierarchy around an issue, refreshed while the component is mounted. */
export function useHierarchy(issueKey: string): UsedHierarchy {
  const bridge = useBridge();
  const graphql = useGraphql();
  const { hierarchy, watch } = useMemo(() => {
    const hierarchy = createHierarchy({ bridge, graphql }, issueKey);
    return { hierarchy, watch: createPolling(hierarchy.refresh, POLL_INTERVAL_MS) };
  }, [bridge, graphql, issueKey]);
  useEffect(() => watch.start(), [watch]);
  useEffect(() => hierarchy.stop, [hierarchy]);
  const live = useLive({}, ({ kind }) => {
    // Events may have been missed: everything is stale.
    if (kind === 'open' || kind === 'gap' || kind === 'statuses') hierarchy.gap();
  });
  useEffect(() => watch.pace(live ? LIVE_POLL_INTERVAL_MS : POLL_INTERVAL_MS), [watch, live]);
  const view = useSyncExternalStore(hierarchy.subscribe, hierarchy.get);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  return { hierarchy, view, failure, retry: watch.retry };
}

/** Visible issues are subscribed to after a pause in scrolling, up to the maximum. */
const SUBSCRIBE_DELAY_MS = 700;
const MAX_LIVE_ISSUES = 40;

interface LiveIssuesProps {
  ids: readonly string[];
  onChange(id: string): void;
}

/** Subscribes to changes of the visible checklists. */
export function LiveIssues({ ids, onChange }: LiveIssuesProps) {
  const subscribed = useDebounced(ids, SUBSCRIBE_DELAY_MS);
  return subscribed.slice(0, MAX_LIVE_ISSUES).map(id => <LiveIssue key={id} id={id} onChange={onChange} />);
}

function LiveIssue({ id, onChange }: { id: string; onChange(id: string): void }) {
  useLive({ issue: id }, event => {
    if (event.kind === 'checklist') onChange(id);
  });
  return null;
}

/** The message for a failed load of the tree. */
export function treeFailure(failure: unknown): string {
  if (failure instanceof TooManyCalls) return hierarchy.tooMany(Math.max(1, Math.ceil(failure.wait / 60_000)));
  return failureText(failure);
}

interface Props {
  view: HierarchyView;
  failure: unknown;
  /** Error of loading the issues below an issue. */
  branch: unknown;
  onRetry(): void;
  onRetryCounts(): void;
  onRetryBranch(): void;
  /** Called when the focused message is unmounted. */
  onLeft(): void;
}

/** Errors of partial or stale data, each with a retry. The rest stays usable. */
export function LoadErrors({ view, failure, branch, onRetry, onRetryCounts, onRetryBranch, onLeft }: Props) {
  const focus = useFocusFallback(() => {
    onLeft();
    return undefined;
  });
  return (
    <div className="tree-trouble" {...focus}>
      {view.waitsUntil === undefined ? null : <Pause until={view.waitsUntil} />}
      {failure === undefined || !view.tree ? null : (
        <Message appearance="warning" actions={[{ label: shell.retry, run: onRetry }]}>
          {failure instanceof TooManyCalls ? treeFailure(failure) : hierarchy.stale}
        </Message>
      )}
      {view.summaryError === undefined ? null : (
        <Message appearance="warning" actions={[{ label: shell.retry, run: onRetryCounts }]}>
          {hierarchy.partial}
        </Message>
      )}
      {branch === undefined ? null : (
        <Message appearance="warning" actions={[{ label: shell.retry, run: onRetryBranch }]}>
          {branch instanceof TooManyCalls ? treeFailure(branch) : hierarchy.branch}
        </Message>
      )}
    </div>
  );
}

/** The remaining seconds of the tracker's rate limit. */
export function Pause({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="check-waiting" role="status">
      {hierarchy.waiting(Math.max(1, Math.ceil((until - now) / 1_000)))}
    </p>
  );
}
