import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { openStorage } from '../../../client/browser-storage.ts';
import {
  type ChecklistStore,
  type ChecklistView,
  createChecklist,
  pollPause,
  watchChecklist,
} from '../../../client/checklist.ts';
import { TrackerError } from '../../../client/errors.ts';
import type { Result } from '../../../client/outbox/entry.ts';
import type { OutboxHost } from '../../../client/outbox/outbox.ts';
import { hasUnsentChanges } from '../../../client/outbox/unsent.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { failures, storage } from '../../../domain/messages.ts';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import { useCover } from '../../shell/navigation/dialogs.tsx';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { type Notify, useBridge, useGraphql, useNotify, useSession } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';
import type { ReportedOutcome } from './conflict-text.ts';

/** Reports a change's conflicts, at their rows where they are shown, and its notices, each once. */
export const outcomeNotifier =
  (bridge: HostBridge, notify: Notify, store?: ChecklistStore) =>
  (outcome: ReportedOutcome): void =>
    // Part of the outbox's chunk, which has brought the outcome.
    void import('./conflict-text.ts')
      .then(({ reportOutcome }) => reportOutcome(bridge, notify, store, outcome))
      .catch(() => undefined);

/** The message for a failed load. */
export const failureText = (error: unknown): string =>
  error instanceof TrackerError && (error.status === 403 || error.status === 404)
    ? storage.issueNotFound
    : failures.unknown;

export interface OpenChecklist {
  store: ChecklistStore;
  /** `undefined` until a snapshot was loaded. */
  view: ChecklistView | undefined;
  /** Error of the last load, `undefined` while it is running. */
  failure: unknown;
  retry(): void;
}

const outbox = async () => {
  const { createOutbox } = await loadChunk('outbox', () => import('../../../client/outbox/outbox.ts'));
  return (host: OutboxHost) => createOutbox(host);
};

/** The checklist of an issue, refreshed while the component is mounted. */
export function useChecklist({ issueId, issueKey }: IssueRef): OpenChecklist {
  const bridge = useBridge();
  const graphql = useGraphql();
  const notify = useNotify();
  const { token } = useSession();
  const { store, watch } = useMemo(() => {
    const urgent = hasUnsentChanges(issueId, openStorage());
    const orphaned = (result: Result) => {
      if (result.kind === 'stored') outcomeNotifier(bridge, notify, created)(result);
      else if (!result.offered) notify(result.message, 'error');
    };
    const created: ChecklistStore = createChecklist(
      { bridge, graphql, outbox, urgent, orphaned },
      { issueId, issueKey },
    );
    return { store: created, watch: watchChecklist(created) };
  }, [bridge, graphql, notify, issueId, issueKey]);
  useEffect(() => store.start(), [store]);
  const live = useLive({ issue: issueId }, event => {
    if (event.kind !== 'checklist' && event.kind !== 'open' && event.kind !== 'gap') return;
    // Failures are not reported: polling retries.
    void store.catchUp(event.kind === 'checklist' ? event : undefined).catch(() => undefined);
  });
  const cover = useCover();
  useEffect(() => {
    if (cover !== undefined) void store.cover(cover).catch(() => undefined);
  }, [store, cover]);
  useEffect(() => watch.pace(pollPause(live)), [watch, live]);
  useEffect(() => watch.start(), [watch]);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  const view = useSyncExternalStore(store.subscribe, store.get);

  const painted = view !== undefined;
  useEffect(() => {
    // Loads what changes need after the first paint; errors are in `view.loadError`.
    if (painted) void store.prepare().catch(() => undefined);
  }, [store, painted]);
  useEffect(() => {
    if (token !== undefined) store.sendNow();
  }, [store, token]);
  useUnsaved(view?.volatile ?? false);
  return { store, view, failure, retry: watch.retry };
}
