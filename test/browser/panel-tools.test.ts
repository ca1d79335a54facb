import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { full } from '../run/seed.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
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
const stored = async (issue = ISSUE) => (await storedChecklist(site.programs, emma, issue)).text;

async function choose(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
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
  await page.hasFocus(panel().getByRole('button', { name: 'Checklist actions' }));
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

test('Print gives issue, people, dates, statuses and details, on white and without controls', async () => {
  const mia = '[~accountid:5b10a2844c20165700ede21a]';
  const before = await stored();
  await writeChecklist(
    site.programs,
    emma,
    ISSUE,
    `# Release\n- ! Write **notes** :tada: ${mia} 2026-12-01\n> in *English*\n+ Approved by @nobody at last\n~ WEB-2 begun`,
  );
  await panel()
    .getByRole('link', { name: /^WEB-2 / })
    .waitFor();
  await page.switchTheme(emma, panel(), 'dark');
  await page.print(emma, panel());
  const sheet = panel().locator('.print-sheet');
  await page.shot(sheet, '105-print-sheet');
  const printed = (await sheet.innerText()).replace(/\s*\n\s*/g, '\n');
  expect(printed).toMatch(/^WEB-3 .+\n.* · 1 of 3 done · /);
  expect(printed).toContain('Write notes 🎉\nTo Do · Mandatory · ');
  expect(printed).toContain(' · Due Tue 1 Dec');
  expect(printed).toContain('in English');
  expect(printed).toMatch(/WEB-2 \w.* begun\nIn Progress/);
  expect(printed).not.toContain('accountid');
  expect(await panel().getByRole('button').filter({ visible: true }).count()).toBe(0);
  await page.endPrint(emma, panel());
  await expect.poll(() => sheet.count()).toBe(0);
  await expect.poll(() => panel().locator('html').getAttribute('data-color-mode')).toBe('dark');
  await page.switchTheme(emma, panel(), 'light');
  await writeChecklist(site.programs, emma, ISSUE, before);
});

test('in the middle of the issue it uses the full width', async () => {
  const mia = await site.visitor(page.people.admin);
  const property = `${edition.key}.show-in-center-panel`;
  const address = `${site.programs.tracker.url}/rest/api/2/project/WEB/properties/${property}`;
  expect(
    (await mia.request.put(address, { data: '"true"', headers: { 'content-type': 'application/json' } })).ok(),
  ).toBe(true);
  await site.open(emma, ISSUE);
  const middle = emma.locator('.content-panel');
  await middle.waitFor();
  const frame = middle.frameLocator('iframe');
  await frame.getByRole('checkbox', { name: 'next' }).waitFor();
  await page.shots(emma, frame, '108-centre');
  await axe('centre', frame);
  expect((await mia.request.delete(address)).ok()).toBe(true);
  await mia.context().close();
});

// The narrower one in any case.
test.each(full ? [360, 320] : [320])('on a phone %i wide nothing is cut off or covered', async width => {
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
    .nth(2)
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
  await page.hasFocus(frame.getByRole('button', { name: 'Checklist actions' }));
  await page.rendered(phone);
  await tick.click({ trial: true });
  await phone.context().close();
});
