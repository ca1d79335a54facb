import type { Migration } from './migration.ts';

/** What stood in a storage lately, from which somebody may have started. */
export const echoes: Migration = {
  name: '2026-11-echo-texts',
  tables: [],
  statements: ['alter table echo add column text text', 'create index echo_seen on echo (tenant, seen)'],
};
