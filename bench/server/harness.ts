import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../test/run/free-port.ts';
import { startPostgres } from '../../test/server/support/postgres.ts';
import { type Running, startServer, startStub } from './programs.ts';

/** The environment of measured servers: a stub of a tracker, a PostgreSQL that writes to disk, and a folder. */
export interface Harness {
  stub: Running;
  /** For embedded databases; removed at the end. */
  folder: string;
  /** The address of a fresh database in PostgreSQL. */
  database(name: string): Promise<string>;
  /** Processes of the built server on one database, behind the first one's address. */
  servers(
    database: { DATABASE_URL: string; DATA_DIR?: string; METER_PORT?: string },
    count?: number,
    folder?: string,
  ): Promise<[Running, ...Running[]]>;
}

const address = async () => `http://127.0.0.1:${await freePort()}`;

/**
 * Runs some work in a harness whose tracker has the given latency in milliseconds, and cleans up, also when
 * interrupted.
 */
export async function withHarness(latency: number, work: (bed: Harness) => Promise<void>): Promise<void> {
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // What is under way then fails, as its server ends: this is why.
      process.stderr.write(`Ended by ${signal}.\n`);
      void end().finally(() => process.exit(1));
    });
  }
  try {
    const stub = keep(await startStub(latency));
    const postgres = keep(await startPostgres({ durable: true }));
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    const env = { INSTALL_KEYS_URL: `${stub.url}/install-keys`, TENANT_HOSTS: 'localhost', ENCRYPTION_KEY };
    await work({
      stub,
      folder,
      async database(name) {
        const admin = new pg.Client(`${postgres.url}/postgres`);
        await admin.connect();
        await admin.query(`create database ${name}`);
        await admin.end();
        return `${postgres.url}/${name}`;
      },
      async servers(database, count = 1, folder = 'dist/server') {
        const BASE_URL = await address();
        const start = async (url: string) =>
          keep(await startServer({ ...env, ...database, BASE_URL, PORT: new URL(url).port }, folder));
        const servers: [Running, ...Running[]] = [await start(BASE_URL)];
        while (servers.length < count) servers.push(await start(await address()));
        return servers;
      },
    });
  } finally {
    await end();
  }
}
