import { text } from 'node:stream/consumers';
import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { refusals, successes } from '../../src/domain/messages.ts';
import { demoTemplate } from '../../src/domain/templates.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { holdRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The list's menu, the input for new items, and the panel's surfaces. */

const ISSUE = 'WEB-3';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor, { permissions: ['clipboard-read', 'clipboard-write'] });

  await site.open(emma, ISSUE);
});

const panel = () => page.panel(emma);
const texts = (frame: FrameLocator) => frame.locator('.check-text, .check-title').allTextContents();

const stored = async (issue = ISSUE) => (await storedChecklist(site.programs, emma, issue)).text;

async function choose(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
}

async function add(text: string, frame = panel()) {
  const input = frame.getByRole('textbox', { name: 'Add an item' });
  await input.fill(text);
  await input.press('Enter');
}

// The kit renders menus outside of the page's landmarks.
const axe = async (name: string, frame = panel()) =>
  expect(await axeFindings(frame.locator('html'), 'region'), name).toEqual([]);

test('the menu of an empty checklist fits its frame, which grows for it', async () => {
  await panel().getByRole('textbox', { name: 'Add an item' }).waitFor();
  await page.shots(emma, panel(), '100-empty');
  await axe('empty');
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await panel().getByRole('menuitem', { name: 'Add demo checklist' }).waitFor();
  await expect.poll(() => page.fits(panel())).toBe(true);
  await page.shot(emma, '101-empty-menu');
  await axe('menu');
  await emma.keyboard.press('Escape');
  await expect.poll(() => panel().getByRole('menu').count()).toBe(0);
});

test('the demo checklist is added and undone', async () => {
  await choose('Add demo checklist');
  await page.keepUndo(panel());
  await expect.poll(stored).toBe(demoTemplate.text.trimEnd());
  await page.shots(emma, panel(), '102-demo');
  await axe('demo');
  await panel().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toBe('');
});

test('people are completed while an item is added, and the input stays ready for the next', async () => {
  const input = panel().getByRole('textbox', { name: 'Add an item' });
  await input.click();
  await input.pressSequentially('Ask @emm');
  const option = panel().getByRole('option', { name: page.people.editor });
  await option.waitFor();
  await expect.poll(() => page.fits(panel())).toBe(true);
  await page.shots(emma, panel(), '103-add-person');
  await option.click();
  await emma.keyboard.type('to look');
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toMatch(/^- Ask \[~accountid:[^\]]+\] to look$/);
  await emma.keyboard.type('next');
  await emma.keyboard.press('Shift+Enter');
  await emma.keyboard.type('and one more');
  await page.shot(emma, '104-add-lines');
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toMatch(/- next\n- and one more$/);
  await page.hasFocus(input);
});

test('it is copied as Markdown and exported as a file', async () => {
  await choose('Copy as Markdown');
  await emma.getByText('Copied as Markdown.').waitFor();
  expect(await emma.evaluate(() => navigator.clipboard.readText())).toBe(
    '- [ ] Ask @Emma Richards to look\n- [ ] next\n- [ ] and one more',
  );
  const [download] = await Promise.all([emma.waitForEvent('download'), choose('Export as CSV')]);
  expect(download.suggestedFilename()).toBe(`${ISSUE}.csv`);
  expect(await text(await download.createReadStream())).toContain('and one more');
});

test('it is printed completely, in the light theme and without controls', async () => {
  await page.switchTheme(emma, panel(), 'dark');
  const html = panel().locator('html');
  await html.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await emma.emulateMedia({ media: 'print' });
  await expect.poll(() => panel().getByRole('button').filter({ visible: true }).count()).toBe(0);
  await page.shot(panel().locator('main'), '105-print');
  await emma.emulateMedia({ media: null });
  await html.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => html.getAttribute('data-color-mode')).toBe('dark');
  await page.switchTheme(emma, panel(), 'light');
});

