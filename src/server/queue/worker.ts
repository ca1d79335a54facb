import { withTimeout } from '../../domain/timing.ts';
import type { Claimed, Entries } from './entries.ts';

export interface WorkerOptions {
  entries: Entries;
  names: readonly string[];
  /** Never rejects. */
  run(job: Claimed, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
  /** Milliseconds between two polls. */
  poll: number;
}

export interface Worker {
  /** Polls at once. */
  wake(): void;
  /** Claims no more jobs. Resolves when running ones have ended, or were released after `grace` milliseconds. */
  stop(grace: number): Promise<void>;
}

/** Applies to each process. */
const MAX_RUNNING = 8;
/** Several heartbeats are sent before a claim expires (`entries.ts`). */
const HEARTBEAT_MS = 4_000;

/** Claims and runs jobs, at most `MAX_RUNNING` at once. */
export function startWorker({ entries, names, run, onError, poll }: WorkerOptions): Worker {
  const running = new Map<Claimed, Promise<void>>();
  const stopping = new AbortController();
  let woken = false;
  let wakeUp = () => {};
  const wake = () => {
    woken = true;
    wakeUp();
  };

  const pause = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, poll);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (woken) wakeUp();
    });

  function begin(job: Claimed): void {
    const done = run(job, stopping.signal).then(() => {
      running.delete(job);
      wake();
    });
    running.set(job, done);
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      const free = MAX_RUNNING - running.size;
      if (free > 0) {
        const jobs = await entries.claim(names, free).catch(error => {
          onError(error);
          return [];
        });
        for (const job of jobs) begin(job);
      }
      if (!stopping.signal.aborted) await pause();
    }
  }

  const beat = setInterval(() => {
    if (running.size) entries.beat([...running.keys()]).catch(onError);
  }, HEARTBEAT_MS);
  const working = work();

  return {
    wake,
    async stop(grace) {
      stopping.abort();
      wake();
      await working;
      await withTimeout(Promise.all(running.values()), grace, () => new Error('Timed out')).catch(() => undefined);
      clearInterval(beat);
      await Promise.all([...running.keys()].map(job => entries.putBack(job, 0).catch(onError)));
    },
  };
}
