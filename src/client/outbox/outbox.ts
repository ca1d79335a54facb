import type { HostBridge } from '../../bridge/bridge.ts';
import { type ChecklistChange, type ChecklistEdit, changeFailure, isEdit } from '../../domain/change.ts';
import { keepNewest } from '../../domain/timing.ts';
import { ChangedMeanwhile, EditRefused, ItemsRequired } from '../../text/errors.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Checklist } from '../../text/types.ts';
import { keyOf } from '../browser-storage.ts';
import { CHANGED, type Change, type Offer, type Outcome, type SaveState } from '../changes.ts';
import { failureMessage, MutationRefused } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { openPage, type Page } from '../page.ts';
import { type Base, baseOf, fromServer, type Reading } from '../reading.ts';
import { createBox } from './box.ts';
import { type Entry, isRefused, isTyped, isWaiting, type Refused, type Result, type Waiting } from './entry.ts';
import { type Inverse, inverses } from './inverse.ts';
import { createMutex } from './mutex.ts';
import { createProjection } from './projection.ts';
import { sendEntry } from './send.ts';
import { createSender } from './sender.ts';
import { OUTBOX } from './unsent.ts';

/** How many changes of this frame can be taken back. */
const MEMORY = 100;

/** What the outbox stands on: the reading of the same issue. */
export interface OutboxHost {
  bridge: HostBridge;
  graphql: GraphqlClient;
  /** Those that texts are read by now. */
  statuses(): StatusRegistry;
  issueId: string;
  /** The newest text that was read or acknowledged. */
  held(): Reading | undefined;
  /** What shows now. */
  shown(): Checklist | undefined;
  /** Holds an acknowledged text; it shows with the next change of the entries. */
  take(reading: Reading): void;
  refresh(): Promise<void>;
  /** The entries, or how their sending goes, are others now. */
  changed(): void;
  /** What became of a change that nobody in this frame waits for: its page is gone, or it is another frame's. */
  stray(result: Result): void;
}

/** The changes of one issue from the moment they are made until the server has acknowledged them. */
export interface Outbox {
  /** A text with the changes that are not acknowledged. */
  apply(text: string, shown: Checklist | undefined): string;
  /** The checklist's name with them. */
  nameOf(name: string): string;
  state(): {
    state: SaveState;
    waiting: number;
    volatile: boolean;
    offers: readonly Offer[];
    /** Why the state is `waiting`. */
    why: string | undefined;
  };
  /** `id` is a change's that was promised before the outbox was there. */
  change(change: ChecklistChange, base?: Base, id?: string): Change;
  /** What takes a change of this frame back in the text that shows, see `inverses`. */
  inverse(id: string, may: (edit: ChecklistEdit) => boolean): readonly Inverse[];
  sendNow(): void;
  again(id: string): void;
  discard(id: string): void;
  /** Resolves when what the browser kept is there, or when it cannot be told whose it would be. */
  open(): Promise<void>;
  start(): () => void;
}

