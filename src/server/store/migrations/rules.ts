import type { Migration } from './migration.ts';

/** Rules that apply templates by themselves, and to which issues each did. */
export const rules: Migration = {
  name: '2026-11-rules',
  tables: ['template_rule', 'rule_applied'],
  statements: [
    `create table template_rule (
       tenant text not null, id text not null, template text not null, projects jsonb not null,
       issue_types jsonb not null, moment text not null, statuses jsonb not null, field text, enabled boolean not null,
       position integer not null, account text not null, since timestamptz not null default now(),
       primary key (tenant, id))`,
    `create table rule_applied (
       tenant text not null, rule text not null, issue text not null, primary key (tenant, issue, rule))`,
  ],
};
