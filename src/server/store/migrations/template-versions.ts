import type { Migration } from './migration.ts';

/** What templates said before, and to which issues they were added. */
export const templateVersions: Migration = {
  name: '2026-11-template-versions',
  tables: ['template_version', 'template_use'],
  statements: [
    `create table template_version (
       tenant text not null, template text not null, version integer not null, account text not null, project text,
       name text not null, text text not null, items integer not null, created timestamptz not null default now(),
       primary key (tenant, template, version))`,
    // Who owns a table is held to its policy, too: no tenant is at work here.
    'alter table template no force row level security',
    `insert into template_version (tenant, template, version, account, project, name, text, items, created)
       select tenant, id, 1, account, project, name, text, items, updated from template`,
    'alter table template force row level security',
    `create table template_use (
       tenant text not null, template text not null, issue text not null, primary key (tenant, template, issue))`,
    'create index template_used on template_use (tenant, issue)',
  ],
};
