import { randomUUID } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

type Statements = readonly CompiledQuery<unknown>[];

/** The right to change one issue's checklist, across processes. */
export interface Lease {
  /** To be called in each transaction that relies on the lease: prolongs it, or rejects with `LeaseLost`. */
  hold(tx: Tx): Promise<void>;
  /** A transaction of these statements that holds the lease. */
  write(statements: Statements): Promise<void>;
  /** Likewise the last one: gives the lease back with it, and saves one of its own. */
  end(statements: Statements): Promise<void>;
}

/** Somebody else took over, because the holder was silent for too long. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Others kept the issue busy for longer than anybody would wait. */
export class LeaseBusy extends Error {
  override readonly name = 'LeaseBusy';
}

/** Something that one statement reads. */
export interface Loading<T> {
  statement: CompiledQuery<unknown>;
  /** Of the statement's first row. May throw. */
  read(row: unknown): T;
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
    load: () => Loading<L>,
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

  async function leased<T, L>(
    { tenant, issue, end }: { tenant: string; issue: string; end: number },
    work: (lease: Lease, loaded: L | undefined) => Promise<T>,
    load: (() => Loading<L>) | undefined,
  ): Promise<T> {
    /** The new fence and what was loaded; no fence while somebody else holds the lease. */
    const next = async () => {
      if (Date.now() > end) throw new LeaseBusy(`Issue ${issue} is busy.`);
      const loading = load?.();
      const statements = [take({ tenant, issue, holder }), ...(loading ? [loading.statement] : [])] as const;
      const [taken, found] = await store.fleeting(tenant, statements);
      return { fence: taken.rows[0]?.fence, loaded: () => loading?.read(found?.rows[0]) };
    };
    let { fence, loaded } = await next();
    while (fence === undefined) {
      await pause(POLL * (1 + Math.random()));
      ({ fence, loaded } = await next());
    }
    const held = { tenant, issue, fence, holder };
    const lost = (error: unknown) =>
      isUnmet(error, 'lease') ? new LeaseLost(`Issue ${issue} was taken over.`) : error;
    const together = (statements: Statements) =>
      store.together(tenant, statements).then(
        () => {},
        error => {
          throw lost(error);
        },
      );
    let released = false;
    const lease: Lease = {
      async hold(tx) {
        await tx.executeQuery(prolong(held)).catch(error => {
          throw lost(error);
        });
      },
      write: statements => together([prolong(held), ...statements]),
      async end(statements) {
        await together([giveBack(held), ...statements]);
        released = true;
      },
    };
    try {
      return await work(lease, loaded());
    } finally {
      // A lease that cannot be given back ends by itself.
      if (!released) {
        await store.fleeting(tenant, [giveBack(held)]).catch(error => {
          if (!isUnmet(error, 'lease')) onError(error);
        });
      }
    }
  }

  return {
    run<T, L>(tenant: string, issue: string, work: (lease: Lease, loaded?: L) => Promise<T>, load?: () => Loading<L>) {
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
