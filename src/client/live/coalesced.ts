import { sleep } from '../../domain/timing.ts';

/** A run without a result keeps the next one waiting no longer than this. */
const MAX_RUN_MS = 20_000;

/** Work that several callers share: at most one run at a time, and at most one more after it. */
export interface Coalesced {
  /** Resolves with a run that began after this call. */
  run(): Promise<void>;
  /** Resolves when no run is under way or waits. */
  idle(): Promise<void>;
}

export function createCoalesced(work: () => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  const begin = (): Promise<void> => {
    waiting = undefined;
    const result = work();
    running = Promise.race([result, sleep(MAX_RUN_MS)])
      .catch(() => undefined)
      .then(() => {
        running = undefined;
      });
    return result;
  };

  return {
    run: () => {
      if (!running) return begin();
      waiting ??= running.then(begin);
      return waiting;
    },
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
}