test('Print gives issue, people, dates, statuses and details, on white', async () => {
  const mia = '[~accountid:5b10a2844c20165700ede21a]';
  await writeChecklist(
    site.programs,
    emma,
    'WEB-1',
    `# Release\n- ! Write **notes** :tada: ${mia} 2026-12-01\n> in *English*\n+ Approved by @nobody at last\n~ WEB-2 begun`,
  );
  await site.openLoaded(emma, 'WEB-1');
  await page.switchTheme(emma, panel(), 'dark');
  await page.print(emma, panel());
  const sheet = panel().locator('.print-sheet');
  await page.shot(sheet, '105-print-sheet');
  const printed = (await sheet.innerText()).replace(/\s*\n\s*/g, '\n');
  expect(printed).toMatch(/^WEB-1 .+\n.* · 1 of 3 done · /);
  expect(printed).toContain('Write notes 🎉\nTo Do · Mandatory · ');
  expect(printed).toContain(' · Due Tue 1 Dec');
  expect(printed).toContain('in English');
  expect(printed).toMatch(/WEB-2 \w.* begun\nIn Progress/);
  expect(printed).not.toContain('accountid');
  expect(await panel().getByRole('button').filter({ visible: true }).count()).toBe(0);
  await page.endPrint(emma, panel());
  await expect.poll(() => sheet.count()).toBe(0);
  await page.switchTheme(emma, panel(), 'light');
  await site.openLoaded(emma, ISSUE);
});

test('a started job shows a message', async () => {
  await choose('Synchronize storages');
  await emma.getByText(successes.synchronize).first().waitFor();
});

test('clearing asks, and can be undone', async () => {
  const before = await stored();
  await choose('Clear checklist…');
  await panel().getByRole('alertdialog').waitFor();
  await page.shots(emma, panel(), '106-clear');
  await axe('clear');
  const flags = await page.watch(emma.locator('html'), '.flag-title');
  await panel().getByRole('button', { name: 'Clear', exact: true }).click();
  await page.keepUndo(panel());
  await expect.poll(stored).toBe('');
  await expect.poll(flags).toContainEqual(expect.stringContaining(successes.clearChecklist));
  await panel().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toBe(before);
});

test('a row ticked concurrently by another user exists once when clearing is undone', async () => {
  const before = await stored();
  const mia = await site.visitor(page.people.admin);
  await site.openLoaded(mia, ISSUE);
  const next = page.panel(mia).getByRole('checkbox', { name: 'next' });
  await next.waitFor();
  const undo = panel().getByRole('button', { name: 'Undo' });
  await holdRequests(mia, async () => {
    await next.check();
    await choose('Clear checklist…');
    await panel().getByRole('button', { name: 'Clear', exact: true }).click();
    await page.keepUndo(panel());
    await expect.poll(stored).toBe('');
  });
  await panel().getByRole('checkbox', { name: 'next' }).waitFor();
  await undo.click();
  await expect.poll(stored).toBe(before.replace('- next', '+ next'));
  await expect.poll(() => panel().getByRole('checkbox', { name: 'next' }).count()).toBe(1);
  await next.uncheck();
  await expect.poll(stored).toBe(before);
  await mia.context().close();
});

test('history and saving as a template open and return', async () => {
  for (const [entry = '', back = ''] of [
    ['History', 'Back to checklist'],
    ['Save as template…', 'Cancel'],
  ]) {
    await choose(entry);
    await panel().getByRole('button', { name: back }).click();
    await panel().getByRole('checkbox', { name: 'next' }).waitFor();
  }
});

test("another user's change keeps the focus and half-typed text", async () => {
  const mia = await site.visitor(page.people.admin);
  await site.openLoaded(mia, ISSUE);
  const input = panel().getByRole('textbox', { name: 'Add an item' });
  await input.click();
  await input.pressSequentially('half ty');
  const scrolled = await emma.evaluate(() => scrollY);
  await page.panel(mia).getByRole('checkbox', { name: 'next' }).check();
  await add('from Mia', page.panel(mia));
  await panel().getByRole('checkbox', { name: 'from Mia' }).waitFor();
  await expect.poll(() => panel().getByRole('checkbox', { name: 'next' }).isChecked()).toBe(true);
  await emma.keyboard.type('ped');
  await expect.poll(() => input.inputValue()).toBe('half typed');
  expect(await emma.evaluate(() => scrollY)).toBe(scrolled);
  await input.fill('');
  await mia.context().close();
});

