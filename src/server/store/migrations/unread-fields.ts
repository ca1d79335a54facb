import type { Migration } from './migration.ts';

/** Whether the last read of an issue did not show its field, which may hold a foreign text. */
export const unreadFields: Migration = {
  name: 'fields that were not shown',
  tables: [],
  statements: ['alter table sync add column field_unread boolean not null default false'],
};
