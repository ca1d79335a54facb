import { untilAborted } from '../../domain/timing.ts';

/** Milliseconds after which a run without a result no longer keeps the next one waiting. */
const MAX_RUN = 20_000;

/** Work that several callers share: at most one run at a time, and at most one more after it. */
export interface Coalesced {
  /** Resolves with a run that began after this call. A run ends early when the signals of all its callers do. */
  run(signal?: AbortSignal): Promise<void>;
  /** Resolves when no run is under way or waits. */
  idle(): Promise<void>;
}

interface Run {
  /** The number of callers that still want its result. */
  callers: number;
  abandoned: AbortController;
  done: Promise<void>;
  settle(result: Promise<void>): void;
}

function createRun(): Run {
  let settle: Run['settle'] = () => undefined;
  const done = new Promise<void>(resolve => {
    settle = resolve;
  });
  // A failure without callers is no error.
  done.catch(() => undefined);
  return { callers: 0, abandoned: new AbortController(), done, settle };
}

export function createCoalesced(work: (signal: AbortSignal) => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let waiting: Run | undefined;

  const begin = (run: Run) => {
    const { signal } = run.abandoned;
    const result = work(signal);
    run.settle(result);
    const ended = new Promise<void>(resolve => {
      const timer = setTimeout(resolve, MAX_RUN);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', end);
      result.then(end, end);
    });
    running = ended.then(() => {
      running = undefined;
      const next = waiting;
      waiting = undefined;
      if (next) begin(next);
    });
  };

  const leave = (run: Run) => {
    run.callers -= 1;
    if (run.callers > 0) return;
    if (waiting === run) waiting = undefined;
    run.abandoned.abort();
  };

  return {
    run: signal => {
      const run = waiting ?? createRun();
      run.callers += 1;
      if (running === undefined) begin(run);
      else waiting = run;
      signal?.addEventListener('abort', () => leave(run), { once: true });
      return untilAborted(run.done, signal);
    },
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
}
