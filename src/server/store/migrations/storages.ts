import type { Migration } from './migration.ts';

/** An intent of before, which was one change, as the list of one that it is now. */
const asList = `jsonb_build_array(jsonb_build_object(
  'account', account, 'client', client, 'kind', kind, 'epoch', epoch, 'seq', seq, 'hash', hash, 'name', name,
  'text', text, 'rows', '[]'::jsonb, 'conflicts', conflicts))`;

/** What each storage is known to hold, what may still arrive there, and several changes in one write. */
export const storages: Migration = {
  name: '2026-11-storages',
  tables: ['mirror', 'echo', 'sighting'],
  statements: [
    'alter table tenant add column text_field text, add column mirror boolean not null default true',
    "alter table revision add column rows jsonb not null default '[]', drop column notices",
    'create index revision_hash on revision (tenant, issue, hash)',
    `alter table intent alter column conflicts type jsonb using ${asList}`,
    'alter table intent rename column conflicts to revisions',
    `alter table intent drop column account, drop column client, drop column kind, drop column name, drop column text,
       add column field jsonb`,
    `create table mirror (
       tenant text not null, issue text not null, field text, text text, behind boolean not null, notice text,
       primary key (tenant, issue))`,
    'create index mirror_behind on mirror (tenant) where behind',
    `create table echo (
       tenant text not null, issue text not null, storage text not null, mark text not null,
       seen timestamptz not null default now(), primary key (tenant, issue, storage, mark))`,
    `create table sighting (
       tenant text not null, issue text not null, account text not null, primary key (tenant, issue, account))`,
  ],
};
