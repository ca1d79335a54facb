import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/** The right to change one issue's checklist, across processes. */
export interface Lease {
  /** To be called in each transaction that relies on the lease: prolongs it, or rejects with `LeaseLost`. */
  hold(tx: Tx): Promise<void>;
  /** Instead of `hold` in the last such transaction: gives the lease back with it, and saves one of its own. */
  release(tx: Tx): Promise<void>;
}

/** Somebody else took over, because the holder was silent for too long. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Others kept the issue busy for longer than anybody would wait. */
export class LeaseBusy extends Error {
  override readonly name = 'LeaseBusy';
}

export interface Leases {
  /**
   * Runs `work` when its turn comes, one at a time for each issue, first come first served within a process. What
   * `load` reads is read in the transaction that takes the lease.
   */
  run<T, L>(
    tenant: string,
    issue: string,
    work: (lease: Lease, loaded: L) => Promise<T>,
    load: (tx: Tx) => Promise<L>,
  ): Promise<T>;
  run<T>(tenant: string, issue: string, work: (lease: Lease) => Promise<T>): Promise<T>;
}

/** Longer than any call to the tracker, since `hold` is called between two of them (tracker/client.ts). */
const LIFE = sql<Date>`now() + interval '15 seconds'`;
const ENDED = sql<Date>`'-infinity'`;
/** Milliseconds. */
const LONGEST_WAIT = 20_000;
const POLL = 20;

const pause = (delay: number) => new Promise<void>(resolve => setTimeout(resolve, delay));

export function createLeases(store: Store, onError: (error: unknown) => void): Leases {
  const holder = randomUUID();
  const queues = new Map<string, Promise<unknown>>();

  /** The new fence and what was loaded, `undefined` while somebody else holds the lease. */
  const take = <L>(tenant: string, issue: string, load: (tx: Tx) => Promise<L>) =>
    store.fleeting(tenant, async tx => {
      const taken = await tx
        .insertInto('lease')
        .values({ tenant, issue, fence: 1, holder, expires: LIFE })
        .onConflict(conflict =>
          conflict
            .columns(['tenant', 'issue'])
            .doUpdateSet({ fence: sql`lease.fence + 1`, holder, expires: LIFE })
            .where('lease.expires', '<=', sql<Date>`now()`),
        )
        .returning('fence')
        .executeTakeFirst();
      return taken && { fence: taken.fence, loaded: await load(tx) };
    });

  const update = async (tx: Tx, tenant: string, issue: string, fence: number, expires: typeof LIFE) => {
    const { numUpdatedRows } = await tx
      .updateTable('lease')
      .set({ expires })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue)
      .where('fence', '=', fence)
      .where('holder', '=', holder)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  async function leased<T, L>(
    { tenant, issue, end }: { tenant: string; issue: string; end: number },
    work: (lease: Lease, loaded: L) => Promise<T>,
    load: (tx: Tx) => Promise<L>,
  ): Promise<T> {
    const next = () => {
      if (Date.now() > end) throw new LeaseBusy(`Issue ${issue} is busy.`);
      return take(tenant, issue, load);
    };
    let taken = await next();
    while (!taken) {
      await pause(POLL * (1 + Math.random()));
      taken = await next();
    }
    const { fence, loaded } = taken;
    let released = false;
    const held = async (tx: Tx, expires: typeof LIFE) => {
      if (!(await update(tx, tenant, issue, fence, expires))) throw new LeaseLost(`Issue ${issue} was taken over.`);
    };
    const lease: Lease = {
      hold: tx => held(tx, LIFE),
      async release(tx) {
        await held(tx, ENDED);
        released = true;
      },
    };
    try {
      return await work(lease, loaded);
    } catch (error) {
      // Whatever gave it back may not have been committed.
      released = false;
      throw error;
    } finally {
      // A lease that cannot be given back ends by itself.
      if (!released) await store.fleeting(tenant, tx => update(tx, tenant, issue, fence, ENDED)).catch(onError);
    }
  }

  return {
    run<T, L>(
      tenant: string,
      issue: string,
      work: (lease: Lease, loaded?: L) => Promise<T>,
      load: (tx: Tx) => Promise<L | undefined> = async () => undefined,
    ) {
      const end = Date.now() + LONGEST_WAIT;
      const key = `${tenant} ${issue}`;
      const turn = (queues.get(key) ?? Promise.resolve()).then(() => leased({ tenant, issue, end }, work, load));
      const tail = turn.then(
        () => {},
        () => {},
      );
      queues.set(key, tail);
      void tail.then(() => queues.get(key) === tail && queues.delete(key));
      return turn;
    },
  };
}
