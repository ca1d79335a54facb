import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as elapsed } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { holdFolder } from './folder.ts';
import { type Listen, listenEmbedded, listenPostgres } from './listen.ts';
import { pgliteTransactions } from './pglite.ts';
import { postgresTransactions } from './postgres.ts';
import { TurnSocket } from './socket.ts';
import { type Connection, createStore, migrateStore, type Store, type StoreGuard } from './store.ts';

export interface StoreOptions extends StoreGuard {
  /** A PostgreSQL server, or a pooler of transactions before it; without it the embedded database in `folder` is used. */
  databaseUrl: string | undefined;
  /** The same database without a pooler, for what needs a session or takes long: listening, migrations. By default the same. */
  directUrl?: string | undefined;
  /** Milliseconds that a statement, or a notification, of PostgreSQL may take. */
  statementTimeout?: number;
  folder: string;
  /** Told of a pooled connection that broke while nobody used it. */
  onError(error: Error): void;
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;

/** The pooler leads to another database than the direct connection. */
export class DifferentDatabases extends Error {
  override readonly name = 'DifferentDatabases';
  constructor() {
    super(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: what one notifies, the other does not hear.',
    );
  }
}

/** Rejects with `DifferentDatabases` unless `listen` hears what a transaction notifies within so many milliseconds. */
async function hearsItself({ together }: Pick<Connection, 'together'>, listen: Listen, timeout: number): Promise<void> {
  const channel = `probe_${randomUUID()}`;
  const timer = new AbortController();
  let heard = () => {};
  const hearing = new Promise<void>(resolve => {
    heard = resolve;
  });
  const stop = await listen(channel, heard, () => {});
  try {
    await together([CompiledQuery.raw('select pg_notify($1, $2)', [channel, ''])]);
    const late = elapsed(timeout, undefined, { signal: timer.signal }).then(() => {
      throw new DifferentDatabases();
    });
    await Promise.race([hearing, late]);
  } finally {
    timer.abort();
    await stop();
  }
}

async function openPostgres(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const { directUrl = databaseUrl, statementTimeout = STATEMENT_TIMEOUT, onError, ...guard } = options;
  const connected = (connectionString: string) => {
    const pool = new pg.Pool({
      connectionString,
      pipeline: true,
      stream: () => new TurnSocket(),
      connectionTimeoutMillis: CONNECT_TIMEOUT,
    });
    pool.on('error', onError);
    // Whoever uses a connection is told by the statement that fails; without a listener the process would end.
    pool.on('connect', client => client.on('error', () => {}));
    return { ...postgresTransactions(pool, statementTimeout), close: () => pool.end() };
  };

  const direct = connected(directUrl);
  await migrateStore(direct).finally(direct.close);
  const pooled = connected(databaseUrl);
  const listen = listenPostgres(directUrl, onError);
  try {
    if (directUrl !== databaseUrl) await hearsItself(pooled, listen, statementTimeout);
    return await createStore({ ...pooled, listen }, guard);
  } catch (error) {
    await pooled.close();
    throw error;
  }
}

async function openEmbedded({ folder, ...guard }: StoreOptions): Promise<Store> {
  const release = await holdFolder(folder);
  let pglite: PGlite | undefined;
  const close = async () => {
    await pglite?.close();
    await release();
  };
  try {
    pglite = await PGlite.create(join(folder, 'pg'));
    const connection = { ...pgliteTransactions(pglite), listen: listenEmbedded(pglite), close };
    await migrateStore(connection);
    const store = await createStore(connection, guard);
    // Only one process ever works here: whoever held a lease is gone.
    await pglite.exec('delete from lease');
    return store;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the store that the configuration names, migrated and ready. */
export const openStore = (options: StoreOptions): Promise<Store> =>
  options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
