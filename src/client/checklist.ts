import type { HostBridge } from '../bridge/bridge.ts';
import { hashText } from '../text/document.ts';
import { readChecklist } from '../text/read.ts';
import { builtIn, type StatusRegistry } from '../text/statuses.ts';
import type { Checklist, Target } from '../text/types.ts';
import type { ChecklistPayload } from './documents.ts';
import { addEdit, deleteEdit, type Edit, replaceEdit, statusEdit } from './edits.ts';
import { MutationRefused } from './errors.ts';
import type { GraphqlClient } from './graphql.ts';
import { createReader, fromServer, type IssueRef, nothing, type Reading, sameReading } from './reading.ts';
import { repeated } from './repeat.ts';
import { createStore, type Store } from './store.ts';
import { createWatch, type Watch } from './watch.ts';

/** How often an open checklist is read again while it is seen, and how often where changes are told; milliseconds. */
const POLL = 5_000;
const POLL_TOLD = 60_000;
export const pollPause = (told: boolean): number => (told ? POLL_TOLD : POLL);

/** Told among our frames on one page: `{ issueId }`. */
const CHANGED = 'checklist-changed';

/** The text that an edit starts from, and its place in the issue's history. */
export interface Base {
  epoch: string;
  seq: number;
  text: string;
}

/** A checklist as it shows: the newest text that we know of, with the edits that are not acknowledged yet. */
export interface ChecklistView {
  issueId: string;
  name: string;
  source: Reading['source'];
  text: string;
  /** The text's reading; unchanged rows are the same objects as before. */
  model: Checklist;
  /** The acknowledged text, without our own edits on their way. */
  base: Base;
  /** Edits on their way. */
  saving: number;
}

/** What an edit led to. The checklist is the merged one. */
export interface Outcome {
  base: Base;
  conflicts: ChecklistPayload['conflicts'];
  notices: readonly string[];
}

export interface ChecklistStore extends Store<ChecklistView | undefined> {
  readonly issueId: string;
  /** Reads anew. Rejects when neither the tracker nor our server lets us read. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** Hears of changes in our other frames on the page. Returns the function that stops it. */
  start(): () => void;
  setStatus(target: Target, slug: string): Promise<Outcome>;
  /** Text as a person typed it, one item a line; goes before the row of that index, else to the end. */
  addItems(text: string, index?: number): Promise<Outcome>;
  deleteItem(target: Target): Promise<Outcome>;
  /** Saves the whole text, typed over this base; what others did since is merged. */
  replaceText(text: string, base: Base, name?: string): Promise<Outcome>;
}

export interface ChecklistServices {
  bridge: HostBridge;
  graphql: GraphqlClient;
  statuses?: StatusRegistry;
}

const baseOf = ({ epoch, seq, text }: Reading): Base => ({ epoch, seq, text });

/**
 * The checklist of one issue. It is read from the tracker; edits show at once, go to our server one after the other,
 * each on the text that the one before led to, and are taken back when they fail.
 */
export function createChecklist(services: ChecklistServices, issue: IssueRef): ChecklistStore {
  const { bridge, graphql, statuses = builtIn } = services;
  const { issueId } = issue;
  const view = createStore<ChecklistView | undefined>(undefined);
  let held: Reading | undefined;
  let pending: readonly Edit[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  /** A count of what happened: a reading is as old as its start. */
  let clock = 0;
  let heldSince = 0;
  /** Something was read while edits were on their way, and could not be taken. */
  let missed = false;

  const applied = (model: Checklist, edit: Edit): Checklist => {
    try {
      return readChecklist(edit.apply(model), statuses, model);
    } catch {
      // Its row is gone or reads otherwise now: the server will say what becomes of it.
      return model;
    }
  };

  const replayed = ({ text }: Reading) => pending.reduce(applied, readChecklist(text, statuses, view.get()?.model));

  const publish = (reading: Reading, fresh = replayed(reading)) => {
    const before = view.get()?.model;
    const model = before?.text === fresh.text ? before : fresh;
    const { name, source } = reading;
    view.set({ issueId, name, source, text: model.text, model, base: baseOf(reading), saving: pending.length });
  };

  /** Within an epoch the higher seq is newer; otherwise what was asked for later. */
  const supersedes = (reading: Reading, started: number) => {
    if (!held) return true;
    if (reading.epoch !== '' && reading.epoch === held.epoch && reading.seq !== held.seq) return reading.seq > held.seq;
    return started >= heldSince;
  };

  const hold = (reading: Reading, started: number) => {
    if (!supersedes(reading, started)) return;
    const same = held !== undefined && sameReading(held, reading);
    heldSince = started;
    held = same ? held : reading;
    if (!same) publish(reading);
  };

  const receive = (reading: Reading, started: number) => {
    // It may or may not hold what is on its way; to show it could show an edit twice.
    if (held && pending.length > 0) missed = true;
    else hold(reading, started);
  };

  const read = createReader(bridge, graphql, issue);

  const refresh = async (signal?: AbortSignal) => {
    const started = ++clock;
    receive(await read(held, reading => receive(reading, started), signal), started);
  };

  const submit = async (edit: Edit, given?: Base): Promise<Outcome> => {
    if (!held && !given) await refresh();
    const base = given ?? baseOf(held ?? nothing(issueId));
    const { epoch, seq, text } = base;
    const sent = { issueId, clientId: crypto.randomUUID(), base: { epoch, seq, hash: await hashText(text) } };
    const { checklist, conflicts, notices } = await repeated(() =>
      edit.send(graphql, sent).catch((error: unknown) => {
        if (!(error instanceof MutationRefused && error.code === 'BASE_UNKNOWN')) throw error;
        return edit.send(graphql, { ...sent, base: { ...sent.base, text } });
      }),
    );
    pending = pending.filter(other => other !== edit);
    const reading = checklist ? fromServer(checklist) : undefined;
    const started = ++clock;
    if (reading && supersedes(reading, started)) {
      held = reading;
      heldSince = started;
    }
    if (held) publish(held);
    bridge.emit(CHANGED, { issueId });
    return { base: reading ? baseOf(reading) : base, conflicts, notices };
  };

  const edit = (change: Edit, base?: Base): Promise<Outcome> => {
    pending = [...pending, change];
    const shown = view.get();
    if (held && shown) publish(held, applied(shown.model, change));
    const result = queue.then(() => submit(change, base));
    queue = result
      .catch(() => {
        pending = pending.filter(other => other !== change);
        missed = true;
        if (held) publish(held);
      })
      .then(() => {
        if (pending.length > 0 || !missed) return;
        missed = false;
        // The next reading comes by itself if this one fails.
        void refresh().catch(() => undefined);
      });
    return result;
  };

  return {
    issueId,
    get: view.get,
    subscribe: view.subscribe,
    refresh,
    start: () =>
      bridge.on(CHANGED, data => {
        if (typeof data === 'object' && data !== null && 'issueId' in data && data.issueId === issueId) {
          void refresh().catch(() => undefined);
        }
      }),
    setStatus: (target, slug) => edit(statusEdit(target, slug)),
    addItems: (text, index) => edit(addEdit(text, index)),
    deleteItem: target => edit(deleteEdit(target)),
    replaceText: (text, base, name) => edit(replaceEdit(text, base.text, name), base),
  };
}

/** Keeps a checklist read while it is seen, and says how reading goes; what was read is in the store. */
export const watchChecklist = (checklist: ChecklistStore): Watch => createWatch(checklist.refresh, pollPause(false));
