import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { people as users } from '../../src/tracker/site/people.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { axeFindings } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { readsChecklist } from './fault-injection.ts';
import { type Options, type Programs, startPrograms } from './programs.ts';

/** The local tracker's people by name. */
export const people = {
  admin: 'Mia Krystof',
  projectAdmin: 'Pavel Novak',
  editor: 'Emma Richards',
  viewer: 'Victor Sato',
} as const;

/** The visitors' time zone, far from midnight, so that the day does not change during a test. */
const zone = new Date().getUTCHours() < 18 ? { id: 'Etc/UTC', hours: 0 } : { id: 'Etc/GMT+12', hours: -12 };

/** An ISO day in the visitors' time zone, relative to today. */
export const day = (from = 0): string =>
  new Date(Date.now() + (zone.hours + 24 * from) * 3_600_000).toISOString().slice(0, 10);

export const artifacts = join(import.meta.dirname, '../artifacts');
const takesScreenshots = process.env.SHOTS === '1';

/** The built product around a fresh tracker, and a browser to visit it. */
export interface Site {
  programs: Programs;
  browser: Browser;
  /** Errors of visitors' pages and consoles. */
  browserErrors: string[];
  /** A page in a browser context of its own, signed in to the tracker, without an open page of it. */
  visitor(name: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  open(page: Page, issue: string): Promise<void>;
  /**
   * Opens an issue and resolves when the panel has the app's server's answer; what it shows before that may be older.
   */
  openLoaded(page: Page, issue: string): Promise<void>;
  /** Opens the full-size editor from an issue's panel, and resolves with its text. */
  openEditor(page: Page, issue: string): Promise<Locator>;
  stop(): Promise<void>;
}

/** Starts programs and a browser, the latter with those flags. */
export async function startSite({
  flags = [],
  ...options
}: Options & { flags?: readonly string[] } = {}): Promise<Site> {
  const [programs, browser] = await Promise.all([startPrograms(options), launchChromium(flags)]);
  const stop = async () => {
    await Promise.allSettled([browser.close()]);
    await programs.stop();
  };
  return { ...siteOf(programs, browser), stop };
}

/** A site around running programs, for visitors in a running browser. Stopping it closes the visitors' pages. */
export function siteOf(programs: Programs, browser: Browser): Site {
  const browserErrors: string[] = [];
  // An inexpensive page of the tracker: writing to the browser's storage needs its origin.
  const emptyPage = `${programs.tracker.url}/health`;
  const open = async (page: Page, issue: string) => void (await page.goto(`${programs.tracker.url}/browse/${issue}`));
  return {
    programs,
    browser,
    browserErrors,
    visitor: async (name, options = {}) => {
      const context: BrowserContext = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        timezoneId: zone.id,
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_TIMEOUT);
      page.on('pageerror', error => browserErrors.push(String(error)));
      page.on('console', message => {
        if (message.type() === 'error') browserErrors.push(`${message.text()} ${message.location().url.split('?')[0]}`);
      });
      const value = users.find(user => user.displayName === name)?.accountId ?? '';
      await context.addCookies([
        { name: 'tracker.account', value: encodeURIComponent(value), url: programs.tracker.url },
      ]);
      await page.goto(emptyPage);
      return page;
    },
    open,
    openLoaded: async (page, issue) => {
      // Ends pending requests of the previous page.
      await page.goto(emptyPage);
      const read = page.waitForEvent('requestfinished', readsChecklist);
      await open(page, issue);
      await read;
    },
    openEditor: async (page, issue) => {
      await open(page, issue);
      await panel(page).getByRole('button', { name: 'Open editor' }).click();
      const text = dialog(page).getByRole('textbox', { name: /as text/ });
      await hasFocus(text);
      return text;
    },
    stop: async () => void (await Promise.allSettled(browser.contexts().map(context => context.close()))),
  };
}

/** The frame of the issue's checklist panel. */
export const panel = (page: Page): FrameLocator =>
  page.getByRole('region', { name: 'Checklist', exact: true }).frameLocator('iframe');

/** Resolves when an element or a descendant, and its frame, have the focus: keys pressed before go elsewhere. */
export const hasFocus = (element: Locator): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await element.evaluate(it => document.hasFocus() && it.contains(document.activeElement))).toBe(true),
    WAIT_TIMEOUT,
  );

/** Deletes an item by its key: a narrow panel has no room for its button. */
export async function deleteRow(row: Locator): Promise<void> {
  await row.getByRole('checkbox').press('Delete');
  await row.waitFor({ state: 'detached' });
}

