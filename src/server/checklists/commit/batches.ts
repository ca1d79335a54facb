import { MAX_CHARACTERS_HERE } from '../../text-workers/task.ts';
import { sizeOf } from '../decide/edit.ts';
import type { Proposal } from '../decide/types.ts';
import type { TenantIssue } from '../read/revisions.ts';

const MAX_MEMBERS = 50;

interface Waiting<W, T> {
  work: W;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Runs the work of one issue and group in batches, in the order of arrival: while one batch runs, the next one collects.
 * `run` resolves with a result for each, or for the first of them, which leaves the others to the next batch. If it
 * rejects, so does each.
 */
export function createBatches<W, T>(
  run: (place: TenantIssue, works: readonly W[]) => Promise<readonly T[]>,
): (place: TenantIssue, group: string, work: W) => Promise<T> {
  const queues = new Map<string, Waiting<W, T>[]>();

  /** Runs one batch. Resolves with the works that it left. */
  async function runBatch(place: TenantIssue, batch: readonly Waiting<W, T>[]): Promise<readonly Waiting<W, T>[]> {
    try {
      const works = batch.map(({ work }) => work);
      const results = await run(place, works);
      if (results.length === 0) throw new Error('A batch was left undone.');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
      return batch.slice(results.length);
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

/** Whether changes need a turn for their own texts, whatever the text is that they are made in. */
export const isLarge = (proposals: readonly Proposal[]): boolean =>
  proposals.reduce((sum, proposal) => sum + sizeOf(proposal), 0) > MAX_CHARACTERS_HERE;

/**
 * The first of some changes, which are one batch: as many as need no turn; else those of the first one's author, whose
 * turn it is. No change waits in the turn of another author, or takes its time.
 */
export function batchOf(proposals: readonly Proposal[]): readonly Proposal[] {
  const [first] = proposals;
  if (!first) return proposals;
  if (isLarge([first])) return ofFirstAuthor(proposals);
  const end = proposals.findIndex((_, index) => isLarge(proposals.slice(0, index + 1)));
  return end < 0 ? proposals : proposals.slice(0, end);
}

/** The changes before the first one of another author. */
export function ofFirstAuthor(proposals: readonly Proposal[]): readonly Proposal[] {
  const end = proposals.findIndex(({ account }) => account !== proposals[0]?.account);
  return end < 0 ? proposals : proposals.slice(0, end);
}