interface Listener {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

const asOffer = ({ id, at, base, edit, result: { message } }: Refused): Offer => ({
  id,
  at,
  base,
  change: edit,
  message,
});

/** An edit that cannot be made on what shows is refused as the server would. */
function asRefused(error: unknown): unknown {
  if (error instanceof ChangedMeanwhile || error instanceof ItemsRequired || error instanceof EditRefused) {
    return new MutationRefused(error.code, undefined, error.message);
  }
  return error;
}

function refusal(entry: Waiting, error: unknown, unknown: boolean): Result {
  const code = error instanceof MutationRefused ? error.code : 'UNKNOWN';
  const message = failureMessage(error, changeFailure(entry.edit));
  return { kind: 'refused', code, message, offered: unknown || isTyped(entry) };
}

export function createOutbox(host: OutboxHost, page: Page = openPage()): Outbox {
  const { bridge, graphql, issueId } = host;
  const projection = createProjection(host.statuses);
  const exclusively = createMutex(page);
  const listeners = new Map<string, Listener>();
  const made = new Map<string, { before: string; after: Base }>();
  let lock = keyOf(OUTBOX, issueId);
  let opened: Promise<void> | undefined;

  /** What this frame waits for is told; what became of it is known, here or in another frame. */
  const tell = ({ id, base, result }: Entry, sentHere: boolean) => {
    const listener = listeners.get(id);
    listeners.delete(id);
    if (!listener && sentHere && result) host.stray(result);
    if (result?.kind === 'refused') listener?.reject(new MutationRefused(result.code, undefined, result.message));
    else {
      const { reading = host.held(), conflicts = [], notices = [] } = result ?? {};
      listener?.resolve({ base: reading ? baseOf(reading) : base, conflicts, notices });
    }
  };
  /**
   * What only the server could make of a text is known by its answer, unless other changes came in between. The text before
   * is the newest one held or, where a refresh was faster than the answer, the one that the change was made on.
   */
  const learn = ({ id, edit, base }: Entry, reading: Reading) => {
    const { epoch, seq } = reading;
    if (isEdit(edit) || !made.has(id)) return;
    const follows = (before: Pick<Reading, 'epoch' | 'seq'>) =>
      before.epoch === epoch ? seq === before.seq + 1 : before.epoch === '' && seq === 1;
    const before = [host.held(), base].find(each => each && follows(each));
    if (before) made.set(id, { before: before.text, after: baseOf(reading) });
  };
  const taken = (entry: Entry) => {
    if (entry.result?.kind === 'stored') {
      learn(entry, entry.result.reading);
      host.take(entry.result.reading);
    } else made.delete(entry.id);
  };

  const box = createBox(issueId, page, {
    settled: entry => {
      taken(entry);
      tell(entry, false);
    },
    added: () => sender.adopt(),
    gone: id => {
      const entry = box.get().find(other => other.id === id);
      // It goes from the screen when the text is there that it led to.
      void host
        .refresh()
        .catch(() => undefined)
        .then(() => {
          box.drop(id);
          if (entry) tell(entry, false);
        });
    },
  });

  const settle = (entry: Entry) => {
    taken(entry);
    const later = box.get().filter(other => isWaiting(other) && other.at > entry.at);
    const others = isRefused(entry) ? projection.without(later, entry) : [];
    box.settle(entry, others);
    tell(entry, true);
    if (!isRefused(entry)) bridge.emit(CHANGED, { issueId });
    // What was refused may rest on what is not so any more. The next reading comes by itself if this one fails.
    else void host.refresh().catch(() => undefined);
  };

  const sender = createSender({
    box,
    exclusively: work => exclusively(lock, work),
    send: async entry => {
      const held = host.held();
      const { checklist, conflicts, notices } = await sendEntry(graphql, issueId, entry, held && baseOf(held));
      if (!checklist) throw new MutationRefused('UNKNOWN', undefined, changeFailure(entry.edit));
      return { kind: 'stored', reading: fromServer(checklist), conflicts, notices };
    },
    page,
    refusal,
    settle,
  });

  box.subscribe(host.changed);
  sender.subscribe(host.changed);

  const next = () => Math.max(Date.now(), (box.get().at(-1)?.at ?? 0) + 1);

  const change = (edit: ChecklistChange, given?: Base, id: string = crypto.randomUUID()): Change => {
    const shown = host.shown();
    const { epoch = '', seq = 0 } = host.held() ?? {};
    const base = given ?? { epoch, seq, text: shown?.text ?? '' };
    const entry: Waiting = { id, at: next(), base, edit };
    const outcome = new Promise<Outcome>((resolve, reject) => listeners.set(id, { resolve, reject }));
    // Whoever wants to know asks for it; nobody has to.
    outcome.catch(() => undefined);
    try {
      made.set(id, { before: base.text, after: { ...base, text: projection.after(entry, shown) } });
      keepNewest(made, MEMORY);
      box.put(entry);
      sender.wake();
    } catch (error) {
      listeners.get(id)?.reject(asRefused(error));
      listeners.delete(id);
    }
    return { id, outcome };
  };

  const open = async () => {
    const owner = await bridge.owner();
    lock = keyOf(OUTBOX, owner.tenant, owner.account, issueId);
    box.open(owner);
    sender.wake();
  };

  return {
    apply: (text, shown) => projection.apply(text, box.get().filter(isWaiting), shown),
    nameOf: name =>
      box.get().reduce((now, { edit, result }) => ('name' in edit && !result ? (edit.name ?? now) : now), name),
    state: () => {
      const waiting = box.get().filter(isWaiting).length;
      const offers = box.get().filter(isRefused).map(asOffer);
      const state =
        waiting === 0 ? (offers.length ? 'failed' : 'saved') : sender.get() === 'waiting' ? 'waiting' : 'saving';
      const why = state === 'waiting' ? sender.why() : undefined;
      return { state, waiting, volatile: box.volatile(), offers, why };
    },
    change,
    inverse: (id, may) => {
      const known = made.get(id);
      const shown = host.shown();
      return known && shown ? inverses(known.before, known.after, shown, may) : [];
    },
    sendNow: sender.wake,
    again: id => {
      const entry = box.get().find(other => other.id === id);
      if (!entry || !isRefused(entry)) return;
      const { result: _, ...waiting } = entry;
      box.put({ ...waiting, at: next() });
      sender.wake();
    },
    discard: box.drop,
    open: () => {
      opened ??= open().catch(() => {
        opened = undefined;
      });
      return opened;
    },
    start: () => {
      const stops = [box.start(), sender.start()];
      sender.wake();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
