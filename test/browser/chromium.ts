import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const cache = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Starts a headless Chromium, with further flags if need be. It comes out of an npm package, so that a test run needs no
 * browser on the machine; `CHROMIUM_PATH` names another one.
 */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const own = process.env.CHROMIUM_PATH;
  const { args = [], ...options } = own ? { executablePath: own } : await packedChromium();
  return chromium.launch({ ...options, args: [...args, ...flags] });
}

/** Unpacks the packed Chromium once per version, whole or not at all: others may be doing the same. */
async function packedChromium() {
  const { version } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  const folder = join(cache, `chromium-${version}`);
  const done = join(folder, 'fonts.conf');
  if (!(await readFile(done).catch(() => undefined))) {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'chromium-'));
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
      // The package unpacks into the temporary folder, and its libraries only where it believes itself on Lambda.
      { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' } },
    );
    await writeFile(join(fresh, 'fonts.conf'), fontsConfig(folder));
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: done,
    } as Record<string, string>,
  };
}

/** The packed fonts and those of the machine, if it has any. */
const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fontcache</cachedir>
</fontconfig>
`;
