import { useEffect, useMemo, useSyncExternalStore } from 'react';
import {
  type ChecklistStore,
  type ChecklistView,
  createChecklist,
  pollPause,
  watchChecklist,
} from '../../client/checklist.ts';
import { keepsChanges } from '../../client/kept.ts';
import type { Result } from '../../client/outbox/entry.ts';
import type { OutboxHost } from '../../client/outbox/outbox.ts';
import type { IssueRef } from '../../client/reading.ts';
import { openStorage } from '../../client/shelf.ts';
import { useBridge, useGraphql, useLive, useNotify, useSession, useUnsaved } from '../app/hooks.ts';
import { loadChunk } from '../app/lazy.tsx';
import { teller } from './tell.ts';

export interface OpenChecklist {
  store: ChecklistStore;
  /** What there is to show; `undefined` until something was read. */
  view: ChecklistView | undefined;
  /** Why nothing could be read, `undefined` while it is tried. */
  failure: unknown;
  retry(): void;
}

const outbox = async () => {
  const { createOutbox } = await loadChunk('outbox', () => import('../../client/outbox/outbox.ts'));
  return (host: OutboxHost) => createOutbox(host);
};

/** The checklist of an issue, read as long as it is on the screen. */
export function useChecklist({ issueId, issueKey }: IssueRef): OpenChecklist {
  const bridge = useBridge();
  const graphql = useGraphql();
  const notify = useNotify();
  const { token } = useSession();
  const { store, watch } = useMemo(() => {
    const urgent = keepsChanges(issueId, openStorage());
    const tell = teller(bridge, notify);
    const stray = (result: Result) => {
      if (result.kind === 'stored') tell(result);
      else if (!result.offered) notify(result.message, 'error');
    };
    const store = createChecklist({ bridge, graphql, outbox, urgent, stray }, { issueId, issueKey });
    return { store, watch: watchChecklist(store) };
  }, [bridge, graphql, notify, issueId, issueKey]);
  useEffect(() => store.start(), [store]);
  const told = useLive({ issue: issueId }, ({ kind }) => {
    // A failure is nothing to tell: the next reading comes by itself.
    if (kind !== 'presence') void store.refresh().catch(() => undefined);
  });
  useEffect(() => watch.pace(pollPause(told)), [watch, told]);
  useEffect(() => watch.start(), [watch]);
  const failure = useSyncExternalStore(watch.subscribe, watch.get);
  const view = useSyncExternalStore(store.subscribe, store.get);

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
