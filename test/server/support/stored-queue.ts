import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/server/monitoring/metrics.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import type { Handlers } from '../../../src/server/queue/queue.ts';
import type { Store } from '../../../src/server/store/store.ts';
import type { TestStore } from './stores.ts';

export const pause = (delay: number) => new Promise(resolve => setTimeout(resolve, delay));
export const until = (check: () => unknown) => vi.waitFor(check, { interval: 20 });

export function open(store: Store) {
  const metrics = createMetrics();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const queue = createQueue({ store, metrics, onError, poll: 50 });
  onTestFinished(() => queue.stop(100));
  return { ...queue, metrics, errors };
}

/** A queue as another process opens it; on the embedded database in the same process. */
export const another = async ({ store, second }: TestStore) => open(second ? await second() : store);

export const runs = async (metrics: Metrics, outcome: string) => {
  const { values } = await metrics.runs.get();
  return values.filter(({ labels }) => labels.outcome === outcome).reduce((sum, { value }) => sum + value, 0);
};

/** Handlers that record the issues of their jobs. */
export function recording(): { seen: string[]; handlers: Partial<Handlers> } {
  const seen: string[] = [];
  return { seen, handlers: { sync: async ({ issue }) => void seen.push(issue) } };
}

/** Handlers whose jobs end on demand. */
export function held() {
  const [started, ending]: [string[], (() => void)[]] = [[], []];
  const hold = (issue: string) =>
    new Promise<void>(resolve => {
      started.push(issue);
      ending.push(resolve);
    });
  return {
    started,
    handlers: {
      sync: ({ issue }) => hold(issue),
      'apply-rules': ({ issue }) => hold(`rules ${issue}`),
    } satisfies Partial<Handlers>,
    end: () => {
      for (const end of ending.splice(0)) end();
    },
  };
}

/** Longer than any test, in milliseconds. */
export const HOUR = 3_600_000;
/** A tenant's jobs with the milliseconds until they are due. */
export const wait = 'select tries, (extract(epoch from due - now()) * 1000)::int as wait from queue where tenant = $1';
/** Statements that wait for a row changed in another transaction. */
export const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`;
export const makeDue = 'update queue set due = now() where tenant = $1';

export const tenantOf = () => `tenant-${randomUUID()}`;
