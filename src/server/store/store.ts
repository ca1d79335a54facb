import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Dialect, DummyDriver, Kysely, sql, Transaction } from 'kysely';
import type { Listen } from './listen.ts';
import { migrate, ROLE } from './migrations.ts';
import type { Database, Tables, Tx } from './tables.ts';
import { isPassing, StoreUnavailable } from './unavailable.ts';

/** The database. Whatever belongs to a tenant goes through `tenant`. Rejects with `StoreUnavailable` while it is away. */
export interface Store {
  /**
   * Runs `work` in one transaction that sees only this tenant's rows. Not for waiting on the network, and not to be
   * nested: with the embedded database a nested call would wait for itself, so it is refused.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Likewise for what may be lost if the database server dies: its commit does not wait for the disk. */
  fleeting<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Which tenants there are, for work at start. */
  tenants(): Promise<string[]>;
  /** Hears what is told on a channel, of every tenant. */
  listen: Listen;
  /** Runs `work` in one transaction of the database's own user, for tables that belong to no tenant. Not to be nested either. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Row-level security is passed over by this database user, so tenants would not be kept apart. */
export class NotIsolated extends Error {
  override readonly name = 'NotIsolated';
}

/** Whether transactions change to the restricted role. Without it the user must be subject to the policies itself. */
async function mayTakeRole(db: Database): Promise<boolean> {
  try {
    await db.transaction().execute(tx => sql`select set_config('role', ${ROLE}, true)`.execute(tx));
    return true;
  } catch {
    const { rows } = await sql<{ bypasses: boolean }>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`.execute(db);
    if (rows[0]?.bypasses === false) return false;
    throw new NotIsolated(`The database user passes over row-level security and may not become ${ROLE}.`);
  }
}

/** The statement that the transaction begins with which is opened now, if any. */
export type Opening = () => CompiledQuery | undefined;

/** Whose rows a transaction sees, and the role that is bound to that. */
const SCOPE = `select set_config($1, $2, true), set_config('role', $3, true)`;
const FLEETING = `${SCOPE}, set_config('synchronous_commit', 'off', true)`;

/** What a store stands on. `close` is called after the last query. */
export interface Connection {
  dialect(opening: Opening): Dialect;
  listen: Listen;
  close(): Promise<void>;
}

/**
 * The transaction with statements that are sent as they are called, so that several can be under way together. Kysely's
 * own sends each after the answer to the one before.
 */
function unqueued(tx: Tx, connection: DatabaseConnection, dialect: Dialect): Tx {
  const executor = tx.getExecutor().withConnectionProvider({ provideConnection: consumer => consumer(connection) });
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}

/**
 * A connection that remembers the first statement that failed. The database does nothing of a transaction after that,
 * and answers a commit of it without an error: work that goes on regardless must not be taken for done.
 */
function watched(connection: DatabaseConnection): { connection: DatabaseConnection; failure(): unknown } {
  let failed: { error: unknown } | undefined;
  return {
    connection: {
      async executeQuery<R>(query: CompiledQuery) {
        try {
          return await connection.executeQuery<R>(query);
        } catch (error) {
          failed ??= { error };
          throw error;
        }
      },
      streamQuery: (query, size) => connection.streamQuery(query, size),
    },
    failure: () => failed?.error,
  };
}

/** Opens a database: migrations, then the check that tenants are kept apart. */
export async function createStore({ dialect: dialectOf, listen, close }: Connection): Promise<Store> {
  const inside = new AsyncLocalStorage<{ opening?: CompiledQuery }>();
  const dialect = dialectOf(() => inside.getStore()?.opening);
  const db: Database = new Kysely<Tables>({ dialect });
  await migrate(db);
  const role = (await mayTakeRole(db)) ? ROLE : 'none';

  const opened = <T>(opening: { opening?: CompiledQuery }, work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (inside.getStore()) throw new Error('A transaction is open already.');
    const done = inside.run(opening, () =>
      db.transaction().execute(tx =>
        tx.getExecutor().provideConnection(async given => {
          const { connection, failure } = watched(given);
          const result = await work(unqueued(tx, connection, dialect));
          if (failure() !== undefined) throw failure();
          return result;
        }),
      ),
    );
    return done.catch(error => {
      throw isPassing(error) ? new StoreUnavailable(error) : error;
    });
  };

  const scoped =
    (scope: string, name: 'app.tenant' | 'app.scope') =>
    <T>(value: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened({ opening: CompiledQuery.raw(scope, [name, value, role]) }, work);
  const everyTenant = scoped(SCOPE, 'app.scope');

  return {
    tenant: scoped(SCOPE, 'app.tenant'),
    fleeting: scoped(FLEETING, 'app.tenant'),
    tenants: async () => {
      const rows = await everyTenant('every', tx => tx.selectFrom('tenant').select('tenant').execute());
      return rows.map(row => row.tenant);
    },
    listen,
    system: work => opened({}, work),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await db.destroy();
      await close();
    },
  };
}
