import type { HostBridge } from '../bridge/bridge.ts';
import type { ChecklistChange } from '../domain/change.ts';
import { applyChanges } from '../text/document.ts';
import { setStatus } from '../text/edits/item.ts';
import type { Conflict } from '../text/merge.ts';
import { readChecklist } from '../text/read.ts';
import { builtIn, type StatusRegistry } from '../text/status-registry.ts';
import type { Checklist } from '../text/types.ts';
import { CHANGED_EVENT, type Change, type Outcome, type RejectedChange, type SaveState } from './changes.ts';
import type { GraphqlClient } from './graphql.ts';
import { createCoalesced } from './live/coalesced.ts';
import { createPolling, type Polling } from './live/polling.ts';
import type { Named, Refreshing } from './live/refreshing.ts';
import type { Result } from './outbox/entry.ts';
import type { Outbox, OutboxHost } from './outbox/outbox.ts';
import type { SavedValues } from './outbox/saved-values.ts';
import {
  type Base,
  baseOf,
  createReader,
  type IssueRef,
  loadForeignChanges,
  type Reading,
  sameReading,
} from './reading.ts';
import { createStore, type Store } from './store.ts';

/** Polling interval of a visible checklist, without and with a live connection; milliseconds. */
const POLL_INTERVAL_MS = 5_000;
const CONNECTED_POLL_INTERVAL_MS = 60_000;
export const pollPause = (connected: boolean): number => (connected ? CONNECTED_POLL_INTERVAL_MS : POLL_INTERVAL_MS);

/** A checklist as shown: the newest known text with the unacknowledged changes applied. */
export interface ChecklistView {
  issueId: string;
  name: string;
  source: Reading['source'];
  text: string;
  /** The lasting ids of its rows if they are known: '' for a row without one. */
  rows?: readonly string[] | undefined;
  /** The parsed text; unchanged rows keep their object identity. */
  model: Checklist;
  /** The acknowledged text, without pending changes. */
  base: Base;
  state: SaveState;
  /** Text for users if the tracker's copy is overdue or refused. */
  copyNotice: string | null | undefined;
  /** Why changes are not stored yet; set in state `waiting`. */
  why: string | undefined;
  /** Number of unacknowledged changes. */
  waiting: number;
  /** Some changes are held in memory only and are lost with the page. */
  volatile: boolean;
  /** Refused changes with typed text. */
  rejected: readonly RejectedChange[];
  /** Why the outbox's code could not be loaded; changes wait for it. */
  loadError: unknown;
}

/** A conflict as one of its users sees it. */
export interface UserConflict extends Conflict<string> {
  /** Whose value is in the text. */
  stored: 'mine' | 'theirs';
  /** The other user, if known. */
  by?: string;
}

/** The functions by which the view of a checklist shows conflicts. */
export interface ConflictView {
  /** Shows conflicts at their rows; returns those that it cannot show. Set by the view while it is mounted. */
  show?: ((conflicts: readonly UserConflict[]) => readonly UserConflict[]) | undefined;
  /** Whether a conflict that it has shown still offers a choice, although its row has another value. Missing if it does not. */
  isOpen?: ((conflict: UserConflict) => boolean) | undefined;
}

/** Its readings reject when neither the tracker nor our server can be read. */
export interface ChecklistStore extends Store<ChecklistView | undefined>, Omit<Refreshing, 'changed'> {
  readonly issueId: string;
  readonly conflictView: ConflictView;
  /** Loads the outbox; earlier changes are queued. Rejects on failure; the next call retries. */
  prepare(): Promise<void>;
  /** The browser's storage holds changes of this issue, to be shown with the first rendering. */
  readonly urgent: boolean;
  /** Listens to our other frames. Returns the function that stops it. */
  start(): () => void;
  /** Makes a change, on the shown text unless a base is given: shown immediately, then sent. */
  change(change: ChecklistChange, base?: Base): Change;
  /** See `Outbox.inverse`. */
  inverse: Outbox['inverse'];
  /** The values that the user saved, once the outbox is loaded. */
  savedValues(): SavedValues | undefined;
  /** Sends pending changes now, without the backoff. */
  sendNow(): void;
  /** Sends a refused change again; `discard` removes it. */
  resend(id: string): void;
  discard(id: string): void;
  /** Parses the text with these statuses from now on; with the built-in ones before. */
  readBy(statuses: StatusRegistry): void;
}

export interface ChecklistServices {
  bridge: HostBridge;
  graphql: GraphqlClient;
  /** Loads the outbox's code lazily. */
  outbox(): Promise<(host: OutboxHost) => Outbox>;
  /** Whether the browser's storage holds changes of this issue. */
  urgent?: boolean;
  /** Receives results of changes whose page is closed. */
  orphaned?(result: Result): void;
}

const settled = { state: 'saved', waiting: 0, volatile: false, rejected: [], why: undefined } as const;

