import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, DummyDriver, type QueryResult, sql, Transaction } from 'kysely';
import { refusals } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import { isTransient, StoreUnavailable } from '../errors/unavailable.ts';
import type { Listen } from './listen.ts';
import { migrate, ROLE } from './migrate.ts';
import { builder, dialect } from './statement.ts';
import type { Tables, Tx } from './tables.ts';

/** Results of statements, in their order. */
export type Answers<Statements extends readonly CompiledQuery<unknown>[]> = {
  [Index in keyof Statements]: Statements[Index] extends CompiledQuery<infer Row> ? QueryResult<Row> : never;
};

/** The last statements of an exchange, and its result. */
export interface Exchanged<T> {
  statements: readonly CompiledQuery<unknown>[];
  value: T;
}

/** Numbers of connections in use and idle, and of transactions that wait for one. */
export interface Connections {
  used: number;
  idle: number;
  waiting: number;
}

/** The database, by tenant. Rejects with `StoreUnavailable` while it cannot be reached. */
export interface Store {
  /**
   * Runs `work` in one transaction that sees only this tenant's rows. `work` must not wait for the network, nor open
   * another transaction: with the embedded database that would be a deadlock; tests refuse it.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs independent statements in one transaction and one round trip. */
  batch<const Statements extends readonly CompiledQuery<unknown>[]>(
    tenant: string,
    statements: Statements,
  ): Promise<Answers<Statements>>;
  /**
   * Runs a transaction of two round trips: `first` is sent with its begin, the statements that `then` returns with its
   * commit. If `then` fails, the transaction is rolled back; it may let others run, and waits for nothing else.
   */
  exchange<const First extends readonly CompiledQuery<unknown>[], T>(
    tenant: string,
    first: First,
    then: (answers: Answers<First>) => Exchanged<T> | Promise<Exchanged<T>>,
  ): Promise<T>;
  /** Ids of all tenants. */
  tenants(): Promise<string[]>;
  /** Runs `work` in one transaction that sees all tenants in tables whose policies allow it. Not to be nested. */
  sweep<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Subscribes to a channel, of all tenants. */
  listen: Listen;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** The database's clock, in milliseconds since the epoch. */
  time(): Promise<number>;
  /** Connections of this process. An embedded database has none. */
  connections(): Connections;
  close(): Promise<void>;
}

/** Thrown for a database user who bypasses row-level security: tenants would not be isolated. */
export class NotIsolated extends Error {
  override readonly name = 'NotIsolated';
}

