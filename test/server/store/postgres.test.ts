import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { postgresTransactions } from '../../../src/server/store/postgres.ts';

/** A database that runs other statements in place of some commands. */
function database(instead: Readonly<Record<string, string>>) {
  const pool = new pg.Pool({ connectionString: `${inject('postgres')}/postgres`, max: 1, pipeline: true });
  const word = (text: string) => /^\w+/.exec(text)?.[0] ?? '';
  let connections = 0;
  pool.on('connect', client => {
    connections += 1;
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const put = ([text, ...rest]: unknown[]) =>
      query(typeof text === 'string' ? (instead[word(text)] ?? text) : text, ...rest);
    Object.assign(client, { query: (...given: unknown[]) => put(given) });
  });
  onTestFinished(() => pool.end());
  return { ...postgresTransactions(pool, 10_000), connections: () => connections };
}

const fails = 'select 1 / 0';
const statement = CompiledQuery.raw('select relname from pg_class limit $1', [1]);

const ways: Record<string, (db: ReturnType<typeof database>, statements: CompiledQuery[]) => Promise<unknown[]>> = {
  'statement by statement': async ({ begin }, statements) => {
    const begun = await begin(undefined);
    try {
      const answers = await Promise.all(statements.map(each => begun.execute(each)));
      await begun.commit();
      return answers.flatMap(({ rows }) => rows);
    } catch (error) {
      await begun.rollback().catch(() => {});
      throw error;
    }
  },
  'as one batch': async ({ batch }, statements) => (await batch(statements)).flatMap(({ rows }) => rows),
};

describe.each(Object.entries(ways))('a transaction, %s,', (_, run) => {
  test.each([
    ['begin', { begin: fails }],
    ['commit', { commit: fails }],
  ])('whose %s fails is rejected, and its connection is not reused', async (_, instead) => {
    const replaced: Record<string, string> = { ...instead };
    const db = database(replaced);
    for (const statements of [[statement], []]) {
      await expect(run(db, statements)).rejects.toThrow('division by zero');
    }
    for (const name of Object.keys(replaced)) delete replaced[name];
    expect(await run(db, [statement])).toHaveLength(1);
    expect(db.connections()).toBe(3);
  });
});

test('a connection on which the first use of a statement failed is not reused', async () => {
  const db = database({});
  const other = CompiledQuery.raw('select relname as name from pg_class limit $1', [1]);
  const failing = CompiledQuery.raw('select 1 / $1::int', [0]);
  const failed = db.batch([failing, other]);
  await expect(failed).rejects.toThrow('division by zero');
  expect(await db.batch([other])).toHaveLength(1);
  expect(db.connections()).toBe(2);

  // Prepared by now: the connection is kept after errors.
  const known = CompiledQuery.raw('select relname as name from pg_class limit $1', [-1]);
  await expect(db.batch([known])).rejects.toThrow('must not be negative');
  expect(await db.batch([other])).toHaveLength(1);
  expect(db.connections()).toBe(2);
});
