import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/** The right to make issues of one issue's items, across processes. */
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
const ENDED = sql<Date>`'-infinity'`;
/** Milliseconds. */
const LONGEST_WAIT = 20_000;
const POLL = 20;

const pause = (delay: number) => new Promise<void>(resolve => setTimeout(resolve, delay));

/** Whose right it is. */
interface Held {
  tenant: string;
  issue: string;
  fence: number;
  holder: string;
}

const take = statement((db, { tenant, issue, holder }: Omit<Held, 'fence'>) =>
  db
    .insertInto('lease')
    .values({ tenant, issue, fence: 1, holder, expires: LIFE })
    .onConflict(conflict =>
      conflict
        .columns(['tenant', 'issue'])
        .doUpdateSet({ fence: sql`lease.fence + 1`, holder, expires: LIFE })
        .where('lease.expires', '<=', sql<Date>`now()`),
    )
    .returning('fence'),
);

const until = (expires: typeof LIFE) =>
  statement((db, { tenant, issue, fence, holder }: Held) =>
    db
      .with('held', cte =>
        cte
          .updateTable('lease')
          .set({ expires })
          .where('tenant', '=', tenant)
          .where('issue', '=', issue)
          .where('fence', '=', fence)
          .where('holder', '=', holder)
          .returning('fence'),
      )
      .selectNoFrom(({ exists, selectFrom }) => demand(exists(selectFrom('held').select('fence')), 'lease').as('held')),
  );
const [prolong, giveBack] = [until(LIFE), until(ENDED)];

export function createLeases(store: Store, onError: (error: unknown) => void): Leases {
  const holder = randomUUID();
  const queues = new Map<string, Promise<unknown>>();

  async function leased<T>(
    { tenant, issue, end }: { tenant: string; issue: string; end: number },
    work: (lease: Lease) => Promise<T>,
  ): Promise<T> {
    /** The new fence; none while another process holds the lease. */
    const next = async () => {
      if (Date.now() > end) throw new LeaseBusy(`Issue ${issue} is busy.`);
      const [taken] = await store.together(tenant, [take({ tenant, issue, holder })]);
      return taken.rows[0]?.fence;
    };
    let fence = await next();
    while (fence === undefined) {
      await pause(POLL * (1 + Math.random()));
      fence = await next();
    }
    const held = { tenant, issue, fence, holder };
    const lost = (error: unknown) =>
      isUnmet(error, 'lease') ? new LeaseLost(`Issue ${issue} was taken over.`) : error;
    const lease: Lease = {
      async hold(tx) {
        await tx.executeQuery(prolong(held)).catch(error => {
          throw lost(error);
        });
      },
    };
    try {
      return await work(lease);
    } finally {
      // A lease that cannot be given back ends by itself.
      await store.together(tenant, [giveBack(held)]).catch(error => {
        if (!isUnmet(error, 'lease')) onError(error);
      });
    }
  }

  return {
    run<T>(tenant: string, issue: string, work: (lease: Lease) => Promise<T>) {
      const end = Date.now() + LONGEST_WAIT;
      const key = `${tenant} ${issue}`;
      const turn = (queues.get(key) ?? Promise.resolve()).then(() => leased({ tenant, issue, end }, work));
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
