import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { amount, given } from './comparison.ts';
import { table } from './measure.ts';
import { bareLines, type Query } from './server/bare.ts';
import { head, line } from './server/figures.ts';
import { withHarness } from './server/harness.ts';
import type { Running } from './server/programs.ts';
import { install, signIn } from './server/users.ts';
import { screens } from './templates/screens.ts';
import { type Administrator, administrator, bareQueries, fill } from './templates/site.ts';

/*
 * A site of 1,000 templates and 200 statuses: the cost of its lists at the built server, on both kinds of database,
 * beside the bare database's own queries for the same rows; and the latency of its screens in a real browser, beside
 * plain React lists of the same rows. `npm run bench:templates [ROUNDS] [server|screens]`
 */

const rounds = Number(given.find(argument => /^\d+$/.test(argument)) ?? amount(100));
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

async function serverLines(name: string, stub: Running, server: Running): Promise<string[][]> {
  await install(stub, server);
  const at = async (account: string) => administrator((await signIn(server, account)).graphql);
  await fill(await at('first'));
  const lines: string[][] = [];
  const measure = async (what: string, work: (person: Administrator) => Promise<unknown>) => {
    // One account per line: the server limits an account's requests per minute.
    const people = [await at(`administrator-${lines.length}`)];
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

const bare = (name: string, query: Query) => bareLines(name, query, bareQueries, rounds);

const servers = () =>
  withHarness(LATENCY, async ({ stub, folder, database, servers }) => {
    const DATABASE_URL = await database('templates');
    const [onPostgres] = await servers({ DATABASE_URL });
    const rows = await serverLines('PostgreSQL', stub, onPostgres);
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    rows.push(...(await bare('PostgreSQL', (sql, values) => client.query(sql, values))));
    await client.end();

    const DATA_DIR = join(folder, 'embedded');
    const [embedded] = await servers({ DATABASE_URL: '', DATA_DIR });
    rows.push(...(await serverLines('embedded database', stub, embedded)));
    // Its folder is for one process at a time.
    await embedded.stop();
    const pglite = await PGlite.create(join(DATA_DIR, 'pg'));
    rows.push(...(await bare('embedded database', (sql, values) => pglite.query(sql, values))));
    await pglite.close();
    process.stdout.write(
      `1,000 templates, 200 statuses, one client at a time. Times without the tracker's, whose calls take ${LATENCY} ms\n` +
        `and more. Load, servers and database share this machine.\n\n${table(head, rows)}\n\n`,
    );
  });

if (!given.includes('screens')) await servers();
if (!given.includes('server')) await screens();
