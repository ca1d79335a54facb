import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { hourOf } from './hours.ts';
import type { Fact, HourUse, UnsharedBatch } from './ledger.ts';

interface Exchange {
  given: UnsharedBatch;
  /** The hour whose uses are read. */
  hour: number;
  /** Time of the previous exchange by the database's clock in seconds, to read later changes; `null`: reads all. */
  since: number | null;
}

/** Reads overlap: another transaction may commit this long after its `now()`. */
const OVERLAP_SECONDS = 15;

interface Exchanged {
  uses: HourUse[];
  facts: Fact[];
  /** By the database's clock, in seconds. */
  at: number;
}

// One statement: its reads do not see its own writes, so the written rows come from their own clause.
const exchange = ({ given, hour, since }: Exchange) => sql<Exchanged>`
  with used as (
    insert into quota_use as kept (tenant, hour, work, account, points, contended)
    select tenant, hour, work, account, points, contended
    from json_to_recordset(${JSON.stringify(given.uses)}::json)
      as given(tenant text, hour integer, work text, account text, points integer, contended integer)
    order by tenant, hour, work, account
    on conflict (tenant, hour, work, account) do update
      set points = kept.points + excluded.points, contended = kept.contended + excluded.contended, changed = now()
    returning tenant, hour, work, account, points, contended
  ), written as (
    insert into quota_fact as kept (tenant, key, value, until)
    select tenant, key, value, until
    from json_to_recordset(${JSON.stringify(given.facts)}::json)
      as given(tenant text, key text, value integer, until double precision)
    order by tenant, key
    on conflict (tenant, key) do update set value = excluded.value, changed = now(),
      until = case when excluded.key like 'stop %' then greatest(kept.until, excluded.until) else excluded.until end
    returning tenant, key, value, until
  ), uses as (
    select tenant, hour, work, account, points, contended from used
    union all
    select tenant, hour, work, account, points, contended from quota_use
    where hour = ${hour}::int
      and (${since}::float8 is null or changed > to_timestamp(${since}::float8 - ${OVERLAP_SECONDS}::int))
      and not exists (select from used where used.tenant = quota_use.tenant and used.hour = quota_use.hour
        and used.work = quota_use.work and used.account = quota_use.account)
  ), facts as (
    select tenant, key, value, until from written
    union all
    select tenant, key, value, until from quota_fact
    where (${since}::float8 is null or changed > to_timestamp(${since}::float8 - ${OVERLAP_SECONDS}::int))
      and not exists (select from written where written.tenant = quota_fact.tenant and written.key = quota_fact.key)
  )
  select (select coalesce(json_agg(uses), '[]') from uses) as uses,
    (select coalesce(json_agg(facts), '[]') from facts) as facts, extract(epoch from now())::float8 as at`;

const KEPT_HOURS = 1;

const prune = (now: number) => [
  sql`delete from quota_use where hour < ${hourOf(now) - KEPT_HOURS}::int`,
  sql`delete from quota_fact where until < ${now}::float8`,
];

/** The ledger's stored rows, of all processes. */
export interface QuotaRecords {
  /** Adds the unshared uses and facts. Resolves with the changes of all processes. */
  exchange(exchange: Exchange): Promise<Exchanged>;
  /** Drops past hours and expired facts. */
  prune(now: number): Promise<void>;
}

export const createQuotaRecords = (store: Pick<Store, 'sweep'>): QuotaRecords => ({
  async exchange(given) {
    const { rows } = await store.sweep(tx => exchange(given).execute(tx));
    const [exchanged] = rows;
    if (!exchanged) throw new Error('A select of one row has none.');
    return exchanged;
  },
  prune: async now =>
    store.sweep(async tx => {
      for (const statement of prune(now)) await statement.execute(tx);
    }),
});
