import { randomUUID } from 'node:crypto';
import { access, constants, copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';

/**
 * Hashed files of several builds in one folder, flat, for all processes of a machine. A file's time says when a build last
 * had it: each process sets that of its own, at its start and daily.
 */
export interface AssetOptions {
  /** The folder of the built client. */
  clientDir: string;
  /** The shared folder; it is made if it is missing. */
  folder: string;
  log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const DAY_MS = 86_400_000;
/** A file is kept for this time after the last build that had it, as no page is open for longer. */
const RETENTION_MS = 30 * DAY_MS;

/** The name of a hashed file (vite.config.ts). */
const hashed = /^[A-Za-z0-9_][\w.-]*-[\w-]{6,8}\.[a-z0-9]+$/;
/** The name under which a file is written. */
const unfinished = /^\.[\w.-]+\.unfinished$/;

/** Whether a path below `/assets/` can name a file of the shared folder. */
export const isHashed = (path: string): boolean => hashed.test(path.replace(/^\//, '')) && !path.endsWith('.map');

const names = v.optional(v.array(v.string()), []);
/** The bundler's list of the files of a build, with their paths in its folder. */
const manifestShape = v.record(v.string(), v.object({ file: v.string(), css: names, assets: names }));

/** The names of a build's hashed files. */
async function filesOf(clientDir: string): Promise<string[]> {
  const text = await readFile(join(clientDir, '.vite/manifest.json'), 'utf8');
  const chunks = parseAs(manifestShape, JSON.parse(text), problem => new Error(`The build's manifest: ${problem}`));
  const paths = Object.values(chunks).flatMap(({ file, css, assets }) => [file, ...css, ...assets]);
  return [...new Set(paths)]
    .filter(path => path.startsWith('assets/'))
    .map(path => path.slice('assets/'.length))
    .filter(isHashed);
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** Sets a file's time. Returns whether it could: the file may be another user's. */
const touch = (path: string, time: Date): Promise<boolean> =>
  utimes(path, time, time).then(
    () => true,
    () => false,
  );

/** Writes a file under another name and renames it: no process sees a part of it. */
async function copy(from: string, folder: string, name: string, time: Date): Promise<void> {
  const written = join(folder, `.${name}.${randomUUID()}.unfinished`);
  try {
    await copyFile(from, written);
    await touch(written, time);
    await rename(written, join(folder, name));
  } catch (error) {
    await rm(written, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Removes files that no build has had for 30 days, and unfinished files of killed processes. */
async function dropOld(folder: string, now: number): Promise<number> {
  let dropped = 0;
  for (const name of await readdir(folder)) {
    const age = isHashed(name) ? RETENTION_MS : unfinished.test(name) ? DAY_MS : Number.POSITIVE_INFINITY;
    const file = join(folder, name);
    // Another process may be the first.
    const fileStats = await stat(file).catch(() => undefined);
    if (!fileStats?.isFile() || fileStats.mtimeMs >= now - age) continue;
    await rm(file, { force: true });
    dropped += 1;
  }
  return dropped;
}

/**
 * Puts this build's hashed files into the shared folder, and drops what no build needs any more. A folder that cannot be
 * written, or is full, costs a line in the log.
 */
export async function shareAssets({ clientDir, folder, log, now = Date.now }: AssetOptions): Promise<void> {
  const time = new Date(now());
  try {
    await mkdir(folder, { recursive: true });
    for (const name of await filesOf(clientDir)) {
      const from = join(clientDir, 'assets', name);
      const [own, shared] = await Promise.all([sizeOf(from), sizeOf(join(folder, name))]);
      if (own !== shared || !(await touch(join(folder, name), time))) await copy(from, folder, name, time);
    }
    const dropped = await dropOld(folder, time.getTime());
    if (dropped > 0) log.info({ folder, dropped }, 'dropped files of old builds');
  } catch (error) {
    log.error({ err: error, folder }, 'the files of this build are not shared: pages of it break where it ends');
  }
}

/** Whether files can be served from a folder. */
export const isReadable = (folder: string): Promise<boolean> =>
  Promise.all([stat(folder), access(folder, constants.R_OK | constants.X_OK)]).then(
    ([found]) => found.isDirectory(),
    () => false,
  );

/** Shares the files of this build now and daily. Returns the function that stops it. */
export async function startSharing(options: AssetOptions): Promise<() => void> {
  await shareAssets(options);
  const timer = setInterval(() => void shareAssets(options), DAY_MS).unref();
  return () => clearInterval(timer);
}