/** Creates the checklist of one issue: the tracker's or our server's text with the unacknowledged changes on top. */
export function createChecklist(services: ChecklistServices, issue: IssueRef): ChecklistStore {
  const { bridge, graphql, urgent = false } = services;
  let statuses = builtIn;
  const { issueId } = issue;
  const view = createStore<ChecklistView | undefined>(undefined);
  let heldReading: Reading | undefined;
  /** Logical clock: a reading is as old as its start. */
  let clock = 0;
  let heldSince = 0;
  let outbox: Outbox | undefined;
  let preparing: Promise<void> | undefined;
  let loadError: unknown;
  /** Publishing waits until stored changes are loaded. */
  let holdsBack = urgent;
  /** Changes made before the outbox was loaded, in order. */
  const early: { edit: ChecklistChange; base: Base | undefined; run(outbox: Outbox): void }[] = [];
  let started = false;
  let stopOutbox: (() => void) | undefined;

  /** Applies status changes before the outbox is loaded; other edits need its code. */
  const withEarly = (text: string): string =>
    early.reduce((now, { edit, base }) => {
      if (base || edit.kind !== 'setItemStatus') return now;
      try {
        return applyChanges(now, setStatus(readChecklist(now, statuses), edit.target, edit.status));
      } catch {
        // The server will refuse it.
        return now;
      }
    }, text);

  const publish = () => {
    if (!heldReading || holdsBack) return;
    const { name, source, text, rows, copyNotice } = heldReading;
    const before = view.get()?.model;
    // A status leaves the rows as they are.
    const projected = outbox ? outbox.apply({ text, rows }, before) : { text: withEarly(text), rows };
    const model = readChecklist(projected.text, statuses, before);
    const named = outbox ? outbox.nameOf(name) : name;
    const { text: shown } = model;
    const sending = outbox?.state() ?? (early.length > 0 ? { ...settled, state: 'saving' as const } : settled);
    view.set({
      issueId,
      name: named,
      source,
      text: shown,
      rows: projected.rows,
      model,
      base: baseOf(heldReading),
      copyNotice,
      loadError,
      ...sending,
    });
    if (outbox) for (const { run } of early.splice(0)) run(outbox);
  };

  /** Within an epoch the higher seq is newer; otherwise the later request. */
  const supersedes = (reading: Reading, started: number) => {
    if (!heldReading) return true;
    if (reading.epoch !== '' && reading.epoch === heldReading.epoch && reading.seq !== heldReading.seq)
      return reading.seq > heldReading.seq;
    return started >= heldSince;
  };

  /** Stores a reading if it is newer. Returns whether anything changed. */
  const take = (reading: Reading, started: number): boolean => {
    if (!supersedes(reading, started)) return false;
    heldSince = started;
    if (heldReading && sameReading(heldReading, reading)) return false;
    heldReading = reading;
    return true;
  };

  const receive = (reading: Reading, started: number) => {
    if (take(reading, started)) publish();
  };

  const readLatest = createReader(bridge, graphql, issue);

  const { run: refresh, idle } = createCoalesced(async () => {
    const started = ++clock;
    receive(await readLatest(heldReading, reading => receive(reading, started)), started);
  });
  /** Loaded with the first event: nothing tells of changes or covers the frame before. */
  let refreshing: Promise<Refreshing> | undefined;
  const load = (): Promise<Refreshing> => {
    refreshing ??= import('./live/foreign-changes.ts').then(({ createRefreshing }) =>
      createRefreshing({ issueId, held: () => heldReading, answered: () => outbox?.answered(), run: refresh, idle }),
    );
    refreshing.catch(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const catchUp = (named?: Named): Promise<void> => load().then(loaded => loaded.catchUp(named), refresh);

  const prepare = (): Promise<void> => {
    preparing ??= (async () => {
      try {
        const create = await services.outbox();
        outbox ??= create({
          bridge,
          graphql,
          statuses: () => statuses,
          issueId,
          held: () => heldReading,
          shown: () => view.get()?.model,
          shownRows: () => view.get()?.rows,
          take: reading => void take(reading, ++clock),
          refresh,
          changed: publish,
          orphaned: services.orphaned ?? (() => undefined),
        });
        if (started) stopOutbox ??= outbox.start();
        loadError = undefined;
        await outbox.open();
      } catch (error) {
        preparing = undefined;
        loadError = error;
        throw error;
      } finally {
        holdsBack = false;
        publish();
      }
    })();
    return preparing;
  };

  /** Passes the change to the outbox, or queues it until the outbox and a text are loaded. */
  const change = (edit: ChecklistChange, base?: Base): Change => {
    if (outbox && view.get()) return outbox.change(edit, base);
    const id = crypto.randomUUID();
    const outcome = new Promise<Outcome>(resolve => {
      early.push({ edit, base, run: out => resolve(out.change(edit, base, id).outcome) });
    });
    outcome.catch(() => undefined);
    publish();
    void prepare().catch(() => undefined);
    if (!heldReading) void refresh().catch(() => undefined);
    return { id, outcome };
  };

  return {
    issueId,
    urgent,
    conflictView: {},
    get: view.get,
    subscribe: view.subscribe,
    refresh,
    catchUp,
    poll: async () => (refreshing === undefined ? refresh() : (await refreshing).poll()),
    cover: async closed => (await load()).cover(closed),
    prepare,
    start: () => {
      started = true;
      stopOutbox = outbox?.start();
      if (urgent) void prepare().catch(() => undefined);
      const stop = bridge.on(CHANGED_EVENT, data => {
        void load()
          .then(loaded => loaded.changed(data))
          .catch(() => undefined);
      });
      const ends = [stop];
      loadForeignChanges(({ reportForeignChanges, keepBadge }) => {
        if (ends.length > 0) ends.push(reportForeignChanges(services, issue, view), keepBadge(bridge, issue, view));
      });
      return () => {
        started = false;
        for (const end of ends.splice(0)) end();
        stopOutbox?.();
        stopOutbox = undefined;
      };
    },
    change,
    inverse: (id, may) => outbox?.inverse(id, may) ?? [],
    savedValues: () => outbox?.saved,
    sendNow: () => outbox?.sendNow(),
    resend: id => outbox?.resend(id),
    discard: id => outbox?.discard(id),
    readBy: registry => {
      statuses = registry;
      publish();
    },
  };
}

/** Polls a checklist while the page is visible; the result is in the store. */
export const watchChecklist = (checklist: ChecklistStore): Polling =>
  createPolling(() => checklist.poll(), pollPause(false));
