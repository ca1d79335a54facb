import { useEffect, useState } from 'react';
import type { HierarchyView } from '../../client/hierarchy/hierarchy.ts';
import { TooManyCalls } from '../../client/tracker/throttle.ts';
import { hierarchy, shell } from '../../domain/messages.ts';
import { useFocusFallback } from '../kit/focus.ts';
import { Message } from '../kit/message.tsx';
import { failureText } from '../model/checklist/use-checklist.ts';

/** Why a tree cannot be read, in words for people. */
export function treeFailure(failure: unknown): string {
  if (failure instanceof TooManyCalls) return hierarchy.tooMany(Math.max(1, Math.ceil(failure.wait / 60_000)));
  return failureText(failure);
}

interface Props {
  view: HierarchyView;
  failure: unknown;
  /** Why what is below one issue is missing. */
  branch: unknown;
  onRetry(): void;
  onRetryCounts(): void;
  onRetryBranch(): void;
  /** What had the focus here has gone. */
  onLeft(): void;
}

/** What is missing or old, and how to try again. All else stays usable. */
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

/** That the tracker is being left alone, and for how long. */
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
