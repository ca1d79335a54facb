import type { Migration } from './migration.ts';

/** What templates are found and sorted by, those that were deleted lately, and the one that is offered first. */
export const templateLists: Migration = {
  name: '2026-11-template-lists',
  tables: ['template_default'],
  statements: [
    `alter table template add column key text not null default '', add column items integer not null default 0,
       add column deleted timestamptz`,
    `update template set key = lower(regexp_replace(trim(name), '\\s+', ' ', 'g'))`,
    'drop index template_listed',
    'create index template_listed on template (tenant, project, key) where deleted is null',
    `create table template_default (
       tenant text not null, project text not null, template text not null, primary key (tenant, project))`,
  ],
};
