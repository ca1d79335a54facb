import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isAlive } from '../../src/server/store/folder.ts';
import { buildFault } from './built.ts';

/** Bytes for a run's databases, browsers and pictures. */
const NEEDED = 2 * 2 ** 30;
const PREFIX = 'checklist-run-';

/** Removes a folder, except where a terminating program still writes: the next run removes the rest. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

/** Ends the run with one line, without a stack trace. */
function refuse(message: string): never {
  const error = new Error(message);
  error.stack = '';
  throw error;
}

/**
 * Gives the run a temporary folder, removed at its end; removes those of dead runs. Rejects where there is too little
 * room, or where the programs that the tests run are not built from these sources.
 */
export default async function preflight({ name }: TestProject): Promise<void> {
  const fault = ['browser', 'chaos'].includes(name) && buildFault();
  if (fault) refuse(`${fault}. Run: npm run build:all`);
  const { pid } = process;
  const all = tmpdir();
  if (all.endsWith(`${PREFIX}${pid}`)) return;
  for (const entry of readdirSync(all)) {
    const owner = entry.startsWith(PREFIX) ? Number(entry.slice(PREFIX.length)) : 0;
    if (owner > 0 && (owner === pid || !isAlive(owner))) remove(join(all, entry));
  }
  const { bavail, bsize } = await statfs(all);
  if (bavail * bsize < NEEDED) {
    const free = Math.floor((bavail * bsize) / 2 ** 20);
    refuse(`${all} has ${free} MB left, and the tests need ${NEEDED / 2 ** 20} MB. Make room, or set TMPDIR.`);
  }
  const folder = join(all, `${PREFIX}${pid}`);
  mkdirSync(folder, { recursive: true });
  // PostgreSQL does not run as root, and needs access.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
}
