import type { TenantIssue } from '../revisions.ts';

/** The result of one member of a batch. */
export type Settled<T> = { value: T } | { error: unknown };

/** Most members of a batch. */
const MOST = 50;

interface Waiting<W, T> {
  work: W;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Runs the work of one issue and group in batches, in the order of arrival: while one batch runs, the next one collects.
 * `run` resolves with a result for each; where it rejects, so does each.
 */
export function createBatches<W, T>(
  run: (place: TenantIssue, works: readonly W[]) => Promise<readonly Settled<T>[]>,
): (place: TenantIssue, group: string, work: W) => Promise<T> {
  const queues = new Map<string, Waiting<W, T>[]>();

  async function runBatch(place: TenantIssue, batch: readonly Waiting<W, T>[]): Promise<void> {
    try {
      const settled = await run(
        place,
        batch.map(({ work }) => work),
      );
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = settled[index];
        if (outcome && 'value' in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runAll(place: TenantIssue, key: string, queue: Waiting<W, T>[]): Promise<void> {
    while (queue.length > 0) await runBatch(place, queue.splice(0, MOST));
    queues.delete(key);
  }

  return ({ tenant, issue }, group, work) =>
    new Promise((resolve, reject) => {
      const key = `${tenant} ${issue} ${group}`;
      const queue = queues.get(key);
      if (queue) return void queue.push({ work, resolve, reject });
      const started = [{ work, resolve, reject }];
      queues.set(key, started);
      void runAll({ tenant, issue }, key, started);
    });
}
