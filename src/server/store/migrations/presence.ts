import type { Migration } from './migration.ts';

/** Who has an editor open on an issue. */
export const presence: Migration = {
  name: '2026-11-presence',
  tables: ['presence'],
  statements: [
    `create table presence (
       tenant text not null, issue text not null, stream text not null, account text not null,
       entered timestamptz not null default now(), expires timestamptz not null,
       primary key (tenant, issue, stream))`,
    'create index presence_stream on presence (tenant, stream)',
  ],
};
