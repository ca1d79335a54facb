import { backoff } from '../../domain/timing.ts';
import { retryQuery } from '../errors.ts';
import { createStore, type Store } from '../store.ts';

/** Backoff in milliseconds, doubled with each failure. */
const FIRST_PAUSE = 1_000;

/** A repeated reading. Its value is the reason for its failure; `undefined` while it succeeds or is retried. */
export interface Polling extends Store<unknown> {
  /** Reads now, and repeatedly while the page is visible. Returns the function that stops it. */
  start(): () => void;
  /** Sets the interval in milliseconds. */
  pace(every: number): void;
  /** Retries at the user's request, clearing the failure. */
  retry(): void;
}

/**
 * Reads immediately, at an interval while the page is visible, and when it becomes visible or the network returns. A
 * network failure is retried twice before it is published; other failures at once. A failure stays published until a
 * reading succeeds.
 */
export function createPolling(read: (signal: AbortSignal) => Promise<void>, first: number): Polling {
  const failure = createStore<unknown>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let failed = 0;
  let every = first;

  const after = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(wake, delay);
  };

  const once = async (): Promise<void> => {
    running?.abort();
    clearTimeout(timer);
    const mine = new AbortController();
    running = mine;
    let delay = every;
    try {
      await read(mine.signal);
      if (mine.signal.aborted) return;
      failed = 0;
      failure.set(undefined);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (retryQuery(failed, error)) delay = backoff(failed, FIRST_PAUSE, every);
      else failure.set(error);
      failed += 1;
    }
    running = undefined;
    after(delay);
  };

  const wake = () => {
    if (document.visibilityState !== 'hidden' && !running) void once();
  };

  return {
    get: failure.get,
    subscribe: failure.subscribe,
    start: () => {
      window.addEventListener('visibilitychange', wake);
      window.addEventListener('online', wake);
      void once();
      return () => {
        window.removeEventListener('visibilitychange', wake);
        window.removeEventListener('online', wake);
        clearTimeout(timer);
        timer = undefined;
        running?.abort();
        running = undefined;
      };
    },
    pace: milliseconds => {
      if (milliseconds === every) return;
      every = milliseconds;
      if (timer !== undefined && !running && failed === 0) after(every);
    },
    retry: () => {
      failed = 0;
      failure.set(undefined);
      void once();
    },
  };
}
