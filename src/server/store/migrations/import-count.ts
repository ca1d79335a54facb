import type { Migration } from './migration.ts';

/** How often something was imported of an issue: what is brought back later is no repetition of what it was before. */
export const importCount: Migration = {
  name: '2026-11-import-count',
  tables: [],
  statements: ['alter table imported add column times integer not null default 1'],
};
