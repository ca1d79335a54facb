import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { cached } from '../run/cache.ts';

/**
 * Starts a headless Chromium with additional flags. It comes from an npm package, so that tests need no browser on the
 * machine; `CHROMIUM_PATH` names another one.
 */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const own = process.env.CHROMIUM_PATH;
  const { args = [], ...options } = own ? { executablePath: own } : await packedChromium();
  return chromium.launch({ ...options, args: [...args, ...flags] });
}

/** Unpacks the packed Chromium once per version. */
async function packedChromium() {
  const folder = await cached('chromium', '@sparticuz/chromium', async (draft, folder) => {
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
      // The package unpacks into the temporary folder, and its libraries only if it detects Lambda.
      { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' } },
    );
    await writeFile(join(draft, 'fonts.conf'), fontsConfig(folder));
  });
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
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
