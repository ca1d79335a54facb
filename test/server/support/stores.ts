import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { beforeAll, describe, inject } from 'vitest';
import { listenEmbedded } from '../../../src/server/store/listen.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { pgliteTransactions } from '../../../src/server/store/pglite.ts';
import { createStore, type Store } from '../../../src/server/store/store.ts';

/** A fresh database for one test file. */
export interface TestStore {
  store: Store;
  /** Straight to the database, past everything of ours. */
  raw(sql: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>;
  /** A second store on the same database, as another process would open it. Only where that is possible. */
  second?(): Promise<Store>;
  /** The database's address, where it has one. */
  url?: string;
  close(): Promise<void>;
}

export async function embedded(): Promise<TestStore> {
  const pglite = await PGlite.create('memory://', { loadDataDir: new Blob([await readFile(inject('pglite'))]) });
  const connection = {
    ...pgliteTransactions(pglite),
    listen: listenEmbedded(pglite),
    close: () => pglite.close(),
  };
  const store = await createStore(connection, { guard: true });
  return {
    store,
    raw: async (sql, parameters) => (await pglite.query<Record<string, unknown>>(sql, parameters)).rows,
    close: () => store.close(),
  };
}

export async function server(): Promise<TestStore> {
  const url = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client(`${url}/postgres`);
  await admin.connect();
  await admin.query(`create database ${name}`);
  // It goes with the server, at the end of the run.
  await admin.end();
  const open = () =>
    openStore({
      databaseUrl: `${url}/${name}`,
      folder: '',
      guard: true,
      onError: error => {
        throw error;
      },
    });
  const opened: Store[] = [await open()];
  const client = new pg.Client(`${url}/${name}`);
  await client.connect();
  const [store] = opened;
  if (!store) throw new Error('No store.');
  return {
    store,
    url: `${url}/${name}`,
    raw: async (sql, parameters) => (await client.query<Record<string, unknown>>(sql, parameters)).rows,
    second: async () => {
      const another = await open();
      opened.push(another);
      return another;
    },
    async close() {
      for (const each of opened) await each.close();
      await client.end();
    },
  };
}

/** Runs the same tests on the embedded database and on a PostgreSQL server; `use` gives this file's database. */
export function onBothStores(tests: (use: () => TestStore) => void): void {
  describe.each([
    ['PGlite', embedded],
    ['PostgreSQL', server],
  ] as const)('%s', (_name, open) => {
    let opened: TestStore | undefined;
    // Closed by what is returned here: the last of all, after what the tests opened on it.
    beforeAll(async () => {
      const store = await open();
      opened = store;
      return () => store.close();
    }, 30_000);
    tests(() => {
      if (!opened) throw new Error('The store is not open.');
      return opened;
    });
  });
}
