import type { Lease, Leases, Loading } from './lease.ts';
import type { Place } from './revisions.ts';

/** What came of one of several that were worked off together. */
export type Settled<T> = { value: T } | { error: unknown };

export interface Batching<W, L, T> {
  /** In the transaction that takes the lease. */
  load(place: Place, works: readonly W[]): Loading<L>;
  /** Says for each what came of it. Where it rejects, so does each. */
  work(place: Place, works: readonly W[], lease: Lease, loaded: L): Promise<readonly Settled<T>[]>;
}

/** Most that are worked off together. */
const MOST = 50;

interface Waiting<W, T> {
  work: W;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Works off together what waits for one issue's turn and is of one group, in the order of arrival: while one batch is
 * written, the next one gathers.
 */
export function createTurns<W, L, T>(
  leases: Leases,
  { load, work }: Batching<W, L, T>,
): (place: Place, group: string, work: W) => Promise<T> {
  const gathering = new Map<string, Waiting<W, T>[]>();

  function start(place: Place, key: string, batch: Waiting<W, T>[]): void {
    const close = () => {
      if (gathering.get(key) === batch) gathering.delete(key);
      return batch.map(waiting => waiting.work);
    };
    leases
      .run(
        place.tenant,
        place.issue,
        (lease, loaded: L) => work(place, close(), lease, loaded),
        () => load(place, close()),
      )
      .then(
        settled =>
          batch.forEach((waiting, index) => {
            const outcome = settled[index];
            if (outcome && 'value' in outcome) waiting.resolve(outcome.value);
            else waiting.reject(outcome?.error);
          }),
        (error: unknown) => {
          close();
          for (const waiting of batch) waiting.reject(error);
        },
      );
  }

  return (place, group, work) =>
    new Promise((resolve, reject) => {
      const key = `${place.tenant} ${place.issue} ${group}`;
      const batch = gathering.get(key);
      if (batch && batch.length < MOST) batch.push({ work, resolve, reject });
      else {
        const next = [{ work, resolve, reject }];
        gathering.set(key, next);
        start(place, key, next);
      }
    });
}
