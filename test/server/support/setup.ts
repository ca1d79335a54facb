import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of a PostgreSQL server for the run. */
    postgres: string;
    /** File with a fresh PGlite data folder: much faster to load than to make. */
    pglite: string;
  }
}

/** Once a run: a PostgreSQL server, and an empty embedded database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-test-'));
  const file = join(folder, 'pglite.tar');
  const embedded = async () => {
    const pglite = await PGlite.create('memory://');
    const dump = await pglite.dumpDataDir('none');
    await writeFile(file, Buffer.from(await dump.arrayBuffer()));
    await pglite.close();
  };
  const [server] = await Promise.all([startPostgres(), embedded()]);
  project.provide('postgres', server.url);
  project.provide('pglite', file);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
