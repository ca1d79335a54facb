import type { HostBridge } from '../bridge/bridge.ts';
import type { ChecklistChange } from '../domain/change.ts';
import { applyChanges } from '../text/document.ts';
import { setStatus } from '../text/edits/item.ts';
import { readChecklist } from '../text/read.ts';
import { builtIn, type StatusRegistry } from '../text/statuses.ts';
import type { Checklist } from '../text/types.ts';
import { CHANGED, type Change, type Offer, type Outcome, type SaveState } from './changes.ts';
import type { GraphqlClient } from './graphql.ts';
import { createPolling, type Polling } from './live/polling.ts';
import type { Result } from './outbox/entry.ts';
import type { Outbox, OutboxHost } from './outbox/outbox.ts';
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

/** How often an open checklist is read again while it is seen, and how often where changes are told; milliseconds. */
const POLL = 5_000;
const POLL_TOLD = 60_000;
export const pollPause = (told: boolean): number => (told ? POLL_TOLD : POLL);

/** A checklist as it shows: the newest text that we know of, with the changes that are not acknowledged yet. */
export interface ChecklistView {
  issueId: string;
  name: string;
  source: Reading['source'];
  text: string;
  /** The text's reading; unchanged rows are the same objects as before. */
  model: Checklist;
  /** The acknowledged text, without our own changes on their way. */
  base: Base;
  state: SaveState;
  /** What is saved is not in the tracker yet, though it is time. */
  copyPending: boolean;
  /** Why they are not stored yet, where the state is `waiting`. */
  why: string | undefined;
  /** Changes on their way. */
  waiting: number;
  /** Some of them would go with the page: the browser keeps nothing for it. */
  volatile: boolean;
  /** Changes that were refused, and hold something typed. */
  offers: readonly Offer[];
  /** Why changes cannot be made for now: a part of the program did not come. They wait for it. */
  unready: unknown;
}

export interface ChecklistStore extends Store<ChecklistView | undefined> {
  readonly issueId: string;
  /** Reads anew. Rejects when neither the tracker nor our server lets us read. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** Gets ready for changes, which wait for it if they are made before. Rejects when that fails; the next call tries anew. */
  prepare(): Promise<void>;
  /** The browser keeps changes of this issue that show as soon as that is ready. */
  readonly urgent: boolean;
  /** Hears of our other frames. Returns the function that stops it. */
  start(): () => void;
  /** Makes a change, on what shows unless a base is given: at once on the screen, then at the server. */
  change(change: ChecklistChange, base?: Base): Change;
  /** What takes a change of this page back now (`Outbox.inverse`). */
  inverse: Outbox['inverse'];
  /** Sends what waits now instead of at its time. */
  sendNow(): void;
  /** Sends a refused change again, or forgets it. */
  again(id: string): void;
  discard(id: string): void;
  /** Reads the text by these statuses from now on; by the built-in ones before. */
  readBy(statuses: StatusRegistry): void;
}

export interface ChecklistServices {
  bridge: HostBridge;
  graphql: GraphqlClient;
  /** Fetches what changes need; nothing that is painted first waits for it. */
  outbox(): Promise<(host: OutboxHost) => Outbox>;
  /** Whether the browser keeps changes of this issue. */
  urgent?: boolean;
  /** Told what became of changes whose page is gone. */
  stray?(result: Result): void;
}

const settled = { state: 'saved', waiting: 0, volatile: false, offers: [], why: undefined } as const;

/**
 * The checklist of one issue: what the tracker holds, as it is read or as our server has acknowledged it, and on top of
 * that the changes that are on their way.
 */
