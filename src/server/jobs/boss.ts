import { CompiledQuery, sql } from 'kysely';
import PgBoss from 'pg-boss';
import { BOSS_SCHEMA } from '../store/migrations/pgboss.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

export interface BossOptions {
  store: Store;
  names: readonly string[];
  onError(error: unknown): void;
  /** Seconds between two looks for orphaned and outdated jobs. */
  maintenance: number;
}

/** Seconds without a sign of life after which a job counts as orphaned. */
const LIFE = 30;
/** Seconds that a job is kept after it ended, and that a dead one is: somebody should have seen it by then. */
const DONE_KEPT = 600;
const DEAD_KEPT = 7 * 86_400;

/** One job of a key waits, one waits for its next try, one runs. Tries spread over some four hours. */
const options = {
  policy: 'stately',
  expireInSeconds: LIFE,
  retryLimit: 12,
  retryDelay: 2,
  retryBackoff: true,
} as const;

const statements = (tx: Tx): PgBoss.Db => ({
  executeSql: (text, values = []) => tx.executeQuery(CompiledQuery.raw(text, values)),
});

/** Makes the queues that are not there yet. Two processes that do it at once would wait for each other for ever. */
const makeQueues = (store: Store, names: readonly string[]): Promise<void> =>
  store.system(async tx => {
    await sql`select pg_advisory_xact_lock(4229003)`.execute(tx);
    const boss = new PgBoss({ db: statements(tx), schema: BOSS_SCHEMA });
    for (const name of names) await boss.createQueue(name, { name, ...options });
  });

/** pg-boss on our store, with its queues. Processes may do this at once. */
export async function startBoss({ store, names, onError, maintenance }: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    // Each in a transaction of the store's, so that a statement that fails leaves nothing behind, not even a BEGIN.
    db: { executeSql: (text, values) => store.system(tx => statements(tx).executeSql(text, values)) },
    schema: BOSS_SCHEMA,
    schedule: false,
    maintenanceIntervalSeconds: maintenance,
    archiveCompletedAfterSeconds: DONE_KEPT,
    archiveFailedAfterSeconds: DEAD_KEPT,
    deleteAfterSeconds: DONE_KEPT,
  });
  boss.on('error', onError);
  await boss.start();
  await makeQueues(store, names);
  return boss;
}
