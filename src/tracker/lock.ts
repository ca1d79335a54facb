import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseAs } from '../domain/shape.ts';

/** Another running process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or set TRACKER_DATA to another folder.`,
    );
  }
}

const holderShape = v.object({ pid: v.pipe(v.number(), v.safeInteger(), v.gtValue(0)), started: v.string() });
type Holder = v.InferOutput<typeof holderShape>;

/**
 * Locks the folder for this process, since the embedded database would let two processes overwrite each other. A dead
 * process's lock is taken over. Resolves with the function that releases it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'lock.json');
  const draft = `${file}.${randomUUID()}`;
  const ownHolder: Holder = { pid: process.pid, started: await startOf(process.pid) };
  for (;;) {
    try {
      await writeFile(draft, JSON.stringify(ownHolder));
      // Created atomically: an empty file would look like a dead process's lock.
      await link(draft, file);
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const holder = await readHolder(file);
    if (holder && (await isAlive(holder))) throw new FolderInUse(folder, holder.pid);
    await rm(file, { force: true });
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    return parseAs(holderShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return started === (await startOf(pid));
}

/** When a process started, if the system says so: its id may have been reused since. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
