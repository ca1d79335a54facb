import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely, sql } from 'kysely';
import type { Listen } from './listen.ts';
import { migrate, ROLE } from './migrations.ts';
import type { Database, Tables, Tx } from './tables.ts';

/** The database. Whatever belongs to a tenant goes through `tenant`. */
export interface Store {
  /**
   * Runs `work` in one transaction that sees only this tenant's rows. Not for waiting on the network, and not to be
   * nested: with the embedded database a nested call would wait for itself, so it is refused.
   */
  tenant<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
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

/** What a store stands on. `close` is called after the last query. */
export interface Connection {
  dialect: Dialect;
  listen: Listen;
  close(): Promise<void>;
}

/** Opens a database: migrations, then the check that tenants are kept apart. */
export async function createStore({ dialect, listen, close }: Connection): Promise<Store> {
  const db: Database = new Kysely<Tables>({ dialect });
  await migrate(db);
  const role = (await mayTakeRole(db)) ? ROLE : 'none';
  const inside = new AsyncLocalStorage<true>();

  const system: Store['system'] = work => {
    if (inside.getStore()) throw new Error('A transaction is open already.');
    return inside.run(true, () => db.transaction().execute(work));
  };

  const scoped = <T>(name: 'app.tenant' | 'app.scope', value: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    system(async tx => {
      await sql`select set_config(${name}, ${value}, true), set_config('role', ${role}, true)`.execute(tx);
      return work(tx);
    });

  return {
    tenant: (tenant, work) => scoped('app.tenant', tenant, work),
    tenants: async () => {
      const rows = await scoped('app.scope', 'every', tx => tx.selectFrom('tenant').select('tenant').execute());
      return rows.map(row => row.tenant);
    },
    listen,
    system,
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await db.destroy();
      await close();
    },
  };
}
