import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasNginx } from '../deploy/nginx.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { launchChromium } from './chromium.ts';
import { dialog, panel, people } from './site.ts';
import { startVersions, type Versions, type VersionsOptions } from './versions.ts';

/** Rolling from a build to the next one, with pages opened meanwhile: two processes behind nginx as shipped. */

const OLDER = 'Checklist';
const NEWER = 'Checklist, newer';

describe.skipIf(!hasNginx)('behind nginx, while processes of two builds run', () => {
  let browser: Browser;
  let versions: Versions | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(() => versions?.stop());

  async function roll(options: Pick<VersionsOptions, 'shares' | 'replace'>) {
    const database = await createDatabase(inject('postgres'), { template: inject('template') });
    versions = await startVersions({ browser, database, ...options });
    const it = versions;
    /** Openings with an empty cache each. */
    const openings = async (count: number) => {
      const found = [];
      for (let opening = 0; opening < count; opening += 1) {
        const page = await it.site.visitor(people.editor);
        found.push(await it.opening(page));
        await page.context().close();
      }
      return found;
    };
    return { ...it, openings };
  }

  const html = (frame: FrameLocator) => frame.locator('html');
  const title = (frame: FrameLocator) => html(frame).evaluate(() => document.title);
  const showHistory = (frame: FrameLocator) =>
    html(frame).evaluate(() => {
      history.pushState(null, '', `/history${location.search}`);
      dispatchEvent(new PopStateEvent('popstate'));
    });

  test.each([
    ['share their files', true],
    ['share none', false],
  ])('where the processes %s, every opening works, before, meanwhile and after', async (_, shares) => {
    const { older, newer, openings } = await roll({ shares });
    const found = [...(await openings(1))];
    await newer.start();
    found.push(...(await openings(5)));
    await older.kill('SIGTERM');
    found.push(...(await openings(1)));
    expect(found.map(({ works, missing }) => [works, missing])).toEqual(found.map(() => [true, []]));
    expect(new Set(found.map(each => each.title))).toEqual(new Set([OLDER, NEWER]));
  });

  test('a page goes on with files of its build that the newer process has from the shared folder', async () => {
    const { older, newer, opening, site } = await roll({ shares: true });
    const page = await site.visitor(people.editor);
    await opening(page);
    await newer.start();
    await older.kill('SIGTERM');
    await showHistory(panel(page));
    await panel(page).getByRole('heading', { name: 'History' }).waitFor();
    expect(await title(panel(page))).toBe(OLDER);
  });

  test('a page whose file is gone reloads itself, and is where it was', async () => {
    const { older, newer, opening, site } = await roll({ shares: false });
    const page = await site.visitor(people.editor);
    await opening(page);
    await newer.start();
    await older.kill('SIGTERM');
    await showHistory(panel(page));
    await panel(page).getByRole('heading', { name: 'History of WEB-2' }).waitFor();
    expect(await title(panel(page))).toBe(NEWER);
  });

  test('an editor whose file is gone reloads itself with its draft', async () => {
    const { older, newer, site } = await roll({ shares: false });
    const page = await site.visitor(people.editor);
    const text = await site.openEditor(page, 'WEB-2');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n- kept over a reload');
    await newer.start();
    await older.kill('SIGTERM');
    const hasDraft = () =>
      html(dialog(page)).evaluate(() => Object.keys(localStorage).some(key => key.includes('.draft')));
    await expect.poll(hasDraft).toBe(true);
    // Loads the table of emoji.
    await page.keyboard.type(' :smi');
    await expect.poll(() => title(dialog(page)).catch(() => '')).toBe(NEWER);
    await expect.poll(() => text.textContent()).toContain('kept over a reload');
  });
});
