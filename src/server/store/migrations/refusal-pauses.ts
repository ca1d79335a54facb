import type { Migration } from './migration.ts';

/** The end of the pause after a refusal: a refusal before it does not make the pause longer. */
export const refusalPauses: Migration = {
  name: 'pauses after refusals',
  tables: [],
  statements: ['alter table sync add column property_retry timestamptz, add column field_retry timestamptz'],
};
