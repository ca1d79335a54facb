import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { tableNames } from '../../../src/server/store/migrations.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { createDatabase } from '../support/postgres.ts';
import { schemaOf } from '../support/schema.ts';
import { embedded, server } from '../support/stores.ts';

test('both databases have the same tables, indexes, constraints, policies and functions', async () => {
  const [onServer, inProcess] = await Promise.all([server(), embedded()]);
  const [expected, found] = await Promise.all([schemaOf(onServer.raw), schemaOf(inProcess.raw)]);
  await Promise.all([onServer.close(), inProcess.close()]);
  expect(expected.length).toBeGreaterThan(300);
  expect(found).toEqual(expected);
});

/** Keys and indexes that do not begin with the tenant, with the reason. */
const acrossTenants = {
  migration_pkey: 'the schema’s own steps, which no tenant has',
  forge_site_cloud: 'a site is looked for by its cloud id before its tenant is known',
  webhook_named: 'a webhook is looked for by the id in its address before its tenant is known',
  queue_due: 'jobs are claimed across tenants, in turn',
  queue_running: 'jobs whose process is gone are looked for across tenants',
  quota_use_changed: 'processes tell each other the points of all tenants',
};

test('every key and index begins with the tenant, except for those used across tenants', async () => {
  const opened = await server();
  const rows = await opened.raw(`
    select name.relname as name, first.attname as first from pg_index i
      join pg_class name on name.oid = i.indexrelid
      left join pg_attribute first on first.attrelid = i.indrelid and first.attnum = i.indkey[0]
    where name.relnamespace = 'public'::regnamespace`);
  await opened.close();
  expect(rows.length).toBeGreaterThan(tableNames.length);
  const others = rows.filter(({ first }) => first !== 'tenant').map(({ name }) => name);
  expect(new Set(others)).toEqual(new Set(Object.keys(acrossTenants)));
});

test('a database from before the first release is refused, with the remedy', async () => {
  const url = await createDatabase(inject('postgres'));
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create table migration (name text primary key, run timestamptz not null default now())');
  await client.query("insert into migration (name) values ('2026-11-checklists')");
  await expect(openStore({ databaseUrl: url, folder: '', onError: () => {} })).rejects.toThrow('Use an empty database');
});
