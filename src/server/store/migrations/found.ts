import type { Migration } from './migration.ts';

/** What a write takes the place of. */
export const found: Migration = {
  name: '2026-11-found-text',
  tables: [],
  statements: ['alter table intent add column found text'],
};
