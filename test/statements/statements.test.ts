import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordedStatements } from '../server/support/statements.ts';
import { embedded, type TestStore } from '../server/support/stores.ts';

/** What the tests of the server sent to PostgreSQL in this run, prepared on both databases. */

/** Without those that neither database prepares, such as `set` and `begin`. */
const statements = recordedStatements().filter(text => /^\s*(with|select|insert|update|delete)\b/i.test(text));

let pglite: TestStore;
const server = new pg.Client(`${inject('postgres')}/${inject('template')}`);
beforeAll(async () => {
  [pglite] = await Promise.all([embedded(), server.connect()]);
});
afterAll(async () => {
  await Promise.all([server.end(), pglite.close()]);
});

/** Why a statement cannot be prepared, or the types of its parameters. */
async function prepared(query: (sql: string) => Promise<Record<string, unknown>[]>, text: string): Promise<unknown> {
  try {
    await query(`prepare probe as ${text}`);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  const [types] = await query(
    "select parameter_types::text as parameters from pg_prepared_statements where name = 'probe'",
  );
  await query('deallocate probe');
  return types;
}

test('every statement means the same to PostgreSQL and to the embedded database', async () => {
  expect(statements.length, 'Run it together with the tests of the server.').toBeGreaterThan(100);
  for (const text of statements) {
    const onServer = await prepared(async sql => (await server.query(sql)).rows, text);
    expect(onServer, text).toMatchObject({ parameters: expect.any(String) });
    expect(await prepared(pglite.raw, text), text).toEqual(onServer);
  }
});
