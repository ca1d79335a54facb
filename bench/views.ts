import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { amount, given as words } from './comparison.ts';
import { table } from './measure.ts';
import { bareLines, type Query } from './server/bare.ts';
import { head, line } from './server/figures.ts';
import { withHarness } from './server/harness.ts';
import type { Running } from './server/programs.ts';
import { install } from './server/users.ts';
import { screenLines } from './views/screen.ts';
import { type Assignee, assigneeAt, bareQueries, deepCursor, FILL, ISSUES, ITEMS } from './views/site.ts';
import { treeLines } from './views/tree.ts';

/*
 * The cost of a user's 10,000 assigned items at the built server, on both kinds of database, beside the bare database's
 * own queries for the same rows; and in a real browser their page, and a tree of 500 issues beside a plain React list.
 * `npm run bench:views [ROUNDS] [server | screens | tree]`
 */

const [given = ''] = words.filter(argument => Number.isNaN(Number(argument)));
const rounds = Number(words.find(argument => !Number.isNaN(Number(argument))) ?? amount(60));
/** Milliseconds of each call to the tracker. */
const LATENCY = 5;

async function serverLines(name: string, stub: Running, server: Running): Promise<string[][]> {
  const lines: string[][] = [];
  const measure = async (what: string, work: (person: Assignee) => Promise<unknown>) => {
    // One account per line: the server limits an account's requests per minute.
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

const bare = (name: string, query: Query) => bareLines(name, query, bareQueries, rounds);

const servers = () =>
  withHarness(LATENCY, async ({ stub, folder, database, servers }) => {
    const DATABASE_URL = await database('views');
    const [onPostgres] = await servers({ DATABASE_URL });
    await install(stub, onPostgres);
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    await client.query(FILL);
    await client.query('analyze assigned_item');
    const rows = await serverLines('PostgreSQL', stub, onPostgres);
    rows.push(...(await bare('PostgreSQL', (sql, values) => client.query(sql, values))));
    await client.end();

    // The embedded database's folder is for one process at a time.
    const DATA_DIR = join(folder, 'embedded');
    const [first] = await servers({ DATABASE_URL: '', DATA_DIR });
    await install(stub, first);
    await first.stop();
    const filling = await PGlite.create(join(DATA_DIR, 'pg'));
    await filling.exec(FILL);
    await filling.exec('analyze assigned_item');
    await filling.close();
    const [embedded] = await servers({ DATABASE_URL: '', DATA_DIR });
    rows.push(...(await serverLines('embedded database', stub, embedded)));
    await embedded.stop();
    const pglite = await PGlite.create(join(DATA_DIR, 'pg'));
    rows.push(...(await bare('embedded database', (sql, values) => pglite.query(sql, values))));
    await pglite.close();
    process.stdout.write(
      `${ITEMS} items of one person on ${ISSUES} issues, pages of 100, one client at a time. Times without the tracker's, whose\n` +
        `calls take ${LATENCY} ms and more. Load, servers and database share this machine.\n\n${table(head, rows)}\n\n`,
    );
  });

const wanted = (part: string) => given === '' || given === part;
if (wanted('server')) await servers();
if (wanted('screens')) {
  const rows = await screenLines();
  process.stdout.write(`${table(['the page of 10,000 items, in a browser', 'median', 'p95'], rows)}\n\n`);
}
if (wanted('tree')) {
  const rows = await treeLines();
  process.stdout.write(`${table(['a tree of 500 issues, in a browser', 'median', 'p95'], rows)}\n`);
}
