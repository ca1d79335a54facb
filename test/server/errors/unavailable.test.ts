import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { isTransient, StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { openStore, usualLimits } from '../../../src/server/store/open.ts';
import { routeTo } from '../support/database-route.ts';
import { createDatabase } from '../support/postgres.ts';

test('queries on a lost connection reject as unavailable, and later connections work', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const route = await routeTo(databaseUrl);
  const store = await openStore({
    databaseUrl: route.url,
    folder: '',
    limits: { statementTimeout: 2_000 },
    onError: () => {},
  });
  onTestFinished(async () => {
    await store.close();
    route.close();
  });
  await store.ping();
  route.lose(true);
  // More than the pool has connections.
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => store.ping()));
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  route.lose(false);
  await store.ping();
}, 60_000);

test('a frozen connection fails one caller, not each caller that meets another one', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const route = await routeTo(databaseUrl);
  const store = await openStore({
    databaseUrl: route.url,
    folder: '',
    limits: { statementTimeout: 500 },
    onError: () => {},
  });
  onTestFinished(async () => {
    await store.close();
    route.close();
  });
  const ping = () => store.ping();
  await Promise.all(Array.from({ length: usualLimits.connections }, ping));
  route.freeze();
  await expect(store.tenant('one', tx => tx.selectFrom('tenant').selectAll().execute())).rejects.toThrow(
    StoreUnavailable,
  );
  for (let attempt = 0; attempt < usualLimits.connections; attempt += 1) await ping();
}, 60_000);

test('a database that refuses new connections is unavailable, whatever its code, until it accepts them again', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const store = await openStore({ databaseUrl, folder: '', onError: () => {} });
  const admin = new pg.Client(`${inject('postgres')}/postgres`);
  await admin.connect();
  onTestFinished(async () => {
    await store.close();
    await admin.end();
  });
  const name = new URL(databaseUrl).pathname.slice(1);
  const allow = (allowed: boolean) => admin.query(`alter database "${name}" allow_connections ${allowed}`);
  await allow(false);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  // 55000, which a statement's own mistake can have, too.
  await expect.poll(() => store.ping().catch(error => error)).toMatchObject({ cause: { code: '55000' } });
  await expect(store.ping()).rejects.toThrow(StoreUnavailable);
  await allow(true);
  await store.ping();
});

test.each([
  ['XX000', 'could not open relation mapping file "global/pg_filenode.map": No space left on device'],
  ['XX001', 'invalid page in block 0 of relation base/5/16384'],
  ['53100', 'could not extend file "base/5/16502": No space left on device'],
])('%s is a failure of the database', (code, message) => {
  expect(isTransient(Object.assign(new Error(message), { code }))).toBe(true);
});
