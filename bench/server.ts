import { join } from 'node:path';
import pg from 'pg';
import { amount, compare, given, numberIn } from './comparison.ts';
import { table } from './measure.ts';
import { bareEmbedded, barePostgres } from './server/bare.ts';
import { head, line, quantiles, trackersTime } from './server/figures.ts';
import { withHarness } from './server/harness.ts';
import { callsSince, type Running } from './server/programs.ts';
import { streamDelays, streamMemory } from './server/streams.ts';
import { type BenchUser, install, personAt } from './server/users.ts';

/*
 * What one change and one reading cost at the built server, on both kinds of database, with one process and with two,
 * beside the bare database's own update, all in one run. `npm run bench:server [CLIENTS] [ROUNDS]`
 */

const clients = Number(given[0] ?? amount(8, 2));
const rounds = Number(given[1] ?? amount(25));
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;
const STREAMS = amount(500, 10);

/**
 * Latency of one client at a time; rates and processor time of all at once, since they share the machine with the
 * servers.
 */
async function serverLines(
  name: string,
  stub: Running,
  servers: readonly [Running, ...Running[]],
  analyze: () => Promise<void> = async () => {},
): Promise<string[][]> {
  const [first] = servers;
  await install(stub, first);
  const account = (index: number) => `${name}-${index}`.replaceAll(/\W/g, '-');
  const people = await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      personAt(servers[index % servers.length] ?? first, account(index), String(10_000 + index)),
    ),
  );
  const tick = (person: BenchUser) => person.tick();
  const read = (person: BenchUser) => person.read();
  for (const person of people) for (let round = 0; round < 10; round++) await person.tick();
  await analyze();
  const measure = (what: string, work: typeof tick | typeof read, atOnce: boolean) =>
    line(`${name}: ${what}`, stub, servers, { people, work, rounds, atOnce });
  return [
    await measure('change, one at a time', tick, false),
    await measure(`change, ${clients} at once`, tick, true),
    await measure('read, one at a time', read, false),
    await measure(`read, ${clients} at once`, read, true),
  ];
}

await withHarness(LATENCY, async ({ stub, folder, database, servers }) => {
  const onPostgres = async (name: string, count?: number) => {
    const url = await database(name);
    return { url, running: await servers({ DATABASE_URL: url }, count) };
  };
  // Autovacuum analyses tables within a minute.
  const analyzing = (url: string) => async () => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query('analyze');
    await client.end();
  };
  const rows = [
    ...(await barePostgres(await database('bare'), clients, rounds)),
    await bareEmbedded(join(folder, 'bare'), rounds * clients),
  ];
  const one = await onPostgres('one');
  const ours = await serverLines('PostgreSQL, one process', stub, one.running, analyzing(one.url));
  for (const [index, how] of ['one at a time', `${clients} at once`].entries())
    for (const [column, quantile] of [
      [1, 'p50'],
      [2, 'p95'],
    ] as const)
      compare({
        what: `a change, ${how}, ${quantile}`,
        ours: numberIn(ours[index]?.[column]),
        beside: 'a bare update and insert',
        other: numberIn(rows[index]?.[column]),
        unit: 'ms',
        goal: 4,
      });
  rows.push(...ours);
  const { url, running: two } = await onPostgres('two', 2);
  rows.push(...(await serverLines('PostgreSQL, two processes', stub, two, analyzing(url))));
  const embedded = await servers({ DATABASE_URL: '', DATA_DIR: join(folder, 'embedded') });
  rows.push(...(await serverLines('embedded database', stub, embedded)));

  const [here, there = here] = two;
  const writer = await personAt(here, 'writer', '20000');
  await callsSince(stub);
  const samples = await streamDelays(writer, there, rounds);
  const calls = await callsSince(stub);
  const delays = quantiles(samples.map(each => each.to - each.from - trackersTime(each, calls)));
  // A fresh server: garbage of earlier work would be subtracted.
  const [fresh] = (await onPostgres('streams')).running;
  await install(stub, fresh);
  const memory = await streamMemory(fresh, STREAMS);
  process.stdout.write(
    `Times without the tracker's, whose calls take ${LATENCY} ms and more. Load, servers and database share ` +
      `this machine:\ntimes are to be read from one client at a time, rates and processor time from ${clients} at once.\n\n` +
      `${table(head, rows)}\n\n` +
      `From a change at one process until a stream at another one tells of it, without the tracker's time: ` +
      `p50 ${delays[0]}, p95 ${delays[1]}.\n` +
      `Memory of an open stream: ${(memory / 1024).toFixed(1)} KB (of ${STREAMS}).\n`,
  );
});
