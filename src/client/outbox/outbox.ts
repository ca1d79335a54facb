import type { HostBridge } from '../../bridge/bridge.ts';
import {
  type ChecklistChange,
  type ChecklistEdit,
  changeFailure,
  inverseEntry,
  isEdit,
  typedTexts,
} from '../../domain/change.ts';
import { createRowId } from '../../domain/row-id.ts';
import { createTimer, keepNewest } from '../../domain/timing.ts';
import { ChangedMeanwhile, EditRefused, ItemsRequired } from '../../text/errors.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import { keyOf } from '../browser-storage.ts';
import { CHANGED_EVENT, type Change, type Outcome, type RejectedChange, type SaveState } from '../changes.ts';
import { failureMessage, MutationRefused } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { openPage, type Page } from '../page.ts';
import { type Base, baseOf, fromServer, type Reading } from '../reading.ts';
import { type Entry, isRefused, isTyped, isWaiting, type Refused, type Result, type Waiting } from './entry.ts';
import { createEntryStore } from './entry-store.ts';
import { adviceOf, failureKind } from './failure.ts';
import { type Inverse, inverses, type Version } from './inverse.ts';
import { createMutex } from './mutex.ts';
import { createProjection, type RowsKnown } from './projection.ts';
import { createSavedValues, followsRevision, newValues, newWords, type SavedValues } from './saved-values.ts';
import { sendEntry } from './send.ts';
import { createSender } from './sender.ts';
import { OUTBOX_KEY } from './unsent.ts';

/** Longest wait for the answer to an own change before an event about it causes a reading; milliseconds. */
const MAX_ANSWER_WAIT_MS = 1_000;

/** Maximum number of changes of this frame that can be undone. */
const MAX_UNDOABLE_CHANGES = 100;

/** The checklist that the outbox belongs to. */
export interface OutboxHost {
  bridge: HostBridge;
  graphql: GraphqlClient;
  /** The statuses that texts are parsed with. */
  statuses(): StatusRegistry;
  issueId: string;
  /** The newest text read or acknowledged. */
  held(): Reading | undefined;
  /** The shown checklist, and the ids of its rows if they are known. */
  shown(): Checklist | undefined;
  shownRows(): readonly string[] | undefined;
  /** Stores an acknowledged text; it is published with the next `changed`. */
  take(reading: Reading): void;
  refresh(): Promise<void>;
  /** The entries or their state have changed. */
  changed(): void;
  /** Receives the result of a change without a listener in this frame: its page is closed, or it is another frame's. */
  orphaned(result: Result): void;
}

/** The unacknowledged changes of one issue. */
export interface Outbox {
  /** Applies the unacknowledged changes to a text. */
  apply(text: RowsKnown, shown: Checklist | undefined): RowsKnown;
  /** Applies them to the checklist's name. */
  nameOf(name: string): string;
  state(): {
    state: SaveState;
    waiting: number;
    volatile: boolean;
    rejected: readonly RejectedChange[];
    /** Why changes are not stored yet; set in state `waiting`. */
    why: string | undefined;
  };
  /** `id` is that of a change made before the outbox was loaded. */
  change(change: ChecklistChange, base?: Base, id?: string): Change;
  /** The edits that undo a change of this frame in the shown text, see `inverses`. */
  inverse(id: string, may: (edit: ChecklistEdit) => boolean): readonly Inverse[];
  sendNow(): void;
  resend(id: string): void;
  discard(id: string): void;
  /** Resolves when stored changes are loaded, or when the account cannot be determined. */
  open(): Promise<void>;
  start(): () => void;
  /** Resolves when no change is being sent, or after a while. */
  answered(): Promise<void>;
  readonly saved: SavedValues;
}

