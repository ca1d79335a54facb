import { useEffect, useState } from 'react';
import type { HierarchyView } from '../../client/hierarchy/hierarchy.ts';
import { TooManyCalls } from '../../client/tracker/throttle.ts';
import { hierarchy, shell } from '../../domain/messages.ts';
import { useFocusFallback } from '../kit/focus.ts';
import { Message } from '../kit/message.tsx';
import { failureText } from '../model/checklist/use-checklist.ts';

/** The message for a failed load of the tree. */
export function treeFailure(failure: unknown): string {
  if (failure instanceof TooManyCalls) return hierarchy.tooMany(Math.max(1, Math.ceil(failure.wait / 60_000)));
  return failureText(failure);
}

interface Props {
  view: HierarchyView;
  failure: unknown;
  /** Error of loading what is below one issue. */
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
