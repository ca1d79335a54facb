import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The guide, from the panel, over the editor and from the full page. */

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
});

const panel = () => page.panel(emma);
const dialog = () => page.dialog(emma);
const frame = (): FrameLocator => emma.frameLocator('main iframe');
const sideways = (of: FrameLocator) => of.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
const example = (of: FrameLocator) => of.getByRole('textbox', { name: 'Example: Items and statuses' });

test('the panel’s menu opens it, and marks news', async () => {
  await site.open(emma, 'WEB-1');
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await panel().getByText('New', { exact: true }).waitFor();
  await page.shots(emma, panel(), 'help-menu');
  await page.clickEntry(panel(), /^Help and what’s new/);
  await example(panel()).waitFor();
  await page.shots(emma, panel(), 'help-panel');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await expect.poll(() => sideways(panel())).toBeLessThanOrEqual(0);
});

test('an example is a real editor', async () => {
  await example(panel()).click();
  await emma.keyboard.press('Control+Home');
  await emma.keyboard.press('Control+Enter');
  await expect.poll(() => example(panel()).textContent()).toContain('+ Tell the support team');
  await panel().getByRole('button', { name: 'Reset example' }).click();
  await expect.poll(() => example(panel()).textContent()).toContain('- Tell the support team');
});

test('of the words in brackets, only those of a known status become a status', async () => {
  const statuses = panel().getByRole('textbox', { name: 'Example: Custom statuses' });
  await statuses.scrollIntoViewIfNeeded();
  for (const name of ['On hold', 'Approved']) await statuses.getByText(name, { exact: true }).waitFor();
  await expect.poll(() => statuses.textContent()).not.toContain('[On hold]');
  await expect.poll(() => statuses.textContent()).toContain('[Not a status]');
});

test('a query for this project is copied by keys', async () => {
  await panel().getByRole('button', { name: 'Search', exact: true }).press('Enter');
  await panel().getByRole('heading', { name: 'Queries for project WEB' }).waitFor();
  await panel().getByRole('button', { name: 'Copy query: Open mandatory items' }).press('Enter');
  await page.hasFocus(panel().getByRole('button', { name: 'Copied query: Open mandatory items' }));
  await page.shots(emma, panel(), 'help-search');
  await expect.poll(() => sideways(panel())).toBeLessThanOrEqual(0);
});

test('workflow rules are explained', async () => {
  await panel().getByRole('button', { name: 'Workflow rules' }).click();
  await panel().getByRole('heading', { name: 'What a rule checks' }).waitFor();
  await page.shots(emma, panel(), 'help-workflow');
  await expect.poll(() => sideways(panel())).toBeLessThanOrEqual(0);
});

test('that news was seen is stored', async () => {
  const kept = emma.waitForResponse(
    answer => answer.request().method() === 'PUT' && answer.url().includes('/user/properties/'),
  );
  await panel().getByRole('button', { name: 'What’s new New' }).click();
  await panel().getByRole('heading', { name: 'Version 4.29' }).waitFor();
  expect((await kept).ok()).toBe(true);
  await page.shots(emma, panel(), 'help-news');
  await panel().getByRole('button', { name: 'Back to checklist' }).click();
  await panel().getByRole('textbox', { name: 'Add an item' }).waitFor();
});

test('over the editor the text is unchanged, and Escape closes only the guide', async () => {
  await panel().getByRole('button', { name: 'Open editor' }).click();
  const text = dialog().getByRole('textbox', { name: /as text/ });
  await page.hasFocus(text);
  await emma.keyboard.type('Not saved yet');
  await dialog()
    .getByRole('button', { name: /^Help and what’s new/ })
    .click();
  const help = dialog().getByRole('dialog', { name: 'Help' });
  await help.getByRole('heading', { name: 'Sections' }).waitFor();
  await page.shots(emma, dialog(), 'help-editor');
  await help.getByRole('button', { name: 'Keys' }).click();
  await help.getByText('Mark as done or not done').waitFor();
  await page.shots(emma, dialog(), 'help-keys');
  expect(await axeFindings(help)).toEqual([]);
  await emma.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.hasFocus(text);
  expect(await text.textContent()).toContain('Not saved yet');
});

test('the palette opens it too, and it fits a narrow window', async () => {
  await page.resize(emma, { width: 360, height: 800 });
  await emma.keyboard.press('F1');
  const palette = dialog().getByRole('combobox', { name: 'Commands' });
  await palette.fill('help');
  await dialog().getByRole('option', { name: 'Help and what’s new' }).waitFor();
  await emma.keyboard.press('Enter');
  const help = dialog().getByRole('dialog', { name: 'Help' });
  await help.getByRole('heading', { name: 'Sections' }).waitFor();
  await page.shots(emma, dialog(), 'help-editor-narrow');
  await help.getByRole('button', { name: 'Keys' }).click();
  await page.shots(emma, dialog(), 'help-keys-narrow');
  await expect.poll(() => help.evaluate(it => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
  await help.getByRole('button', { name: 'Close help' }).click();
  await page.resize(emma, { width: 1280, height: 900 });
});

test('a full page opens it as a dialog', async () => {
  await emma.goto(`${site.programs.tracker.url}/plugins/smart-hierarchy?issueKey=WEB-1&projectKey=WEB`);
  const button = frame().getByRole('button', { name: /^Help and what’s new/ });
  await button.click();
  const help = frame().getByRole('dialog', { name: 'Help' });
  await help.getByRole('textbox', { name: 'Example: Custom statuses' }).scrollIntoViewIfNeeded();
  await page.shots(emma, frame(), 'help-smart-hierarchy');
  await emma.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await frame().getByRole('heading', { name: 'Smart hierarchy' }).waitFor();
  await expect.poll(() => button.evaluate(it => it === document.activeElement)).toBe(true);
});
