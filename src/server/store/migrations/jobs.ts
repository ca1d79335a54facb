import type { Migration } from './migration.ts';

/** Jobs over a project or a site with their progress, and what was imported of each issue, by the hash of its source. */
export const jobs: Migration = {
  name: '2026-11-jobs',
  tables: ['job', 'imported'],
  statements: [
    `create table job (
       tenant text not null, id text not null, kind text not null, state text not null, project text, issue text,
       options jsonb not null, page text, issue_done text, total integer, seen integer not null default 0,
       done integer not null default 0, skipped integer not null default 0, failed integer not null default 0,
       log jsonb not null default '[]', account text not null, created timestamptz not null default now(),
       updated timestamptz not null default now(), ended timestamptz, primary key (tenant, id))`,
    // One at a time of a kind and scope.
    `create unique index job_open on job (tenant, kind, coalesce(project, ''), coalesce(issue, ''))
       where ended is null`,
    'create index job_listed on job (tenant, created desc)',
    `create table imported (
       tenant text not null, issue text not null, source text not null, primary key (tenant, issue))`,
  ],
};
