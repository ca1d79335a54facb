import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { editionKey } from '../../src/domain/edition.ts';
import { limitReached } from '../../src/domain/messages.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** A site starts with the Free edition, upgrades to Pro, and has both side by side. */

const [FREE, PRO] = (['free', 'pro'] as const).map(id => editionKey(id, true));

let site: page.Site;
let mia: Page;
let emma: Page;

onSite(
  async started => {
    site = started;
    [mia, emma] = [await site.visitor(page.people.admin), await site.visitor(page.people.editor)];
  },
  () => ({ withFree: true }),
);

const panelOf = (name: string): FrameLocator => emma.getByRole('region', { name, exact: true }).frameLocator('iframe');
const free = () => panelOf('Checklist Free');
const pro = () => panelOf('Checklist');
const frame = (): FrameLocator => mia.frameLocator('main iframe');
const url = (path: string) => `${site.programs.tracker.url}${path}`;
const sideways = (of: FrameLocator) => of.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);

/** The editions' stored texts of an issue. */
async function stored(issue: string) {
  const keys = [FREE, PRO].map(key => `${key}.checklist`);
  const answer = await emma.request.get(url(`/rest/api/2/issue/${issue}?properties=${keys.join(',')}`));
  const { properties } = await answer.json();
  return keys.map(key => properties[key]?.text?.trimEnd());
}

async function add(text: string) {
  const input = free().getByRole('textbox', { name: 'Add an item' });
  await input.fill(text);
  await input.press('Enter');
  await free().getByRole('checkbox', { name: text }).waitFor();
}

test('in the Free edition items are added up to its limit', async () => {
  await site.open(emma, 'WEB-1');
  await free().getByRole('textbox', { name: 'Add an item' }).click();
  for (let item = 1; item <= 20; item++) await add(`Item ${item} of twenty`);
  await free().getByText(limitReached.items).waitFor();
  const upgrade = free().getByRole('link', { name: 'Upgrade for more' });
  expect(await upgrade.getAttribute('href')).toContain('app.smart-checklist.pro/');
  await page.shots(emma, free(), 'edition-free-full');
  expect(await axeFindings(free().locator('main'))).toEqual([]);
  // Existing items can still be changed.
  await free().getByRole('checkbox', { name: 'Item 1 of twenty', exact: true }).check();
  await expect.poll(async () => (await stored('WEB-1'))[0]).toContain('+ Item 1 of twenty');
  await site.open(emma, 'WEB-3');
  await add('Only one');
  await expect.poll(async () => (await stored('WEB-3'))[0]).toBe('- Only one');
});

test("the Free edition's settings show what Pro adds, and links", async () => {
  await mia.goto(url('/admin/site-settings'));
  const table = frame().getByRole('region', { name: 'Compare editions' });
  await table.waitFor();
  expect(await table.getByRole('row').allTextContents()).toEqual([
    'Smart Checklist FreeSmart Checklist Pro',
    'Items in a checklist20No limit',
    'Templates of a project5No limit',
    'Site templates5No limit',
  ]);
  for (const name of ['More with the Enterprise edition', 'Write a review', 'Contact support', 'Give feedback']) {
    expect(await frame().getByRole('link', { name }).getAttribute('href')).toMatch(/^https:/);
  }
  await table.scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'edition-free-settings');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 800 });
  await table.scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'edition-free-settings-narrow');
  await expect.poll(() => sideways(frame())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
});

test('a status and a template of the project', async () => {
  await mia.goto(url('/projects/WEB/settings/project-settings'));
  await frame().getByRole('button', { name: 'New status' }).click();
  await frame().getByRole('textbox', { name: 'Name' }).fill('On hold');
  await frame().getByRole('button', { name: 'Create status' }).click();
  await frame().getByRole('button', { name: 'Edit On hold' }).waitFor();
  await frame().getByRole('button', { name: 'Manage templates' }).click();
  await frame().getByRole('button', { name: 'New template' }).click();
  await frame().getByRole('textbox', { name: 'Name' }).fill('Release');
  await frame().getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.insertText('- [On hold] Tag it');
  await frame().getByRole('button', { name: 'Create template' }).click();
  await frame().getByRole('button', { name: 'Release', exact: true }).waitFor();
});

