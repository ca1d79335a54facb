import { type RawBuilder, sql } from 'kysely';
import { builder, statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';

/** Applies to all processes. */
const MAX_RUNNING_OF_TENANT = 4;
/** Applies to the due jobs that one claim considers. */
const MAX_CONSIDERED = 200;
/** A claim without a heartbeat expires. */
const CLAIM_SECONDS = 15;
/** The pause before a retry of a failed job doubles with each retry. */
const FIRST_PAUSE_SECONDS = 4;
/** The retries of a job take about four hours in all. */
const MAX_RETRIES = 12;
/**
 * Copies in the tracker are retried at most `longest` seconds apart, so that they are written soon after it recovers.
 */
const COPY_RETRY = { retries: 300, longest: 60 };
const isOfCopy = sql`queue.name in ('sync', 'write-property', 'write-field')`;
/** A queued job is tried again at most this many times. */
const retriesOf = sql<number>`case when ${isOfCopy} then ${sql.lit(COPY_RETRY.retries)} else ${sql.lit(MAX_RETRIES)} end`;
/** A job that failed for good is kept for operators. */
const FAILED_JOB_RETENTION_DAYS = 7;

/** A queued job, by tenant, key and name. */
export interface Entry {
  tenant: string;
  key: string;
  name: string;
}

/** A job that this process has claimed. */
export interface Claimed extends Entry {
  /** The fencing token, one per claim: a process whose claim has expired changes nothing. */
  claim: string;
  data: unknown;
  /** A failure of this run is final. */
  lastTry: boolean;
}

const inMilliseconds = (count: unknown) => sql`now() + make_interval(secs => ${count}::float8 / 1000)`;

const enqueue = statement<Entry & { data: string; after: number; maxWait: number | null }, unknown>(
  (db, { tenant, key, name, data, after, maxWait }) => {
    const next = (due: unknown) =>
      sql`case when excluded.latest is null then least(${due}, excluded.due)
        else least(excluded.due, coalesce(queue.latest, excluded.latest)) end`;
    return {
      compile: () =>
        sql`insert into queue (tenant, key, name, data, due, latest)
        values (${tenant}, ${key}, ${name}, ${data}::jsonb, ${inMilliseconds(after)}, ${inMilliseconds(maxWait)})
        on conflict (tenant, key, name) do update set data = excluded.data,
          latest = coalesce(queue.latest, excluded.latest),
          again = case when queue.beat is null then null else ${next(sql`queue.again`)} end,
          due = case when queue.failed is not null then excluded.due
            when queue.beat is null and queue.tries = 0 then ${next(sql`queue.due`)} else queue.due end,
          tries = case when queue.failed is null then queue.tries else 0 end,
          failed = null`.compile(db),
    };
  },
);

/**
 * The statement that enqueues a job, `after` milliseconds from now. A waiting one runs at the earlier of both times,
 * unless it waits for a retry; a running one runs again afterwards; one that failed for good starts again. With `maxWait`,
 * it runs at the later of both times, at most so long after the first call since its last run. Its data are replaced in
 * each case.
 */
export const enqueueJob = (entry: Entry, data: unknown, after: number, maxWait: number | null = null) =>
  enqueue({ ...entry, data: JSON.stringify(data), after, maxWait });

/** The statement that enqueues a job that may have been lost: a waiting or running one stays unchanged. */
export const restore = statement<Entry & { data: string; after: number }, unknown>(
  (db, { tenant, key, name, data, after }) => ({
    compile: () =>
      sql`insert into queue (tenant, key, name, data, due)
      values (${tenant}, ${key}, ${name}, ${data}::jsonb, ${inMilliseconds(after)})
      on conflict (tenant, key, name) do update set data = excluded.data, due = excluded.due, tries = 0, failed = null
        where queue.failed is not null`.compile(db),
  }),
);

const alive = sql`beat > now() - make_interval(secs => ${sql.lit(CLAIM_SECONDS)})`;

// Without `*`, so that it is prepared (store/postgres.ts): planning takes some milliseconds.
const claim = (names: readonly string[], most: number) => sql<Claimed>`
  with running as materialized (
    select tenant, key from queue where ${alive}
  ), due as (
    select tenant, key, name, due from queue
    where due <= now() and failed is null and (${alive}) is not true and name = any(${names})
      and not exists (select from running where running.tenant = queue.tenant and running.key = queue.key)
      and tenant not in (select tenant from running group by tenant having count(*) >= ${MAX_RUNNING_OF_TENANT}::int)
    order by due limit ${MAX_CONSIDERED}::int
  ), first as (
    select distinct on (tenant, key) tenant, key, name, due from due order by tenant, key, due
  ), placed as (
    select tenant, key, name, due,
      row_number() over (partition by tenant order by due)
        + (select count(*) from running where running.tenant = first.tenant) as place
    from first
  ), chosen as (
    select tenant, key, name from placed where place <= ${MAX_RUNNING_OF_TENANT}::int order by place, due limit ${most}::int
  )
  update queue set beat = now(), claim = gen_random_uuid(), latest = null, tries = case when beat is null then tries else tries + 1 end
  from chosen where queue.tenant = chosen.tenant and queue.key = chosen.key and queue.name = chosen.name
  returning queue.tenant, queue.key, queue.name, data, claim,
    tries >= ${retriesOf} as "lastTry"`;

const count = sql<JobCount>`
  select name, case when failed is not null then 'failed' when beat is not null then 'active'
    when tries > 0 then 'retry' else 'waiting' end as state, count(*)::int as jobs,
    coalesce(max(extract(epoch from now() - due)) filter (where failed is null and due <= now()), 0)::float8 as overdue
  from queue group by 1, 2`;

/** The row of a claim that still holds. */
const holdsClaim = ({ tenant, key, name, claim }: Claimed) =>
  sql`tenant = ${tenant} and key = ${key} and name = ${name} and claim = ${claim}::uuid and beat is not null`;

const putBack = (job: Claimed, after: number) => sql`
  update queue set beat = null, again = null, due = least(again, now() + make_interval(secs => ${after}::float8 / 1000))
  where ${holdsClaim(job)}`;

// In sequence: the second sees a request that came while the first waited for the lock.
const complete = (job: Claimed) => [
  sql`delete from queue where ${holdsClaim(job)} and again is null`,
  sql`update queue set beat = null, due = again, again = null, tries = 0 where ${holdsClaim(job)} and again is not null`,
];

// Jittered, so that processes that failed at the same time do not retry at the same time.
const retry = (job: Claimed) => sql`
  update queue set beat = null, again = null, tries = tries + 1,
    due = now() + least(${FIRST_PAUSE_SECONDS}::int * 2 ^ tries, case when ${isOfCopy} then ${COPY_RETRY.longest}::int end)
      * (0.5 + random() / 2) * interval '1 second'
  where ${holdsClaim(job)}`;

const failForGood = (job: Claimed, error: string) => sql`
  update queue set beat = null, again = null, due = coalesce(again, due),
    failed = case when again is null then ${error}::text end, tries = case when again is null then tries else 0 end
  where ${holdsClaim(job)}`;

/** Fails jobs whose last try ended with its process. */
const failLost = sql`
  update queue set beat = null, again = null, failed = 'ProcessLost'
  where (${alive}) is false and tries >= ${retriesOf}`;

const beat = (jobs: readonly Claimed[]) => sql`
  update queue set beat = now() where beat is not null and (tenant, key, name, claim) in (
    select tenant, key, name, claim from unnest(${jobs.map(job => job.tenant)}::text[], ${jobs.map(job => job.key)}::text[],
      ${jobs.map(job => job.name)}::text[], ${jobs.map(job => job.claim)}::uuid[]) as held(tenant, key, name, claim))`;

const prune = sql`delete from queue where failed is not null and due < now() - make_interval(days => ${sql.lit(FAILED_JOB_RETENTION_DAYS)})`;

/** Jobs of one name and state. */
export interface JobCount {
  name: string;
  state: string;
  jobs: number;
  /** Seconds since the oldest of them was due; 0 if none is. */
  overdue: number;
}

/** The queued jobs of all processes and tenants. */
export interface Entries {
  /** Enqueues a job. */
  add(entry: Entry, data: unknown, after: number): Promise<void>;
  /** Enqueues a job that may have been lost. */
  restore(entry: Entry, data: unknown, after: number): Promise<void>;
  /** Claims due jobs, tenants in turn, at most one per key. */
  claim(names: readonly string[], most: number): Promise<Claimed[]>;
  /** Extends claims. */
  beat(jobs: readonly Claimed[]): Promise<void>;
  /** Releases a job, to run again after `after` milliseconds, or earlier if enqueued so; the try does not count. */
  putBack(job: Claimed, after: number): Promise<void>;
  complete(job: Claimed): Promise<void>;
  /** Schedules a retry, or marks the job as failed for good after the last try. */
  fail(job: Claimed, error: string): Promise<void>;
  /** Numbers of jobs by name and state. */
  count(): Promise<JobCount[]>;
  /** Drops jobs that failed for good long ago. */
  prune(): Promise<void>;
}

export function createEntries(store: Store): Entries {
  const inTenant = async (job: Claimed, ...statements: RawBuilder<unknown>[]) =>
    void (await store.batch(
      job.tenant,
      statements.map(statement => statement.compile(builder)),
    ));
  return {
    async add(entry, data, after) {
      await store.batch(entry.tenant, [enqueueJob(entry, data, after)]);
    },
    async restore(entry, data, after) {
      await store.batch(entry.tenant, [restore({ ...entry, data: JSON.stringify(data), after })]);
    },
    claim: (names, most) =>
      store.sweep(async tx => {
        // A lock, so that the limits hold across processes; in one round trip.
        const lock = sql`select pg_advisory_xact_lock(4229002)`;
        const [, , { rows }] = await Promise.all([
          lock.execute(tx),
          failLost.execute(tx),
          claim(names, most).execute(tx),
        ]);
        return rows;
      }),
    beat: async jobs => void (await store.sweep(tx => beat(jobs).execute(tx))),
    putBack: (job, after) => inTenant(job, putBack(job, after)),
    complete: job => inTenant(job, ...complete(job)),
    fail: (job, error) => inTenant(job, job.lastTry ? failForGood(job, error) : retry(job)),
    count: async () => (await store.sweep(tx => count.execute(tx))).rows,
    prune: async () => void (await store.sweep(tx => prune.execute(tx))),
  };
}
