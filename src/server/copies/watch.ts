import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Watch, Watching } from '../checklists/service/site.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';

/** A process counts as gone after several missed heartbeats. */
const HEARTBEAT_MS = 8_000;
const GONE_AFTER_SECONDS = 30;

/** A watch that this process has joined. */
export interface JoinedWatch extends Watching {
  leave(): Promise<void>;
}

export interface RunningWatch extends Watching {
  stop(): Promise<void>;
}

const sameOrigin = statement((db, { id }: Pick<Watch, 'id'>) =>
  db.selectNoFrom(demand(sql`exists (select from watch where id = ${id} and origin = origin())`, 'watch').as('same')),
);

/**
 * A statement that fails if the database's origin changed since the watch began; `isUnwatched` recognizes the error.
 */
export const mustWatch = ({ id }: Watch) => sameOrigin({ id });
export const isUnwatched = (error: unknown): boolean => isUnmet(error, 'watch');

const alive = sql`beat > now() - make_interval(secs => ${sql.lit(GONE_AFTER_SECONDS)})`;

/**
 * Joins the watch of the running processes, or begins a new one. If the database's origin has changed, the new watch
 * begins at the last heartbeat before: later revisions may be lost.
 */
const join = (store: Store, process: string): Promise<Watch> =>
  store.sweep(async tx => {
    await sql`select pg_advisory_xact_lock(4229003)`.execute(tx);
    const { rows: other } = await sql<{
      beat: Date;
    }>`delete from watch where origin <> origin() returning beat`.execute(tx);
    await sql`delete from watch where (${alive}) is not true`.execute(tx);
    const { rows } = await sql<Watch>`select id, since from watch order by since limit 1`.execute(tx);
    const beats = other.map(({ beat }) => beat.getTime());
    const watch = rows[0] ?? { id: randomUUID(), since: beats.length > 0 ? new Date(Math.max(...beats)) : undefined };
    const joined = await sql<Watch>`insert into watch (tenant, process, id, since, origin)
      values ('', ${process}, ${watch.id}, coalesce(${watch.since ?? null}::timestamptz, now()), origin())
      on conflict (tenant, process) do update set id = excluded.id, since = excluded.since, beat = now(), origin = excluded.origin
      returning id, since`.execute(tx);
    const [row] = joined.rows;
    if (!row) throw new Error('No watch.');
    return { id: row.id, since: new Date(row.since) };
  });

/** Joins a watch over a database. It expires without heartbeats (`renew`). */
export async function joinWatch(store: Store): Promise<JoinedWatch> {
  const process = randomUUID();
  let watch = await join(store, process);
  return {
    now: () => watch,
    async renew() {
      const { rows } = await store.sweep(tx =>
        sql`update watch set beat = now()
          where tenant = '' and process = ${process} and origin = origin() and (${alive}) returning id`.execute(tx),
      );
      if (rows.length === 0) watch = await join(store, process);
    },
    async leave() {
      await store.sweep(tx => sql`delete from watch where tenant = '' and process = ${process}`.execute(tx));
    },
  };
}

/**
 * Watches a database: a missed event of the tracker, while no process runs, or a restored backup begins a new watch.
 * Values confirmed in another watch are read again before they are overwritten.
 */
export async function startWatch(store: Store, onError: (error: unknown) => void): Promise<RunningWatch> {
  const { now, renew, leave } = await joinWatch(store);
  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating.then(renew).catch(onError);
  }, HEARTBEAT_MS);
  return {
    now,
    renew,
    async stop() {
      clearInterval(timer);
      await beating;
      await leave().catch(onError);
    },
  };
}
