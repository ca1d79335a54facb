import { randomUUID } from 'node:crypto';
import { Gauge } from 'prom-client';
import type { Metrics } from '../http/metrics.ts';
import type { Store } from '../store/store.ts';
import { TrackerUnavailable } from '../tracker/client.ts';
import { startBoss } from './boss.ts';
import { type Claimed, createClaims } from './claims.ts';
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
  /** Seconds between two looks for jobs whose process is gone. */
  maintenance?: number;
}

export interface RunningQueue extends Queue {
  /** Takes jobs from now on, those that there are handlers for. */
  start(handlers: Partial<Handlers>): void;
  /** Takes nothing more; what runs may end within `grace` milliseconds, else another process does it again. */
  stop(grace?: number): Promise<void>;
}

const POLL = 1_000;
const MAINTENANCE = 15;
const GRACE = 7_000;
/** Most keys that are remembered. */
const WAITING = 10_000;

const isJobName = (name: string): name is JobName => name in jobShapes;

function perform<Name extends JobName>(name: Name, handlers: Partial<Handlers>, data: unknown, run: JobRun) {
  const handler = handlers[name];
  if (!handler) throw new Error(`Nobody does ${name}.`);
  return handler(jobShapes[name].parse(data) as Jobs[Name], run);
}

/** Milliseconds until the job is to run again, where it did not fail but came too early. */
function pauseOf(error: unknown): number | undefined {
  if (error instanceof RetryLater) return error.after;
  return error instanceof TrackerUnavailable ? error.retryAfter : undefined;
}

/** The queue on the store's database; its tables are made if need be. */
export async function createQueue(options: QueueOptions): Promise<RunningQueue> {
  const { store, metrics, onError, poll = POLL, maintenance = MAINTENANCE } = options;
  const boss = await startBoss({ store, onError, maintenance, names: jobNames });
  const claims = createClaims(store);
  /** Until when a job that we added surely waits, by its key: one more would only be turned away by the database. */
  const waiting = new Map<string, number>();
  let worker: Worker | undefined;

  const jobs: Gauge = new Gauge({
    name: 'jobs',
    help: 'Background jobs by state; failed ones are not tried again',
    labelNames: ['name', 'state'],
    registers: [metrics.registry],
    async collect() {
      jobs.reset();
      for (const { name, state, jobs: number } of await claims.count()) jobs.set({ name, state }, number);
    },
  });

  /** Runs a job and says what became of it. */
  async function outcomeOf(job: Claimed, handlers: Partial<Handlers>, signal: AbortSignal): Promise<string> {
    const { name, id, data, lastTry } = job;
    try {
      if (!isJobName(name)) throw new Error(`There is no job ${name}.`);
      await perform(name, handlers, data, { signal, lastTry });
    } catch (error) {
      const after = pauseOf(error);
      if (after !== undefined) {
        await claims.putBack([id], after);
        return 'later';
      }
      onError(error);
      await boss.fail(name, id, { error: error instanceof Error ? error.name : 'unknown' });
      return lastTry ? 'dead' : 'failed';
    }
    await boss.complete(name, id);
    return 'ok';
  }

  return {
    async add(name, data, { after = 0, key = randomUUID() } = {}) {
      const singletonKey = `${data.tenant} ${key}`;
      const asked = performance.now();
      const mark = `${name} ${singletonKey}`;
      if ((waiting.get(mark) ?? 0) > asked) return;
      const id = await boss.send(name, data, { singletonKey, ...(after > 0 && { startAfter: after / 1000 }) });
      if (after <= 0) worker?.wake();
      else if (id !== null) {
        if (waiting.size >= WAITING) waiting.clear();
        waiting.set(mark, asked + after);
      }
    },
    start(handlers) {
      worker = startWorker({
        claims,
        names: jobNames.filter(name => handlers[name]),
        poll,
        onError,
        // Where even that fails, the job is an orphan soon, and runs again.
        run: (job, signal) =>
          outcomeOf(job, handlers, signal).then(outcome => void metrics.runs.inc({ name: job.name, outcome }), onError),
      });
    },
    async stop(grace = GRACE) {
      await worker?.stop(grace);
      await boss.stop({ graceful: false });
    },
  };
}
