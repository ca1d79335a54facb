import type { Migration } from './migration.ts';

/** What somebody had written that a write of ours took in which was given up. */
export const givenUp: Migration = {
  name: '2026-11-given-up-texts',
  tables: [],
  statements: ['alter table echo add column found text'],
};
