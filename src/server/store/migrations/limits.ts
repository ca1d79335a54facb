import type { Migration } from './migration.ts';

/**
 * Tokens that are good once, until they expire; and requests of this minute and the last ones by subject, a hash, of all
 * processes. Tenant '' has those of addresses.
 */
export const limits: Migration = {
  name: 'used tokens and rates',
  tables: ['used_token', 'rate_use'],
  statements: [
    'create table used_token (tenant text not null, hash text not null, until timestamptz not null, primary key (tenant, hash))',
    `create unlogged table rate_use (
       tenant text not null, key text not null, minute integer not null, count integer not null,
       primary key (tenant, key, minute))`,
    `create policy swept on rate_use using (current_setting('app.scope', true) = 'every')`,
  ],
};
