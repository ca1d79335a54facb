import type { Page } from '../../src/client/page.ts';

export function memory(entries = new Map<string, string>()): Storage {
  return {
    get length() {
      return entries.size;
    },
    key: index => [...entries.keys()][index] ?? null,
    getItem: key => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: key => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

/** Storage that throws on every access, as when full or forbidden. */
export const refusing = (): Storage => {
  const refuse = () => {
    throw new DOMException('Full.', 'QuotaExceededError');
  };
  return { ...memory(), getItem: refuse, setItem: refuse, removeItem: refuse };
};

/** Locks granted in the order of their requests; `die` ends the frame. */
function fakeLocks(held: Map<string, Promise<unknown>>) {
  let died = (): void => undefined;
  let dead = false;
  const death = new Promise<void>(resolve => {
    died = () => {
      dead = true;
      resolve();
    };
  });
  const request = async (
    name: string,
    options: LockOptions | ((lock: Lock | null) => unknown),
    callback?: (lock: Lock | null) => unknown,
  ) => {
    const work = callback ?? (options as (lock: Lock | null) => unknown);
    const { ifAvailable = false } = callback ? (options as LockOptions) : {};
    const before = held.get(name);
    if (before && ifAvailable) return work(null);
    const mine = (before ?? Promise.resolve()).then(async () => {
      if (dead) return;
      await Promise.race([death, work({ name, mode: 'exclusive' })]);
    });
    const ended = mine
      .catch(() => undefined)
      .then(() => {
        if (held.get(name) === ended) held.delete(name);
      });
    held.set(name, ended);
    return mine;
  };
  const query = async () => ({ held: [...held.keys()].map(name => ({ name })) });
  return { locks: { request, query } as unknown as LockManager, die: () => died() };
}

export interface FakeFrame extends Page {
  window: EventTarget & Page['window'];
  /** Closes the window. */
  close(): void;
}

/** A browser whose frames share storage and locks, and receive each other's storage events. */
export function fakeBrowser({ locks = true, keeps = true } = {}) {
  const entries = new Map<string, string>();
  const frames = new Set<{ storage: Storage; window: EventTarget }>();
  const held = new Map<string, Promise<unknown>>();
  const frame = (session = memory()): FakeFrame => {
    const kept = memory(entries);
    const window = new EventTarget();
    const publish = (key: string | null, newValue: string | null) => {
      for (const other of frames) {
        if (other.storage === storage) continue;
        const event = Object.assign(new Event('storage'), { storageArea: other.storage, key, newValue });
        queueMicrotask(() => void (frames.has(other) && other.window.dispatchEvent(event)));
      }
    };
    const storage: Storage = {
      ...kept,
      get length() {
        return entries.size;
      },
      setItem: (key, value) => {
        kept.setItem(key, value);
        publish(key, value);
      },
      removeItem: key => {
        if (kept.getItem(key) === null) return;
        kept.removeItem(key);
        publish(key, null);
      },
      clear: () => {
        kept.clear();
        publish(null, null);
      },
    };
    const known = { storage, window };
    frames.add(known);
    const own = fakeLocks(held);
    return {
      storage: keeps ? storage : refusing(),
      session,
      locks: locks ? own.locks : undefined,
      window,
      close: () => {
        frames.delete(known);
        own.die();
      },
    };
  };
  return { entries, frame };
}
