import type { Migration } from './migration.ts';

/** Webhooks with their calls, and what people are notified about. */
export const automation: Migration = {
  name: 'automation and notifications',
  tables: ['webhook', 'webhook_call', 'person', 'notification_mute', 'notification'],
  statements: [
    // Secrets are sealed.
    `create table webhook (
       tenant text not null, id text not null, direction text not null, name text not null, url text,
       events jsonb not null default '[]', actions jsonb not null default '[]', projects jsonb not null default '[]',
       with_text boolean not null default false, automated boolean not null default false, secret bytea not null,
       token bytea, enabled boolean not null default true, failures integer not null default 0, failing timestamptz,
       retry_at timestamptz, stopped timestamptz, account text not null, created timestamptz not null default now(),
       primary key (tenant, id))`,
    'create index webhook_named on webhook (id)',
    `create policy listed on webhook for select using (current_setting('app.scope', true) = 'every')`,
    // The log of both directions, and the outgoing calls that wait: only these have a body.
    `create table webhook_call (
       tenant text not null, webhook text not null, id text not null, event text not null, issue text, body text,
       status integer, outcome text, tries integer not null default 0, took integer,
       created timestamptz not null default clock_timestamp(), ended timestamptz, primary key (tenant, webhook, id))`,
    'create index webhook_call_listed on webhook_call (tenant, webhook, created desc)',
    'create index webhook_call_waiting on webhook_call (tenant, webhook, created) where outcome is null',
    // Personal settings, the person's time zone, and when the last digest was sent.
    `create table person (
       tenant text not null, account text not null, notify text, zone text, digest_at timestamptz,
       primary key (tenant, account))`,
    `create table notification_mute (
       tenant text not null, account text not null, issue text not null, created timestamptz not null default now(),
       primary key (tenant, account, issue))`,
    `create table notification (
       tenant text not null, account text not null, issue text not null, row text not null, kind text not null,
       due text not null default '', created timestamptz not null default now(), sent timestamptz,
       primary key (tenant, account, issue, row, kind, due))`,
    'create index notification_waiting on notification (tenant, account) where sent is null',
    `create index assigned_item_due on assigned_item (tenant, due) where not checked and due is not null`,
  ],
};
