import type { Migration } from './migration.ts';

/** Which assigned items lack what `assignedPeople` added; a job of `fill.ts` reads it from the history. */
export const filledItems: Migration = {
  name: 'filled assigned items',
  tables: [],
  statements: [
    'alter table assigned_item add column filled boolean not null default false',
    'alter table assigned_item alter column filled set default true',
    'create index assigned_item_unfilled on assigned_item (tenant, issue) where not filled',
  ],
};