test('a read-only user gets the reason', async () => {
  const victor = await site.visitor(page.people.viewer);
  await site.open(victor, ISSUE);
  const frame = page.panel(victor);
  await frame.getByText(refusals.permission).waitFor();
  await page.shots(victor, frame, '107-reader');
  await axe('reader', frame);
  await victor.context().close();
});

test('in the middle of the issue it uses the full width', async () => {
  const mia = await site.visitor(page.people.admin);
  const property = `${edition.key}.show-in-center-panel`;
  const address = `${site.programs.tracker.url}/rest/api/2/project/WEB/properties/${property}`;
  expect(
    (await mia.request.put(address, { data: '"true"', headers: { 'content-type': 'application/json' } })).ok(),
  ).toBe(true);
  await site.open(mia, ISSUE);
  const middle = mia.locator('.content-panel');
  await middle.waitFor();
  const frame = middle.frameLocator('iframe');
  await frame.getByRole('checkbox', { name: 'from Mia' }).waitFor();
  await page.shots(mia, frame, '108-centre');
  await axe('centre', frame);
  expect((await mia.request.delete(address)).ok()).toBe(true);
  await mia.context().close();
});

test.each([360, 320])('on a phone %i wide nothing is cut off or covered', async width => {
  const phone = await site.visitor(page.people.editor, {
    viewport: { width, height: 740 },
    hasTouch: true,
    userAgent: 'Mozilla/5.0 (Linux; Android 15) AtlassianMobileApp',
  });
  await phone.goto(`${site.programs.tracker.url}/mobile/${ISSUE}`);
  const frame = page.panel(phone);
  const tick = frame.locator('li', { hasText: 'and one more' }).locator('.check-tick');
  // Names and statuses that load take another line here, and move the rows below.
  await frame.getByText('Emma Richards').first().waitFor();
  await frame
    .getByRole('button', { name: /^More actions for / })
    .nth(3)
    .waitFor();
  await tick.click();
  // The tools show beside Undo.
  await page.keepUndo(frame);
  // A line of its own here.
  await frame.getByText('Saving…').waitFor({ state: 'detached' });
  for (const name of ['Undo', 'Filter', 'Select'])
    await frame.getByRole('button', { name, exact: true }).click({ trial: true });
  expect(await frame.locator('html').getAttribute('data-surface')).toBe('mobile');
  await page.shot(phone, `109-phone-${width}`);
  await expect.poll(() => page.fits(frame)).toBe(true);
  await axe(`phone ${width}`, frame);
  await frame.getByRole('button', { name: 'Checklist actions' }).click();
  await frame.getByRole('menuitem', { name: 'History' }).waitFor();
  expect(await frame.getByRole('menuitem', { name: 'Print' }).count()).toBe(0);
  await expect.poll(() => page.fits(frame)).toBe(true);
  await page.shot(phone, `110-phone-menu-${width}`);
  await phone.keyboard.press('Escape');
  // The frame shrinks with the menu, which moves what is below it from under the pointer.
  await frame.getByRole('menuitem').first().waitFor({ state: 'detached' });
  const tooHigh = () =>
    frame.locator('body').evaluate(body => innerHeight - Math.ceil(body.getBoundingClientRect().height));
  await expect.poll(tooHigh).toBe(0);
  await page.rendered(phone);
  await tick.click();
  await expect.poll(() => tick.getByRole('checkbox').isChecked()).toBe(false);
  await phone.context().close();
});

test('the largest checklist shows, and one more item is refused with the figures', async () => {
  await site.open(emma, 'WEB-4');
  const line = (i: number) => `- ${String(i).padStart(4, '0')} ${'long '.repeat(8).trim()}`;
  await add(Array.from({ length: 640 }, (_, i) => line(i)).join('\n'));
  await expect.poll(async () => (await stored('WEB-4')).length).toBeGreaterThan(30_000);
  await expect.poll(async () => (await texts(panel())).length).toBe(640);
  await add('x'.repeat(4_000));
  await panel()
    .getByText(/32,768/)
    .first()
    .waitFor();
  await page.shot(emma, '111-full');
});

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
