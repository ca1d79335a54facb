import type { Migration } from './migration.ts';

/** Which writes of ours may still arrive. */
export const late: Migration = {
  name: '2026-11-late-writes',
  tables: [],
  statements: ['alter table echo add column late boolean not null default false'],
};