/** Resolves when a page is rendered as it is laid out: an earlier click in a frame may hit another position. */
export const rendered = (page: Page): Promise<unknown> =>
  page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });

/** Resizes a page, and resolves when it is rendered. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await rendered(page);
}

/** Whether nothing of a frame overflows, and its whole content is visible. */
export const fits = (frame: FrameLocator): Promise<boolean> =>
  frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth && html.scrollHeight <= innerHeight);

/**
 * Clicks an entry of the menu that is open in a panel once the frame has grown for the menu. Before, the frame scrolls
 * to the entry, and growing moves it from under the pointer: the click lands outside of the frame, which closes the
 * menu.
 */
export async function clickEntry(frame: FrameLocator, entry: string | RegExp): Promise<void> {
  const named = { name: entry, exact: true };
  const item = frame.getByRole('menuitem', named).or(frame.getByRole('menuitemradio', named));
  await item.waitFor();
  await expect.poll(() => fits(frame)).toBe(true);
  await item.click();
}

/** Keeps the Undo button of a change visible: it disappears after some seconds, unless it has the focus. */
export const keepUndo = (frame: FrameLocator): Promise<void> =>
  frame.getByRole('button', { name: 'Undo', exact: true }).focus();

/** Prints from the checklist's menu; resolves when the page looks as printed, without the browser's own dialog. */
export async function print(page: Page, frame: FrameLocator): Promise<void> {
  const html = frame.locator('html');
  await html.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await frame.getByRole('button', { name: 'Checklist actions' }).click();
  await clickEntry(frame, 'Print');
  await expect.poll(() => html.getAttribute('data-printed')).toBe('');
  await page.emulateMedia({ media: 'print' });
}

/** Ends what `print` began. */
export async function endPrint(page: Page, frame: FrameLocator): Promise<void> {
  await page.emulateMedia({ media: null });
  await frame.locator('html').evaluate(() => dispatchEvent(new Event('afterprint')));
}

/** The frame of the open dialog. */
export const dialog = (page: Page): FrameLocator => page.getByRole('dialog').frameLocator('iframe');

/** Takes a screenshot into `test/artifacts/`. */
export async function picture(of: Page | Locator, name: string): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  await of.screenshot({ path: join(artifacts, `${name}.png`) });
}

/** Takes a screenshot if the run takes them of everything: `SHOTS=1`. */
export const shot = async (of: Page | Locator, name: string) => {
  if (takesScreenshots) await picture(of, name);
};

/** Resolves when transitions between themes have ended; infinite animations, such as a cursor's, do not count. */
const transitionsEnd = (frame: FrameLocator): Promise<unknown> =>
  frame.locator('html').evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });

export const themes = ['dark', 'light'] as const;

/** Switches a page to the other theme, and resolves when the app's frame shows it. */
export async function switchTheme(page: Page, frame: FrameLocator, to: (typeof themes)[number]): Promise<void> {
  // The switch is behind an open dialog, which can stay open.
  await page.getByRole('switch', { name: 'Dark theme', includeHidden: true }).dispatchEvent('click');
  await expect.poll(() => frame.locator('html').getAttribute('data-color-mode')).toBe(to);
  await transitionsEnd(frame);
}

/** Of an app's frame: a part of a page has no landmarks, and a list operated from its text needs no focus to scroll. */
const findings = (frame: FrameLocator, leftOut: readonly string[]) =>
  axeFindings(frame.locator('html'), 'region', 'scrollable-region-focusable', ...leftOut);

/**
 * Takes screenshots of a page in the dark and then in the light theme, if the run takes any, and of a wide page also in
 * narrow windows; `frame` is the app's. Each is accessible, as far as axe tells by all rules but those left out.
 */
export async function shots(page: Page, frame: FrameLocator, name: string, ...leftOut: string[]): Promise<void> {
  if (!takesScreenshots) return;
  const size = page.viewportSize();
  for (const theme of themes) {
    await switchTheme(page, frame, theme);
    await shot(page, `${name}-${theme}`);
    expect.soft(await findings(frame, leftOut), `${name}, ${theme}`).toEqual([]);
    if (size?.width !== 1280) continue;
    for (const width of [400, 360]) {
      await resize(page, { width, height: size.height });
      await frame.owner().evaluate(it => it.scrollIntoView());
      await shot(page, `${name}-${theme}-${width}`);
      expect.soft(await findings(frame, leftOut), `${name}, ${theme}, ${width}`).toEqual([]);
    }
    await resize(page, size);
  }
}
