import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { freePort } from '../test/free-port.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { table } from './measure.ts';
import { phase } from './server/bare.ts';
import { bareLine, head, line } from './server/figures.ts';
import { install } from './server/people.ts';
import { type Running, startServer, startStub } from './server/programs.ts';
import { screenLines } from './views/screen.ts';
import { type Assignee, assigneeAt, bareQueries, deepCursor, FILL, ISSUES, ITEMS } from './views/site.ts';

/*
 * What somebody's 10,000 assigned items cost the built server, on both kinds of database, beside the bare database's own
 * queries for the same rows; and their page in a real browser. `npm run bench:views [ROUNDS]`
 */

const rounds = Number(process.argv[2] ?? 60);
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

async function serverLines(name: string, stub: Running, server: Running): Promise<string[][]> {
  const lines: string[][] = [];
  const measure = async (what: string, work: (person: Assignee) => Promise<unknown>) => {
    // One for each line: an account may ask only so often in a minute.
    const people = [await assigneeAt(server, lines.length)];
    lines.push(await line(`${name}: ${what}`, stub, [server], { people, work, rounds, atOnce: false }));
  };
  await measure('first page by issue', ({ page }) => page({}));
  await measure('page far down, by issue', ({ page }) => page({ after: deepCursor('ISSUE') }));
  await measure('first page by due date', ({ page }) => page({ order: 'DUE' }));
  await measure('page far down, by due date', ({ page }) => page({ order: 'DUE', after: deepCursor('DUE') }));
  await measure('search', ({ page }) => page({ filter: { text: 'audit' } }));
  await measure('one project of ten', ({ page }) => page({ filter: { projectId: '10003' } }));
  await measure('counts', ({ counts }) => counts({}));
  return lines;
}

type Query = (sql: string, values?: unknown[]) => Promise<unknown>;

async function bareLines(name: string, query: Query): Promise<string[][]> {
  const lines = [];
  for (const [what, sql] of bareQueries) {
    const work = () => query(sql, ['person-0']);
    await phase(20, 1, work);
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
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const start = async (database: { DATABASE_URL: string; DATA_DIR?: string }, port: number) => {
    const BASE_URL = `http://127.0.0.1:${port}`;
    const env = { INSTALL_KEYS_URL: `${stub.url}/install-keys`, TENANT_HOSTS: 'localhost', ENCRYPTION_KEY };
    return keep(await startServer({ ...env, ...database, BASE_URL, PORT: String(port) }));
  };
  const admin = new pg.Client(`${postgres.url}/postgres`);
  await admin.connect();
  await admin.query('create database views');
  await admin.end();
  const DATABASE_URL = `${postgres.url}/views`;
  const served = await start({ DATABASE_URL }, await freePort());
  await install(stub, served);
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  await client.query(FILL);
  await client.query('analyze assigned_item');
  const rows = await serverLines('PostgreSQL', stub, served);
  rows.push(...(await bareLines('PostgreSQL', (sql, values) => client.query(sql, values))));
  await client.end();
  await served.stop();

  // The embedded database's folder is for one process at a time.
  const DATA_DIR = join(folder, 'embedded');
  const port = await freePort();
  const first = await start({ DATABASE_URL: '', DATA_DIR }, port);
  await install(stub, first);
  await first.stop();
  const filling = await PGlite.create(join(DATA_DIR, 'pg'));
  await filling.exec(FILL);
  await filling.exec('analyze assigned_item');
  await filling.close();
  const embedded = await start({ DATABASE_URL: '', DATA_DIR }, port);
  rows.push(...(await serverLines('embedded database', stub, embedded)));
  await embedded.stop();
  const pglite = await PGlite.create(join(DATA_DIR, 'pg'));
  rows.push(...(await bareLines('embedded database', (sql, values) => pglite.query(sql, values))));
  await pglite.close();
  process.stdout.write(
    `${ITEMS} items of one person on ${ISSUES} issues, pages of 100, one client at a time. Times without the tracker's, whose\n` +
      `calls take ${LATENCY} ms and more. Load, servers and database share this machine.\n\n${table(head, rows)}\n\n`,
  );
  process.stdout.write(`${table(['the page of 10,000 items, in a browser', 'median', 'p95'], await screenLines())}\n`);
} finally {
  await end();
}
