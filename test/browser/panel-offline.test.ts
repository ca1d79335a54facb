import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { showsRows } from './panel-row.ts';
import { clickEntry, hasFocus, panel, people, type Site, shot, shots } from './site.ts';

provokes(/ERR_INTERNET_DISCONNECTED/);

/** The network fails during an interaction: the change shows, is pending, and is saved when the network is back. */

const ISSUE = 'WEB-4';
const START = '- one\n- two\n- three';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openLoaded(emma, ISSUE);
  await frame().getByRole('textbox', { name: 'Add an item' }).waitFor();
});

beforeEach(async () => {
  await writeChecklist(site.programs, emma, ISSUE, START);
  await showsRows(frame(), START);
});

afterEach(async () => {
  await emma.context().setOffline(false);
});

const frame = () => panel(emma);
const box = (name: string) => frame().getByRole('checkbox', { name, exact: true });
const row = (text: string) => frame().locator('li[data-key]', { hasText: text });
const field = () => frame().locator('.check-field').getByRole('textbox');
const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;
const offline = () => emma.context().setOffline(true);

async function choose(name: string, entry: string) {
  await row(name).hover();
  await row(name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click();
  await clickEntry(frame(), entry);
}

/** The change shows as not saved and is not stored; when the network is back it is stored, and the focus stays. */
async function isSavedLater(text: string, focused?: () => Locator) {
  await frame()
    .getByText(/^Not saved yet/)
    .waitFor();
  if (focused) await hasFocus(focused());
  expect(await stored()).toBe(START);
  await emma.context().setOffline(false);
  await expect.poll(stored).toBe(text);
  await frame()
    .getByText(/^Not saved yet/)
    .waitFor({ state: 'detached' });
  if (focused) await hasFocus(focused());
}

test('while a row is edited', async () => {
  await box('one').focus();
  await hasFocus(box('one'));
  await emma.keyboard.press('F2');
  await hasFocus(field());
  await emma.keyboard.type(' and');
  await offline();
  await emma.keyboard.type(' more');
  await emma.keyboard.press('Enter');
  await box('one and more').waitFor();
  await isSavedLater('- one and more\n- two\n- three', () => box('one and more'));
});

test('while an item is added', async () => {
  const input = frame().getByRole('textbox', { name: 'Add an item' });
  await input.click();
  await emma.keyboard.type('fo');
  await offline();
  await emma.keyboard.type('ur');
  await emma.keyboard.press('Enter');
  await box('four').waitFor();
  await emma.keyboard.type('half ty');
  await shots(emma, frame(), 'offline-added');
  await isSavedLater('- one\n- two\n- three\n- four', () => input);
  await emma.keyboard.type('ped');
  await expect.poll(() => input.inputValue()).toBe('half typed');
});

test('while an assignee is chosen', async () => {
  await choose('one', 'Assign…');
  const finder = frame().getByRole('dialog', { name: 'Assignee of one' });
  await hasFocus(finder);
  await offline();
  await emma.keyboard.type('mi');
  await finder.getByRole('status').filter({ hasText: /\S/ }).waitFor();
  await shot(emma, 'offline-assign');
  await emma.keyboard.press('Backspace');
  await emma.keyboard.press('Backspace');
  await finder.getByRole('option', { name: 'Assign to me' }).click();
  await row('one').getByText(people.editor, { exact: true }).waitFor();
  await isSavedLater('- one [~accountid:5b10a2844c20165700ede21c]\n- two\n- three', () => row('one'));
});
