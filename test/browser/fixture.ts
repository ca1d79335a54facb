import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { full } from '../run/seed.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { launchChromium } from './chromium.ts';
import type { Options } from './programs.ts';
import { picture, type Site, startSite } from './site.ts';

/** The worker's browser, for one file after the other. It ends with the worker. */
let browser: Browser | undefined;

/**
 * A site for the tests of a file. `begin` runs before the first; where one fails, there is a picture of each visitor's
 * page. `options` are asked for when the programs start. The server works on PostgreSQL, which is faster, and in the
 * nightly run on the embedded database.
 */
export function onSite(
  begin: (site: Site) => Promise<unknown> | undefined,
  options: () => Options | Promise<Options> = () => ({}),
): void {
  let site: Site | undefined;
  const pages: Page[] = [];
  beforeAll(async () => {
    if (!browser?.isConnected()) browser = await launchChromium();
    const started = await startSite({
      browser,
      ...(!full && { createDatabase: () => createDatabase(inject('postgres'), { template: inject('template') }) }),
      ...(await options()),
    });
    site = started;
    await begin({
      ...started,
      visitor: async (name, options) => {
        const page = await started.visitor(name, options);
        pages.push(page);
        return page;
      },
    });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const open = pages.filter(page => !page.isClosed());
    await Promise.all(open.map((page, index) => picture(page, `failed ${task.name} ${index + 1}`)));
  });
  afterAll(() => site?.stop());
}
