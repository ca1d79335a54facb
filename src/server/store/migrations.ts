import { sql } from 'kysely';
import { baseline } from './migrations/baseline.ts';
import { isolation, type Migration } from './migrations/migration.ts';
import type { Tx } from './tables.ts';

/** The role in which tenants' rows are read and written, subject to row-level security. */
export const ROLE = 'checklist_app';

/** Assigned items of other people: who assigned each, its section, and indexes by assigner and project. */
const assignedPeople: Migration = {
  name: 'assigned people',
  tables: [],
  statements: [
    'alter table assigned_item add column section text, add column assigner text',
    'create index assigned_item_by on assigned_item (tenant, assigner, checked, due) where assigner <> account',
    'create index assigned_item_in on assigned_item (tenant, project, checked, due)',
  ],
};

/** Items that follow the issue that they were converted to. */
const followedIssues: Migration = {
  name: 'followed issues',
  tables: [],
  statements: [
    `alter table conversion add column made text, add column follows boolean not null default false,
       add column reported boolean default false, add column reported_at timestamptz,
       add column applied boolean not null default false`,
    'create index conversion_followed on conversion (tenant, made) where follows',
  ],
};

/** Whether a site offers the starter templates. */
const starters: Migration = {
  name: 'starter templates',
  tables: [],
  statements: ['alter table tenant add column starters boolean not null default true'],
};

/** What portal customers see: existing installations keep what they had, new ones begin with nothing. */
const portal: Migration = {
  name: 'customer portal',
  tables: ['portal_mode'],
  statements: [
    "alter table tenant add column portal text not null default 'ALL'",
    "alter table tenant alter column portal set default 'OFF'",
    'alter table checklist add column service boolean',
    'create table portal_mode (tenant text not null, project text not null, mode text not null, primary key (tenant, project))',
  ],
};

/** Run in order, each once; released ones are never edited. */
const migrations: readonly Migration[] = [baseline, assignedPeople, followedIssues, starters, portal];

/** Names of all migrations, and all tables in the order of their creation. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);
export const tableNames: readonly string[] = migrations.flatMap(({ tables }) => tables);
/** Tables without lasting data: queued jobs are restored at the next start, the rest expires within hours. */
const transientTables = ['forge_asker', 'queue', 'quota_use', 'quota_fact', 'watch'];
/** Tables with lasting data of tenants. */
export const contentTables: readonly string[] = tableNames.filter(name => !transientTables.includes(name));

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
  const rest = await pending(tx);
  if (!rest.length) return;
  for (const { name, tables, statements } of rest) {
    for (const statement of [...statements, ...tables.flatMap(isolation)]) await sql.raw(statement).execute(tx);
    await sql`insert into migration (name) values (${name})`.execute(tx);
  }
  for (const statement of [createRole, grantRole, grantTables]) await sql.raw(statement).execute(tx);
}
