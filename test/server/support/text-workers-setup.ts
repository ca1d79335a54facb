import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the folder with the built programs of worker threads. */
    textWorkers: string;
  }
}

const root = join(import.meta.dirname, '../../..');

/** Builds the programs of worker threads once: from source, each thread takes more than a second to start. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'text-workers-'));
  await build({
    ...{ configFile: false, root, logLevel: 'error' },
    build: {
      ...{ ssr: true, outDir, emptyOutDir: false, target: 'node20' },
      rolldownOptions: {
        input: {
          entry: join(root, 'src/server/text-workers/entry.ts'),
          'trapped-entry': join(root, 'test/server/text-workers/trapped-entry.ts'),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
    // Packages are not found from that folder.
    ssr: { noExternal: true },
  });
  project.provide('textWorkers', `${pathToFileURL(outDir)}/`);
  return () => rm(outDir, { recursive: true, force: true });
}
