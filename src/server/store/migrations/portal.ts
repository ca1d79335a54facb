import type { Migration } from './migration.ts';

/** What portal customers see: existing installations keep what they had, new ones begin with nothing. */
export const portal: Migration = {
  name: 'customer portal',
  tables: ['portal_mode'],
  statements: [
    "alter table tenant add column portal text not null default 'ALL'",
    "alter table tenant alter column portal set default 'OFF'",
    'alter table checklist add column service boolean',
    'create table portal_mode (tenant text not null, project text not null, mode text not null, primary key (tenant, project))',
  ],
};
