import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { ROLE } from '../../../src/server/store/migrate.ts';
import { migrationNames } from '../../../src/server/store/migrations.ts';
import { assertSame, DifferentDatabases, NoNotifications, openStore } from '../../../src/server/store/open.ts';
import { startApp } from '../support/app.ts';
import { add, newIssue, tick } from '../support/checklists.ts';
import { createDatabase } from '../support/postgres.ts';

/*
 * A pooler in transaction mode gives each transaction another connection: no session state, no statements outside of
 * transactions. What needs a session uses the direct address of the database.
 */

const admin = new pg.Client(`${inject('postgres')}/postgres`);
beforeAll(() => admin.connect());
afterAll(() => admin.end());

/** An empty database with two users: its owner, connected directly, and a pooled one with the app's role only. */
async function databases(): Promise<{ name: string; directUrl: string; databaseUrl: string }> {
  const name = `pooled_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create role ${name} login createrole`);
  await admin.query(`create role ${name}_app login in role ${ROLE}`);
  await admin.query(`grant ${ROLE} to ${name} with admin option`);
  await admin.query(`create database ${name} owner ${name}`);
  const of = (user: string) => Object.assign(new URL(`${inject('postgres')}/${name}`), { username: user }).href;
  return { name, directUrl: of(name), databaseUrl: of(`${name}_app`) };
}

/** A connection: whether it is open, and the statements sent. */
interface Watched {
  open: boolean;
  texts: string[];
}

/** Connections of one user that send statements from now on. */
function watch(user: string): Map<pg.Client, Watched> {
  const sent = new Map<pg.Client, Watched>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...call: unknown[]) {
    const [given] = call;
    const text = typeof given === 'object' && given && 'text' in given ? String(given.text) : String(given);
    if (this.user === user) {
      const watched = sent.get(this) ?? { open: true, texts: [] };
      watched.texts.push(text);
      if (!sent.has(this)) this.once('end', () => Object.assign(watched, { open: false }));
      sent.set(this, watched);
    }
    return Reflect.apply(query, this, call);
  });
  onTestFinished(() => spy.mockRestore());
  return sent;
}

/** Session state of a connection. */
const SESSION = `
  select 'setting ' || name as kept from pg_settings
    where source in ('client', 'session') and name not in ('application_name', 'client_encoding')
  union all select 'tenant ' || current_setting('app.tenant', true) where current_setting('app.tenant', true) <> ''
  union all select 'scope ' || current_setting('app.scope', true) where current_setting('app.scope', true) <> ''
  union all select 'listens on ' || pg_listening_channels()
  union all select 'prepared by SQL ' || name from pg_prepared_statements where from_sql
  union all select 'cursor ' || name from pg_cursors where name <> ''
  union all select 'lock ' || locktype from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
  union all select 'role ' || current_user where current_user <> session_user
  union all select 'temporary tables' where pg_my_temp_schema() <> 0`;

test('pooled connections have no session state; migrations and listening use the direct address', async () => {
  const { name, directUrl, databaseUrl } = await databases();
  const sent = watch(`${name}_app`);
  const store = await openStore({ databaseUrl, directUrl, folder: '', onError: () => {} });
  onTestFinished(() => store.close());
  const it = await startApp(store);
  onTestFinished(() => it.app.close());
  const issue = await newIssue(it);
  await issue.edit(add('- a\n- b'));
  await issue.edit(tick(0, 'a'));
  await it.settled();
  const entries = createEntries(store);
  await entries.add({ tenant: it.tenant.id, key: 'k', name: 'n' }, {}, 0);
  const [claimed] = await entries.claim(['n'], 1);
  if (!claimed) throw new Error('Nothing was due.');
  await entries.beat([claimed]);
  await entries.complete(claimed);
  const undone = store.tenant('t', async () => {
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await store.ping();

  const left: string[] = [];
  for (const [client, { open, texts }] of [...sent]) {
    // Only whole transactions, in sequence.
    const outline = texts.map(text => (/^(begin;|commit$|rollback$)/.exec(text) ? text.slice(0, 5) : '.'));
    expect(outline.join('')).toMatch(/^(begin\.*(commi|rollb))+$/);
    // The pool closes idle connections.
    if (!open) continue;
    const { rows } = await client.query<{ kept: string }>(SESSION);
    left.push(...rows.map(({ kept }) => kept), 'nothing else');
  }
  expect(new Set(left)).toEqual(new Set(['nothing else']));

  const received = vi.fn();
  const stop = await store.listen('news', received, () => {});
  await store.tenant('t', tx => sql`select pg_notify('news', 'one')`.execute(tx));
  await expect.poll(() => received.mock.calls).toEqual([['one']]);
  await stop();
  const direct = new pg.Client(directUrl);
  await direct.connect();
  onTestFinished(() => direct.end());
  const { rows: tables } = await direct.query(`select distinct tableowner from pg_tables where schemaname = 'public'`);
  expect(tables).toEqual([{ tableowner: name }]);
  const { rows: migrated } = await direct.query('select name from migration');
  expect(migrated.map(row => row.name)).toEqual(migrationNames);
});

test('each transaction sets its statement timeout', async () => {
  const databaseUrl = await createDatabase(inject('postgres'), { template: inject('template') });
  const store = await openStore({ databaseUrl, folder: '', statementTimeout: 1_234, onError: () => {} });
  onTestFinished(() => store.close());
  const limit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`;
  const { rows } = await store.tenant('t', tx => limit.execute(tx));
  expect(rows).toEqual([{ limit: '1234ms' }]);
});

test('two addresses of different databases are refused', async () => {
  const [databaseUrl, directUrl] = await Promise.all(
    ['one', 'other'].map(() => createDatabase(inject('postgres'), { template: inject('template') })),
  );
  const opening = openStore({ databaseUrl, directUrl, folder: '', onError: () => {} });
  await expect(opening).rejects.toThrow(DifferentDatabases);
});

describe('a direct address without notifications', () => {
  const sends = { batch: async () => [] };

  test('is refused, and listening stops', async () => {
    const stop = vi.fn(async () => {});
    await expect(assertSame(sends, sends, async () => stop, 1)).rejects.toThrow(NoNotifications);
    expect(stop).toHaveBeenCalledOnce();
  });

  test('stops listening that begins after the timeout', async () => {
    const stop = vi.fn(async () => {});
    let begin = () => {};
    const asserted = assertSame(sends, sends, (_channel, _handler, gap) => {
      gap();
      return new Promise(resolve => {
        begin = () => resolve(stop);
      });
    });
    await expect(asserted).rejects.toThrow(StoreUnavailable);
    begin();
    await expect.poll(() => stop.mock.calls).toHaveLength(1);
  });
});
