import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { people as users } from '../../src/tracker/site/people.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
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

/** Where visitors are: far from midnight, so that none comes in the middle of a test. */
const zone = new Date().getUTCHours() < 18 ? { id: 'Etc/UTC', hours: 0 } : { id: 'Etc/GMT+12', hours: -12 };

/** An ISO day, so many from today where the visitors are. */
export const day = (from = 0): string =>
  new Date(Date.now() + (zone.hours + 24 * from) * 3_600_000).toISOString().slice(0, 10);

const artifacts = join(import.meta.dirname, '../artifacts');
const shooting = process.env.SHOTS === '1';

/** The built product around a fresh tracker, and a browser to visit it. */
export interface Site {
  programs: Programs;
  browser: Browser;
  /** Everything that a visitor's browser complained about. */
  complaints: string[];
  /** A person at a browser of their own, signed in to the tracker, with no page of it open yet. */
  visitor(name: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  open(page: Page, issue: string): Promise<void>;
  /** As `open`, until the panel has what the app's server says; what it paints before that may be older. */
  openRead(page: Page, issue: string): Promise<void>;
  /** Opens the full-size editor from an issue's panel, and answers with its text. */
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

/** The site around programs that run, for visitors in a browser that runs. To stop is to let the visitors go. */
export function siteOf(programs: Programs, browser: Browser): Site {
  const complaints: string[] = [];
  // Something of the tracker that costs no page: what keeps things in the browser's storage needs its origin.
  const empty = `${programs.tracker.url}/health`;
  const open = async (page: Page, issue: string) => void (await page.goto(`${programs.tracker.url}/browse/${issue}`));
  return {
    programs,
    browser,
    complaints,
    visitor: async (name, options = {}) => {
      const context: BrowserContext = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        timezoneId: zone.id,
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_TIMEOUT);
      page.on('pageerror', error => complaints.push(String(error)));
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url.split('?')[0]}`);
      });
      const value = users.find(user => user.displayName === name)?.accountId ?? '';
      await context.addCookies([
        { name: 'tracker.account', value: encodeURIComponent(value), url: programs.tracker.url },
      ]);
      await page.goto(empty);
      return page;
    },
    open,
    openRead: async (page, issue) => {
      // What the page before asked for meanwhile is not meant.
      await page.goto(empty);
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

/** Resolves when an element, or something in it, has the focus, and its frame as well: what is typed before goes elsewhere. */
export const hasFocus = (element: Locator): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await element.evaluate(it => document.hasFocus() && it.contains(document.activeElement))).toBe(true),
    WAIT_TIMEOUT,
  );

/**
 * Deletes a row by its button. In a narrow panel that shows only under the pointer, which the row leaves when something
 * above it grows: then the pointer follows.
 */
export async function deleteRow(row: Locator): Promise<void> {
  await row.waitFor();
  await vi.waitFor(async () => {
    // A click that came too late for its own answer has deleted it all the same.
    if ((await row.count()) === 0) return;
    await row.hover({ timeout: 1_000 });
    await row.getByRole('button', { name: /^Delete / }).click({ timeout: 1_000 });
  }, WAIT_TIMEOUT);
}

/** Gives a page another size, and resolves when it is drawn in that: a click before may be taken for one at another place. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
}

/** Nothing of a frame sticks out sideways, and what is in it is seen whole. */
export const fits = (frame: FrameLocator): Promise<boolean> =>
  frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth && html.scrollHeight <= innerHeight);

/**
 * Clicks an entry of the menu that is open in a panel once the frame has grown for the menu. Before, the frame scrolls to the
 * entry, and growing moves it away from under the pointer: the click lands beside the frame, which closes the menu.
 */
export async function clickEntry(frame: FrameLocator, entry: string | RegExp): Promise<void> {
  const named = { name: entry, exact: true };
  const item = frame.getByRole('menuitem', named).or(frame.getByRole('menuitemradio', named));
  await item.waitFor();
  await expect.poll(() => fits(frame)).toBe(true);
  await item.click();
}

/** Keeps the way back that a change has just brought: it goes after some seconds, unless it has the focus. */
export const keepUndo = (frame: FrameLocator): Promise<void> =>
  frame.getByRole('button', { name: 'Undo', exact: true }).focus();

/** The frame of the open dialog. */
export const dialog = (page: Page): FrameLocator => page.getByRole('dialog').frameLocator('iframe');

/** Takes a picture, which lands in `test/artifacts/`. */
export async function picture(of: Page | Locator, name: string): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  await of.screenshot({ path: join(artifacts, `${name}.png`) });
}

/** The same in a run that takes pictures of everything: `SHOTS=1`. */
export const shot = async (of: Page | Locator, name: string) => {
  if (shooting) await picture(of, name);
};

/** Resolves when what fades from one theme to the other has done so; what goes on for ever, as a cursor does, need not. */
const faded = (frame: FrameLocator): Promise<unknown> =>
  frame.locator('html').evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });

export const themes = ['dark', 'light'] as const;

/** Switches a page to the other theme, and resolves when the app's frame in it is all in that. */
export async function switchTheme(page: Page, frame: FrameLocator, to: (typeof themes)[number]): Promise<void> {
  // The switch lies behind an open dialog, which need not close for it.
  await page.getByRole('switch', { name: 'Dark theme', includeHidden: true }).dispatchEvent('click');
  await expect.poll(() => frame.locator('html').getAttribute('data-color-mode')).toBe(to);
  await faded(frame);
}

/** Pictures of a page in the dark and then in the light theme, `frame` being one of the app's in it, where the run takes any. */
export async function shots(page: Page, frame: FrameLocator, name: string): Promise<void> {
  if (!shooting) return;
  for (const theme of themes) {
    await switchTheme(page, frame, theme);
    await shot(page, `${name}-${theme}`);
  }
}

/**
 * Watches in the page for elements, within `root`, that may go by themselves: what they say is in the answer from then on,
 * however late that is asked for.
 */
export async function watch(root: Locator, selector: string): Promise<() => Promise<string[]>> {
  const seen = await root.evaluateHandle((root, selector) => {
    const texts = new Set<string>();
    const look = () => {
      for (const { textContent } of root.querySelectorAll(selector)) texts.add(textContent ?? '');
    };
    const changes = { childList: true, subtree: true, characterData: true, attributeFilter: ['class'] };
    new MutationObserver(look).observe(root, changes);
    return texts;
  }, selector);
  return () => seen.evaluate(texts => [...texts]);
}
