import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { full } from '../run/seed.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { clickEntry, hasFocus, panel, people, type Site, shot } from './site.ts';

provokes(/ERR_FAILED .*\/(assets\/editor-|checklist)/);

/** What is typed at once after a field was opened for the first time, before its code is there: nothing is lost. */

const ISSUE = 'WEB-2';
/** How much slower the page runs than this machine. */
const THROTTLE = 4;
/** Runs for each door at night. The gate takes the first door of a kind, once. */
const RUNS = full ? 5 : 1;
const POPUP_RUNS = full ? 2 : 1;
const some = <T>(all: readonly T[]): readonly T[] => (full ? all : all.slice(0, 1));
const WORDS = ' by Friday, or else on Monday';

let site: Site;

onSite(async started => {
  site = started;
});

const row = (page: Page, text: string) => panel(page).locator('li[data-key]', { hasText: text });
const words = (page: Page) => panel(page).getByText('Agree on the rule', { exact: true });
const main = (page: Page) => panel(page).getByRole('checkbox', { name: 'Agree on the rule' });

/** Ways into the field of a row's text. */
const doors: [string, (page: Page) => Promise<unknown>][] = [
  ['a click', page => words(page).click()],
  ['a letter', page => main(page).press('e')],
  ['F2', page => main(page).press('F2')],
  [
    'a button',
    async page => {
      await row(page, 'Agree').hover();
      await row(page, 'Agree').getByRole('button', { name: 'Edit Agree on the rule', exact: true }).click();
    },
  ],
];

async function openRows(page: Page): Promise<void> {
  await site.openLoaded(page, ISSUE);
  // Only then a click opens the row.
  await row(page, 'Agree').getByRole('button', { name: 'More actions for Agree on the rule' }).waitFor();
}

/** An editor's panel in a slow browser that has nothing stored, once its tools are there. */
async function openSlowly(): Promise<Page> {
  const page = await site.visitor(people.editor);
  await writeChecklist(site.programs, page, ISSUE, '- Agree on the rule\n- Write it down');
  await openRows(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  return page;
}

test.each(some(doors))('%s: all letters and the caret are those of the field', async (_name, enter) => {
  for (let run = 0; run < RUNS; run += 1) {
    const page = await openSlowly();
    await enter(page);
    await page.keyboard.type(WORDS);
    // The caret moves with the keys, too.
    for (let key = 0; key < 'Monday'.length; key += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('next ');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await storedChecklist(site.programs, page, ISSUE)).text)
      .toBe('- Agree on the rule by Friday, or else on next Monday\n- Write it down');
    await page.context().close();
  }
});

const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });

/** Ways into a field of a popup: how it opens, the field's role and name, and what is typed. */
const popups: [string, (page: Page) => Promise<unknown>, 'combobox' | 'textbox', string, string][] = [
  ['Convert', page => main(page).press('c'), 'combobox', 'Project', 'Help desk'],
  ['Apply template', page => button(page, 'Apply template').click(), 'combobox', 'Find a template', 'release'],
  [
    'Rename',
    async page => {
      await button(page, 'Checklist actions').click();
      await clickEntry(panel(page), 'Rename checklist…');
    },
    'textbox',
    'Checklist name',
    'Release plan',
  ],
  [
    'Assign for several items',
    async page => {
      await main(page).press('Shift+ArrowDown');
      await button(page, 'Assign').click();
    },
    'combobox',
    'Find a person',
    'victor',
  ],
];

test.each(some(popups))('%s: all letters are those of the popup’s field', async (_name, enter, role, name, typed) => {
  for (let run = 0; run < POPUP_RUNS; run += 1) {
    const page = await openSlowly();
    await enter(page);
    await page.keyboard.type(typed, { delay: 60 });
    // Not the plain one before it.
    const field = panel(page).getByRole(role, { name, exact: true }).and(panel(page).locator('input'));
    await expect.poll(() => field.inputValue()).toContain(typed);
    await page.context().close();
  }
});

/**
 * Aborts the requests for the editor's code while `work` runs. The page does not request it again, except reloaded: which it
 * does at a pause in typing where it finds its server, so that is out of reach as well.
 */
async function withoutEditor(page: Page, work: () => Promise<unknown>): Promise<void> {
  const isCode = (route: Route) => /\/editor-[^/]*\.js$/.test(new URL(route.request().url()).pathname);
  const refuse = (route: Route) =>
    isCode(route) || route.request().method() === 'HEAD' ? route.abort() : route.fallback();
  await page.route('**/*', refuse);
  await work();
  await page.unroute('**/*', refuse);
}

const isLost = (page: Page) => panel(page).getByText("We couldn't load the editor of this item.", { exact: false });

const lost = [
  ['text', 'e', 'Enter', '- Agree on the rule by Friday\n- Write it down'],
  ['details', 'Shift+>', 'Control+Enter', '- Agree on the rule\n> by Friday\n- Write it down'],
] as const;

test.each(some(lost))(
  '%s that is typed while the field’s code fails to load is there after a reload',
  async (part, key, save, text) => {
    const page = await openSlowly();
    await withoutEditor(page, async () => {
      await main(page).press(key);
      await page.keyboard.type(' by ');
      await isLost(page).waitFor();
      await page.keyboard.type('Friday');
      await shot(page, `field-not-loaded-${part}`);
      await page.keyboard.press(save);
      await isLost(page).waitFor({ state: 'detached' });
      await hasFocus(main(page));
    });
    await openRows(page);
    await main(page).press(key);
    await panel(page).getByText('Your unsaved changes have been restored. Esc discards them.').waitFor();
    await page.keyboard.press(save);
    await expect.poll(async () => (await storedChecklist(site.programs, page, ISSUE)).text).toBe(text);
    await page.context().close();
  },
);
