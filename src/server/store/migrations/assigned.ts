import type { Migration } from './migration.ts';

/** Who has which items to do, across issues. */
export const assigned: Migration = {
  name: '2026-11-assigned',
  tables: ['assigned_item'],
  statements: [
    `create table assigned_item (
       tenant text not null, issue text not null, position integer not null, row text, account text not null,
       text text not null, status text not null, checked boolean not null, mandatory boolean not null, due text,
       primary key (tenant, issue, position))`,
    'create index assigned_item_of on assigned_item (tenant, account, checked, due)',
  ],
};
