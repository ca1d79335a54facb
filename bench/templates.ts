import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { freePort } from '../test/browser/programs.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { table } from './measure.ts';
import { phase } from './server/bare.ts';
import { bareLine, head, line } from './server/figures.ts';
import { install } from './server/people.ts';
import { type Running, startServer, startStub } from './server/programs.ts';
import { type Administrator, administratorAt, bareQueries, fill } from './templates/site.ts';

/*
 * What a site of 1,000 templates and 200 statuses costs the built server, on both kinds of database, beside the bare
 * database's own queries for the same rows. `npm run bench:templates [ROUNDS]`
 */

const rounds = Number(process.argv[2] ?? 100);
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

async function serverLines(name: string, stub: Running, server: Running): Promise<string[][]> {
  await install(stub, server);
  await fill(await administratorAt(server, 'first'));
  const lines: string[][] = [];
  const measure = async (what: string, work: (person: Administrator) => Promise<unknown>) => {
    // One for each line: an account may ask only so often in a minute.
    const people = [await administratorAt(server, `administrator-${lines.length}`)];
    lines.push(await line(`${name}: ${what}`, stub, [server], { people, work, rounds, atOnce: false }));
  };
  await measure('first page of the list', ({ list }) => list({}));
  await measure('last page of the list', ({ list }) => list({ skip: 950 }));
  await measure('search', ({ list }) => list({ search: 'release of part 1' }));
  await measure('search that finds nothing', ({ list }) => list({ search: 'no such name' }));
  await measure('the 200 statuses', ({ statuses }) => statuses());
  await measure('one of 200 statuses goes elsewhere', ({ reorder }) => reorder());
  return lines;
}

type Query = (sql: string, values: unknown[]) => Promise<unknown>;

async function bareLines(name: string, query: Query): Promise<string[][]> {
  const lines = [];
  for (const [what, sql, values] of bareQueries) {
    const work = () => query(sql, [...values]);
    await phase(30, 1, work);
    lines.push(bareLine(`${name}, bare: ${what}`, await phase(rounds, 1, work)));
  }
  return lines;
}

const folder = await mkdtemp(join(tmpdir(), 'checklist-bench-'));
const running: { stop(): Promise<void> }[] = [];
const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
  running.push(one);
  return one;
};
const end = async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end().finally(() => process.exit(1)));
try {
  const stub = keep(await startStub(LATENCY));
  const postgres = keep(await startPostgres({ durable: true }));
  const start = async (database: { DATABASE_URL: string; DATA_DIR?: string }) => {
    const BASE_URL = `http://127.0.0.1:${await freePort()}`;
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    const env = { INSTALL_KEYS_URL: `${stub.url}/install-keys`, TENANT_HOSTS: 'localhost', ENCRYPTION_KEY };
    return keep(await startServer({ ...env, ...database, BASE_URL, PORT: new URL(BASE_URL).port }));
  };
  const admin = new pg.Client(`${postgres.url}/postgres`);
  await admin.connect();
  await admin.query('create database templates');
  await admin.end();
  const DATABASE_URL = `${postgres.url}/templates`;
  const rows = await serverLines('PostgreSQL', stub, await start({ DATABASE_URL }));
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  rows.push(...(await bareLines('PostgreSQL', (sql, values) => client.query(sql, values))));
  await client.end();

  const DATA_DIR = join(folder, 'embedded');
  const embedded = await start({ DATABASE_URL: '', DATA_DIR });
  rows.push(...(await serverLines('embedded database', stub, embedded)));
  // Its folder is for one process at a time.
  await embedded.stop();
  const pglite = await PGlite.create(join(DATA_DIR, 'pg'));
  rows.push(...(await bareLines('embedded database', (sql, values) => pglite.query(sql, values))));
  await pglite.close();
  process.stdout.write(
    `1,000 templates, 200 statuses, one client at a time. Times without the tracker's, whose calls take ${LATENCY} ms\n` +
      `and more. Load, servers and database share this machine.\n\n${table(head, rows)}\n`,
  );
} finally {
  await end();
}
