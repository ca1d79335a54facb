/** Milliseconds to wait after consecutive failures: doubled each time, up to the longest. */
export const backoff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** failures);

/** A random wait between half of the delay and all of it, which spreads callers that failed at the same time. */
export const jittered = (delay: number): number => (delay * (1 + Math.random())) / 2;

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
    signal?.addEventListener('abort', abort, { once: true });
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

/**
 * The result of the work; rejects with what `error` returns after the delay in milliseconds. The work goes on, unless
 * `error` ends it.
 */
export function withTimeout<T>(work: Promise<T>, delay: number, error: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error()), delay);
  });
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer));
}

/** The result of the work; rejects with the signal's reason once it is aborted. The work goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Removes the oldest entries of a map or set, until at most `most` are left. */
export function keepNewest<Key>(entries: Map<Key, unknown> | Set<Key>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
