import type { Migration } from './migration.ts';

/**
 * Which version of a site's statuses and templates its projects should hold, and which one they were last found or made
 * to hold, in which watch.
 */
export const wantedProjectCopies: Migration = {
  name: 'versions of copies in projects',
  tables: [],
  statements: [
    `alter table tenant
       add column copies_wanted integer not null default 1, add column copies_confirmed integer not null default 0,
       add column copies_watch text`,
  ],
};
