import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../../node_modules');
const cache = join(modules, '.cache');

/**
 * A cached folder filled by `make`, once per version of an npm package. It appears atomically: another run may be
 * creating the same.
 */
export async function cached(
  name: string,
  packageName: string,
  make: (draft: string, folder: string) => Promise<void>,
) {
  const { version } = JSON.parse(await readFile(join(modules, packageName, 'package.json'), 'utf8'));
  const folder = join(cache, `${name}-${version}`);
  if (await stat(folder).catch(() => undefined)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, `${name}-draft-`));
  try {
    await make(draft, folder);
    await rename(draft, folder).catch(error => {
      if (error.code !== 'ENOTEMPTY') throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
