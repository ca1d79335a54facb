import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../../src/server/store/open.ts';
import { copyEmptyDatabase } from '../../run/embedded.ts';
import { createDatabase, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server. */
    postgres: string;
    /** Its address by a Unix socket, which costs less than loopback. */
    postgresSocket: string;
    /** Name of a database with the app's tables, used as a template. */
    template: string;
    /** File with an embedded database that has the app's tables: loading it is faster than migrating. */
    pglite: string;
    /** The folder of that database, closed. */
    pgliteFolder: string;
  }
}

const TEMPLATE = 'template_checklist';

const onError = (error: Error) => {
  throw error;
};

async function migratedServer() {
  const server = await startPostgres({ shortLived: true });
  const databaseUrl = await createDatabase(server.url, { name: TEMPLATE });
  const store = await openStore({ databaseUrl, folder: '', onError });
  await store.close();
  return server;
}

async function migratedFile(folder: string): Promise<string> {
  await copyEmptyDatabase(join(folder, 'pg'));
  const store = await openStore({ databaseUrl: undefined, folder, onError });
  await store.close();
  const pglite = await PGlite.create(join(folder, 'pg'));
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  const file = join(folder, 'pglite.tar');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  return file;
}

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  const [server, pglite] = await Promise.all([migratedServer(), migratedFile(folder)]);
  let stopped: Promise<unknown> | undefined;
  const stop = () => Promise.all([server.stop(), rm(folder, { recursive: true, force: true })]);
  return {
    postgres: server.url,
    socket: server.socket,
    pglite,
    pgliteFolder: join(folder, 'pg'),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Shared by the projects, which have their own instances of this module. */
const shared = globalThis as { checklistDatabases?: ReturnType<typeof start> };

/** Starts the run's PostgreSQL server and creates an embedded database, each with the app's tables to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  shared.checklistDatabases ??= start();
  const { postgres, socket, pglite, pgliteFolder, stop } = await shared.checklistDatabases;
  project.provide('postgres', postgres);
  project.provide('postgresSocket', socket);
  project.provide('template', TEMPLATE);
  project.provide('pglite', pglite);
  project.provide('pgliteFolder', pgliteFolder);
  return stop;
}
