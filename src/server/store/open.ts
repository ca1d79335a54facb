import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { holdFolder } from './folder.ts';
import { listenEmbedded, listenPostgres } from './listen.ts';
import { pgliteTransactions } from './pglite.ts';
import { postgresTransactions } from './postgres.ts';
import { TurnSocket } from './socket.ts';
import { createStore, type Store, type StoreGuard } from './store.ts';

export interface StoreOptions extends StoreGuard {
  /** A PostgreSQL server; without it the embedded database in `folder` is used. */
  databaseUrl: string | undefined;
  folder: string;
  /** Told of a pooled connection that broke while nobody used it. */
  onError(error: Error): void;
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;

async function openPostgres(connectionString: string, { onError, ...guard }: StoreOptions): Promise<Store> {
  const pool = new pg.Pool({
    connectionString,
    pipeline: true,
    stream: () => new TurnSocket(),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
  });
  pool.on('error', onError);
  // Whoever uses a connection is told by the statement that fails; without a listener the process would end.
  pool.on('connect', client => client.on('error', () => {}));
  try {
    const listen = listenPostgres(connectionString, onError);
    return await createStore({ ...postgresTransactions(pool), listen, close: () => pool.end() }, guard);
  } catch (error) {
    await pool.end();
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
    const store = await createStore({ ...pgliteTransactions(pglite), listen: listenEmbedded(pglite), close }, guard);
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
