import type { Migration } from './migration.ts';

/**
 * What stored things were made of, so that one statement finds the stale ones: the revision and the statuses of each copy
 * and index. Why the tracker refused a copy, and how often in a row.
 */
export const storedStates: Migration = {
  name: 'states of stored data',
  tables: ['registry'],
  statements: [
    `alter table sync
       add column property_refused text, add column property_tries integer not null default 0,
       add column property_print text, add column property_registry text,
       add column field_refused text, add column field_tries integer not null default 0,
       add column field_epoch text, add column field_seq integer`,
    `create index sync_refused on sync (tenant) where property_refused is not null or field_refused is not null`,
    `create policy counted on sync for select using (current_setting('app.scope', true) = 'every')`,
    `alter table checklist
       add column indexed_epoch text, add column indexed_seq integer, add column indexed_registry text`,
    // The statuses by which the texts of a project's issues are read, of the site for project '', as a hash.
    `create table registry (
       tenant text not null, project text not null, print text not null, primary key (tenant, project))`,
  ],
};
