import type { FrameLocator, Locator, Page, Route } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { answerGraphql } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { freezerOf } from './frozen.ts';
import { clickEntry, dialog, endPrint, fits, hasFocus, panel, people, print, type Site, shots } from './site.ts';

/** Pages that are frozen or kept, and browsers that lack or refuse something: nothing is lost. */

const ISSUE = 'WEB-4';
/** Milliseconds after which what was typed is stored. */
const DRAFT = 500;
/** Milliseconds in which a page that is not frozen would have sent a failed change again. */
const RETRY = 3_000;

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
});

beforeEach(() => writeChecklist(site.programs, emma, ISSUE, '- one'));

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

test('a page that was frozen shows foreign changes, and keeps what was typed', async () => {
  await site.openLoaded(emma, ISSUE);
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).fill('half');
  await marksFreezing();
  const { freeze, thaw } = await freezerOf(emma);
  await freeze();
  const mia = await site.visitor(people.admin);
  await writeChecklist(site.programs, mia, ISSUE, '- one\n- two');
  expect(await wasFrozen()).toBe('yes');
  await thaw();
  await row(emma, 'two').waitFor();
  expect(await panel(emma).getByRole('textbox', { name: 'Add an item' }).inputValue()).toBe('half');
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).press('Enter');
  await expect.poll(stored).toBe('- one\n- two\n- half');
});

test.each([
  ['is not sent yet', (route: Route) => route.abort('internetdisconnected')],
  ['was sent, and whose answer is lost', (route: Route) => route.fetch().then(() => route.abort())],
])('a change that %s when its page is frozen is saved once when that is thawed', async (_state, fail) => {
  await site.openLoaded(emma, ISSUE);
  await marksFreezing();
  const { freeze, thaw } = await freezerOf(emma);
  let failed = () => {};
  const hasFailed = new Promise<void>(resolve => {
    failed = resolve;
  });
  const pass = await answerGraphql(emma, async route => {
    if (!route.request().postData()?.includes('mutation')) return route.continue();
    await fail(route);
    failed();
  });
  await addItem(emma, 'two');
  await hasFailed;
  await freeze();
  pass();
  const before = await stored();
  await emma.waitForTimeout(RETRY);
  expect(await stored()).toBe(before);
  expect(await wasFrozen()).toBe('yes');
  await thaw();
  await expect.poll(stored).toBe('- one\n- two');
  await panel(emma)
    .getByText(/^Not saved yet/)
    .waitFor({ state: 'detached' });
  await row(emma, 'two').waitFor();
  // Nothing was left that adds it again.
  await addItem(emma, 'three');
  await expect.poll(stored).toBe('- one\n- two\n- three');
});

test('a page to which the user goes back is current, and keeps what was typed', async () => {
  await site.openLoaded(emma, ISSUE);
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).pressSequentially('half');
  await emma.waitForTimeout(DRAFT);
  await emma.goto(`${site.programs.tracker.url}/health`);
  await writeChecklist(site.programs, emma, ISSUE, '- other');
  await emma.goBack();
  await row(emma, 'other').waitFor();
  await expect.poll(() => panel(emma).getByRole('textbox', { name: 'Add an item' }).inputValue()).toBe('half');
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).press('Escape');
});

test('a browser without newer interfaces can do everything', async () => {
  const old = await site.visitor(people.admin, { permissions: ['clipboard-read'] });
  await old.context().addInitScript(() => {
    for (const name of ['ClipboardItem', 'BroadcastChannel']) Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(navigator, 'locks', { value: undefined });
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
      Reflect.deleteProperty(HTMLElement.prototype, name);
  });
  const add = panel(old).getByRole('textbox', { name: 'Add an item' });
  await site.openLoaded(old, ISSUE);
  await addItem(old, 'two');
  await expect.poll(stored).toBe('- one\n- two');
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
  // Drafts of a field and of the editor, of a page that ends without a word.
  await add.pressSequentially('half');
  const text = await site.openEditor(old, ISSUE);
  await old.keyboard.press('Control+End');
  await old.keyboard.type('!');
  await old.waitForTimeout(DRAFT);
  await site.openEditor(old, ISSUE);
  expect(await text.innerText()).toContain('three!');
  await old.keyboard.press('Control+s');
  await expect.poll(stored).toBe('- one\n- two\n- three!');
  await dialog(old).getByRole('button', { name: 'Close' }).first().click();
  expect(await add.inputValue()).toBe('half');
  await old.context().close();
});

const fill = (frame: FrameLocator) =>
  frame.locator('html').evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    Storage.prototype.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
  });

test('storage that is full, or cleared while the page is open, loses nothing', async () => {
  await site.openLoaded(emma, ISSUE);
  await fill(panel(emma));
  await addItem(emma, 'two');
  await expect.poll(stored).toBe('- one\n- two');
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two\n- three');
  await row(emma, 'three').waitFor();
  const field = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await field.pressSequentially('half');
  await panel(emma).getByText("This browser can't keep unsaved changes.").waitFor();
  await shots(emma, panel(emma), 'panel-not-kept');
  await field.fill('');
});

test('the editor says when storage that is full or cleared cannot keep a draft, and saves', async () => {
  const text = await site.openEditor(emma, ISSUE);
  const notKept = dialog(emma).getByText("This browser can't keep unsaved changes.");
  await emma.keyboard.press('Control+End');
  await emma.keyboard.type(' more');
  await emma.waitForTimeout(DRAFT);
  expect(await notKept.count()).toBe(0);
  await fill(dialog(emma));
  await emma.keyboard.type(' and more');
  await notKept.waitFor();
  expect(await text.innerText()).toBe('- one more and more');
  await emma.keyboard.press('Control+s');
  await expect.poll(stored).toBe('- one more and more');
  await dialog(emma).getByRole('button', { name: 'Close' }).first().click();
});

/** Prints from the menu: the sheet has the words, and nothing else is printed. */
async function printsOnlySheet(page: Page, words: string) {
  await print(page, panel(page));
  expect(await panel(page).locator('.print-sheet').innerText()).toContain(words);
  expect(await panel(page).getByRole('button').filter({ visible: true }).count()).toBe(0);
  await endPrint(page, panel(page));
}

test('a browser without `:has()` shows and prints the panel, shows the editor whole, and saves', async () => {
  const old = await site.visitor(people.editor);
  // Such a browser drops the rules of a selector that it does not know, and refuses it in scripts.
  await old.context().route(/\.(css|js)(\?|$)/, async route => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(':has(', ':-unknown-has(') });
  });
  await site.openLoaded(old, ISSUE);
  await addItem(old, 'two');
  await expect.poll(stored).toBe('- one\n- two');
  expect(await fits(panel(old))).toBe(true);
  await row(old, 'two').hover();
  await panel(old).getByRole('button', { name: 'Delete two' }).click();
  await expect.poll(stored).toBe('- one');
  await row(old, 'one').click();
  await hasFocus(panel(old).getByRole('textbox', { name: 'Text of one' }));
  await old.keyboard.type('!');
  await old.keyboard.press('Enter');
  await expect.poll(stored).toBe('- one!');
  await printsOnlySheet(old, 'one!');
  await site.openEditor(old, ISSUE);
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
  await old.context().close();
});
