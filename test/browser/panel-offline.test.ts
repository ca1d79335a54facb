import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { clickEntry, deleteRow, hasFocus, keepUndo, panel, people, type Site, shot, shots } from './site.ts';

/** The network fails during an interaction: the change shows, is pending, and is saved when the network is back. */

const ISSUE = 'WEB-4';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
});

beforeEach(async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two\n- three');
  await site.openLoaded(emma, ISSUE);
  await box('three').waitFor();
  await frame().getByRole('button', { name: 'Filter' }).waitFor();
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
  expect(await stored()).toBe('- one\n- two\n- three');
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

test('while a due date is chosen', async () => {
  await choose('two', 'Due date…');
  const days = frame().getByRole('dialog', { name: 'Due date of two' });
  await days.getByRole('grid').waitFor();
  await offline();
  await days.getByRole('gridcell').filter({ hasText: /^15$/ }).click();
  await frame()
    .getByText(/^Not saved yet/)
    .waitFor();
  const day = await row('two').locator('time').getAttribute('datetime');
  expect(day).toMatch(/-15$/);
  await isSavedLater(`- one\n- two ${day}\n- three`, () => row('two'));
});

test('while rows are selected', async () => {
  for (const name of ['one', 'three']) {
    await row(name)
      .locator('.check-words')
      .click({ modifiers: ['Control'] });
  }
  await frame().getByText('2 selected').waitFor();
  await frame().getByRole('button', { name: 'Set status' }).click();
  await frame().getByRole('menuitemradio', { name: 'Skipped' }).waitFor();
  await offline();
  await clickEntry(frame(), 'Skipped');
  await isSavedLater('x one\n- two\nx three');
});

test('while a deletion is undone', async () => {
  await deleteRow(row('two'));
  await keepUndo(frame());
  await expect.poll(stored).toBe('- one\n- three');
  await offline();
  await frame().getByRole('button', { name: 'Undo' }).click();
  await box('two').waitFor();
  await frame()
    .getByText(/^Not saved yet/)
    .waitFor();
  await emma.context().setOffline(false);
  await expect.poll(stored).toBe('- one\n- two\n- three');
});

test('no other browser errors', () => {
  expect(site.browserErrors.filter(each => !/ERR_INTERNET_DISCONNECTED/.test(each))).toEqual([]);
});
