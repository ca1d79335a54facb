import { backoff } from '../../domain/timing.ts';
import { retryQuery } from '../errors.ts';
import { createStore, type Store } from '../store.ts';

/** Milliseconds before a reading that failed is repeated, doubled each time. */
const FIRST_PAUSE = 1_000;

/** How a reading that goes on goes: why it fails, `undefined` while it works or may still work. */
export interface Polling extends Store<unknown> {
  /** Reads now, and again and again while the page is seen. Returns the function that stops it. */
  start(): () => void;
  /** Reads so many milliseconds after the last reading from now on. */
  pace(every: number): void;
  /** The user's retry: the reason is forgotten until it fails anew. */
  retry(): void;
}

/**
 * Reads at once, again so many milliseconds after each reading while the page is seen, and as soon as it is seen or on the network again.
 * What did not arrive is tried again twice before that is a failure; what was refused is one. It stays known while it is
 * read on.
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
