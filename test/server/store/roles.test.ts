import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type DatabaseLimits, openStore } from '../../../src/server/store/open.ts';
import { NotIsolated } from '../../../src/server/store/store.ts';

/** Database users of an operator: they own their database and are no superusers. */
const admin = new pg.Client(`${inject('postgres')}/postgres`);
beforeAll(() => admin.connect());
afterAll(() => admin.end());

async function databaseOf(attributes: string): Promise<string> {
  const user = `user_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create role ${user} login ${attributes}`);
  await admin.query(`create database ${user} owner ${user}`);
  const url = new URL(`${inject('postgres')}/${user}`);
  url.username = user;
  return url.href;
}

const open = (databaseUrl: string, limits: Partial<DatabaseLimits> = {}) =>
  openStore({ databaseUrl, folder: '', onError: () => {}, limits });

test('row-level security applies to an owner without the permission to create roles', async () => {
  const store = await open(await databaseOf(''));
  const row = { url: 'https://x.example', secret: new Uint8Array(1), epoch: 'e', enabled: true };
  await store.tenant('one', tx =>
    tx
      .insertInto('tenant')
      .values({ ...row, tenant: 'one' })
      .execute(),
  );
  expect(await store.tenant('two', tx => tx.selectFrom('tenant').selectAll().execute())).toEqual([]);
  expect(await store.tenants()).toEqual(['one']);
  await store.close();
});

test('a user that bypasses row-level security for good is refused', async () => {
  await expect(open(await databaseOf('bypassrls'))).rejects.toThrow(NotIsolated);
});

test("a starting process waits for another one's migrations beyond the statement timeout", async () => {
  const address = await databaseOf('');
  const other = new pg.Client(address);
  await other.connect();
  await other.query('select pg_advisory_lock(4229001)');
  const store = open(address, { statementTimeout: 1_000 });
  // Awaited below; until then its rejection is handled here.
  store.catch(() => {});
  const waiting = async () =>
    (await other.query("select from pg_locks where locktype = 'advisory' and not granted and objid = 4229001"))
      .rowCount;
  await expect.poll(waiting).toBe(1);
  await other.query('select pg_sleep(1.3)');
  await other.end();
  await (await store).close();
});
