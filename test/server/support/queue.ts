import { CompiledQuery } from 'kysely';
import {
  type Handlers,
  type JobName,
  type JobRun,
  type Jobs,
  jobData,
  type Queue,
  RetryLater,
} from '../../../src/server/queue/queue.ts';

/** A queue in memory that runs jobs on demand and records them. */
export interface TestQueue extends Queue {
  /** Names of the waiting jobs, in order. Without the jobs of copies that are tried again minutes later. */
  waiting(): JobName[];
  /**
   * Runs the waiting jobs once, without delays. Failed and deferred ones wait again. Resolves with the failures.
   * Jobs without a handler keep waiting.
   */
  work(handlers: Partial<Handlers>): Promise<unknown[]>;
  /** Runs jobs until none waits. Rejects with the first failure, or when it does not end. */
  drain(handlers: Partial<Handlers>): Promise<void>;
  /** Runs the held jobs of a name once. Failed and deferred ones stay held. Resolves with what they threw. */
  release(name: JobName, handlers: Partial<Handlers>): Promise<unknown[]>;
  /** The jobs of copies that are tried again minutes later. They wait for `pass`. */
  later(): { name: JobName; key: string | undefined; after: number }[];
  /** Lets those jobs wait for their run. */
  pass(): void;
  /** Deletes all jobs, as a lost queue does. */
  lose(): void;
}

interface Waiting {
  name: JobName;
  data: Jobs[JobName];
  key: string | undefined;
  after: number;
  /** The jobs that are run as this one. */
  parts: Set<JobName>;
  run(handlers: Partial<Handlers>): Promise<void> | undefined;
}

const runs: JobRun = { signal: new AbortController().signal, lastTry: false };

/** Jobs that run at times of their own, when a test releases them. */
const held: readonly JobName[] = ['send-webhooks', 'send-digest', 'find-due', 'compare-copies'];

/** Jobs whose later tries wait for `pass`. */
const postponable: readonly JobName[] = ['sync', 'mirror'];
/** Milliseconds from which on a job of a copy is a later try. */
const MINUTE = 60_000;

/** A statement without effect: the queue is in memory. */
const nothing = CompiledQuery.raw('select 1');

/** The jobs of an issue's copies, in the order of their times: this queue has no times, and runs the first for all. */
const ofCopies: readonly JobName[] = ['write-property', 'write-field', 'sync'];
const isOfCopies = (name: JobName): boolean => ofCopies.includes(name);

/** Maximum number of rounds. */
const ENDLESS = 30;

function runParts(parts: ReadonlySet<JobName>, data: Jobs[JobName], handlers: Partial<Handlers>) {
  const [first = 'sync'] = parts;
  const name = ofCopies.find(each => parts.has(each)) ?? first;
  const perform = handlers[name] as Handlers['sync'] | undefined;
  return perform?.(data as Jobs['sync'], runs);
}

export function createTestQueue(): TestQueue {
  let jobs: Waiting[] = [];
  let holding: Waiting[] = [];
  let postponed: Waiting[] = [];

  const queue: TestQueue = {
    async add(given, fields, { key, after = 0 } = {}) {
      const name = isOfCopies(given) ? 'sync' : given;
      const data = jobData(given, fields);
      const waits = (job: Waiting) => job.name === name && job.key === key && job.data.tenant === data.tenant;
      const parts = new Set([given]);
      const job: Waiting = { ...{ name, data, key, after, parts }, run: handlers => runParts(parts, data, handlers) };
      if (postponable.includes(name) && after >= MINUTE) {
        if (![...jobs, ...postponed].some(waits)) postponed.push(job);
        return;
      }
      postponed = postponed.filter(each => !waits(each));
      const list = held.includes(name) ? holding : jobs;
      const waiting = key === undefined ? undefined : list.find(waits);
      if (waiting) waiting.parts.add(given);
      else list.push(job);
    },
    async restore(name, data, options) {
      const waits = (job: Waiting) => job.name === name && job.key === options.key && job.data.tenant === data.tenant;
      if (!postponed.some(waits)) await queue.add(name, data, options);
    },
    later: () => postponed.map(({ name, key, after }) => ({ name, key, after })),
    pass() {
      jobs.push(...postponed);
      postponed = [];
    },
    enqueue(name, data, options) {
      void queue.add(name, data, options);
      return nothing;
    },
    wake: () => {},
    waiting: () => jobs.map(({ name }) => name),
    async work(handlers) {
      const now = jobs;
      jobs = [];
      const failures: unknown[] = [];
      for (const job of now) {
        try {
          await job.run(handlers);
        } catch (error) {
          if (!(error instanceof RetryLater)) failures.push(error);
          if (!jobs.some(({ name, key }) => name === job.name && key !== undefined && key === job.key)) jobs.push(job);
        }
      }
      return failures;
    },
    async drain(handlers) {
      for (let round = 0; jobs.length > 0; round += 1) {
        if (round === ENDLESS) throw new Error(`It does not come to an end: ${queue.waiting().join(', ')}`);
        const [failure] = await queue.work(handlers);
        if (failure !== undefined) throw failure;
      }
    },
    async release(name, handlers) {
      const now = holding.filter(job => job.name === name);
      holding = holding.filter(job => job.name !== name);
      const thrown: unknown[] = [];
      for (const job of now) {
        await job.run(handlers)?.catch((error: unknown) => {
          thrown.push(error);
          holding.push(job);
        });
      }
      return thrown;
    },
    lose() {
      jobs = [];
      holding = [];
      postponed = [];
    },
  };
  return queue;
}
