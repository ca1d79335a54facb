import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTimeout } from '../../domain/timing.ts';

/** Thrown where another process uses the folder: two on one embedded database lose data silently. */
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

/** Milliseconds. */
const MAKE_TIMEOUT = 10_000;

/** Creates a folder for this process alone, where it is missing. Below `/proc`, Node tries for ever. */
export async function makeFolder(folder: string): Promise<void> {
  const made = mkdir(folder, { recursive: true, mode: 0o700 });
  const reason = { code: 'ENOENT', syscall: 'mkdir' };
  await withTimeout(made, MAKE_TIMEOUT, () => Object.assign(new Error(`the folder ${folder} cannot be made`), reason));
}

/** Lock files of this process. */
const held = new Set<string>();

/** Locks the folder for this process, creating it where needed. Resolves with the function that unlocks it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'process.pid');
  const draft = `${file}.${randomUUID()}`;
  await makeFolder(folder);
  for (;;) {
    try {
      await writeFile(draft, String(process.pid), { mode: 0o600 });
      // Atomic: an empty lock file would name no process.
      await link(draft, file);
      held.add(file);
      return async () => {
        held.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    // After a crash in a container the file may hold this process's own id.
    if (held.has(file) || (pid > 0 && pid !== process.pid && isAlive(pid))) {
      throw new FolderInUse(`Process ${pid} works in ${folder}. Stop it, or remove ${file} if it is not ours.`);
    }
    await rm(file, { force: true });
  }
}
