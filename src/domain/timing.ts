/** Milliseconds to wait after consecutive failures: doubled each time, up to the longest. */
export const backoff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** failures);

/** A random wait between half of the delay and all of it, which spreads callers that failed at the same time. */
export const jittered = (delay: number): number => delay * (0.5 + Math.random() / 2);

/** Resolves after the delay in milliseconds; rejects with the signal's reason when aborted. */
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

/** A delayed call of one function. */
export interface Timer {
  /** Calls after the delay in milliseconds; replaces a pending call. */
  start(delay: number): void;
  /** Drops a pending call. */
  stop(): void;
  isPending(): boolean;
}

export function createTimer(call: () => void): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    start: delay => {
      stop();
      timer = setTimeout(() => {
        timer = undefined;
        call();
      }, delay);
    },
    stop,
    isPending: () => timer !== undefined,
  };
}

/** The result of the work; rejects with `error` after the delay in milliseconds. The work goes on. */
export function withTimeout<T>(work: Promise<T>, delay: number, error: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error()), delay);
  });
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer));
}

/** Removes the oldest entries of a map or set, until at most `most` are left. */
export function keepNewest<Key>(entries: Map<Key, unknown> | Set<Key>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
