import { Kysely } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { postgresDialect } from '../../../src/server/store/postgres.ts';

/** A database whose connections do something else where they are told to say so. */
function database(instead: Readonly<Record<string, string>>) {
  const pool = new pg.Pool({ connectionString: `${inject('postgres')}/postgres`, max: 1, pipeline: true });
  let connections = 0;
  pool.on('connect', client => {
    connections += 1;
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const put = ([text, ...rest]: unknown[]) =>
      query(typeof text === 'string' ? (instead[text] ?? text) : text, ...rest);
    Object.assign(client, { query: (...given: unknown[]) => put(given) });
  });
  const db = new Kysely<{ pg_class: { relname: string } }>({ dialect: postgresDialect(pool, () => undefined) });
  onTestFinished(() => db.destroy());
  return { db, connections: () => connections };
}

const fails = 'select 1 / 0';
const read = (db: ReturnType<typeof database>['db']) =>
  db.transaction().execute(tx => tx.selectFrom('pg_class').select('relname').limit(1).execute());

test.each([
  ['begin', { begin: fails }],
  ['commit', { commit: fails }],
])('a transaction whose %s fails is not taken for done, and nobody else gets its connection', async (_, instead) => {
  const replaced: Record<string, string> = { ...instead };
  const { db, connections } = database(replaced);
  await expect(read(db)).rejects.toThrow('division by zero');
  await expect(db.transaction().execute(async () => 'nothing')).rejects.toThrow('division by zero');
  for (const name of Object.keys(replaced)) delete replaced[name];
  expect(await read(db)).toHaveLength(1);
  expect(connections()).toBe(3);
});
