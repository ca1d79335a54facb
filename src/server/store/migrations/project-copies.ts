import type { Migration } from './migration.ts';

/** Which projects refuse their copies of statuses and templates, why, and when each is tried again. */
export const projectCopies: Migration = {
  name: 'refused copies in projects',
  tables: ['project_copy'],
  statements: [
    `create table project_copy (
       tenant text not null, project text not null, copy text not null, key text not null, refused text not null,
       tries integer not null, due timestamptz not null, primary key (tenant, project, copy))`,
    `create policy counted on project_copy for select using (current_setting('app.scope', true) = 'every')`,
  ],
};
