import type { Migration } from './migration.ts';

/** Whether a site lets us count what is used. */
export const analytics: Migration = {
  name: '2026-11-analytics',
  tables: [],
  statements: ['alter table tenant add column analytics boolean not null default true'],
};
