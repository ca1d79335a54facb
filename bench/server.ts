import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../test/browser/programs.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { table } from './measure.ts';
import { bareEmbedded, barePostgres } from './server/bare.ts';
import { head, line, quantiles, trackersTime } from './server/figures.ts';
import { install, type Person, personAt } from './server/people.ts';
import { callsSince, type Running, startServer, startStub } from './server/programs.ts';
import { streamMemory, untilTold } from './server/streams.ts';

/*
 * What one change and one reading cost at the built server, on both kinds of database, with one process and with two,
 * beside the bare database's own update, all in one run. `npm run bench:server [CLIENTS] [ROUNDS]`
 */

const clients = Number(process.argv[2] ?? 8);
const rounds = Number(process.argv[3] ?? 25);
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;
const STREAMS = 500;

/** Times of one client at a time, rates and processor time of all at once: they share the machine with the servers. */
async function serverLines(name: string, stub: Running, servers: readonly Running[]): Promise<string[][]> {
  const [first] = servers;
  if (!first) return [];
  await install(stub, first);
  const account = (index: number) => `${name}-${index}`.replaceAll(/\W/g, '-');
  const people = await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      personAt(servers[index % servers.length] ?? first, account(index), String(10_000 + index)),
    ),
  );
  const tick = (person: Person) => person.tick();
  const read = (person: Person) => person.read();
  const measure = (what: string, work: typeof tick | typeof read, atOnce: boolean) =>
    line(`${name}: ${what}`, stub, servers, { people, work, rounds, atOnce });
  return [
    await measure('change, one at a time', tick, false),
    await measure(`change, ${clients} at once`, tick, true),
    await measure('read, one at a time', read, false),
    await measure(`read, ${clients} at once`, read, true),
  ];
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
  const env = { INSTALL_KEYS_URL: `${stub.url}/install-keys`, TENANT_HOSTS: 'localhost' };
  const database = async (name: string) => {
    const admin = new pg.Client(`${postgres.url}/postgres`);
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
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
      const PORT = new URL(index === 0 ? BASE_URL : await address()).port;
      servers.push(keep(await startServer({ ...env, BASE_URL, PORT, DATABASE_URL, ENCRYPTION_KEY })));
    }
    return servers;
  };

  const rows = [
    ...(await barePostgres(await database('bare'), clients, rounds)),
    await bareEmbedded(join(folder, 'bare'), rounds * clients),
  ];
  const one = await onPostgres('one', 1);
  rows.push(...(await serverLines('PostgreSQL, one process', stub, one)));
  const two = await onPostgres('two', 2);
  rows.push(...(await serverLines('PostgreSQL, two processes', stub, two)));
  const BASE_URL = await address();
  const DATA_DIR = join(folder, 'embedded');
  const pglite = keep(
    await startServer({ ...env, DATABASE_URL: '', DATA_DIR, BASE_URL, PORT: new URL(BASE_URL).port }),
  );
  rows.push(...(await serverLines('embedded database', stub, [pglite])));

  const [here, there] = two;
  if (!here || !there) throw new Error('No server.');
  const writer = await personAt(here, 'writer', '20000');
  await callsSince(stub);
  const samples = await untilTold(writer, there, rounds);
  const calls = await callsSince(stub);
  const told = quantiles(samples.map(each => each.to - each.from - trackersTime(each, calls)));
  // A server that has done nothing else: what another one forgets meanwhile would be taken off.
  const [fresh] = await onPostgres('streams', 1);
  if (!fresh) throw new Error('No server.');
  const memory = await streamMemory(fresh, STREAMS);
  process.stdout.write(
    `Times without the tracker's, whose calls take ${LATENCY} ms and more. Load, servers and database share ` +
      `this machine:\ntimes are to be read from one client at a time, rates and processor time from ${clients} at once.\n\n` +
      `${table(head, rows)}\n\n` +
      `From a change at one process until a stream at another one tells of it, without the tracker's time: ` +
      `p50 ${told[0]}, p95 ${told[1]}.\n` +
      `Memory of an open stream: ${(memory / 1024).toFixed(1)} KB (of ${STREAMS}).\n`,
  );
} finally {
  await end();
}
