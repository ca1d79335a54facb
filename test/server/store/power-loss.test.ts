import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/server/store/open.ts';
import { startApp } from '../support/app.ts';
import { add, newIssue } from '../support/checklists.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts';

/** Clients, and how often the database's processes are killed. */
const CLIENTS = 4;
const KILLS = 3;
/** Acknowledged changes between two kills. */
const BETWEEN = 12;

/** What is killed in the middle of commits. */
const kills: Readonly<Record<string, (server: PostgresServer, url: string) => Promise<void>>> = {
  async 'a process of a connection'(_server, url) {
    // One process that dies makes the server end all others at once, and recover from its log.
    const [victim] = await backends(url);
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
  },
  async 'the server itself'(server) {
    server.kill();
  },
};

test.each(Object.keys(kills))(
  'every acknowledged change is there after a kill of %s',
  async what => {
    const server = await startPostgres({ durable: true });
    onTestFinished(() => server.stop());
    const databaseUrl = await createDatabase(server.url);
    const store = await openStore({ databaseUrl, folder: '', onError: () => {} });
    const it = await startApp(store);
    const issues = await Promise.all(Array.from({ length: CLIENTS }, () => newIssue(it)));
    for (const issue of issues) await issue.edit(add('- first'));

    const acknowledged: string[] = [];
    const over = new AbortController();
    let lost = 0;
    const clients = issues.map(async (issue, number) => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const id = `client-${number}-${turn}`;
        // Sent again until it is acknowledged, as the outbox does.
        for (;;) {
          const made = await issue
            .read()
            .then(now => issue.change(add(`- ${id}`), now, id))
            .catch(() => undefined);
          if (made) break;
          lost += 1;
          await pause(50);
        }
        acknowledged.push(id);
      }
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const from = acknowledged.length;
      while (acknowledged.length < from + BETWEEN) await pause(5);
      await kills[what]?.(server, databaseUrl);
    }
    over.abort();
    await Promise.all(clients);

    const after = new pg.Client(databaseUrl);
    await after.connect();
    const { rows } = await after.query<{ client: string; count: string }>(
      "select client, count(*) from revision where client like 'client-%' group by client",
    );
    await after.end();
    expect(lost).toBeGreaterThan(0);
    expect(new Set(rows.map(row => row.client))).toEqual(new Set(acknowledged));
    expect(rows.every(({ count }) => count === '1')).toBe(true);
    for (const [number, issue] of issues.entries()) {
      const text = await issue.text();
      for (const id of acknowledged.filter(each => each.startsWith(`client-${number}-`))) expect(text).toContain(id);
    }
    await it.app.close();
    await store.close();
  },
  120_000,
);

/** The processes of the database that serve connections of its clients. */
async function backends(url: string): Promise<number[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()",
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}
