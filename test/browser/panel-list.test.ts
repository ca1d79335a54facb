import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { hold } from './drag.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import * as page from './site.ts';

provokes(/ERR_INTERNET_DISCONNECTED/);

/** The inline list in the tracker's page: drag, keys, selection and filter. */

const ISSUE = 'WEB-2';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
  await site.open(emma, ISSUE);
});

const panel = () => page.panel(emma);
const row = (text: string) => panel().locator('li[data-key]', { hasText: text });
const shots = (name: string) => page.shots(emma, panel(), name);
const texts = () => panel().locator('.check-text, .check-title').allTextContents();

async function write(text: string) {
  const input = panel().getByRole('textbox', { name: 'Add an item' });
  await input.fill(text);
  await input.press('Enter');
}

const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;

/** Drags a row by its handle over another one, above or below its middle. */
const drag = (from: string, to: string, edge: 'above' | 'below') =>
  hold(panel(), { row: row(from), handle: row(from).locator('.check-handle'), over: row(to) }, edge);

const axe = async (name: string) => expect(await axeFindings(panel().locator('html')), name).toEqual([]);

test('several lines typed in the input become the list', async () => {
  await write(
    [
      '# Prepare',
      '+ Freeze the branch',
      '~ Write the notes [~accountid:nobody]',
      '+ Ask the lawyers',
      '# Release',
      '- Tag it 2020-02-02',
      '- Tell everybody',
      '- ! Watch the graphs',
    ].join('\n'),
  );
  await expect.poll(stored).toContain('- ! Watch the graphs');
  // The tracker's field follows and moves the panel down: dragging must wait for that.
  await emma.getByText('- ! Watch the graphs').first().waitFor();
  await shots('60-list');
  await axe('list');
});

test('a row moves to the drop line, and back with Undo, and nowhere with Escape', async () => {
  const before = await stored();
  await drag('Freeze the branch', 'Tag it', 'above');
  await emma.keyboard.press('Escape');
  await emma.mouse.up();
  expect(await stored()).toBe(before);
  await drag('Watch the graphs', 'Freeze the branch', 'above');
  await page.shot(emma, '61-dragging');
  await emma.mouse.up();
  await page.keepUndo(panel());
  await expect.poll(stored).toContain('# Prepare\n- ! Watch the graphs\n+ Freeze the branch');
  await panel().getByText('Moved to position 1 of 4, section Prepare.').waitFor();
  await shots('62-moved');
  await panel().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toBe(before);
});

test('selected rows move together', async () => {
  // At the start of the words: a hovered row has its buttons over their end.
  const select = { modifiers: ['Control' as const], position: { x: 8, y: 8 } };
  await row('Tell everybody').locator('.check-words').click(select);
  await row('Ask the lawyers').locator('.check-words').click(select);
  await panel().getByText('2 selected').waitFor();
  await shots('63-selected');
  await axe('selected');
  await drag('Ask the lawyers', 'Tag it', 'above');
  await emma.mouse.up();
  await expect
    .poll(stored)
    .toMatch(/# Release\n(?:- Tell everybody\n\+ Ask the lawyers|\+ Ask the lawyers\n- Tell everybody)\n- Tag it/);
  await panel().getByRole('button', { name: 'Set status' }).click();
  await panel().getByRole('menuitemradio', { name: 'Done' }).waitFor();
  await page.shot(emma, '64-bulk-status');
  await page.clickEntry(panel(), 'Done');
  await expect.poll(stored).toContain('+ Tell everybody');
  // It stays for the next command.
  await panel().getByRole('button', { name: 'Clear selection' }).click();
});

test('a row dropped after the network has failed moves to the drop line, and is saved later', async () => {
  const before = await stored();
  await drag('Tag it', 'Watch the graphs', 'below');
  await emma.context().setOffline(true);
  await emma.mouse.up();
  await page.keepUndo(panel());
  await panel()
    .getByText(/^Not saved yet/)
    .waitFor();
  await expect.poll(async () => (await texts()).slice(-2)).toEqual(['!Mandatory: Watch the graphs', 'Tag it']);
  await page.shot(emma, '64-offline-drop');
  await emma.context().setOffline(false);
  await expect.poll(stored).toContain('- ! Watch the graphs\n- Tag it');
  await panel().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toBe(before);
});

test('keys add below a row and show the shortcuts, and the focus goes with them', async () => {
  const graphs = panel().getByRole('checkbox', { name: 'Watch the graphs' });
  await graphs.focus();
  await page.hasFocus(graphs);
  await emma.keyboard.press('n');
  await page.hasFocus(panel().getByRole('textbox', { name: 'New item below Watch the graphs' }));
  await emma.keyboard.type('Added below');
  await shots('65-add-below');
  await emma.keyboard.press('Enter');
  await emma.keyboard.press('Escape');
  await expect.poll(stored).toContain('- ! Watch the graphs\n- Added below');
  await page.hasFocus(panel().locator('.check-rows'));
  await emma.keyboard.press('?');
  await panel().getByRole('region', { name: 'Keyboard shortcuts' }).waitFor();
  await shots('66-help');
  await axe('help');
  await emma.keyboard.press('Escape');
});

test('the palette opens at the row in a frame that grows, and gives the focus back', async () => {
  const graphs = panel().getByRole('checkbox', { name: 'Watch the graphs' });
  await graphs.focus();
  await emma.keyboard.press('F1');
  const search = panel().getByRole('combobox', { name: 'Commands' });
  await page.hasFocus(search);
  await expect.poll(() => page.fits(panel())).toBe(true);
  await shots('67-palette');
  await axe('palette');
  await emma.keyboard.type('move u');
  await panel().getByRole('option', { name: 'Move up' }).waitFor();
  await emma.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  await page.hasFocus(graphs);
});

test('hidden, filtered and collapsed lists show what is missing', async () => {
  await panel().getByRole('button', { name: 'Hide completed' }).click();
  await panel()
    .getByRole('button', { name: /^\d completed hidden$/ })
    .waitFor();
  await panel().getByRole('button', { name: 'Section Prepare', exact: true }).click();
  await panel().getByRole('button', { name: 'Filter' }).click();
  await shots('67-hidden-and-closed');
  await axe('hidden');
  await panel()
    .getByRole('button', { name: /^Overdue/ })
    .click();
  await panel()
    .getByRole('button', { name: /^In Progress/ })
    .click();
  await panel().getByText('No items match.').waitFor();
  await shots('68-no-match');
});
