import { sql } from 'kysely';
import type { Database, Tx } from './tables.ts';

/** The role in which tenants' rows are read and written, subject to row-level security. */
export const ROLE = 'checklist_app';

interface Migration {
  name: string;
  statements: readonly string[];
}

/** A table is readable and writable for the tenant that the transaction was opened for, and for nobody else. */
const isolated = (table: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy own on ${table} using (tenant = current_setting('app.tenant', true))`,
];

/** In order, each run once. PostgreSQL 15 and up; nothing that was released is ever edited. */
const migrations: readonly Migration[] = [
  {
    name: '2026-11-checklists',
    statements: [
      `create table tenant (
         tenant text primary key, url text not null, secret bytea not null, epoch text not null,
         enabled boolean not null, manage_permissions boolean not null default false,
         view_permissions boolean not null default false, getting_started text)`,
      `create table lease (
         tenant text not null, issue text not null, fence integer not null, holder text not null,
         expires timestamptz not null, primary key (tenant, issue))`,
      `create table intent (
         tenant text not null, issue text not null, account text not null, client text not null, kind text not null,
         epoch text not null, seq integer not null, hash text not null, name text not null, text text not null,
         conflicts jsonb not null, given_up boolean not null, primary key (tenant, issue))`,
      `create table revision (
         tenant text not null, issue text not null, account text not null, client text not null, kind text not null,
         epoch text not null, seq integer not null, hash text not null, name text not null, text text not null,
         conflicts jsonb not null, notices jsonb not null default '[]', created timestamptz not null default now(),
         primary key (tenant, issue, epoch, seq), unique (tenant, issue, account, client))`,
      'create index revision_latest on revision (tenant, issue, created desc, seq desc)',
      ...['tenant', 'lease', 'intent', 'revision'].flatMap(isolated),
      // The one thing that is asked across tenants: which of them there are.
      `create policy listed on tenant for select using (current_setting('app.scope', true) = 'every')`,
    ],
  },
];

// A role belongs to the whole cluster: another database may have made it, perhaps at this moment.
const createRole = `do $$ begin
  create role ${ROLE} nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then null; end $$`;

const grantRole = `do $$ begin
  grant ${ROLE} to current_user;
exception when others then null; end $$`;

const grantTables = `do $$ begin
  grant select, insert, update, delete on tenant, lease, intent, revision to ${ROLE};
exception when undefined_object then null; end $$`;

async function pending(tx: Tx): Promise<readonly Migration[]> {
  await sql`create table if not exists migration (name text primary key, run timestamptz not null default now())`.execute(
    tx,
  );
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(tx);
  const done = new Set(rows.map(row => row.name));
  return migrations.filter(({ name }) => !done.has(name));
}

/** Brings the tables up to date. Processes that start at once wait for each other. */
export async function migrate(db: Database): Promise<void> {
  await db.transaction().execute(async tx => {
    await sql`select pg_advisory_xact_lock(4229001)`.execute(tx);
    const rest = await pending(tx);
    if (!rest.length) return;
    for (const { name, statements } of rest) {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await sql`insert into migration (name) values (${name})`.execute(tx);
    }
    for (const statement of [createRole, grantRole, grantTables]) await sql.raw(statement).execute(tx);
  });
}
