import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Watch } from '../checklists/site.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds between two signs of life, and seconds without one after which a process counts as gone. */
const BEAT = 8_000;
const LIFE = 30;

export interface RunningWatch {
  now(): Watch;
  stop(): Promise<void>;
}

/** What a backup that is restored, or a standby that takes over, does not have in common with the database of before. */
const origins = [
  sql<{ origin: string }>`select concat_ws(' ', oid, system_identifier, timeline_id) as origin
    from pg_database, pg_control_system(), pg_control_checkpoint() where datname = current_database()`,
  sql<{ origin: string }>`select oid::text as origin from pg_database where datname = current_database()`,
];

async function originOf(store: Store): Promise<string> {
  for (const origin of origins) {
    const found = await store.sweep(tx => origin.execute(tx)).catch(() => undefined);
    if (found?.rows[0]) return found.rows[0].origin;
  }
  return '';
}

const alive = sql`beat > now() - make_interval(secs => ${sql.lit(LIFE)})`;

/** Joins the watch that other processes keep; where none does, or this process was gone, a new one begins. */
async function join(store: Store, process: string): Promise<Watch> {
  const origin = await originOf(store);
  return store.sweep(async tx => {
    await sql`select pg_advisory_xact_lock(4229003)`.execute(tx);
    await sql`delete from watch where (${alive}) is not true or origin <> ${origin}`.execute(tx);
    const { rows } = await sql<Watch>`select id, since from watch order by since limit 1`.execute(tx);
    const watch = rows[0] ?? { id: randomUUID(), since: undefined };
    const joined = await sql<Watch>`insert into watch (tenant, process, id, since, origin)
      values ('', ${process}, ${watch.id}, coalesce(${watch.since ?? null}::timestamptz, now()), ${origin})
      on conflict (tenant, process) do update set id = excluded.id, since = excluded.since, beat = now(), origin = excluded.origin
      returning id, since`.execute(tx);
    const [row] = joined.rows;
    if (!row) throw new Error('No watch.');
    return { id: row.id, since: new Date(row.since) };
  });
}

/**
 * Keeps watch over a database: as long as one process at least runs, no event of the tracker is missed and no older backup
 * is restored without a new watch. What was confirmed in another watch is read again before it is written over.
 */
export async function startWatch(store: Store, onError: (error: unknown) => void): Promise<RunningWatch> {
  const process = randomUUID();
  let watch = await join(store, process);
  let beating: Promise<unknown> = Promise.resolve();

  async function beat(): Promise<void> {
    const origin = await originOf(store);
    const { rows } = await store.sweep(tx =>
      sql`update watch set beat = now()
        where tenant = '' and process = ${process} and origin = ${origin} and (${alive}) returning id`.execute(tx),
    );
    if (rows.length === 0) watch = await join(store, process);
  }

  const timer = setInterval(() => {
    beating = beating.then(beat).catch(onError);
  }, BEAT);
  return {
    now: () => watch,
    async stop() {
      clearInterval(timer);
      await beating;
      await store
        .sweep(tx => sql`delete from watch where tenant = '' and process = ${process}`.execute(tx))
        .catch(onError);
    },
  };
}
