import type { Migration } from './migration.ts';

/** Whether a site offers the starter templates. */
export const starters: Migration = {
  name: 'starter templates',
  tables: [],
  statements: ['alter table tenant add column starters boolean not null default true'],
};
