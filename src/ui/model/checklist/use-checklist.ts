import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { openStorage } from '../../../client/browser-storage.ts';
import type { Outcome } from '../../../client/changes.ts';
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
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import type { Notify } from '../../shell/services/services.ts';
import { useBridge, useGraphql, useNotify, useSession } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/** Tells what changes led to besides what shows. */
export function outcomeNotifier(
  bridge: HostBridge,
  notify: Notify,
): (outcome: Pick<Outcome, 'conflicts' | 'notices'>) => void {
  const told = new Set<string>();
  return ({ conflicts, notices }) => {
    if (conflicts.length > 0)
      void import('./conflict-text.ts')
        .then(({ conflictTexts }) => conflictTexts(bridge, conflicts))
        // That there were any is said, whatever it is that does not come.
        .catch(() => [storage.sameItems])
        .then(texts => {
          for (const text of texts) notify(text, 'warning');
        });
    // What keeps the other storage from being written is the same for every change: once is enough.
    for (const notice of notices) {
      if (!told.has(notice)) notify(notice, 'warning');
      told.add(notice);
    }
  };
}

/** Why a checklist cannot be shown. */
export const failureText = (error: unknown): string =>
  error instanceof TrackerError && (error.status === 403 || error.status === 404)
    ? storage.issueNotFound
    : failures.unknown;

export interface OpenChecklist {
  store: ChecklistStore;
  /** What there is to show; `undefined` until something was read. */
  view: ChecklistView | undefined;
  /** Why nothing could be read, `undefined` while it is tried. */
  failure: unknown;
  retry(): void;
}

const outbox = async () => {
  const { createOutbox } = await loadChunk('outbox', () => import('../../../client/outbox/outbox.ts'));
  return (host: OutboxHost) => createOutbox(host);
};

/** Milliseconds after an own change in which others may still come to change the same on what they saw before. */
const MEANWHILE = 60_000;

/** The checklist of an issue, read as long as it is on the screen. */
export function useChecklist({ issueId, issueKey }: IssueRef): OpenChecklist {
  const bridge = useBridge();
  const graphql = useGraphql();
  const notify = useNotify();
  const { token, payload } = useSession();
  const changed = useRef(Number.NEGATIVE_INFINITY);
  const { store, watch, told } = useMemo(() => {
    const urgent = hasUnsentChanges(issueId, openStorage());
    const tell = outcomeNotifier(bridge, notify);
    const orphaned = (result: Result) => {
      if (result.kind === 'stored') tell(result);
      else if (!result.offered) notify(result.message, 'error');
    };
    const store = createChecklist({ bridge, graphql, outbox, urgent, orphaned }, { issueId, issueKey });
    return { store, watch: watchChecklist(store), told: new Set<string>() };
  }, [bridge, graphql, notify, issueId, issueKey]);
  useEffect(() => store.start(), [store]);
  const account = payload?.sub ?? '';
  const live = useLive({ issue: issueId }, event => {
    // A failure is nothing to tell: the next reading comes by itself.
    if (event.kind !== 'presence') void store.refresh().catch(() => undefined);
    if (event.kind !== 'checklist' || !event.by?.some(id => id !== account)) return;
    if (Date.now() - changed.current > MEANWHILE) return;
    // Whoever writes last hears of a conflict along with the answer; whoever wrote before him hears of it here.
    void import('./overwritten-values.ts')
      .then(({ overwrittenTexts }) => overwrittenTexts({ bridge, graphql, issueId, account, told, within: MEANWHILE }))
      .then(texts => {
        for (const text of texts) notify(text, 'warning');
      })
      .catch(() => undefined);
  });
  useEffect(() => watch.pace(pollPause(live)), [watch, live]);
  useEffect(() => watch.start(), [watch]);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  const view = useSyncExternalStore(store.subscribe, store.get);

  const saving = view?.state === 'saving';
  useEffect(() => {
    if (saving) changed.current = Date.now();
  }, [saving]);

  const painted = view !== undefined;
  useEffect(() => {
    // What can be done comes after what there is to see; the view tells when it does not come.
    if (painted) void store.prepare().catch(() => undefined);
  }, [store, painted]);
  useEffect(() => {
    if (token !== undefined) store.sendNow();
  }, [store, token]);
  useUnsaved(view?.volatile ?? false);
  return { store, view, failure, retry: watch.retry };
}
