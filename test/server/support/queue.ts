import type { ChecklistService } from '../../../src/server/checklists/checklists.ts';
import type { JobName, Jobs, Queue } from '../../../src/server/jobs/queue.ts';

type Handlers = ChecklistService['jobs'];

/** A queue in memory that works when it is told to, and knows what it did. */
export interface TestQueue extends Queue {
  /** Names of the jobs that wait, in order. */
  waiting(): JobName[];
  /** Does what waits, once, without waiting first; what fails waits again. Resolves with the failures. */
  work(handlers: Handlers): Promise<unknown[]>;
  /** Works until nothing waits. Rejects with the first failure, or when it does not come to an end. */
  drain(handlers: Handlers): Promise<void>;
  /** Forgets everything, as a lost queue does. */
  lose(): void;
}

interface Waiting {
  name: JobName;
  data: Jobs[JobName];
  key: string | undefined;
}

/** More rounds than any quiet end takes. */
const ENDLESS = 30;

export function createTestQueue(): TestQueue {
  let jobs: Waiting[] = [];

  const queue: TestQueue = {
    async add(name, data, { key } = {}) {
      const waits = (job: Waiting) => job.name === name && job.key === key && job.data.tenant === data.tenant;
      if (key === undefined || !jobs.some(waits)) jobs.push({ name, data, key });
    },
    waiting: () => jobs.map(({ name }) => name),
    async work(handlers) {
      const now = jobs;
      jobs = [];
      const failures: unknown[] = [];
      for (const { name, data, key } of now) {
        try {
          await handlers[name](data);
        } catch (error) {
          failures.push(error);
          await queue.add(name, data, key === undefined ? {} : { key });
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
    lose() {
      jobs = [];
    },
  };
  return queue;
}
