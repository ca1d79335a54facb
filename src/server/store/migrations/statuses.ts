import type { Migration } from './migration.ts';

/** Statuses of a site's and of projects' own, and where items have them. */
export const statuses: Migration = {
  name: '2026-11-statuses',
  tables: ['status', 'status_use'],
  statements: [
    `create table status (
       tenant text not null, slug text not null, project text, name text not null, color text not null,
       checked boolean not null, position integer not null, former jsonb not null default '[]', moves_to text,
       primary key (tenant, slug))`,
    `create table status_use (
       tenant text not null, issue text not null, slug text not null, items integer not null,
       primary key (tenant, issue, slug))`,
    'create index status_used on status_use (tenant, slug)',
    'alter table tenant add column status_version integer not null default 0',
  ],
};
