import type { Migration } from './migration.ts';

/** Tenants, and their checklists: who may change one now, what is being written, what was written. */
export const checklists: Migration = {
  name: '2026-11-checklists',
  tables: ['tenant', 'lease', 'intent', 'revision'],
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
    // The one thing that is asked across tenants: which of them there are.
    `create policy listed on tenant for select using (current_setting('app.scope', true) = 'every')`,
  ],
};
