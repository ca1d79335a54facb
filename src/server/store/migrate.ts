import { sql } from 'kysely';
import { baseline } from './migrations/baseline.ts';
import { isolation, type Migration } from './migrations/migration.ts';
import { migrations, tableNames } from './migrations.ts';
import type { Tx } from './tables.ts';

/** The role in which tenants' rows are read and written, subject to row-level security. */
export const ROLE = 'checklist_app';

// A role belongs to the whole cluster: another database may have created it, or create it concurrently.
const createRole = `do $$ begin
  create role ${ROLE} nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then null; end $$`;

const grantRole = `do $$ begin
  grant ${ROLE} to current_user;
exception when others then null; end $$`;

const grantTables = `do $$ begin
  grant select, insert, update, delete on ${tableNames.join(', ')} to ${ROLE};
exception when undefined_object then null; end $$`;

/** Thrown for a schema older than the first release, which cannot be migrated. */
export class UnknownSchema extends Error {
  override readonly name = 'UnknownSchema';
  constructor() {
    super(
      'The database was made by a development version before the first release. Use an empty database, or delete the folder of the embedded one.',
    );
  }
}

async function pending(tx: Tx): Promise<readonly Migration[]> {
  await sql`create table if not exists migration (name text primary key, run timestamptz not null default now())`.execute(
    tx,
  );
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(tx);
  const done = new Set(rows.map(row => row.name));
  // Names of a later version are no obstacle: migrations only add.
  if (done.size > 0 && !done.has(baseline.name)) throw new UnknownSchema();
  return migrations.filter(({ name }) => !done.has(name));
}

/** Runs pending migrations in one transaction. Processes that start at the same time wait for each other. */
export async function migrate(tx: Tx): Promise<void> {
  // No timeout for migrations and for the wait for those of another process: an index on a large history takes long.
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(4229001)`.execute(tx);
  const pendingMigrations = await pending(tx);
  if (!pendingMigrations.length) return;
  for (const { name, tables, statements } of pendingMigrations) {
    for (const statement of [...statements, ...tables.flatMap(isolation)]) await sql.raw(statement).execute(tx);
    await sql`insert into migration (name) values (${name})`.execute(tx);
  }
  for (const statement of [createRole, grantRole, grantTables]) await sql.raw(statement).execute(tx);
}
