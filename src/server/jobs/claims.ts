import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

/** Jobs of one tenant that run at once, over all processes. */
const PER_TENANT = 4;
/** Jobs looked at for a claim. */
const WINDOW = 200;

/** A job that this process has taken. */
export interface Claimed {
  name: string;
  id: string;
  data: unknown;
  lastTry: boolean;
}

/** Which waiting jobs a process may run: pg-boss knows neither tenants nor keys over several queues. */
export interface Claims {
  /** Takes jobs whose time has come, tenants in turn, at most one of a key. */
  take(names: readonly string[], most: number): Promise<Claimed[]>;
  /** Says that they are still being worked on. */
  keep(ids: readonly string[]): Promise<void>;
  /** Gives them back, to run again after so many milliseconds; the try does not count. */
  putBack(ids: readonly string[], after: number): Promise<void>;
  /** How many there are, by name and state, but for those that are done. */
  count(): Promise<{ name: string; state: string; jobs: number }[]>;
}

// `policy = 'stately'` lets the policy's own index be used. A job that waits for its next try holds up younger ones of
// its key, so that a pause that the tracker asked for is kept. Columns by their names, so that it is prepared
// (store/postgres.ts): it takes some milliseconds to plan.
const take = (names: readonly string[], most: number) => sql<Claimed>`
  with active as materialized (
    select data ->> 'tenant' as tenant, singleton_key as key
    from pgboss.job where state = 'active' and policy = 'stately'
  ), due as (
    select name, id, data ->> 'tenant' as tenant, singleton_key as key, start_after
    from pgboss.job
    where name = any(${names}) and state < 'active' and start_after <= now()
      and not exists (select from active where active.key = singleton_key)
      and (data ->> 'tenant') not in (select tenant from active group by tenant having count(*) >= ${PER_TENANT}::int)
      and (state = 'retry' or not exists (
        select from pgboss.job as tried
        where tried.name = job.name and tried.singleton_key = job.singleton_key
          and tried.state = 'retry' and tried.policy = 'stately'))
    order by start_after limit ${WINDOW}::int
  ), first as (
    select distinct on (key) name, id, tenant, key, start_after from due order by key, start_after
  ), placed as (
    select name, id, start_after,
      row_number() over (partition by tenant order by start_after)
        + (select count(*) from active where active.tenant = first.tenant) as place
    from first
  ), chosen as (
    select name, id from placed where place <= ${PER_TENANT}::int order by place, start_after limit ${most}::int
  )
  update pgboss.job set state = 'active', started_on = now(),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  from chosen where job.name = chosen.name and job.id = chosen.id
  returning job.name, job.id, job.data, job.retry_count >= job.retry_limit as "lastTry"`;

const ours = (ids: readonly string[]) => sql`state = 'active' and id = any(${ids}::uuid[])`;

const count = sql<{ name: string; state: string; jobs: number }>`
  select name, state::text, count(*)::int as jobs from pgboss.job where state <> 'completed' group by name, state`;

export const createClaims = (store: Store): Claims => ({
  take: (names, most) =>
    store.system(async tx => {
      // One process at a time, so that the bounds hold.
      await sql`select pg_advisory_xact_lock(4229002)`.execute(tx);
      return (await take(names, most).execute(tx)).rows;
    }),
  async keep(ids) {
    await store.system(tx => sql`update pgboss.job set started_on = now() where ${ours(ids)}`.execute(tx));
  },
  async putBack(ids, after) {
    await store.system(tx =>
      sql`update pgboss.job set state = 'retry', started_on = null,
            start_after = now() + ${after}::float8 * interval '1 millisecond' where ${ours(ids)}`.execute(tx),
    );
  },
  count: async () => (await store.system(tx => count.execute(tx))).rows,
});
