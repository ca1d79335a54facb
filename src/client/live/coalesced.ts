import { sleep } from '../../domain/timing.ts';

/** Milliseconds after which a run without a result no longer keeps the next one waiting. */
const MAX_RUN = 20_000;

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
    running = Promise.race([result, sleep(MAX_RUN)])
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
