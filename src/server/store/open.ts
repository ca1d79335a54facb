import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { withTimeout } from '../../domain/timing.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';
import { lockFolder } from './folder.ts';
import { APPLICATION_NAME, type Listen, type ListenTimes, listenEmbedded, listenPostgres } from './listen.ts';
import { pgliteTransactions, sendNothingAfterEnd } from './pglite.ts';
import { postgresTransactions } from './postgres.ts';
import { type Connection, createStore, migrateStore, type Store, type StoreGuard } from './store.ts';

type Done = (error?: Error | null) => void;

/** A socket that sends the writes of one turn of the event loop in one system call. */
export class TurnSocket extends Socket {
  /** Writes of this turn. */
  private written = 0;

  constructor() {
    super();
    // Not an override: connecting replaces `write`.
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

/** Limits of the connections to PostgreSQL. Times are in milliseconds. */
export interface DatabaseLimits {
  /** The maximum number of connections of this process for requests and jobs. */
  connections: number;
  /** Longest wait for a connection. */
  connectTimeout: number;
  /** Longest run of a statement, and longest pause between two statements of a transaction. */
  statementTimeout: number;
  /** Times of the connection that listens. */
  listen?: Partial<ListenTimes>;
}

/** The default limits. */
export const usualLimits: DatabaseLimits = { connections: 10, connectTimeout: 5_000, statementTimeout: 8_000 };

export interface StoreOptions extends StoreGuard {
  /** URL of PostgreSQL or of a transaction pooler before it; `undefined`: the embedded database in `folder`. */
  databaseUrl: string | undefined;
  /** URL of the same database without a pooler, for listening and migrations. Default: `databaseUrl`. */
  directUrl?: string | undefined;
  /** Limits of the connections to PostgreSQL. */
  limits?: Partial<DatabaseLimits>;
  folder: string;
  /** Receives errors of idle pooled connections. */
  onError(error: Error): void;
  /** Is called once when the embedded database has ended itself: nothing works until another start. */
  onEnd?(error: Error): void;
}

/** An answer may arrive this long after the database's statement timeout. */
const ANSWER_DELAY_MS = 2_000;

/** How many milliseconds a statement waits for the answer of a connection that has frozen. */
export const answerTimeout = ({ statementTimeout }: Pick<DatabaseLimits, 'statementTimeout'>): number =>
  statementTimeout + ANSWER_DELAY_MS;

/** The operating system tests a connection after this time of silence. */
const KEEP_ALIVE_MS = 10_000;
const NOTIFICATION_TIMEOUT_MS = 10_000;

/** Thrown if the pooler leads to another database than the direct connection. */
export class DifferentDatabases extends Error {
  override readonly name = 'DifferentDatabases';
  constructor() {
    super(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: what one notifies, the other does not hear.',
    );
  }
}

/** Thrown if the direct connection receives no notifications, as behind a transaction pooler. */
export class NoNotifications extends Error {
  override readonly name = 'NoNotifications';
  constructor() {
    super('DATABASE_DIRECT_URL does not hear notifications. Does it lead through a pooler?');
  }
}

type Sender = Pick<Connection, 'batch'>;

/**
 * Rejects with `DifferentDatabases` if `listen`, on the database of `direct`, does not receive notifications of
 * `pooled`: a database delivers notifications in the order of their transactions. Rejects with `NoNotifications` if
 * none arrives within `timeout` milliseconds.
 */
export async function assertSame(
  pooled: Sender,
  direct: Sender,
  listen: Listen,
  timeout: number = NOTIFICATION_TIMEOUT_MS,
): Promise<void> {
  const channel = `probe_${randomUUID()}`;
  const notify = (text: string) => [CompiledQuery.raw('select pg_notify($1, $2)', [channel, text])];
  let isOver = false;
  let stop = async () => {};
  try {
    const received = new Promise<string>((resolve, reject) => {
      const lost = () => reject(new StoreUnavailable(new Error('Connection terminated while listening')));
      const send = async () => {
        const end = await listen(channel, resolve, lost);
        // Timed out or failed meanwhile.
        if (isOver) return end();
        stop = end;
        await pooled.batch(notify('pooled'));
        await direct.batch(notify('direct'));
      };
      send().catch(reject);
    });
    const first = await withTimeout(received, timeout, () => new NoNotifications());
    if (first !== 'pooled') throw new DifferentDatabases();
  } finally {
    isOver = true;
    await stop();
  }
}

async function openPostgres(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const { directUrl = databaseUrl, onError, ...guard } = options;
  const { connections, connectTimeout, statementTimeout, listen: times = {} } = { ...usualLimits, ...options.limits };
  const connected = (connectionString: string, more: pg.PoolConfig = {}) => {
    const pool = new pg.Pool({
      connectionString,
      pipeline: true,
      stream: () => new TurnSocket(),
      application_name: APPLICATION_NAME,
      max: connections,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      ...more,
    });
    pool.on('error', onError);
    // The failing statement reports the error; without a listener the process would end.
    pool.on('connect', client => client.on('error', () => {}));
    return {
      ...postgresTransactions(pool, statementTimeout),
      connections: () => ({
        used: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      }),
      close: () => pool.end(),
    };
  };

  const direct = connected(directUrl);
  // A lost route raises no error: without this, a query would wait for the operating system's timeout.
  const pooled = connected(databaseUrl, { query_timeout: answerTimeout({ statementTimeout }) });
  const listen = listenPostgres(directUrl, { onError, onSilence: () => pooled.distrust(), times });
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

/** The embedded database has no autovacuum. */
const VACUUM_INTERVAL_MS = 10 * 60_000;

async function openEmbedded({ folder, onError, onEnd = onError, ...guard }: StoreOptions): Promise<Store> {
  const release = await lockFolder(folder);
  let pglite: PGlite | undefined;
  let hasEnded = false;
  let cleaning: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    cleaning = pglite?.exec('vacuum (analyze)').catch(onError) ?? cleaning;
  }, VACUUM_INTERVAL_MS);
  const close = async () => {
    clearInterval(timer);
    await cleaning;
    // One that has ended itself would not return.
    if (!hasEnded) await pglite?.close();
    await release();
  };
  try {
    pglite = await PGlite.create(join(folder, 'pg'));
    sendNothingAfterEnd(pglite, error => {
      hasEnded = true;
      onEnd(error);
    });
    const connection = { ...pgliteTransactions(pglite), listen: listenEmbedded(pglite), close };
    await migrateStore(connection);
    const store = await createStore(connection, guard);
    // Only one process uses this database: earlier watches and running jobs are gone.
    await pglite.exec("delete from watch; update queue set beat = '-infinity' where beat is not null");
    return store;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens and migrates the configured store. */
export const openStore = (options: StoreOptions): Promise<Store> =>
  options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
