import type { Migration } from './migration.ts';

/**
 * The accounts that are stored of a site: since when what is known of each is up to date, and when it was last reported to
 * the platform; and the cycle of reports, in days, with the time of the next one.
 */
export const people: Migration = {
  name: 'reported accounts',
  tables: ['reported_account', 'report_cycle'],
  statements: [
    `create table reported_account (
       tenant text not null, account text not null, refreshed timestamptz not null default now(), reported timestamptz,
       primary key (tenant, account))`,
    `create table report_cycle (
       tenant text primary key, days integer not null, due timestamptz not null, refused boolean not null default false)`,
  ],
};
