import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { StoreUnavailable } from '../errors/unavailable.ts';
import { holdFolder } from './folder.ts';
import { type Listen, listenEmbedded, listenPostgres } from './listen.ts';
import { pgliteTransactions } from './pglite.ts';
import { postgresTransactions } from './postgres.ts';
import { type Connection, createStore, migrateStore, type Store, type StoreGuard } from './store.ts';

type Done = (error?: Error | null) => void;

/** A socket that sends together what is written within one turn: each sending is a call of the operating system. */
export class TurnSocket extends Socket {
  /** Writings of this turn. */
  private written = 0;

  constructor() {
    super();
    // Not an override: connecting puts the usual method in its place.
    this.once('connect', () => {
      this.write = this.gather;
    });
  }

  private gather(chunk: Uint8Array | string, done?: Done): boolean;
  private gather(chunk: Uint8Array | string, encoding?: BufferEncoding, done?: Done): boolean;
  private gather(chunk: Uint8Array | string, encoding?: BufferEncoding | Done, done?: Done): boolean {
    this.written += 1;
    if (this.written === 1) {
      this.cork();
      process.nextTick(() => {
        this.written = 0;
        this.uncork();
      });
    }
    return typeof encoding === 'function' ? super.write(chunk, encoding) : super.write(chunk, encoding, done);
  }
}

export interface StoreOptions extends StoreGuard {
  /** A PostgreSQL server, or a pooler of transactions before it; without it the embedded database in `folder` is used. */
  databaseUrl: string | undefined;
  /** The same database without a pooler, for what needs a session or takes long: listening, migrations. By default the same. */
  directUrl?: string | undefined;
  /** Milliseconds that a statement of PostgreSQL may take. */
  statementTimeout?: number;
  folder: string;
  /** Told of a pooled connection that broke while nobody used it. */
  onError(error: Error): void;
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;
/** Milliseconds after which the answer to a statement that the database must have ended is not waited for any more. */
const ANSWER_DELAY = 5_000;
const HEAR_TIMEOUT = 10_000;

/** The pooler leads to another database than the direct connection. */
export class DifferentDatabases extends Error {
  override readonly name = 'DifferentDatabases';
  constructor() {
    super(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: what one notifies, the other does not hear.',
    );
  }
}

/** Nothing is heard over the direct connection, as over a pooler of transactions. */
export class NotHeard extends Error {
  override readonly name = 'NotHeard';
  constructor() {
    super('DATABASE_DIRECT_URL does not hear notifications. Does it lead through a pooler?');
  }
}

type Sends = Pick<Connection, 'together'>;

/**
 * Rejects with `DifferentDatabases` where `listen`, which stands on `direct`, does not hear what is notified over `pooled`:
 * a database delivers notifications in the order of their transactions. Rejects with `NotHeard` where it hears nothing for
 * so many milliseconds.
 */
export async function assertSame(
  pooled: Sends,
  direct: Sends,
  listen: Listen,
  timeout: number = HEAR_TIMEOUT,
): Promise<void> {
  const channel = `probe_${randomUUID()}`;
  const notify = (text: string) => [CompiledQuery.raw('select pg_notify($1, $2)', [channel, text])];
  let isOver = false;
  let stop = async () => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    const first = await new Promise<string>((resolve, reject) => {
      const lost = () => reject(new StoreUnavailable(new Error('The connection that listens broke.')));
      const send = async () => {
        const end = await listen(channel, resolve, lost);
        // It was given up meanwhile.
        if (isOver) return end();
        stop = end;
        await pooled.together(notify('pooled'));
        await direct.together(notify('direct'));
      };
      timer = setTimeout(() => reject(new NotHeard()), timeout);
      send().catch(reject);
    });
    if (first !== 'pooled') throw new DifferentDatabases();
  } finally {
    isOver = true;
    clearTimeout(timer);
    await stop();
  }
}

async function openPostgres(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const { directUrl = databaseUrl, statementTimeout = STATEMENT_TIMEOUT, onError, ...guard } = options;
  const connected = (connectionString: string, more: pg.PoolConfig = {}) => {
    const pool = new pg.Pool({
      connectionString,
      pipeline: true,
      stream: () => new TurnSocket(),
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      ...more,
    });
    pool.on('error', onError);
    // Whoever uses a connection is told by the statement that fails; without a listener the process would end.
    pool.on('connect', client => client.on('error', () => {}));
    return { ...postgresTransactions(pool, statementTimeout), close: () => pool.end() };
  };

  const direct = connected(directUrl);
  // A route that is lost says nothing: without this, what was asked for would wait as long as the operating system does.
  const pooled = connected(databaseUrl, { query_timeout: statementTimeout + ANSWER_DELAY });
  const listen = listenPostgres(directUrl, onError);
  try {
    await migrateStore(direct);
    if (directUrl !== databaseUrl) await assertSame(pooled, direct, listen);
    return await createStore({ ...pooled, listen }, guard);
  } catch (error) {
    await pooled.close();
    throw error;
  } finally {
    await direct.close();
  }
}

/** Milliseconds between two cleanings of the embedded database: it has no autovacuum, which counts rows and drops dead ones. */
const CLEAN = 10 * 60_000;

async function openEmbedded({ folder, onError, ...guard }: StoreOptions): Promise<Store> {
  const release = await holdFolder(folder);
  let pglite: PGlite | undefined;
  let cleaning: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    cleaning = pglite?.exec('vacuum (analyze)').catch(onError) ?? cleaning;
  }, CLEAN);
  const close = async () => {
    clearInterval(timer);
    await cleaning;
    await pglite?.close();
    await release();
  };
  try {
    pglite = await PGlite.create(join(folder, 'pg'));
    const connection = { ...pgliteTransactions(pglite), listen: listenEmbedded(pglite), close };
    await migrateStore(connection);
    const store = await createStore(connection, guard);
    // Only one process ever works here: the one that kept watch and ran jobs is gone.
    await pglite.exec("delete from watch; update queue set beat = '-infinity' where beat is not null");
    return store;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the store that the configuration names, migrated and ready. */
export const openStore = (options: StoreOptions): Promise<Store> =>
  options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
