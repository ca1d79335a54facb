import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject, vi } from 'vitest';
import { full } from '../run/seed.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { launchChromium } from './chromium.ts';
import { watchSite } from './left-behind.ts';
import { createPrograms, type Options, type Programs } from './programs.ts';
import { people, picture, type Site, siteOf } from './site.ts';

/** The worker's browser and programs, shared by its files. They end with the worker. */
let browser: Browser | undefined;
let shared: Programs | undefined;

/** The server runs on PostgreSQL, which is faster, and in the nightly run on the embedded database. */
const database: Options = full
  ? {}
  : { createDatabase: () => createDatabase(inject('postgres'), { template: inject('template') }) };

/** The text in each frame of a page, whether it takes itself for online, and its latest requests, for a failed test. */
async function shownBy(page: Page): Promise<string> {
  const frames = page.frames().map(frame =>
    frame
      .evaluate(() => {
        const latest = performance.getEntriesByType('resource').slice(-5);
        const requests = latest.map(({ name, duration }) => `  ${new URL(name).pathname} ${Math.round(duration)} ms`);
        const text = document.body.innerText.slice(0, 2_000);
        return [`${location.pathname}, ${navigator.onLine ? 'online' : 'offline'}`, text, ...requests].join('\n');
      })
      .catch(String),
  );
  const silent = new Promise<string[]>(resolve => setTimeout(resolve, 5_000, ['(no answer)']).unref());
  return (await Promise.race([Promise.all(frames), silent])).join('\n---\n');
}

/**
 * A site for the tests of a file. `begin` runs before the first; a failed test takes a screenshot of each visitor's
 * page, and prints what it shows. The add-on's server is shared by files, and sees each file's tracker as another site. With `options`, which are
 * evaluated when the programs start, the file has its own programs.
 */
export function onSite(
  begin: (site: Site) => Promise<unknown> | undefined,
  options?: () => Options | Promise<Options>,
): void {
  let programs: Programs | undefined;
  let site: Site | undefined;
  let left: ReturnType<typeof watchSite> | undefined;
  const pages: Page[] = [];
  beforeAll(async () => {
    if (!browser?.isConnected()) browser = await launchChromium();
    if (options) programs = await createPrograms({ ...database, ...(await options()) });
    else programs = shared ??= await createPrograms(database);
    await programs.start();
    const started = siteOf(programs, browser);
    site = started;
    left = watchSite(programs, started);
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
    await Promise.all(
      open.map(async (page, index) => {
        const name = `failed ${task.name} ${index + 1}`;
        await picture(page, name);
        process.stderr.write(`${name}:\n${await shownBy(page)}\n`);
      }),
    );
  });
  afterEach(() => left?.afterTest());
  afterAll(async () => {
    try {
      await site?.stop();
      await left?.afterFile();
    } finally {
      await (options ? programs?.stop() : programs?.tracker.kill());
    }
  });
}

/** A site (`onSite`) for two users in one text at once, with the time that their typing takes on a busy machine. */
export function onTwoUsers(begin: (site: Site, emma: Page, mia: Page) => Promise<unknown> | undefined): void {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
  onSite(async site => begin(site, await site.visitor(people.editor), await site.visitor(people.admin)));
}
