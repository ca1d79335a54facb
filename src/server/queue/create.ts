import { randomUUID } from 'node:crypto';
import { Gauge } from 'prom-client';
import type { Metrics } from '../common/metrics.ts';
import { TrackerDeferred, TrackerUnavailable } from '../errors/tracker.ts';
import type { Store } from '../store/store.ts';
import { type Claimed, createEntries, enqueue } from './entries.ts';
import {
  type Handlers,
  type JobName,
  type JobRun,
  type Jobs,
  jobNames,
  jobShapes,
  type Queue,
  RetryLater,
} from './queue.ts';
import { startWorker, type Worker } from './worker.ts';

export interface QueueOptions {
  store: Store;
  metrics: Metrics;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
  /** Milliseconds between two looks while nothing happens. */
  poll?: number;
}

export interface RunningQueue extends Queue {
  /** Takes jobs from now on, those that there are handlers for. */
  start(handlers: Partial<Handlers>): void;
  /** Drops what failed for good long ago. */
  prune(): Promise<void>;
  /** Takes nothing more; what runs may end within `grace` milliseconds, else another process does it again. */
  stop(grace?: number): Promise<void>;
}

const POLL = 1_000;
const GRACE = 7_000;
/** Least milliseconds after a call that failed: each run makes its calls again, and no try is lost. */
const AFTER_FAILURE = 30_000;

const isJobName = (name: string): name is JobName => name in jobShapes;

function perform<Name extends JobName>(name: Name, handlers: Partial<Handlers>, data: unknown, run: JobRun) {
  const handler = handlers[name];
  if (!handler) throw new Error(`Nobody does ${name}.`);
  return handler(jobShapes[name].parse(data) as Jobs[Name], run);
}

/** Milliseconds until the job is to run again, where it did not fail but came too early. */
function pauseOf(error: unknown): number | undefined {
  if (error instanceof RetryLater) return error.after;
  if (!(error instanceof TrackerUnavailable) || error.retryAfter === undefined) return undefined;
  return error instanceof TrackerDeferred ? error.retryAfter : Math.max(AFTER_FAILURE, error.retryAfter);
}

/** The queue in the store's database. */
export function createQueue({ store, metrics, onError, poll = POLL }: QueueOptions): RunningQueue {
  const entries = createEntries(store);
  let worker: Worker | undefined;

  const jobs: Gauge = new Gauge({
    name: 'jobs',
    help: 'Background jobs by state; failed ones are not tried again',
    labelNames: ['name', 'state'],
    registers: [metrics.registry],
    async collect() {
      jobs.reset();
      for (const { name, state, jobs: number } of await entries.count()) jobs.set({ name, state }, number);
    },
  });

  /** Runs a job and says what became of it. */
  async function outcomeOf(job: Claimed, handlers: Partial<Handlers>, signal: AbortSignal): Promise<string> {
    const { name, data, lastTry } = job;
    try {
      if (!isJobName(name)) throw new Error(`There is no job ${name}.`);
      await perform(name, handlers, data, { signal, lastTry });
    } catch (error) {
      const after = pauseOf(error);
      if (after !== undefined) {
        await entries.putBack(job, after);
        return 'later';
      }
      onError(error);
      await entries.fail(job, error instanceof Error ? error.name : 'unknown');
      return lastTry ? 'dead' : 'failed';
    }
    await entries.complete(job);
    return 'ok';
  }

  return {
    async add(name, data, { after = 0, key = randomUUID() } = {}) {
      await entries.add({ tenant: data.tenant, key, name }, data, after);
      if (after <= 0) worker?.wake();
    },
    async restore(name, data, { after, key }) {
      await entries.restore({ tenant: data.tenant, key, name }, data, after);
      if (after <= 0) worker?.wake();
    },
    enqueue: (name, data, { after, key }) =>
      enqueue({ tenant: data.tenant, key, name, data: JSON.stringify(data), after }),
    wake: () => worker?.wake(),
    start(handlers) {
      worker = startWorker({
        entries,
        names: jobNames.filter(name => handlers[name]),
        poll,
        onError,
        // Where even that fails, the job is an orphan soon, and runs again.
        run: (job, signal) =>
          outcomeOf(job, handlers, signal).then(outcome => void metrics.runs.inc({ name: job.name, outcome }), onError),
      });
    },
    prune: entries.prune,
    async stop(grace = GRACE) {
      await worker?.stop(grace);
    },
  };
}
