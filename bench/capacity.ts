import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { amount, given } from './comparison.ts';
import { table } from './measure.ts';
import { withHarness } from './server/harness.ts';
import { metricsOf, processorTimeOf, type Running } from './server/programs.ts';
import { streamMemory } from './server/streams.ts';
import { type BenchUser, install, personAt } from './server/users.ts';

/*
 * What an operator plans with: memory, processor time, connections and disk of two processes on PostgreSQL, idle and
 * under steady writers of checklists with 30 rows. `npm run bench:capacity [CHANGES] [PEOPLE]`
 */

const changes = Number(given[0] ?? amount(10_000, 20));
const people = Number(given[1] ?? amount(16, 2));
const STREAMS = amount(500, 10);
/** Milliseconds in which an idle process is observed. */
const IDLE = amount(10_000, 100);
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
const residentOf = async (server: Running) => (await metricsOf(server))('process_resident_memory_bytes');

await withHarness(LATENCY, async ({ stub, database, servers }) => {
  const url = await database('capacity');
  const processes = await servers({ DATABASE_URL: url }, 2);
  const [first] = processes;
  await install(stub, first);
  const client = new pg.Client(url);
  await client.connect();
  const ask = async (query: string): Promise<number> => Number((await client.query(query)).rows[0]?.value);
  const sizeOf = () => ask('select pg_database_size(current_database()) as value');
  const connections = () =>
    ask(
      `select count(*) as value from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );

  await pause(IDLE);
  const idle = await Promise.all(processes.map(residentOf));
  const idleTime = await Promise.all(processes.map(processorTimeOf));
  await pause(IDLE);
  const idleShare = (await Promise.all(processes.map(processorTimeOf))).map(
    (time, index) => ((time - (idleTime[index] ?? 0)) * 100_000) / IDLE,
  );
  const idleConnections = await connections();

  const users = await Promise.all(
    Array.from({ length: people }, (_, index) =>
      personAt(processes[index % processes.length] ?? first, `capacity-${index}`, String(30_000 + index)),
    ),
  );
  const before = { size: await sizeOf(), time: await Promise.all(processes.map(processorTimeOf)), at: Date.now() };
  let most = idle;
  let mostConnections = 0;
  let left = changes;
  const write = async (user: BenchUser) => {
    while (left-- > 0) await user.tick();
  };
  const watch = async () => {
    while (left > 0) {
      const now = await Promise.all(processes.map(residentOf));
      most = most.map((bytes, index) => Math.max(bytes, now[index] ?? 0));
      mostConnections = Math.max(mostConnections, await connections());
      await pause(1_000);
    }
  };
  await Promise.all([watch(), ...users.map(write)]);
  const took = (Date.now() - before.at) / 1_000;
  const times = await Promise.all(processes.map(processorTimeOf));
  const used = times.reduce((sum, time, index) => sum + time - (before.time[index] ?? 0), 0);
  await client.query('vacuum analyze');
  const grown = (await sizeOf()) - before.size;
  await client.end();
  const streams = await streamMemory(first, STREAMS);

  const lines = [
    ['memory of a process, idle', `${idle.map(megabytes).join(' and ')} MB`],
    ['memory of a process, most under load', `${most.map(megabytes).join(' and ')} MB`],
    ['processor of a process, idle', `${idleShare.map(share => share.toFixed(1)).join(' and ')} %`],
    ['processor for a change', `${((used / changes) * 1_000).toFixed(1)} ms`],
    ['changes a second', (changes / took).toFixed(0)],
    ['connections of both processes, idle / most', `${idleConnections} / ${mostConnections}`],
    ['database for 10,000 versions of 30 rows', `${megabytes((grown / changes) * 10_000)} MB`],
    ['memory of an open stream', `${(streams / 1_024).toFixed(1)} KB`],
  ];
  process.stdout.write(
    `${changes} changes of ${people} people, database and load on the same machine.\n\n${table(['Figure', 'Measured'], lines)}\n`,
  );
});
