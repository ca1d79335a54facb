import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

/** The guide's users and database with names of their own, the database made and migrated; and a connection as the backups' user. */
async function backupClient(): Promise<pg.Client> {
  const name = `guide_${randomUUID().replaceAll('-', '')}`;
  const script = (await readFile(new URL('../../../deploy/roles.sql', import.meta.url), 'utf8'))
    .replaceAll(/^\\getenv.*$/gm, '')
    .replaceAll(/:'(?:password|backup)'/g, "'secret'")
    .replaceAll('checklist', name);
  const [users = '', rights = ''] = script.split(`\\connect ${name}`);
  for (const each of users.split(';').filter(part => part.trim() !== '')) await admin.query(each);
  const addressOf = (user: string) => {
    const url = new URL(`${inject('postgres')}/${name}`);
    if (user !== '') url.username = user;
    url.password = 'secret';
    return url.href;
  };
  const owner = new pg.Client(`${inject('postgres')}/${name}`);
  await owner.connect();
  await owner.query(rights);
  await owner.end();
  await (await open(addressOf(name))).close();
  const backup = new pg.Client(addressOf(`${name}_backup`));
  await backup.connect();
  return backup;
}

test("the backups' user reads every row, and neither writes, makes objects, nor reads passwords", async () => {
  const backup = await backupClient();
  try {
    const { rows } = await backup.query("select tablename from pg_tables where schemaname = 'public'");
    expect(rows.length).toBeGreaterThan(10);
    for (const { tablename } of rows)
      await backup.query(`select * from public.${pg.escapeIdentifier(tablename)} limit 1`);
    for (const refused of [
      "delete from public.revision where issue = '1'",
      'create table public.made (a integer)',
      'create temporary table made (a integer)',
      'create schema made',
      'select lo_create(0)',
      'select rolpassword from pg_authid',
      'select passwd from pg_shadow',
    ])
      await expect(backup.query(refused), refused).rejects.toMatchObject({ code: '42501' });
  } finally {
    await backup.end();
  }
});
