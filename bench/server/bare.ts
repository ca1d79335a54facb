import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { bareLine, clock, type Sample } from './figures.ts';

const TABLES = 'create table bare (id int primary key, text text); create table log (id int, text text)';
const UPDATE = 'update bare set text = $1 where id = $2';
const INSERT = 'insert into log values ($1, $2)';
const text = 'x'.repeat(1_500);

export async function phase(rounds: number, atOnce: number, work: (id: number) => Promise<unknown>) {
  const samples: Sample[] = [];
  const start = clock();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, id) => {
      for (let round = 0; round < rounds; round++) {
        const from = clock();
        await work(id);
        samples.push({ issue: '', from, to: clock() });
      }
    }),
  );
  return { samples, took: clock() - start };
}

/** Baseline of a change: one row updated and one inserted, in one transaction. */
export async function barePostgres(url: string, clients: number, rounds: number): Promise<string[][]> {
  const pool = new pg.Pool({ connectionString: url, max: clients });
  try {
    await pool.query(TABLES);
    await pool.query(`insert into bare select n, '' from generate_series(0, ${clients}) n`);
    const work = async (id: number) => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query(UPDATE, [text, id]);
      await client.query(INSERT, [id, text]);
      await client.query('commit');
      client.release();
    };
    await phase(10, clients, work);
    return [
      bareLine('bare PostgreSQL: update and insert, one at a time', await phase(rounds * clients, 1, work)),
      bareLine(`bare PostgreSQL: update and insert, ${clients} at once`, await phase(rounds, clients, work)),
    ];
  } finally {
    await pool.end();
  }
}

/** The same in the embedded database, which runs one query at a time. */
export async function bareEmbedded(folder: string, rounds: number): Promise<string[]> {
  const pglite = await PGlite.create(folder);
  try {
    await pglite.exec(`${TABLES}; insert into bare values (0, '')`);
    const work = (id: number) =>
      pglite.transaction(async tx => {
        await tx.query(UPDATE, [text, id]);
        await tx.query(INSERT, [id, text]);
      });
    await phase(10, 1, work);
    return bareLine('bare embedded database: update and insert', await phase(rounds, 1, work));
  } finally {
    await pglite.close();
  }
}

export type Query = (sql: string, values: unknown[]) => Promise<unknown>;

/** Baseline of queries, by purpose: the database alone. */
export async function bareLines(
  name: string,
  query: Query,
  queries: readonly (readonly [what: string, sql: string, values: readonly unknown[]])[],
  rounds: number,
): Promise<string[][]> {
  const lines = [];
  for (const [what, sql, values] of queries) {
    const work = () => query(sql, [...values]);
    await phase(30, 1, work);
    lines.push(bareLine(`${name}, bare: ${what}`, await phase(rounds, 1, work)));
  }
  return lines;
}
