import type { Migration } from './migration.ts';

/** At which row the people are who have an editor open: its index and a hash of it, never its text. */
export const places: Migration = {
  name: '2026-11-presence-places',
  tables: ['presence_place'],
  statements: [
    `create table presence_place (
       tenant text not null, issue text not null, account text not null, row integer not null, mark text not null,
       primary key (tenant, issue, account))`,
  ],
};
