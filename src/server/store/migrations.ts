import { sql } from 'kysely';
import { baseline } from './migrations/baseline.ts';
import { limits } from './migrations/limits.ts';
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

/**
 * API tokens, by the hash of their secrets, and the requests with an idempotency key; and what a search of checklists
 * reads: keys and counts, null until they are known.
 */
const api: Migration = {
  name: 'api',
  tables: ['api_token', 'api_request'],
  statements: [
    `create table api_token (
       tenant text not null, id text not null, epoch text not null, name text not null, hash text not null,
       scope text not null, projects text[] not null, account text not null, created timestamptz not null default now(),
       until timestamptz, used timestamptz, revoked timestamptz, primary key (tenant, id), unique (tenant, hash))`,
    `create table api_request (
       tenant text not null, token text not null, key text not null, fingerprint text not null,
       created timestamptz not null default now(), primary key (tenant, token, key))`,
    'create index api_request_old on api_request (tenant, created)',
    `alter table checklist add column key text, add column items integer, add column open integer,
       add column open_mandatory integer, add column due text`,
    'create index checklist_key on checklist (tenant, key) where key is not null',
    'create index checklist_uncounted on checklist (tenant, issue) where items is null',
  ],
};

/** Webhooks with their calls, and what people are notified about. */
const automation: Migration = {
  name: 'automation and notifications',
  tables: ['webhook', 'webhook_call', 'person', 'notification_mute', 'notification'],
  statements: [
    // Secrets are sealed.
    `create table webhook (
       tenant text not null, id text not null, direction text not null, name text not null, url text,
       events jsonb not null default '[]', actions jsonb not null default '[]', projects jsonb not null default '[]',
       with_text boolean not null default false, automated boolean not null default false, secret bytea not null,
       token bytea, enabled boolean not null default true, failures integer not null default 0, failing timestamptz,
       retry_at timestamptz, stopped timestamptz, account text not null, created timestamptz not null default now(),
       primary key (tenant, id))`,
    'create index webhook_named on webhook (id)',
    `create policy listed on webhook for select using (current_setting('app.scope', true) = 'every')`,
    // The log of both directions, and the outgoing calls that wait: only these have a body.
    `create table webhook_call (
       tenant text not null, webhook text not null, id text not null, event text not null, issue text, body text,
       status integer, outcome text, tries integer not null default 0, took integer,
       created timestamptz not null default clock_timestamp(), ended timestamptz, primary key (tenant, webhook, id))`,
    'create index webhook_call_listed on webhook_call (tenant, webhook, created desc)',
    'create index webhook_call_waiting on webhook_call (tenant, webhook, created) where outcome is null',
    // Personal settings, the person's time zone, and when the last digest was sent.
    `create table person (
       tenant text not null, account text not null, notify text, zone text, digest_at timestamptz,
       primary key (tenant, account))`,
    `create table notification_mute (
       tenant text not null, account text not null, issue text not null, created timestamptz not null default now(),
       primary key (tenant, account, issue))`,
    `create table notification (
       tenant text not null, account text not null, issue text not null, row text not null, kind text not null,
       due text not null default '', created timestamptz not null default now(), sent timestamptz,
       primary key (tenant, account, issue, row, kind, due))`,
    'create index notification_waiting on notification (tenant, account) where sent is null',
    `create index assigned_item_due on assigned_item (tenant, due) where not checked and due is not null`,
  ],
};

/** Which assigned items lack what `assignedPeople` added; a job of `fill.ts` reads it from the history. */
const filledItems: Migration = {
  name: 'filled assigned items',
  tables: [],
  statements: [
    'alter table assigned_item add column filled boolean not null default false',
    'alter table assigned_item alter column filled set default true',
    'create index assigned_item_unfilled on assigned_item (tenant, issue) where not filled',
  ],
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

/** The form of the property's value; 0 of one that lacks what workflow rules read, or may lack it. */
const propertyForm: Migration = {
  name: 'form of the property',
  tables: [],
  statements: ['alter table sync add column property_form integer not null default 0'],
};

/** Run in order, each once; released ones are never edited. */
const migrations: readonly Migration[] = [
  baseline,
  assignedPeople,
  followedIssues,
  starters,
  api,
  automation,
  filledItems,
  portal,
  propertyForm,
  limits,
];

/** Names of all migrations, and all tables in the order of their creation. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);
export const tableNames: readonly string[] = migrations.flatMap(({ tables }) => tables);
/** Tables without lasting data: queued jobs are restored at the next start, the rest expires within hours. */
const transientTables = ['forge_asker', 'queue', 'quota_use', 'quota_fact', 'watch', 'used_token', 'rate_use'];
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
