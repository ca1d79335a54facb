import type { Migration } from './migration.ts';

/** Since when a site has not had the app; null while it has, and where an earlier version noted none. */
export const uninstalled: Migration = {
  name: 'time of uninstallation',
  tables: [],
  statements: ['alter table tenant add column uninstalled timestamptz'],
};