test('installing Pro migrates the existing data automatically, also after a crash of its server', async () => {
  const before = await stored('WEB-1');
  expect(before[1]).toBeUndefined();
  // Open pages would query a server that is killed.
  for (const open of [mia, emma]) await open.goto('about:blank');
  await site.programs.addon.start();
  const taken = async () => (await Promise.all(['WEB-1', 'WEB-3'].map(stored))).some(([, pro]) => pro !== undefined);
  await expect.poll(taken, { timeout: 60_000, interval: 20 }).toBe(true);
  await site.programs.addon.kill('SIGKILL');
  await site.programs.addon.start();
  await expect.poll(async () => (await stored('WEB-1'))[1], { timeout: 60_000 }).toBe(before[0]);
  // The migration continues when the lease of the killed process has expired.
  await expect.poll(() => stored('WEB-3'), { timeout: 120_000 }).toEqual(['- Only one', '- Only one']);
  await mia.goto(url('/admin/site-settings'));
  await frame()
    .getByText(/^2 checklists imported, \d+ issues checked\./)
    .waitFor({ timeout: 60_000 });
  await frame().getByRole('heading', { name: 'Checklists of Smart Checklist Free' }).scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'edition-pro-settings');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 800 });
  await frame().getByRole('heading', { name: 'Checklists of Smart Checklist Free' }).scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'edition-pro-settings-narrow');
  await expect.poll(() => sideways(frame())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
}, 240_000);

test('both show beside the issue, and Pro has no limit', async () => {
  await page.resize(emma, { width: 1280, height: 2000 });
  await site.open(emma, 'WEB-1');
  await pro().getByRole('checkbox', { name: 'Item 20 of twenty' }).waitFor();
  await free().getByRole('checkbox', { name: 'Item 20 of twenty' }).waitFor();
  const input = pro().getByRole('textbox', { name: 'Add an item' });
  await input.fill('The twenty-first');
  await input.press('Enter');
  await pro().getByRole('checkbox', { name: 'The twenty-first' }).waitFor();
  await expect.poll(async () => (await stored('WEB-1'))[1]).toContain('- The twenty-first');
  expect((await stored('WEB-1'))[0]).not.toContain('twenty-first');
  await page.shots(emma, pro(), 'editions-beside');
});

test('the status and the template were migrated', async () => {
  await mia.goto(url('/projects/WEB/settings/project-settings'));
  await frame().getByRole('button', { name: 'Edit On hold' }).waitFor();
  await frame().getByRole('button', { name: 'Manage templates' }).click();
  await frame().getByRole('button', { name: 'Release', exact: true }).waitFor();
});

test("items added in Free later are migrated on request, and Pro's data stays", async () => {
  await site.open(emma, 'WEB-2');
  await add('Written later');
  await expect.poll(async () => (await stored('WEB-2'))[0]).toBe('- Written later');
  const kept = (await stored('WEB-1'))[1];
  await mia.goto(url('/admin/site-settings'));
  await frame().getByRole('button', { name: 'Check again' }).click();
  await expect.poll(async () => (await stored('WEB-2'))[1], { timeout: 60_000 }).toBe('- Written later');
  await frame()
    .getByText(/^1 checklist imported/)
    .waitFor();
  expect((await stored('WEB-1'))[1]).toBe(kept);
});

test("the first change in Pro on an issue is based on Free's items, and keeps them", async () => {
  await site.open(emma, 'WEB-4');
  await add('Of Free');
  await expect.poll(async () => (await stored('WEB-4'))[0]).toBe('- Of Free');
  await site.open(emma, 'WEB-4');
  await pro().getByRole('checkbox', { name: 'Of Free' }).check();
  await expect.poll(async () => (await stored('WEB-4'))[1]).toBe('+ Of Free');
  const input = pro().getByRole('textbox', { name: 'Add an item' });
  await input.fill('Of Pro');
  await input.press('Enter');
  await expect.poll(async () => (await stored('WEB-4'))[1]).toBe('+ Of Free\n- Of Pro');
  expect((await stored('WEB-4'))[0]).toBe('- Of Free');
});

test('each edition has its pages on the apps page', async () => {
  await mia.goto(url('/apps'));
  await mia.getByRole('region', { name: 'Smart Checklist Pro' }).waitFor();
  const card = mia.getByRole('region', { name: 'Smart Checklist Free' });
  await page.shot(mia, 'editions-apps');
  await card.getByRole('link', { name: 'Smart Checklist Free' }).click();
  await frame().getByRole('heading', { name: 'What Smart Checklist Pro adds' }).waitFor();
});
