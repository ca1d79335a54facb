/** Values that the browser keeps, as text. Storage that is refused, full or absent keeps nothing and says so. */
export interface SafeStorage {
  keys(prefix: string): string[];
  get(key: string): string | undefined;
  /** Answers whether the value is kept now. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** One key of several parts, so that no part runs into the next. */
export const keyOf = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/');

/** The browser's storage, which some browsers refuse to frames of other sites by throwing. */
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
