/**
 * Text values in the browser's storage. Storage that is denied, full or absent stores nothing; `set` then returns
 * false.
 */
export interface SafeStorage {
  keys(prefix: string): string[];
  get(key: string): string | undefined;
  /** Returns whether the value is stored. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** Joins the escaped parts of a key. */
export const keyOf = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/');

/** The browser's storage; `undefined` if the browser denies it (some throw in third-party frames). */
export function openStorage(kind: 'localStorage' | 'sessionStorage' = 'localStorage'): Storage | undefined {
  try {
    return globalThis[kind];
  } catch {
    return undefined;
  }
}

export function safeStorage(storage: Storage | undefined): SafeStorage {
  const attempt = <T>(work: (open: Storage) => T, otherwise: T): T => {
    try {
      return storage ? work(storage) : otherwise;
    } catch {
      return otherwise;
    }
  };
  return {
    keys: prefix =>
      attempt(
        open => Array.from({ length: open.length }, (_, i) => open.key(i) ?? '').filter(key => key.startsWith(prefix)),
        [],
      ),
    get: key => attempt(open => open.getItem(key) ?? undefined, undefined),
    set: (key, value) =>
      attempt(open => {
        open.setItem(key, value);
        return true;
      }, false),
    remove: key => attempt(open => open.removeItem(key), undefined),
  };
}

const PROBE_KEY = 'probe';

/** Whether values can be stored, found out by storing one. */
export function canStore(storage: Storage | undefined): boolean {
  const safe = safeStorage(storage);
  const stored = safe.set(PROBE_KEY, '');
  safe.remove(PROBE_KEY);
  return stored;
}
