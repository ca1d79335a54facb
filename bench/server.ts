import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../test/browser/programs.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { table } from './measure.ts';
import { callsOf, checklistOf, install, somebody } from './server/people.ts';
import { figuresOf, type Running, startServer, startStub } from './server/programs.ts';

/*
 * What one change and one reading cost at the built server, on both kinds of database, with one process and with two,
 * beside the bare database's own update, all in one run. `npm run bench:server [CLIENTS] [CHANGES]`
 */

const clients = Number(process.argv[2] ?? 8);
const changes = Number(process.argv[3] ?? 50);
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

const ms = (time: number) => `${time.toFixed(1)} ms`;

function quantiles(times: readonly number[]): string[] {
  const sorted = [...times].sort((a, b) => a - b);
  return [0.5, 0.95, 0.99].map(share =>
    ms(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** All clients at once, each one thing after the other. */
async function measured(works: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const times = await Promise.all(
    works.map(async work => {
      const own: number[] = [];
      for (let round = 0; round < rounds; round++) own.push(await timed(work));
      return own;
    }),
  );
  return times.flat();
}

const cpuOf = async (servers: readonly Running[]) =>
  (await Promise.all(servers.map(figuresOf))).reduce((sum, { cpu }) => sum + cpu, 0);

/** One line of the table: what `works` took, and the processor time of the servers for each. */
async function line(
  name: string,
  stub: Running,
  servers: readonly Running[],
  works: readonly (() => Promise<unknown>)[],
): Promise<string[]> {
  await measured(works, 5);
  const [cpu, calls] = [await cpuOf(servers), await callsOf(stub)];
  const times = await measured(works, changes);
  const count = times.length;
  const used = ((await cpuOf(servers)) - cpu) / count;
  const asked = ((await callsOf(stub)) - calls) / count;
  return [name, ...quantiles(times), `${(used * 1e6).toFixed(0)} µs`, asked.toFixed(1), ms(asked * LATENCY)];
}

async function serverLines(name: string, stub: Running, servers: readonly Running[]): Promise<string[][]> {
  const [first] = servers;
  if (!first) return [];
  await install(stub, first);
  const checklists = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const person = await somebody(
        servers[index % servers.length] ?? first,
        `${name}-${index}`.replaceAll(/\W/g, '-'),
      );
      return checklistOf(person, String(10_000 + index));
    }),
  );
  return [
    await line(
      `${name}: change`,
      stub,
      servers,
      checklists.map(({ tick }) => tick),
    ),
    await line(
      `${name}: read`,
      stub,
      servers,
      checklists.map(({ read }) => read),
    ),
  ];
}

/** The least that a change costs: one row updated and one added, in one transaction. */
async function bare(url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: clients });
  await pool.query('create table bare (id int primary key, text text); create table log (id int, text text)');
  await pool.query(`insert into bare select n, '' from generate_series(1, ${clients}) n`);
  const text = 'x'.repeat(1_500);
  const works = Array.from({ length: clients }, (_, index) => async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('update bare set text = $1 where id = $2', [text, index + 1]);
    await client.query('insert into log values ($1, $2)', [index, text]);
    await client.query('commit');
    client.release();
  });
  await measured(works, 5);
  const times = await measured(works, changes);
  await pool.end();
  return ['bare PostgreSQL: update and insert', ...quantiles(times), '', '0', ms(0)];
}

/** Milliseconds from the start of a change at one process until a stream at another one tells of it. */
async function untilTold(stub: Running, here: Running, there: Running): Promise<number[]> {
  await install(stub, here);
  const [writer, reader] = [await somebody(here, 'writer'), await somebody(there, 'reader')];
  const checklist = await checklistOf(writer, '20000');
  const answer = await fetch(`${there.url}/api/live`, {
    method: 'POST',
    headers: { authorization: `JWT ${reader.token}`, 'content-type': 'application/json' },
    body: '{"issues":["20000"]}',
  });
  const told = answer.body?.getReader();
  await told?.read();
  const times = [];
  for (let round = 0; round < 30; round++) {
    const heard = timed(async () => told?.read());
    await checklist.tick();
    times.push(await heard);
  }
  await told?.cancel();
  return times;
}

/** Bytes of memory that each of so many open streams takes. */
async function streamMemory(server: Running, count: number): Promise<number> {
  const before = (await figuresOf(server)).memory;
  const stops: AbortController[] = [];
  for (let from = 0; from < count; from += 10) {
    const { token } = await somebody(server, `stream-${from}`);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const stop = new AbortController();
        stops.push(stop);
        const headers = { authorization: `JWT ${token}`, 'content-type': 'application/json' };
        await fetch(`${server.url}/api/live`, { method: 'POST', headers, body: '{"issues":[]}', signal: stop.signal });
      }),
    );
  }
  const { memory } = await figuresOf(server);
  for (const stop of stops) stop.abort();
  return (memory - before) / count;
}

const folder = await mkdtemp(join(tmpdir(), 'checklist-bench-'));
const running: { stop(): Promise<void> }[] = [];
const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
  running.push(one);
  return one;
};
try {
  const stub = keep(await startStub(LATENCY));
  const postgres = keep(await startPostgres());
  const env = { INSTALL_KEYS_URL: `${stub.url}/install-keys`, TENANT_HOSTS: 'localhost', LOG_LEVEL: 'info' };
  const admin = new pg.Client(`${postgres.url}/postgres`);
  await admin.connect();
  const database = async (name: string) => {
    await admin.query(`create database ${name}`);
    return `${postgres.url}/${name}`;
  };
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const address = async () => `http://127.0.0.1:${await freePort()}`;
  /** So many processes on one fresh database, behind the first one's address. */
  const onPostgres = async (name: string, count: number) => {
    const DATABASE_URL = await database(name);
    const BASE_URL = await address();
    const servers = [];
    for (let index = 0; index < count; index++) {
      const own = index === 0 ? BASE_URL : await address();
      const PORT = new URL(own).port;
      servers.push(keep(await startServer({ ...env, BASE_URL, PORT, DATABASE_URL, ENCRYPTION_KEY })));
    }
    return servers;
  };
  const BASE_URL = await address();
  const embedded = { DATABASE_URL: '', DATA_DIR: join(folder, 'embedded'), BASE_URL, PORT: new URL(BASE_URL).port };

  const [one] = await onPostgres('one', 1);
  const two = await onPostgres('two', 2);
  const pglite = keep(await startServer({ ...env, ...embedded }));
  const [here, there] = two;
  if (!one || !here || !there) throw new Error('No server.');
  const rows = [
    await bare(await database('bare')),
    ...(await serverLines('PostgreSQL, one process', stub, [one])),
    ...(await serverLines('PostgreSQL, two processes', stub, two)),
    ...(await serverLines('embedded database', stub, [pglite])),
  ];
  const head = ['', 'p50', 'p95', 'p99', 'server CPU', 'tracker calls', 'their time'];
  const told = quantiles(await untilTold(stub, here, there));
  const memory = await streamMemory(one, 1_000);
  process.stdout.write(
    `${clients} clients at once, ${changes} times each; each call to the tracker takes ${LATENCY} ms and more.\n\n` +
      `${table(head, rows)}\n\n` +
      `From a change at one process until another one tells of it: p50 ${told[0]}, p95 ${told[1]}.\n` +
      `Memory of an open stream: ${(memory / 1024).toFixed(1)} KB.\n`,
  );
} finally {
  for (const one of running.reverse()) await one.stop();
  await rm(folder, { recursive: true, force: true });
}
