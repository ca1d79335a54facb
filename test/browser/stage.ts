import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Site, shot, startSite } from './site.ts';

/** A site for the tests of a file. `begin` is what happens before the first; where one fails, there is a picture of each visitor's page. */
export function onSite(begin: (site: Site) => Promise<unknown> | undefined): void {
  let site: Site | undefined;
  const pages: Page[] = [];
  beforeAll(async () => {
    const started = await startSite();
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
    await Promise.all(open.map((page, index) => shot(page, `failed ${task.name} ${index + 1}`)));
  });
  afterAll(() => site?.stop());
}
