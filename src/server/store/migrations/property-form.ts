import type { Migration } from './migration.ts';

/** The form of the property's value; 0 of one that lacks what workflow rules read, or may lack it. */
export const propertyForm: Migration = {
  name: 'form of the property',
  tables: [],
  statements: ['alter table sync add column property_form integer not null default 0'],
};
