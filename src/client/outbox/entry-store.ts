import type { Owner } from '../../bridge/bridge.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';
import type { Page } from '../page.ts';
import { createStore, type Store } from '../store.ts';
import { type Entry, isRefused, isWaiting, readEntry, type Waiting, writeEntry } from './entry.ts';
import { OUTBOX } from './unsent.ts';

/** Older entries are not sent unasked: nobody remembers them. Milliseconds. */
const MAX_AGE = 14 * 24 * 3_600_000;

const STALE = 'This change was made more than two weeks ago and was never saved.';

/** What another frame of the browser did to an entry that this one knows. */
export interface BoxEvents {
  settled(entry: Entry): void;
  /** There may be something to send that was not made here just now. */
  added(): void;
  /** It is settled, and nobody said how. It stays here until it is dropped. */
  gone(id: string): void;
}

/** The entries of one issue, oldest first, the same in all frames of the browser that may keep anything. */
export interface Box extends Store<readonly Entry[]> {
  /** Adds an entry, or changes it. */
  put(entry: Entry): void;
  /** Forgets an entry that has its result, and tells the other frames; one that is offered stays. Others change with it. */
  settle(entry: Entry, others?: readonly Entry[]): void;
  drop(id: string): void;
  /** The next one to be sent, as it is kept now. */
  next(): Waiting | undefined;
  /** Keeps the entries for this owner from here on, and takes up what is kept. */
  open(owner: Owner): void;
  /** Whether an entry would go with the page. */
  volatile(): boolean;
  /** Hears of other frames. Returns the function that stops it. */
  start(): () => void;
}

interface Held {
  entry: Entry;
  /** In the storage, too. */
  kept: boolean;
  gone?: true;
}

const inOrder = (a: Entry, b: Entry) => a.at - b.at || (a.id < b.id ? -1 : 1);

export function createBox(issueId: string, { storage, window }: Page, events: BoxEvents): Box {
  const safe = safeStorage(storage);
  const list = createStore<readonly Entry[]>([]);
  const held = new Map<string, Held>();
  let prefix: string | undefined;

  const publish = () => list.set([...held.values()].map(({ entry }) => entry).sort(inOrder));
  const keep = (entry: Entry) => prefix !== undefined && safe.set(prefix + entry.id, writeEntry(entry));
  const unkeep = (id: string) => {
    if (prefix !== undefined) safe.remove(prefix + id);
  };
  const put = (entry: Entry) => {
    held.set(entry.id, { entry, kept: keep(entry) });
    publish();
  };
  const drop = (id: string) => {
    unkeep(id);
    if (held.delete(id)) publish();
  };
  const offered = (entry: Entry) => isRefused(entry) && entry.result.offered;

  /** As another frame keeps it now. */
  const arrived = (entry: Entry) => {
    if (isWaiting(entry) || offered(entry)) held.set(entry.id, { entry, kept: true });
    else held.delete(entry.id);
    // First what became of it, so that the text that it led to is there when the entry goes.
    if (!isWaiting(entry)) events.settled(entry);
    publish();
    if (isWaiting(entry)) events.added();
  };
  const removed = (id: string) => {
    const known = held.get(id);
    if (!known?.kept || known.gone) return;
    if (isWaiting(known.entry)) {
      held.set(id, { ...known, gone: true });
      events.gone(id);
    } else {
      held.delete(id);
      publish();
    }
  };
  const hear = ({ storageArea, key, newValue }: StorageEvent) => {
    if (storageArea !== storage || prefix === undefined) return;
    if (key === null) {
      // Somebody emptied the storage; what this page knows is not lost with it.
      for (const { entry, kept } of [...held.values()]) if (kept) put(entry);
      events.added();
      return;
    }
    if (!key.startsWith(prefix)) return;
    const entry = readEntry(newValue);
    // News of an entry may come after this frame has settled it.
    if (entry && isWaiting(entry) && safe.get(key) === undefined) return;
    if (entry) arrived(entry);
    else if (newValue === null) removed(key.slice(prefix.length));
  };

  return {
    get: list.get,
    subscribe: list.subscribe,
    put,
    drop,
    settle: (entry, others = []) => {
      for (const other of others) held.set(other.id, { entry: other, kept: keep(other) });
      if (offered(entry)) return put(entry);
      if (held.get(entry.id)?.kept) keep(entry);
      drop(entry.id);
    },
    next: () => {
      for (const entry of list.get()) {
        const { kept, gone } = held.get(entry.id) ?? {};
        if (!isWaiting(entry) || gone) continue;
        if (!kept) return entry;
        const now = readEntry(safe.get(prefix + entry.id));
        // What is missing was settled, and this page was not told: an earlier panel of this window did it, or the storage
        // was emptied. The server knows it by its id.
        if (!now || isWaiting(now)) return now ?? entry;
        arrived(now);
      }
      return undefined;
    },
    open: ({ tenant, account }) => {
      prefix = `${keyOf(OUTBOX, tenant, account, issueId)}/`;
      for (const { entry } of [...held.values()]) held.set(entry.id, { entry, kept: keep(entry) });
      const oldest = Date.now() - MAX_AGE;
      for (const key of safe.keys(prefix)) {
        const entry = readEntry(safe.get(key));
        if (!entry || held.has(entry.id)) continue;
        // Whoever settled it did not come to remove it.
        if (!isWaiting(entry) && !offered(entry)) {
          unkeep(entry.id);
          continue;
        }
        const stale = isWaiting(entry) && entry.at < oldest;
        const result = { kind: 'refused', code: 'STALE', message: STALE, offered: true } as const;
        held.set(entry.id, { entry: stale ? { ...entry, result } : entry, kept: true });
      }
      publish();
    },
    volatile: () => [...held.values()].some(({ entry, kept }) => !kept && isWaiting(entry)),
    start: () => {
      window.addEventListener('storage', hear);
      return () => window.removeEventListener('storage', hear);
    },
  };
}
