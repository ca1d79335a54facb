import type { Migration } from './migration.ts';

/** What the issue of an assigned item is called, so that it can be searched for. */
export const assignedCalled: Migration = {
  name: '2026-11-assigned-called',
  tables: [],
  statements: [
    'alter table assigned_item add column called text',
    'create index assigned_item_uncalled on assigned_item (tenant, account, issue) where called is null',
  ],
};
