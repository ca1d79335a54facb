import type { Migration } from './migration.ts';

/** A webhook has no secret after the end of the installation that it was made in. */
export const endedSecrets: Migration = {
  name: 'secrets of webhooks end',
  tables: [],
  statements: ['alter table webhook alter column secret drop not null'],
};
