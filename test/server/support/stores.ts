import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { beforeAll, describe, inject } from 'vitest';
import { listenEmbedded } from '../../../src/server/store/listen.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { pgliteTransactions } from '../../../src/server/store/pglite.ts';
import { createStore, type Store } from '../../../src/server/store/store.ts';
import { full } from '../../run/seed.ts';
import { createDatabase } from './postgres.ts';
import { recordStatements } from './statements.ts';

/** A fresh database for one test file. */
export interface TestStore {
  store: Store;
  /** Runs SQL on the database, without the app's role. */
  raw(sql: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Opens a second store on the same database, as another process does; absent where that is not possible. */
  second?(): Promise<Store>;
  /** Address of the database, if it has one. */
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
  recordStatements();
  const url = await createDatabase(inject('postgresSocket'), { template: inject('template') });
  const open = () =>
    openStore({
      databaseUrl: url,
      folder: '',
      guard: true,
      onError: error => {
        throw error;
      },
    });
  const opened: Store[] = [await open()];
  const client = new pg.Client(url);
  await client.connect();
  const [store] = opened;
  if (!store) throw new Error('No store.');
  return {
    store,
    url,
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

const both = [
  ['PGlite', embedded],
  ['PostgreSQL', server],
] as const;

function onEach(stores: readonly (typeof both)[number][], tests: (use: () => TestStore) => void): void {
  describe.each(stores)('%s', (_name, open) => {
    let opened: TestStore | undefined;
    // Closed last, after the stores that tests opened on it.
    beforeAll(async () => {
      const store = await open();
      opened = store;
      return () => store.close();
    });
    tests(() => {
      if (!opened) throw new Error('The store is not open.');
      return opened;
    });
  });
}

/** Runs the same tests on the embedded database and on PostgreSQL. `use` returns the file's database. */
export const onBothStores = (tests: (use: () => TestStore) => void): void => onEach(both, tests);

/**
 * Runs tests on PostgreSQL in the gate, and on both databases in the nightly run. `statements.test.ts` prepares the
 * app's statements on both.
 */
export const onStore = (tests: (use: () => TestStore) => void): void => onEach(full ? both : both.slice(1), tests);

/** Stands for an object that exists once the tests run. */
export const later = <Value extends object>(get: () => Value | undefined): Value =>
  new Proxy({} as Value, {
    get(_, name) {
      const value = get();
      if (!value) throw new Error('The app is not started.');
      return Reflect.get(value, name);
    },
  });

/** `beforeAll` or `beforeEach`. */
export type Hook = (start: () => Promise<() => Promise<void>>) => void;

/** Stands for what a hook starts before tests, and closes after them. */
export function started<Value extends object>(
  hook: Hook,
  start: () => Promise<Value>,
  close: (value: Value) => Promise<unknown>,
): Value {
  let running: Value | undefined;
  hook(async () => {
    const value = await start();
    running = value;
    return async () => void (await close(value));
  });
  return later(() => running);
}
