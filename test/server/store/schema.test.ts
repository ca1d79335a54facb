import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/server/store/open.ts';
import { createDatabase } from '../support/postgres.ts';
import { schemaOf } from '../support/schema.ts';
import { embedded, server } from '../support/stores.ts';

test('both databases get the same tables, indexes, constraints, policies and functions', async () => {
  const [onServer, inProcess] = await Promise.all([server(), embedded()]);
  const [expected, found] = await Promise.all([schemaOf(onServer.raw), schemaOf(inProcess.raw)]);
  await Promise.all([onServer.close(), inProcess.close()]);
  expect(expected.length).toBeGreaterThan(300);
  expect(found).toEqual(expected);
});

test('a database of a version before the first release is refused with the way out', async () => {
  const url = await createDatabase(inject('postgres'));
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create table migration (name text primary key, run timestamptz not null default now())');
  await client.query("insert into migration (name) values ('2026-11-checklists')");
  await expect(openStore({ databaseUrl: url, folder: '', onError: () => {} })).rejects.toThrow('Use an empty database');
});