interface Listener {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

const asRejected = ({ id, at, base, edit, result: { message } }: Refused): RejectedChange => ({
  id,
  at,
  base,
  change: edit,
  message,
});

/** Errors of an edit that cannot be applied, as the server's refusal. */
function asRefused(error: unknown): unknown {
  if (error instanceof ChangedMeanwhile || error instanceof ItemsRequired || error instanceof EditRefused) {
    return new MutationRefused(error.code, undefined, error.message);
  }
  return error;
}

/** The result of a change that failed finally: what the server did not answer itself is offered, whatever it is. */
function refusal(entry: Waiting, error: unknown): Result {
  const code = error instanceof MutationRefused ? error.code : 'UNKNOWN';
  const advice = adviceOf(error);
  const failure = failureMessage(error, changeFailure(entry.edit));
  const message = advice === undefined ? failure : `${failure} ${advice}`;
  const isAnswered = failureKind(error) === 'refused' && error instanceof MutationRefused;
  return { kind: 'refused', code, message, offered: !isAnswered || isTyped(entry) };
}

export function createOutbox(host: OutboxHost, page: Page = openPage()): Outbox {
  const { bridge, graphql, issueId } = host;
  const projection = createProjection(host.statuses);
  const exclusively = createMutex(page);
  const saved = createSavedValues(issueId, page);
  const listeners = new Map<string, Listener>();
  /** `entry` is that of the history, `names` the checklist's before and after a change of its name. */
  const madeChanges = new Map<
    string,
    { entry: string; before: Version; after: Base; names?: readonly [string, string] }
  >();
  let lock = keyOf(OUTBOX_KEY, issueId);
  let opened: Promise<void> | undefined;

  /** Settles the promise of a change; `sentHere`: this frame sent it. */
  const notify = ({ id, base, result }: Entry, sentHere: boolean) => {
    const listener = listeners.get(id);
    listeners.delete(id);
    if (!listener && sentHere && result) host.orphaned(result);
    if (result?.kind === 'refused') listener?.reject(new MutationRefused(result.code, undefined, result.message));
    else {
      const { reading = host.held(), conflicts = [], notices = [] } = result ?? {};
      listener?.resolve({ base: reading ? baseOf(reading) : base, conflicts, notices });
    }
  };
  /**
   * Records the result of a server edit for `inverse`, unless other changes came in between. The text before is the
   * newest one held or, if a refresh came before the answer, the change's base.
   */
  const learn = ({ id, edit, base }: Entry, reading: Reading) => {
    if (isEdit(edit) || !madeChanges.has(id)) return;
    const before = [host.held(), base].find(each => each && followsRevision(reading, each));
    if (before) madeChanges.set(id, { entry: edit.kind, before, after: baseOf(reading) });
  };
  const receiveResult = (entry: Entry) => {
    if (entry.result?.kind === 'stored') {
      learn(entry, entry.result.reading);
      host.take(entry.result.reading);
      saved.stored(entry.result.reading);
    } else madeChanges.delete(entry.id);
  };

  const entries = createEntryStore(issueId, page, {
    settled: entry => {
      receiveResult(entry);
      notify(entry, false);
    },
    added: () => sender.adopt(),
    gone: id => {
      const entry = entries.get().find(other => other.id === id);
      // Dropped after the refresh, so that the change stays visible.
      void host
        .refresh()
        .catch(() => undefined)
        .then(() => {
          entries.drop(id);
          if (entry) notify(entry, false);
        });
    },
  });

  const settle = (entry: Entry) => {
    receiveResult(entry);
    const later = entries.get().filter(other => isWaiting(other) && other.at > entry.at);
    const dependentEntries = isRefused(entry) ? projection.without(later, entry) : [];
    entries.settle(entry, dependentEntries);
    notify(entry, true);
    if (entry.result?.kind === 'stored') {
      const { epoch, seq } = entry.result.reading;
      bridge.emit(CHANGED_EVENT, { issueId, epoch, seq });
    }
    // The refusal may be due to a stale text. A failed refresh is repeated by polling.
    else void host.refresh().catch(() => undefined);
  };

  const sender = createSender({
    entries,
    exclusively: work => exclusively(lock, work),
    send: async entry => {
      const heldReading = host.held();
      const { checklist, conflicts, notices } = await sendEntry(
        graphql,
        issueId,
        entry,
        heldReading && baseOf(heldReading),
      );
      if (!checklist) throw new MutationRefused('UNKNOWN', undefined, changeFailure(entry.edit));
      return { kind: 'stored', reading: fromServer(checklist), conflicts, notices };
    },
    page,
    refusal,
    settle,
  });

  entries.subscribe(host.changed);
  sender.subscribe(host.changed);

  const next = () => Math.max(Date.now(), (entries.get().at(-1)?.at ?? 0) + 1);

  const nameOf = (name: string) =>
    entries.get().reduce((now, { edit, result }) => ('name' in edit && !result ? (edit.name ?? now) : now), name);

  /** Keeps what a change brings, for a report if another user overwrites it. */
  const noteValues = ({ base, edit }: Waiting, text: string, shown: Checklist | undefined) => {
    const statuses = host.statuses();
    const readText = (of: string, like?: Checklist) => (of === like?.text ? like : readChecklist(of, statuses, like));
    if (typedTexts(edit).length === 0) return saved.note([], base);
    const before = readText(base.text, shown);
    saved.note(newValues(before, readText(text, before)), base, newWords(base.text, text));
  };

  /** An edit with lasting ids of the rows that it adds: a reading that has them before the answer comes shows them once. */
  const identified = (edit: ChecklistChange): ChecklistChange =>
    edit.kind === 'addChecklistItemsFromText' && !edit.rows
      ? { ...edit, rows: readChecklist(edit.text, host.statuses()).rows.map(createRowId) }
      : edit;

  const change = (wanted: ChecklistChange, given?: Base, id: string = crypto.randomUUID()): Change => {
    const edit = identified(wanted);
    const shown = host.shown();
    const { epoch = '', seq = 0 } = host.held() ?? {};
    const rows = host.shownRows();
    const base = given ?? { epoch, seq, text: shown?.text ?? '', ...(rows && { rows }) };
    const entry: Waiting = { id, at: next(), base, edit };
    const outcome = new Promise<Outcome>((resolve, reject) => listeners.set(id, { resolve, reject }));
    // Rejections without a listener are not errors.
    outcome.catch(() => undefined);
    try {
      const entryName = ('log' in edit && edit.log) || edit.kind;
      const renamed = 'name' in edit ? edit.name : undefined;
      const after = projection.after(entry, shown);
      madeChanges.set(id, {
        entry: entryName,
        before: base,
        after: { ...base, ...after },
        ...(renamed !== undefined && { names: [nameOf(host.held()?.name ?? ''), renamed] }),
      });
      keepNewest(madeChanges, MAX_UNDOABLE_CHANGES);
      noteValues(entry, after.text, shown);
      entries.put(entry);
      sender.wake();
    } catch (error) {
      listeners.get(id)?.reject(asRefused(error));
      listeners.delete(id);
    }
    return { id, outcome };
  };

  const open = async () => {
    const owner = await bridge.owner();
    lock = keyOf(OUTBOX_KEY, owner.tenant, owner.account, issueId);
    saved.open(owner);
    entries.open(owner);
    sender.wake();
  };

  return {
    apply: (text, shown) => projection.apply(text, entries.get().filter(isWaiting), shown),
    nameOf,
    state: () => {
      const waiting = entries.get().filter(isWaiting).length;
      const rejected = entries.get().filter(isRefused).map(asRejected);
      const state =
        waiting === 0 ? (rejected.length ? 'failed' : 'saved') : sender.get() === 'waiting' ? 'waiting' : 'saving';
      const why = state === 'waiting' ? sender.why() : undefined;
      return { state, waiting, volatile: entries.volatile(), rejected, why };
    },
    change,
    inverse: (id, may) => {
      const madeChange = madeChanges.get(id);
      const shown = host.shown();
      if (!madeChange || !shown) return [];
      const log = inverseEntry(madeChange.entry);
      const [before, after] = madeChange.names ?? [];
      // A name that was changed again since stays.
      if (before !== undefined && nameOf(host.held()?.name ?? '') === after)
        return [{ edit: { kind: 'updateChecklistFromText', text: shown.text, name: before, log } }];
      return inverses(madeChange.before, madeChange.after, shown, may, host.shownRows()).map(each => ({
        ...each,
        edit: { ...each.edit, log },
      }));
    },
    sendNow: sender.wake,
    resend: id => {
      const entry = entries.get().find(other => other.id === id);
      if (!entry || !isRefused(entry)) return;
      const { result: _, ...waiting } = entry;
      entries.put({ ...waiting, at: next() });
      sender.wake();
    },
    discard: entries.drop,
    open: () => {
      opened ??= open().catch(() => {
        opened = undefined;
      });
      return opened;
    },
    start: () => {
      const stops = [entries.start(), sender.start()];
      sender.wake();
      return () => {
        for (const stop of stops) stop();
      };
    },
    answered: () =>
      new Promise(resolve => {
        const end = () => {
          stop();
          timer.stop();
          resolve();
        };
        const check = () => {
          if (sender.get() === 'waiting' || !entries.get().some(isWaiting)) end();
        };
        const stop = entries.subscribe(check);
        const timer = createTimer(end);
        timer.start(MAX_ANSWER_WAIT_MS);
        check();
      }),
    saved,
  };
}
