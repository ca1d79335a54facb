import type { Migration } from './migration.ts';

/** Templates: of the whole site, or of one project. */
export const templates: Migration = {
  name: '2026-11-templates',
  tables: ['template'],
  statements: [
    `create table template (
       tenant text not null, id text not null, project text, name text not null, text text not null,
       account text not null, created timestamptz not null default now(), updated timestamptz not null default now(),
       primary key (tenant, id))`,
    'create index template_listed on template (tenant, project, name)',
  ],
};
