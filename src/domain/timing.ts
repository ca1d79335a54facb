/** Milliseconds to wait after so many failures in a row: doubled each time, up to the longest. */
export const backoff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** failures);

/** A wait between half of that and all of it: callers that failed at the same time do not return at the same time. */
export const jittered = (delay: number): number => delay * (0.5 + Math.random() / 2);

/** Resolves after so many milliseconds; rejects with the signal's reason where it is aborted before. */
export function sleep(delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The result of the work; rejects with `error` where there is none after so many milliseconds. The work goes on. */
export function withTimeout<T>(work: Promise<T>, delay: number, error: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error()), delay);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Removes the entries of a map or set that were added first, until no more are left than that. */
export function keepNewest<Key>(entries: Map<Key, unknown> | Set<Key>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
