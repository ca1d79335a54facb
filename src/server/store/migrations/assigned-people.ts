import type { Migration } from './migration.ts';

/** Assigned items of other people: who assigned each, its section, and indexes by assigner and project. */
export const assignedPeople: Migration = {
  name: 'assigned people',
  tables: [],
  statements: [
    'alter table assigned_item add column section text, add column assigner text',
    'create index assigned_item_by on assigned_item (tenant, assigner, checked, due) where assigner <> account',
    'create index assigned_item_in on assigned_item (tenant, project, checked, due)',
  ],
};
