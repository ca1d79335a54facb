import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/** The right to change one issue's checklist, across processes. */
export interface Lease {
  /** To be called in each transaction that relies on the lease: prolongs it, or rejects with `LeaseLost`. */
  hold(tx: Tx): Promise<void>;
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
  /** Runs `work` when its turn comes, one at a time for each issue, first come first served within a process. */
  run<T>(tenant: string, issue: string, work: (lease: Lease) => Promise<T>): Promise<T>;
}

/** Longer than any call to the tracker, since `hold` is called between two of them (tracker/client.ts). */
const LIFE = sql<Date>`now() + interval '15 seconds'`;
/** Milliseconds. */
const LONGEST_WAIT = 20_000;
const POLL = 20;

const pause = (delay: number) => new Promise<void>(resolve => setTimeout(resolve, delay));

export function createLeases(store: Store, onError: (error: unknown) => void): Leases {
  const holder = randomUUID();
  const queues = new Map<string, Promise<unknown>>();

  /** The new fence, `undefined` while somebody else holds the lease. */
  const take = (tenant: string, issue: string) =>
    store.tenant(tenant, tx =>
      tx
        .insertInto('lease')
        .values({ tenant, issue, fence: 1, holder, expires: LIFE })
        .onConflict(conflict =>
          conflict
            .columns(['tenant', 'issue'])
            .doUpdateSet({ fence: sql`lease.fence + 1`, holder, expires: LIFE })
            .where('lease.expires', '<=', sql<Date>`now()`),
        )
        .returning('fence')
        .executeTakeFirst(),
    );

  const update = (tx: Tx, tenant: string, issue: string, fence: number) =>
    tx
      .updateTable('lease')
      .where('tenant', '=', tenant)
      .where('issue', '=', issue)
      .where('fence', '=', fence)
      .where('holder', '=', holder);

  async function leased<T>(tenant: string, issue: string, end: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const next = () => {
      if (Date.now() > end) throw new LeaseBusy(`Issue ${issue} is busy.`);
      return take(tenant, issue);
    };
    let taken = await next();
    while (!taken) {
      await pause(POLL * (1 + Math.random()));
      taken = await next();
    }
    const { fence } = taken;
    try {
      return await work({
        hold: async tx => {
          const { numUpdatedRows } = await update(tx, tenant, issue, fence).set({ expires: LIFE }).executeTakeFirst();
          if (numUpdatedRows === 0n) throw new LeaseLost(`The lease of issue ${issue} was taken over.`);
        },
      });
    } finally {
      // A lease that cannot be given back ends by itself.
      await store
        .tenant(tenant, tx => update(tx, tenant, issue, fence).set({ expires: sql<Date>`'-infinity'` }).execute())
        .catch(onError);
    }
  }

  return {
    run(tenant, issue, work) {
      const end = Date.now() + LONGEST_WAIT;
      const key = `${tenant} ${issue}`;
      const turn = (queues.get(key) ?? Promise.resolve()).then(() => leased(tenant, issue, end, work));
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
