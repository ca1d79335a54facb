import { runJob } from '../../../src/server/queue/create.ts';
import { createEntries, enqueueJob } from '../../../src/server/queue/entries.ts';
import { type Handlers, type JobName, jobData, jobNames } from '../../../src/server/queue/queue.ts';
import type { Store } from '../../../src/server/store/store.ts';
import type { TestQueue } from './queue.ts';

/** Jobs that no test of stored things runs. */
const held: readonly JobName[] = ['send-webhooks', 'send-digest', 'find-due', 'prune', 'sweep'];

/** The maximum number of rounds of a drain. */
const ENDLESS = 60;

/** The stored queue, whose due jobs run when a test calls for it. Jobs of the next minute count as due. */
export interface DrivenQueue extends TestQueue {
  /** Lets the time of all tries come. */
  passAll(): Promise<void>;
}

export function createDrivenQueue(store: Store, raw: Raw, onError: (error: unknown) => void): DrivenQueue {
  const entries = createEntries(store);
  const names = jobNames.filter(name => !held.includes(name));
  const { signal } = new AbortController();
  const soon = () =>
    raw(`update queue set due = now() where failed is null and beat is null and due < now() + interval '1 minute'
      and (again is null or again > now())`);
  const claimed = async (handlers: Partial<Handlers>) => {
    await soon();
    return entries.claim(
      names.filter(name => handlers[name]),
      20,
    );
  };
  const queue: DrivenQueue = {
    async add(name, data, { after = 0, key = 'x' } = {}) {
      await entries.add({ tenant: data.tenant, key, name }, jobData(name, data), after);
    },
    async restore(name, data, { after, key }) {
      await entries.restore({ tenant: data.tenant, key, name }, jobData(name, data), after);
    },
    enqueue: (name, data, { key, after, maxWait }) =>
      enqueueJob({ tenant: data.tenant, key, name }, jobData(name, data), after, maxWait),
    wake: () => {},
    waiting: () => [],
    later: () => [],
    pass: () => {},
    release: async () => [],
    async work(handlers) {
      for (const job of await claimed(handlers)) await runJob(job, { entries, handlers, signal, onError });
      return [];
    },
    async drain(handlers) {
      for (let round = 0; ; round += 1) {
        const jobs = await claimed(handlers);
        if (jobs.length === 0) return;
        if (round === ENDLESS)
          throw new Error(`It does not come to an end: ${jobs.map(({ name }) => name).join(', ')}`);
        for (const job of jobs) await runJob(job, { entries, handlers, signal, onError });
      }
    },
    lose: () => {},
    async passAll() {
      await raw(`update queue set due = now(), tries = 0 where failed is null and beat is null`);
      await raw('update sync set property_retry = now(), field_retry = now()');
    },
  };
  return queue;
}

type Raw = (statement: string) => Promise<Record<string, unknown>[]>;