export function createChecklist(services: ChecklistServices, issue: IssueRef): ChecklistStore {
  const { bridge, graphql, urgent = false } = services;
  let statuses = builtIn;
  const { issueId } = issue;
  const view = createStore<ChecklistView | undefined>(undefined);
  let held: Reading | undefined;
  /** A count of what happened: a reading is as old as its start. */
  let clock = 0;
  let heldSince = 0;
  let outbox: Outbox | undefined;
  let preparing: Promise<void> | undefined;
  let unready: unknown;
  /** What is kept is not there yet, and would show a moment later. */
  let holdsBack = urgent;
  /** Changes from before the outbox was there, in their order. */
  const early: { edit: ChecklistChange; base: Base | undefined; run(outbox: Outbox): void }[] = [];
  let started = false;
  let stopOutbox: (() => void) | undefined;

  /** Ticks show before the outbox is there; it brings along what makes all other edits, and they show with it. */
  const withEarly = (text: string): string =>
    early.reduce((now, { edit, base }) => {
      if (base || edit.kind !== 'setItemStatus') return now;
      try {
        return applyChanges(now, setStatus(readChecklist(now, statuses), edit.target, edit.status));
      } catch {
        // The server will say so.
        return now;
      }
    }, text);

  const publish = () => {
    if (!held || holdsBack) return;
    const { name, source, text, copyPending = false } = held;
    const before = view.get()?.model;
    const model = readChecklist(outbox ? outbox.apply(text, before) : withEarly(text), statuses, before);
    const named = outbox ? outbox.nameOf(name) : name;
    const { text: shown } = model;
    const sending = outbox?.state() ?? (early.length > 0 ? { ...settled, state: 'saving' as const } : settled);
    view.set({
      issueId,
      name: named,
      source,
      text: shown,
      model,
      base: baseOf(held),
      copyPending,
      unready,
      ...sending,
    });
    if (outbox) for (const { run } of early.splice(0)) run(outbox);
  };

  /** Within an epoch the higher seq is newer; otherwise what was asked for later. */
  const supersedes = (reading: Reading, started: number) => {
    if (!held) return true;
    if (reading.epoch !== '' && reading.epoch === held.epoch && reading.seq !== held.seq) return reading.seq > held.seq;
    return started >= heldSince;
  };

  /** Answers whether it says anything new. */
  const take = (reading: Reading, started: number): boolean => {
    if (!supersedes(reading, started)) return false;
    heldSince = started;
    if (held && sameReading(held, reading)) return false;
    held = reading;
    return true;
  };

  const receive = (reading: Reading, started: number) => {
    if (take(reading, started)) publish();
  };

  const read = createReader(bridge, graphql, issue);

  const refresh = async (signal?: AbortSignal) => {
    const started = ++clock;
    receive(await read(held, reading => receive(reading, started), signal), started);
  };

  const prepare = (): Promise<void> => {
    preparing ??= (async () => {
      try {
        const create = await services.outbox();
        outbox ??= create({
          bridge,
          graphql,
          statuses: () => statuses,
          issueId,
          held: () => held,
          shown: () => view.get()?.model,
          take: reading => void take(reading, ++clock),
          refresh,
          changed: publish,
          stray: services.stray ?? (() => undefined),
        });
        if (started) stopOutbox ??= outbox.start();
        unready = undefined;
        await outbox.open();
      } catch (error) {
        preparing = undefined;
        unready = error;
        throw error;
      } finally {
        holdsBack = false;
        publish();
      }
    })();
    return preparing;
  };

  /** As soon as there is something to change and the means to do it. */
  const change = (edit: ChecklistChange, base?: Base): Change => {
    if (outbox && view.get()) return outbox.change(edit, base);
    const id = crypto.randomUUID();
    const outcome = new Promise<Outcome>(resolve => {
      early.push({ edit, base, run: out => resolve(out.change(edit, base, id).outcome) });
    });
    outcome.catch(() => undefined);
    publish();
    void prepare().catch(() => undefined);
    if (!held) void refresh().catch(() => undefined);
    return { id, outcome };
  };

  return {
    issueId,
    urgent,
    get: view.get,
    subscribe: view.subscribe,
    refresh,
    prepare,
    start: () => {
      started = true;
      stopOutbox = outbox?.start();
      if (urgent) void prepare().catch(() => undefined);
      const stop = bridge.on(CHANGED, data => {
        if (typeof data === 'object' && data !== null && 'issueId' in data && data.issueId === issueId) {
          void refresh().catch(() => undefined);
        }
      });
      const ends = [stop];
      if (bridge.onIssueChanged) {
        loadForeignChanges(({ reportForeignChanges }) => {
          if (ends.length > 0) ends.push(reportForeignChanges(services, issue, view));
        });
      }
      return () => {
        started = false;
        for (const end of ends.splice(0)) end();
        stopOutbox?.();
        stopOutbox = undefined;
      };
    },
    change,
    inverse: (id, may) => outbox?.inverse(id, may) ?? [],
    sendNow: () => outbox?.sendNow(),
    again: id => outbox?.again(id),
    discard: id => outbox?.discard(id),
    readBy: registry => {
      statuses = registry;
      publish();
    },
  };
}

/** Keeps a checklist read while it is seen, and says how reading goes; what was read is in the store. */
export const watchChecklist = (checklist: ChecklistStore): Polling =>
  createPolling(checklist.refresh, pollPause(false));
