import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { answerGraphql } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { freezerOf } from './frozen.ts';
import { provokes } from './left-behind.ts';
import { clickEntry, dialog, endPrint, fits, hasFocus, panel, people, print, type Site } from './site.ts';

provokes(/ERR_FAILED .*\/graphql/);
// The kit's, in a browser without popovers.
provokes(/hidePopover/);

/** Pages that are frozen or kept, and browsers that lack something: nothing is lost. */

const ISSUE = 'WEB-4';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await writeChecklist(site.programs, emma, ISSUE, '- one');
});

const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;
const addItem = async (page: Page, item: string) => {
  const field = panel(page).getByRole('textbox', { name: 'Add an item' });
  await field.fill(item);
  await field.press('Enter');
};
const row = (page: Page, text: string) => panel(page).getByText(text, { exact: true });

/** Has the panel's page note that it was frozen. */
const marksFreezing = () =>
  panel(emma)
    .locator('html')
    .evaluate(html => document.addEventListener('freeze', () => html.setAttribute('data-frozen', 'yes')));
const wasFrozen = () => panel(emma).locator('html').getAttribute('data-frozen');

test('a page that is frozen while the answer to its change is lost saves that once, shows foreign changes, and keeps what was typed', async () => {
  await site.openLoaded(emma, ISSUE);
  await marksFreezing();
  const { freeze, thaw } = await freezerOf(emma);
  let failed = () => {};
  const hasFailed = new Promise<void>(resolve => {
    failed = resolve;
  });
  const pass = await answerGraphql(emma, async route => {
    if (!route.request().postData()?.includes('mutation')) return route.continue();
    await route.fetch().then(() => route.abort());
    failed();
  });
  await addItem(emma, 'two');
  await hasFailed;
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).fill('half');
  await freeze();
  pass();
  const mia = await site.visitor(people.admin);
  await writeChecklist(site.programs, mia, ISSUE, '- one\n- two\n- foreign');
  await mia.context().close();
  expect(await wasFrozen()).toBe('yes');
  await thaw();
  await row(emma, 'foreign').waitFor();
  await panel(emma)
    .getByText(/^Not saved yet/)
    .waitFor({ state: 'detached' });
  const field = panel(emma).getByRole('textbox', { name: 'Add an item' });
  expect(await field.inputValue()).toBe('half');
  // Nothing was left that adds it again.
  await field.press('Enter');
  await expect.poll(stored).toBe('- one\n- two\n- foreign\n- half');
});

test('a page to which the user goes back is current, and keeps what was typed', async () => {
  const html = panel(emma).locator('html');
  const kept = () => html.evaluate(() => Object.values(localStorage).some(value => value.includes('typed before')));
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).pressSequentially('typed before');
  await expect.poll(kept).toBe(true);
  await emma.goto(`${site.programs.tracker.url}/health`);
  await writeChecklist(site.programs, emma, ISSUE, '- other');
  await emma.goBack();
  await row(emma, 'other').waitFor();
  await expect.poll(() => panel(emma).getByRole('textbox', { name: 'Add an item' }).inputValue()).toBe('typed before');
});

/** Prints from the menu: the sheet has the words, and nothing else is printed. */
async function printsOnlySheet(page: Page, words: string) {
  await print(page, panel(page));
  expect(await panel(page).locator('.print-sheet').innerText()).toContain(words);
  expect(await panel(page).getByRole('button').filter({ visible: true }).count()).toBe(0);
  await endPrint(page, panel(page));
}

test('a browser without newer interfaces and `:has()` can do everything', async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- one');
  const old = await site.visitor(people.admin, { permissions: ['clipboard-read'] });
  await old.context().addInitScript(() => {
    for (const name of ['ClipboardItem', 'BroadcastChannel']) Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(navigator, 'locks', { value: undefined });
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
      Reflect.deleteProperty(HTMLElement.prototype, name);
  });
  // Such a browser drops the rules of a selector that it does not know, and refuses it in scripts.
  await old.context().route(/\.(css|js)(\?|$)/, async route => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(':has(', ':-unknown-has(') });
  });
  await site.openLoaded(old, ISSUE);
  await addItem(old, 'two');
  await expect.poll(stored).toBe('- one\n- two');
  expect(await fits(panel(old))).toBe(true);
  // It is notified of foreign changes.
  await site.openLoaded(emma, ISSUE);
  await addItem(emma, 'three');
  await row(old, 'three').waitFor();
  await panel(old)
    .getByRole('button', { name: /^Checklist actions/ })
    .click();
  await clickEntry(panel(old), 'Copy as Markdown');
  await old.getByText('Copied as Markdown.').waitFor();
  expect(await old.evaluate(() => navigator.clipboard.readText())).toBe('- [ ] one\n- [ ] two\n- [ ] three');
  await row(old, 'two').hover();
  await panel(old).getByRole('button', { name: 'More actions for two', exact: true }).click();
  await clickEntry(panel(old), 'Due date…');
  await panel(old).getByRole('dialog').waitFor();
  await old.keyboard.press('Escape');
  await row(old, 'two').hover();
  await panel(old).getByRole('button', { name: 'More actions for two', exact: true }).click();
  await clickEntry(panel(old), 'Delete');
  await expect.poll(stored).toBe('- one\n- three');
  await row(old, 'one').click();
  await hasFocus(panel(old).getByRole('textbox', { name: 'Text of one' }));
  await old.keyboard.type('!');
  await old.keyboard.press('Enter');
  await expect.poll(stored).toBe('- one!\n- three');
  await printsOnlySheet(old, 'one!');
  await panel(old).getByRole('button', { name: 'Open editor' }).click();
  await hasFocus(dialog(old).getByRole('textbox', { name: /as text/ }));
  await old.keyboard.press('Control+End');
  for (let line = 0; line < 60; line += 1) await old.keyboard.press('Enter');
  await old.keyboard.type('- last');
  const lines = dialog(old).locator('.cm-line');
  const inView = (of: Locator) =>
    of.evaluate(element => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(() => inView(lines.last())).toBe(true);
  for (const name of ['Save', 'Close'])
    expect(await inView(dialog(old).getByRole('button', { name, exact: true }).first())).toBe(true);
  await dialog(old).getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(stored).toMatch(/- last$/);
});
