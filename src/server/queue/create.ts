import { randomUUID } from 'node:crypto';
import { Gauge } from 'prom-client';
import { Unauthorized } from '../errors/request.ts';
import { TrackerDeferred, TrackerUnavailable } from '../errors/tracker.ts';
import { Overloaded } from '../errors/unavailable.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Store } from '../store/store.ts';
import { type Claimed, createEntries, type Entries, enqueueJob, type JobCount } from './entries.ts';
import {
  type Handlers,
  isJobName,
  type JobName,
  type JobRun,
  jobData,
  jobNames,
  type Queue,
  RetryLater,
  readJobData,
} from './queue.ts';
import { startWorker, type Worker } from './worker.ts';

export interface QueueOptions {
  store: Store;
  metrics: Metrics;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
  /** Milliseconds between two polls. */
  poll?: number;
}

export interface RunningQueue extends Queue {
  /** Starts to claim jobs that have a handler. */
  start(handlers: Partial<Handlers>): void;
  /** Drops jobs that failed for good long ago. */
  prune(): Promise<void>;
  /** Claims no more jobs. Running ones may end within `grace` milliseconds, else another process runs them again. */
  stop(grace?: number): Promise<void>;
}

const POLL_INTERVAL_MS = 1_000;
const STOP_GRACE_MS = 7_000;
/** The next run after a failed call waits at least this long, as a run repeats all its calls and counts as no try. */
const MIN_RETRY_MS = 30_000;

function perform<Name extends JobName>(name: Name, handlers: Partial<Handlers>, job: Claimed, run: JobRun) {
  const handler = handlers[name];
  if (!handler) throw new Error(`There is no handler of ${name}.`);
  return handler(readJobData(name, job), run);
}

/** Milliseconds until the job runs again, if it is deferred and has not failed. */
function pauseOf(error: unknown): number | undefined {
  if (error instanceof RetryLater) return error.after;
  if (error instanceof Overloaded && error.isUntried) return error.reset * 1_000;
  // The installation ended while the job ran: the next run finds the next one, or nothing to do.
  if (error instanceof Unauthorized) return MIN_RETRY_MS;
  if (!(error instanceof TrackerUnavailable) || error.retryAfter === undefined) return undefined;
  return error instanceof TrackerDeferred ? error.retryAfter : Math.max(MIN_RETRY_MS, error.retryAfter);
}

interface RunOptions {
  entries: Entries;
  handlers: Partial<Handlers>;
  signal: AbortSignal;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
}

/** Runs a claimed job and records how it ended. Resolves with the outcome, as a label of the metrics. */
export async function runJob(
  job: Claimed,
  { entries, handlers, signal, onError }: RunOptions,
): Promise<'ok' | 'later' | 'failed' | 'dead'> {
  const { name, lastTry } = job;
  try {
    if (!isJobName(name)) throw new Error(`There is no job ${name}.`);
    await perform(name, handlers, job, { signal, lastTry });
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

/** Creates the queue in the store's database. */
export function createQueue({ store, metrics, onError, poll = POLL_INTERVAL_MS }: QueueOptions): RunningQueue {
  const entries = createEntries(store);
  let worker: Worker | undefined;

  // An alert sees the first one only if there was a 0 before.
  for (const name of jobNames) metrics.runs.inc({ name, outcome: 'dead' }, 0);

  let counting: Promise<JobCount[]> | undefined;
  /** The counts of one answer of the metrics, by one statement for both gauges. */
  function counts(): Promise<JobCount[]> {
    counting ??= entries.count().finally(() => {
      counting = undefined;
    });
    return counting;
  }
  const jobs: Gauge = new Gauge({
    name: 'jobs',
    help: 'Background jobs by state; failed ones are not tried again',
    labelNames: ['name', 'state'],
    registers: [metrics.registry],
    collect: metrics.asking('jobs', async () => {
      const jobCounts = await counts();
      jobs.reset();
      for (const { name, state, jobs: number } of jobCounts) jobs.set({ name, state }, number);
    }),
  });
  const overdues: Gauge = new Gauge({
    name: 'job_overdue_seconds',
    help: 'How long the oldest due job has waited, by name; `write-property` is the lag of the copies in the tracker',
    labelNames: ['name'],
    registers: [metrics.registry],
    collect: metrics.asking('job_overdue_seconds', async () => {
      const jobCounts = await counts();
      overdues.reset();
      for (const name of new Set(jobCounts.map(each => each.name))) {
        overdues.set({ name }, Math.max(...jobCounts.map(each => (each.name === name ? each.overdue : 0))));
      }
    }),
  });

  return {
    async add(name, data, { after = 0, key = randomUUID() } = {}) {
      await entries.add({ tenant: data.tenant, key, name }, jobData(name, data), after);
      if (after <= 0) worker?.wake();
    },
    async restore(name, data, { after, key }) {
      await entries.restore({ tenant: data.tenant, key, name }, jobData(name, data), after);
      if (after <= 0) worker?.wake();
    },
    enqueue: (name, data, { key, after, maxWait }) =>
      enqueueJob({ tenant: data.tenant, key, name }, jobData(name, data), after, maxWait),
    wake: () => worker?.wake(),
    start(handlers) {
      worker = startWorker({
        entries,
        names: jobNames.filter(name => handlers[name]),
        poll,
        onError,
        // If recording the outcome fails, the claim expires and the job runs again.
        run: (job, signal) =>
          runJob(job, { entries, handlers, signal, onError }).then(
            outcome => void metrics.runs.inc({ name: job.name, outcome }),
            onError,
          ),
      });
    },
    prune: entries.prune,
    async stop(grace = STOP_GRACE_MS) {
      await worker?.stop(grace);
    },
  };
}
