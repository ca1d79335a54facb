import type { Owner } from '../../bridge/bridge.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';
import type { Page } from '../page.ts';
import { createStore, type Store } from '../store.ts';
import { type Entry, isRefused, isWaiting, readEntry, type Waiting, writeEntry } from './entry.ts';
import { OUTBOX_KEY } from './unsent.ts';

/** Older entries are offered to the user instead of sent; milliseconds. */
const MAX_AGE_MS = 14 * 24 * 3_600_000;

const STALE_MESSAGE = 'This change was made more than two weeks ago and was never saved.';

/** Changes of entries by other frames of the browser. */
export interface EntryStoreEvents {
  settled(entry: Entry): void;
  /** An entry of another frame may have to be sent. */
  added(): void;
  /** An entry was removed without a result. It stays in memory until `drop`. */
  gone(id: string): void;
}

/** The entries of one issue, oldest first, shared by all frames through the browser's storage. */
export interface EntryStore extends Store<readonly Entry[]> {
  /** Adds or replaces an entry. */
  put(entry: Entry): void;
  /**
   * Removes an entry that has its result and notifies the other frames; an offered one stays. `others` are replaced
   * with it.
   */
  settle(entry: Entry, others?: readonly Entry[]): void;
  drop(id: string): void;
  /** The next entry to send, as stored now. */
  next(): Waiting | undefined;
  /** Stores the entries for this owner from now on, and loads stored ones. */
  open(owner: Owner): void;
  /** Whether an entry is held in memory only. */
  volatile(): boolean;
  /** Listens to other frames. Returns the function that stops it. */
  start(): () => void;
}

interface Held {
  entry: Entry;
  /** Whether it is in the storage. */
  stored: boolean;
  gone?: true;
}

const inOrder = (a: Entry, b: Entry) => a.at - b.at || (a.id < b.id ? -1 : 1);

export function createEntryStore(issueId: string, { storage, window }: Page, events: EntryStoreEvents): EntryStore {
  const safe = safeStorage(storage);
  const list = createStore<readonly Entry[]>([]);
  const heldEntries = new Map<string, Held>();
  let prefix: string | undefined;

  const publish = () => list.set([...heldEntries.values()].map(({ entry }) => entry).sort(inOrder));
  const store = (entry: Entry) => prefix !== undefined && safe.set(prefix + entry.id, writeEntry(entry));
  const unstore = (id: string) => {
    if (prefix !== undefined) safe.remove(prefix + id);
  };
  const put = (entry: Entry) => {
    heldEntries.set(entry.id, { entry, stored: store(entry) });
    publish();
  };
  const drop = (id: string) => {
    unstore(id);
    if (heldEntries.delete(id)) publish();
  };
  const offered = (entry: Entry) => isRefused(entry) && entry.result.offered;

  /** Takes over another frame's version. */
  const receive = (entry: Entry) => {
    if (isWaiting(entry) || offered(entry)) heldEntries.set(entry.id, { entry, stored: true });
    else heldEntries.delete(entry.id);
    // The result first: its text must be there before the entry is removed.
    if (!isWaiting(entry)) events.settled(entry);
    publish();
    if (isWaiting(entry)) events.added();
  };
  const receiveRemoval = (id: string) => {
    const heldEntry = heldEntries.get(id);
    if (!heldEntry?.stored || heldEntry.gone) return;
    if (isWaiting(heldEntry.entry)) {
      heldEntries.set(id, { ...heldEntry, gone: true });
      events.gone(id);
    } else {
      heldEntries.delete(id);
      publish();
    }
  };
  const onStorage = ({ storageArea, key, newValue }: StorageEvent) => {
    if (storageArea !== storage || prefix === undefined) return;
    if (key === null) {
      // The storage was cleared: store this page's entries again.
      for (const { entry, stored } of [...heldEntries.values()]) if (stored) put(entry);
      events.added();
      return;
    }
    if (!key.startsWith(prefix)) return;
    const entry = readEntry(newValue);
    // A late event of an entry that this frame has settled.
    if (entry && isWaiting(entry) && safe.get(key) === undefined) return;
    if (entry) receive(entry);
    else if (newValue === null) receiveRemoval(key.slice(prefix.length));
  };

  return {
    get: list.get,
    subscribe: list.subscribe,
    put,
    drop,
    settle: (entry, others = []) => {
      for (const other of others) heldEntries.set(other.id, { entry: other, stored: store(other) });
      if (offered(entry)) return put(entry);
      if (heldEntries.get(entry.id)?.stored) store(entry);
      drop(entry.id);
    },
    next: () => {
      for (const entry of list.get()) {
        const { stored, gone } = heldEntries.get(entry.id) ?? {};
        if (!isWaiting(entry) || gone) continue;
        if (!stored) return entry;
        const storedEntry = readEntry(safe.get(prefix + entry.id));
        // Missing in the storage: settled by an earlier panel of this window, without an event, or the storage was
        // cleared. The server recognises the client id.
        if (!storedEntry || isWaiting(storedEntry)) return storedEntry ?? entry;
        receive(storedEntry);
      }
      return undefined;
    },
    open: ({ tenant, account }) => {
      prefix = `${keyOf(OUTBOX_KEY, tenant, account, issueId)}/`;
      for (const { entry } of [...heldEntries.values()]) heldEntries.set(entry.id, { entry, stored: store(entry) });
      const oldest = Date.now() - MAX_AGE_MS;
      for (const key of safe.keys(prefix)) {
        const entry = readEntry(safe.get(key));
        if (!entry || heldEntries.has(entry.id)) continue;
        // Settled, but its frame closed before removing it.
        if (!isWaiting(entry) && !offered(entry)) {
          unstore(entry.id);
          continue;
        }
        const stale = isWaiting(entry) && entry.at < oldest;
        const result = { kind: 'refused', code: 'STALE', message: STALE_MESSAGE, offered: true } as const;
        heldEntries.set(entry.id, { entry: stale ? { ...entry, result } : entry, stored: true });
      }
      publish();
    },
    volatile: () => [...heldEntries.values()].some(({ entry, stored }) => !stored && isWaiting(entry)),
    start: () => {
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
}
