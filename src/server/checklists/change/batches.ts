import { LARGE } from '../../common/text-turns.ts';
import type { TenantIssue } from '../revisions.ts';
import type { PreparedChange } from '../types.ts';

/** The result of one member of a batch. */
export type Settled<T> = { value: T } | { error: unknown };

const MAX_MEMBERS = 50;

interface Waiting<W, T> {
  work: W;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Runs the work of one issue and group in batches, in the order of arrival: while one batch runs, the next one collects.
 * `run` resolves with a result for each, or for the first of them, which leaves the others to the next batch; where it
 * rejects, so does each.
 */
export function createBatches<W, T>(
  run: (place: TenantIssue, works: readonly W[]) => Promise<readonly Settled<T>[]>,
): (place: TenantIssue, group: string, work: W) => Promise<T> {
  const queues = new Map<string, Waiting<W, T>[]>();

  /** Resolves with those that are left. */
  async function runBatch(place: TenantIssue, batch: readonly Waiting<W, T>[]): Promise<readonly Waiting<W, T>[]> {
    try {
      const settled = await run(
        place,
        batch.map(({ work }) => work),
      );
      if (settled.length === 0) throw new Error('A batch was left undone.');
      for (const [index, outcome] of settled.entries()) {
        if ('value' in outcome) batch[index]?.resolve(outcome.value);
        else batch[index]?.reject(outcome.error);
      }
      return batch.slice(settled.length);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return [];
    }
  }

  async function runAll(place: TenantIssue, key: string, queue: Waiting<W, T>[]): Promise<void> {
    while (queue.length > 0) queue.unshift(...(await runBatch(place, queue.splice(0, MAX_MEMBERS))));
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

/** A change and its author. */
interface Authored {
  account: string;
  change: Pick<PreparedChange, 'size'>;
}

/** Whether changes need a turn. */
export const isLarge = (works: readonly Authored[]): boolean =>
  works.reduce((sum, { change: { size = 0 } }) => sum + size, 0) > LARGE;

/**
 * The first of some changes, which are one batch: as many as need no turn; else those of the first one's author, whose
 * turn it is. No change waits in the turn of another author, or takes its time.
 */
export function batchOf<Work extends Authored>(works: readonly Work[]): readonly Work[] {
  const [first] = works;
  if (!first) return works;
  const isOver = (index: number) =>
    isLarge([first]) ? works[index]?.account !== first.account : isLarge(works.slice(0, index + 1));
  const end = works.findIndex((_, index) => isOver(index));
  return end < 0 ? works : works.slice(0, end);
}
