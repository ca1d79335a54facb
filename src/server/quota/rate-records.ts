import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { MinuteCount } from './rates.ts';

/** Minutes that are kept. */
const KEPT = 2;

/** The counts of requests of all processes. */
export interface RateRecords {
  /** Adds counts, in one statement; resolves with the sums. */
  exchange(counts: readonly MinuteCount[]): Promise<readonly MinuteCount[]>;
  /** Drops past minutes. */
  prune(): Promise<void>;
}

export const createRateRecords = (store: Pick<Store, 'sweep'>): RateRecords => ({
  async exchange(counts) {
    const statement = sql<MinuteCount>`
      insert into rate_use as kept (tenant, key, minute, count)
      select tenant, key, minute, count from json_to_recordset(${JSON.stringify(counts)}::json)
        as given(tenant text, key text, minute integer, count integer)
      order by tenant, key, minute
      on conflict (tenant, key, minute) do update set count = kept.count + excluded.count
      returning tenant, key, minute, count`;
    return (await store.sweep(tx => statement.execute(tx))).rows;
  },
  async prune() {
    const until = sql`floor(extract(epoch from now()) / 60)::int - ${sql.lit(KEPT)}`;
    await store.sweep(tx => sql`delete from rate_use where minute < ${until}`.execute(tx));
  },
});
