import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, DummyDriver, type QueryResult, sql, Transaction } from 'kysely';
import { isPassing, StoreUnavailable } from '../errors/unavailable.ts';
import type { Listen } from './listen.ts';
import { migrate, ROLE } from './migrations.ts';
import { builder, dialect } from './statement.ts';
import type { Tables, Tx } from './tables.ts';

/** What came of each of several statements. */
export type Answers<Statements extends readonly CompiledQuery<unknown>[]> = {
  [Index in keyof Statements]: Statements[Index] extends CompiledQuery<infer Row> ? QueryResult<Row> : never;
};

/** The statements that end an exchange, and its result. */
export interface Exchanged<T> {
  statements: readonly CompiledQuery<unknown>[];
  value: T;
}

/** The database. Whatever belongs to a tenant goes through `tenant`. Rejects with `StoreUnavailable` while it is away. */
export interface Store {
  /**
   * Runs `work` in one transaction that sees only this tenant's rows. Not for waiting on the network, and not to be
   * nested: with the embedded database a nested call would wait for itself; tests refuse it.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for statements none of which needs the answer to another: they are sent together with the beginning and the
   * end of their transaction, and take one round trip.
   */
  together<const Statements extends readonly CompiledQuery<unknown>[]>(
    tenant: string,
    statements: Statements,
  ): Promise<Answers<Statements>>;
  /**
   * A transaction of two round trips: `first` is sent along with its beginning, what `then` makes of the answers along with
   * its end. Where `then` throws, the transaction is rolled back.
   */
  exchange<const First extends readonly CompiledQuery<unknown>[], T>(
    tenant: string,
    first: First,
    then: (answers: Answers<First>) => Exchanged<T>,
  ): Promise<T>;
  /** Which tenants there are, for work at start. */
  tenants(): Promise<string[]>;
  /** Runs `work` in one transaction that sees every tenant, and the queue's rows of all of them. Not to be nested either. */
  sweep<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Hears what is told on a channel, of every tenant. */
  listen: Listen;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Row-level security is passed over by this database user, so tenants would not be kept apart. */
export class NotIsolated extends Error {
  override readonly name = 'NotIsolated';
}

/** Runs work in a transaction. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Whether transactions change to the restricted role. Without it the user must be subject to the policies itself. */
async function mayTakeRole(run: Run): Promise<boolean> {
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

/** Whose rows a transaction sees, and the role that is bound to that. */
const SCOPE = `select set_config($1, $2, true), set_config('role', $3, true)`;

/** A transaction that was begun. `commit` and `rollback` end it, whatever they come to. */
export interface Begun {
  execute<Row>(statement: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  /** Runs these statements first, in the same round trip. Rejects as the first of them does that fails. */
  commit(last?: readonly CompiledQuery<unknown>[]): Promise<void>;
  rollback(): Promise<void>;
}

/** What a store stands on. */
export interface Connection {
  /** Begins a transaction with that statement, if any. */
  begin(first: CompiledQuery<unknown> | undefined): Promise<Begun>;
  /** A transaction of these statements. Rejects as the first of them does that fails. */
  together(statements: readonly CompiledQuery<unknown>[]): Promise<QueryResult<unknown>[]>;
  listen: Listen;
  close(): Promise<void>;
}

const executor = builder.getExecutor();
const driver = new DummyDriver();

/** A transaction whose statements are sent as they are called, so that several can be under way together. */
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
 * Statements of a transaction, and the first error of one. The database does nothing of a transaction after that, and
 * answers a commit of it without an error: work that goes on regardless must not be taken for done.
 */
function watched({ execute }: Begun): { tx: Tx; failure(): { error: unknown } | undefined } {
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
   * Refuses a transaction inside a transaction. For tests: it finds a mistake of whoever programs, and makes each promise
   * of the process dearer.
   */
  guard?: boolean;
}

/** Says of a database that is away that it is. */
const known = (error: unknown): unknown => (isPassing(error) ? new StoreUnavailable(error) : error);

/** Runs `work` in a transaction that begins with that statement, if any. */
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
    // Whatever comes of that, the error before is the cause.
    await begun.rollback().catch(() => {});
    throw error;
  }
}

/** Brings a database's tables up to date. */
export async function migrateStore({ begin }: Pick<Connection, 'begin'>): Promise<void> {
  await inTransaction(begin, undefined, migrate).catch(error => {
    throw known(error);
  });
}

/** A store in a database that is migrated. Rejects with `NotIsolated` where tenants would not be kept apart. */
export async function createStore(
  { begin, together, listen, close }: Connection,
  { guard = false }: StoreGuard = {},
): Promise<Store> {
  const inside = guard ? new AsyncLocalStorage<true>() : undefined;

  /** Runs it outside of any transaction, and says so where the database is away. */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (inside?.getStore()) throw new Error('A transaction is open already.');
    try {
      return await (inside ? inside.run(true, work) : work());
    } catch (error) {
      throw known(error);
    }
  }

  const opened = <T>(first: CompiledQuery<unknown> | undefined, work: (tx: Tx) => Promise<T>): Promise<T> =>
    guarded(() => inTransaction(begin, first, work));

  const system: Run = work => opened(undefined, work);
  const role = (await mayTakeRole(system)) ? ROLE : 'none';
  const scope = (text: string, name: 'app.tenant' | 'app.scope', value: string) =>
    CompiledQuery.raw(text, [name, value, role]);

  const sent =
    (text: string) =>
    async <const Statements extends readonly CompiledQuery<unknown>[]>(tenant: string, statements: Statements) => {
      const [, ...answers] = await guarded(() => together([scope(text, 'app.tenant', tenant), ...statements]));
      // One for each, in their order.
      return answers as unknown as Answers<Statements>;
    };

  const exchange: Store['exchange'] = (tenant, first, then) =>
    guarded(async () => {
      const { execute, commit, rollback } = await begin(scope(SCOPE, 'app.tenant', tenant));
      try {
        const answers = await Promise.all(first.map(execute));
        const { statements, value } = then(answers as unknown as Parameters<typeof then>[0]);
        await commit(statements);
        return value;
      } catch (error) {
        await rollback().catch(() => {});
        throw error;
      }
    });

  const sweep: Run = work => opened(scope(SCOPE, 'app.scope', 'every'), work);

  return {
    tenant: (tenant, work) => opened(scope(SCOPE, 'app.tenant', tenant), work),
    together: sent(SCOPE),
    exchange,
    tenants: async () => (await sweep(tx => tx.selectFrom('tenant').select('tenant').execute())).map(row => row.tenant),
    sweep,
    listen,
    ping: () => system(async tx => void (await sql`select 1`.execute(tx))),
    close,
  };
}
