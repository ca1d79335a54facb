import type { Migration } from './migration.ts';

/** Issues that are made, or were made, of items: each once, by the client's id of the change. */
export const conversions: Migration = {
  name: '2026-11-conversions',
  tables: ['conversion'],
  statements: [
    `create table conversion (
       tenant text not null, issue text not null, account text not null, client text not null, mark text not null,
       tried timestamptz, key text, primary key (tenant, issue, account, client))`,
  ],
};