/** Runs work in a transaction. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Whether transactions can switch to the restricted role. Throws if not and the user bypasses the policies. */
async function canSetRole(run: Run): Promise<boolean> {
  try {
    await run(tx => sql`select set_config('role', ${ROLE}, true)`.execute(tx));
    return true;
  } catch {
    const bypasses = sql<{ bypasses: boolean }>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`;
    const { rows } = await run(tx => bypasses.execute(tx));
    if (rows[0]?.bypasses === false) return false;
    throw new NotIsolated(`The database user passes over row-level security and may not become ${ROLE}.`);
  }
}

/** Sets whose rows a transaction sees, and the role that the policies apply to. */
const SET_SCOPE = `select set_config($1, $2, true), set_config('role', $3, true)`;

/** An open transaction. `commit` and `rollback` end it, also if they reject. */
export interface BegunTransaction {
  execute<Row>(statement: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  /** Runs `last` first, in the same round trip. Rejects with the error of the first statement that fails. */
  commit(last?: readonly CompiledQuery<unknown>[]): Promise<void>;
  rollback(): Promise<void>;
}

/** Access to a database. */
export interface Connection {
  /** Begins a transaction with `first`, if given. */
  begin(first: CompiledQuery<unknown> | undefined): Promise<BegunTransaction>;
  /** Runs statements in one transaction. Rejects with the error of the first one that fails. */
  batch(statements: readonly CompiledQuery<unknown>[]): Promise<QueryResult<unknown>[]>;
  connections?(): Connections;
  listen: Listen;
  close(): Promise<void>;
}

const executor = builder.getExecutor();
const driver = new DummyDriver();

/** A transaction that sends statements at once, so that several can be in flight. */
function transactionOver(connection: DatabaseConnection): Tx {
  const provider = { provideConnection: <T>(consume: (it: DatabaseConnection) => Promise<T>) => consume(connection) };
  return new Transaction<Tables>({
    config: { dialect },
    dialect,
    driver,
    executor: executor.withConnectionProvider(provider),
  });
}

/**
 * Records the first error of a transaction's statements. The database ignores later statements and answers the commit
 * without an error: work that caught the error must not count as done.
 */
function watched({ execute }: BegunTransaction): { tx: Tx; failure(): { error: unknown } | undefined } {
  let failed: { error: unknown } | undefined;
  const connection: DatabaseConnection = {
    async executeQuery<Row>(statement: CompiledQuery) {
      try {
        return await execute<Row>(statement as CompiledQuery<Row>);
      } catch (error) {
        failed ??= { error };
        throw error;
      }
    },
    streamQuery: () => {
      throw new Error('Nothing is streamed.');
    },
  };
  return { tx: transactionOver(connection), failure: () => failed };
}

export interface StoreGuard {
  /**
   * Refuses a transaction inside a transaction. For tests: it finds programming errors, and makes each promise of the
   * process slower.
   */
  guard?: boolean;
  /** Receives each failure of the database, and each transaction that worked. */
  failureLog?: { failed(error: StoreUnavailable): void; worked(): void };
}

/**
 * The guarded stores that have a transaction open around the running work. One storage serves all of them: each storage
 * that has ever run costs at every promise of the process, for as long as the process lives.
 */
const openStores = new AsyncLocalStorage<readonly symbol[]>();

/** SQLSTATE of text with a NUL, as such or escaped in JSON: no character of PostgreSQL's. */
const NUL_SQLSTATES = ['22021', '22P05'];
const isNul = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && NUL_SQLSTATES.includes(error.code);
const refusedNul = () => new Refused('UNREADABLE', refusals.nul);

/** Converts errors of an unreachable database to `StoreUnavailable`, and errors about a NUL to `Refused`. */
function asStoreError(error: unknown): unknown {
  if (isNul(error)) return refusedNul();
  if (error instanceof StoreUnavailable) return error;
  return isTransient(error) ? new StoreUnavailable(error) : error;
}

/** Refuses a statement before it is sent, and logged by the database. */
function refuseNul({ parameters }: CompiledQuery<unknown>): void {
  if (parameters.some(each => typeof each === 'string' && each.includes('\0'))) throw refusedNul();
}

/** An open transaction to which no text with a NUL is sent. */
const withoutNul = ({ execute, commit, rollback }: BegunTransaction): BegunTransaction => ({
  async execute(statement) {
    refuseNul(statement);
    return execute(statement);
  },
  async commit(last = []) {
    last.forEach(refuseNul);
    await commit(last);
  },
  rollback,
});

/** Runs `work` in a transaction that begins with `first`, if given. */
async function inTransaction<T>(
  begin: Connection['begin'],
  first: CompiledQuery<unknown> | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const begun = await begin(first);
  try {
    const { tx, failure } = watched(begun);
    const result = await work(tx);
    const failed = failure();
    if (failed) throw failed.error;
    await begun.commit();
    return result;
  } catch (error) {
    // Errors of the rollback are secondary.
    await begun.rollback().catch(() => {});
    throw error;
  }
}

/** Migrates a database. */
export async function migrateStore({ begin }: Pick<Connection, 'begin'>): Promise<void> {
  await inTransaction(begin, undefined, migrate).catch(error => {
    throw asStoreError(error);
  });
}

/** Creates a store on a migrated database. Rejects with `NotIsolated` if tenants would not be isolated. */
export async function createStore(
  { begin: beginAny, batch: batchAny, connections, listen, close }: Connection,
  { guard = false, failureLog }: StoreGuard = {},
): Promise<Store> {
  const begin: Connection['begin'] = async first => withoutNul(await beginAny(first));
  const batch: Connection['batch'] = async statements => {
    statements.forEach(refuseNul);
    return batchAny(statements);
  };
  const self = Symbol('store');

  /** Refuses nesting, if guarded, and converts errors of an unreachable database. */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    const outer = guard ? (openStores.getStore() ?? []) : [];
    if (outer.includes(self)) throw new Error('A transaction is open already.');
    try {
      const done = await (guard ? openStores.run([...outer, self], work) : work());
      failureLog?.worked();
      return done;
    } catch (error) {
      const converted = asStoreError(error);
      if (converted instanceof StoreUnavailable) failureLog?.failed(converted);
      throw converted;
    }
  }

  const opened = <T>(first: CompiledQuery<unknown> | undefined, work: (tx: Tx) => Promise<T>): Promise<T> =>
    guarded(() => inTransaction(begin, first, work));

  const system: Run = work => opened(undefined, work);
  const role = (await canSetRole(system)) ? ROLE : 'none';
  const scope = (text: string, name: 'app.tenant' | 'app.scope', value: string) =>
    CompiledQuery.raw(text, [name, value, role]);

  const sent =
    (text: string) =>
    async <const Statements extends readonly CompiledQuery<unknown>[]>(tenant: string, statements: Statements) => {
      const [, ...answers] = await guarded(() => batch([scope(text, 'app.tenant', tenant), ...statements]));
      // One for each, in their order.
      return answers as unknown as Answers<Statements>;
    };

  const exchange: Store['exchange'] = (tenant, first, then) =>
    guarded(async () => {
      const { execute, commit, rollback } = await begin(scope(SET_SCOPE, 'app.tenant', tenant));
      try {
        const answers = await Promise.all(first.map(execute));
        const { statements, value } = await then(answers as unknown as Parameters<typeof then>[0]);
        await commit(statements);
        return value;
      } catch (error) {
        await rollback().catch(() => {});
        throw error;
      }
    });

  const sweep: Run = work => opened(scope(SET_SCOPE, 'app.scope', 'every'), work);

  return {
    tenant: (tenant, work) => opened(scope(SET_SCOPE, 'app.tenant', tenant), work),
    batch: sent(SET_SCOPE),
    exchange,
    tenants: async () => (await sweep(tx => tx.selectFrom('tenant').select('tenant').execute())).map(row => row.tenant),
    sweep,
    listen,
    connections: connections ?? (() => ({ used: 0, idle: 0, waiting: 0 })),
    time: () =>
      system(async tx => {
        const { rows } = await sql<{
          at: number;
        }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(tx);
        return rows[0]?.at ?? Number.NaN;
      }),
    ping: () => system(async tx => void (await sql`select 1`.execute(tx))),
    close,
  };
}
