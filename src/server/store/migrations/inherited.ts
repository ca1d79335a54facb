import type { Migration } from './migration.ts';

/** When a site's checklists of the edition before this one had all been taken over. */
export const inherited: Migration = {
  name: '2026-11-inherited',
  tables: [],
  statements: ['alter table tenant add column inherited timestamptz'],
};
