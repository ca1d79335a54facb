import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A data folder with a copy of the run's embedded database, which has the app's tables: creating one takes seconds. */
export async function embeddedFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-embedded-'));
  cpSync(inject('pgliteFolder'), join(folder, 'pg'), { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
