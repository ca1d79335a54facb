import type { Migration } from './migration.ts';

/**
 * API tokens, by the hash of their secrets, and the requests with an idempotency key; and what a search of checklists
 * reads: keys and counts, null until they are known.
 */
export const api: Migration = {
  name: 'api',
  tables: ['api_token', 'api_request'],
  statements: [
    `create table api_token (
       tenant text not null, id text not null, epoch text not null, name text not null, hash text not null,
       scope text not null, projects text[] not null, account text not null, created timestamptz not null default now(),
       until timestamptz, used timestamptz, revoked timestamptz, primary key (tenant, id), unique (tenant, hash))`,
    `create table api_request (
       tenant text not null, token text not null, key text not null, fingerprint text not null,
       created timestamptz not null default now(), primary key (tenant, token, key))`,
    'create index api_request_old on api_request (tenant, created)',
    `alter table checklist add column key text, add column items integer, add column open integer,
       add column open_mandatory integer, add column due text`,
    'create index checklist_key on checklist (tenant, key) where key is not null',
    'create index checklist_uncounted on checklist (tenant, issue) where items is null',
  ],
};
