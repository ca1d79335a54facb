import { backoff, createTimer } from '../../domain/timing.ts';
import { retryQuery } from '../errors.ts';
import { isVisible, onReturn } from '../page.ts';
import { createStore, type Store } from '../store.ts';

/** Backoff in milliseconds, doubled with each failure. */
const FIRST_PAUSE_MS = 1_000;

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
  const timer = createTimer(() => wake());
  let running: AbortController | undefined;
  let failed = 0;
  let every = first;

  const once = async (): Promise<void> => {
    running?.abort();
    timer.stop();
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
      if (retryQuery(failed, error)) delay = backoff(failed, FIRST_PAUSE_MS, every);
      else failure.set(error);
      failed += 1;
    }
    running = undefined;
    timer.start(delay);
  };

  const wake = () => {
    if (isVisible() && !running) void once();
  };

  return {
    get: failure.get,
    subscribe: failure.subscribe,
    start: () => {
      const stopReturn = onReturn(wake);
      void once();
      return () => {
        stopReturn();
        timer.stop();
        running?.abort();
        running = undefined;
      };
    },
    pace: milliseconds => {
      if (milliseconds === every) return;
      every = milliseconds;
      if (timer.isPending() && failed === 0) timer.start(every);
    },
    retry: () => {
      failed = 0;
      failure.set(undefined);
      void once();
    },
  };
}
