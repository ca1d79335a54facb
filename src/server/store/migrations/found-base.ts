import type { Migration } from './migration.ts';

/** What somebody had started from who wrote what a write of ours takes the place of. */
export const foundBase: Migration = {
  name: '2026-11-found-bases',
  tables: [],
  statements: ['alter table intent add column found_base text', 'alter table echo add column found_base text'],
};
