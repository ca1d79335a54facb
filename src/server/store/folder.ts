import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Thrown if another process uses the folder: two on one embedded database lose data silently. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Creates one folder; resolves with false if the one above it is missing. */
async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    const isThere = codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory();
    if (!isThere) throw error;
  }
  return true;
}

/**
 * Creates a folder for this process alone, with those above it, if it is missing. Below `/proc`, Node's own would try
 * for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await makeOne(folder)) return;
  await makeFolder(dirname(folder));
  if (await makeOne(folder)) return;
  throw Object.assign(new Error(`the folder ${folder} cannot be made`), { code: 'ENOENT', syscall: 'mkdir' });
}

/** Lock files of this process. */
const heldLocks = new Set<string>();

/** Locks the folder for this process, creating it if needed. Resolves with the function that unlocks it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'process.pid');
  const draft = `${file}.${randomUUID()}`;
  await makeFolder(folder);
  for (;;) {
    try {
      await writeFile(draft, String(process.pid), { mode: 0o600 });
      // Atomic: an empty lock file would name no process.
      await link(draft, file);
      heldLocks.add(file);
      return async () => {
        heldLocks.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    // After a crash in a container the file may hold this process's own id.
    if (heldLocks.has(file) || (pid > 0 && pid !== process.pid && isAlive(pid))) {
      throw new FolderInUse(`Process ${pid} works in ${folder}. Stop it, or remove ${file} if it is not ours.`);
    }
    await rm(file, { force: true });
  }
}
