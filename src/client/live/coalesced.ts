import { untilAborted, withTimeout } from '../../domain/timing.ts';

/** Milliseconds after which a run without a result no longer keeps the next one waiting. */
const MAX_RUN = 20_000;

/** Work that several callers share: at most one run at a time, and at most one more after it. */
export interface Coalesced {
  /** Resolves with a run that began after this call. It is aborted, or does not begin, once all its callers are. */
  run(signal?: AbortSignal): Promise<void>;
  /** Resolves when no run is under way or waits. */
  idle(): Promise<void>;
}

interface Run {
  /** The number of callers that still want its result. */
  callers: number;
  abandoned: AbortController;
  done: Promise<void>;
}

export function createCoalesced(work: (signal: AbortSignal) => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let waiting: Run | undefined;

  const begin = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    waiting = undefined;
    const result = work(signal);
    running = untilAborted(withTimeout(result, MAX_RUN, Error), signal)
      .catch(() => undefined)
      .then(() => {
        running = undefined;
      });
    await result;
  };

  return {
    run: signal => {
      let run = waiting;
      if (!run) {
        const abandoned = new AbortController();
        const begins = () => begin(abandoned.signal);
        const isFirst = running === undefined;
        run = { callers: 0, abandoned, done: running?.then(begins) ?? begins() };
        if (!isFirst) waiting = run;
      }
      const shared = run;
      shared.callers += 1;
      signal?.addEventListener('abort', () => {
        shared.callers -= 1;
        if (shared.callers > 0) return;
        if (waiting === shared) waiting = undefined;
        shared.abandoned.abort();
      });
      return shared.done;
    },
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
}
