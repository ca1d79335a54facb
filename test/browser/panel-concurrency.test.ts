import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onTwoUsers } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { showsRows } from './panel-row.ts';
import * as page from './site.ts';

provokes(/ERR_INTERNET_DISCONNECTED/);

/** Two users in the rows of one checklist at once: nothing typed is lost, and both see what the other does. */

const ISSUE = 'WEB-5';

let site: page.Site;
let emma: Page;
let mia: Page;

onTwoUsers(async (...started) => {
  [site, emma, mia] = started;
  for (const user of [emma, mia]) await site.openLoaded(user, ISSUE);
});

/** Shows both users that text, in panels that follow it. */
async function open(text: string) {
  await writeChecklist(site.programs, emma, ISSUE, text);
  await Promise.all([emma, mia].map(user => showsRows(page.panel(user), text)));
}

const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;
const frame = (user: Page) => page.panel(user);
const row = (user: Page, text: string) => frame(user).locator('li[data-key]', { hasText: text });
const words = (user: Page) => frame(user).locator('li[data-key] .check-text').allTextContents();
const field = (user: Page) => frame(user).locator('.check-field').getByRole('textbox');
const choice = (user: Page, name: string | RegExp) => frame(user).getByRole('group', { name });

/** Opens the field of an item, and waits until it has the focus. */
async function edit(user: Page, name: string) {
  const box = frame(user).getByRole('checkbox', { name, exact: true });
  await box.focus();
  await page.hasFocus(box);
  await user.keyboard.press('F2');
  await page.hasFocus(field(user));
}

test('who edits a row is shown at the row, in the text editor too, and no more when the field is closed', async () => {
  await open('- Write the tests\n- Agree on the date');
  await edit(mia, 'Agree on the date');
  await row(emma, 'Agree on the date').getByText('Mia Krystof is editing').waitFor();
  await edit(emma, 'Write the tests');
  await row(mia, 'Write the tests').getByText('Emma Richards is editing').waitFor();
  await page.shots(emma, frame(emma), 'rows-presence');
  await mia.keyboard.press('Escape');
  await frame(emma).getByText('Mia Krystof is editing').waitFor({ state: 'detached' });

  await frame(mia).getByRole('button', { name: 'Open editor' }).click();
  const text = page.dialog(mia).getByRole('textbox', { name: /as text/ });
  await page.hasFocus(text);
  await text.locator('.cm-line', { hasText: 'Agree on the date' }).click();
  await page.dialog(mia).getByText('at “Write the tests”').waitFor();
  await row(emma, 'Agree on the date').getByText('Mia Krystof is editing').waitFor();
  await page.dialog(mia).getByRole('button', { name: 'Close', exact: true }).click();
  await emma.keyboard.press('Escape');
  await frame(mia).getByText('Emma Richards is editing').waitFor({ state: 'detached' });
});

test('two rewordings: the one who edits chooses in the field, and the one who saved first at the row', async () => {
  await open('- Write the tests');
  await edit(emma, 'Write the tests');
  await emma.keyboard.press('Control+a');
  await emma.keyboard.type('Draft the tests');
  await edit(mia, 'Write the tests');
  await mia.keyboard.press('Control+a');
  await mia.keyboard.type('Review all tests');
  await mia.keyboard.press('Enter');
  await frame(emma).getByText('Mia Krystof changed this item to “Review all tests”.').waitFor();
  const inField = choice(emma, 'You and Mia Krystof changed the text');
  await inField.getByText('Review all tests').waitFor();
  expect(await axeFindings(frame(emma).locator('body'), 'region')).toEqual([]);
  await page.shots(emma, frame(emma), 'rows-conflict-field');
  await inField.getByRole('button', { name: /^Keep mine/ }).click();
  await inField.waitFor({ state: 'detached' });
  await page.hasFocus(field(emma));
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe('- Draft the tests');
  // Chosen already: nothing is asked again.
  await expect.poll(() => words(emma)).toEqual(['Draft the tests']);
  expect(await frame(emma).locator('.check-conflict').count()).toBe(0);

  const atRow = choice(mia, 'You and Emma Richards changed the text');
  await atRow.getByText('Review all tests').waitFor();
  await page.shots(mia, frame(mia), 'rows-conflict');
  expect(await axeFindings(frame(mia).locator('body'), 'region')).toEqual([]);
  await atRow.getByRole('button', { name: /^Keep mine/ }).click();
  await expect.poll(stored).toBe('- Review all tests');
  await atRow.waitFor({ state: 'detached' });
  await expect.poll(() => words(emma)).toEqual(['Review all tests']);
});

/** Both users reword a row at once, so that the server finds a conflict. */
async function bothReword() {
  await open('- Write the tests\n- Ship it');
  await edit(emma, 'Write the tests');
  await emma.keyboard.press('Control+a');
  await emma.keyboard.type('Draft the tests');
  await emma.context().setOffline(true);
  await emma.keyboard.press('Enter');
  await expect.poll(() => words(emma)).toEqual(['Draft the tests', 'Ship it']);
  await edit(mia, 'Write the tests');
  await mia.keyboard.press('Control+a');
  await mia.keyboard.type('Review all tests');
  await mia.keyboard.press('Enter');
  await expect.poll(stored).toContain('Review all tests');
  await emma.context().setOffline(false);
  await choice(mia, 'You and Emma Richards changed the text').waitFor();
}

test('a conflict that the server finds shows at the row of both', async () => {
  await bothReword();
  const own = choice(emma, 'You and Mia Krystof changed the text');
  await own.getByText('Review all tests').waitFor();
  await own.getByRole('button', { name: /^Take theirs/ }).click();
  await expect.poll(stored).toBe('- Review all tests\n- Ship it');
  // The value that was asked about is gone, and so is the question.
  await choice(mia, /changed the text/).waitFor({ state: 'detached' });
});

test('whose value was kept sees that the other one chose theirs', async () => {
  await bothReword();
  await choice(emma, 'You and Mia Krystof changed the text').waitFor();
  await choice(mia, /changed the text/)
    .getByRole('button', { name: /^Keep mine/ })
    .click();
  await expect.poll(stored).toBe('- Review all tests\n- Ship it');
  await frame(emma)
    .getByText('Mia Krystof chose “Review all tests” instead of “Draft the tests”, which you wrote')
    .waitFor();
  await choice(emma, /changed the text/).waitFor({ state: 'detached' });
  expect(await axeFindings(frame(emma).locator('body'), 'region')).toEqual([]);
  await page.shots(emma, frame(emma), 'rows-outcome');
  await frame(emma).getByRole('button', { name: 'Dismiss' }).click();
  await frame(emma).getByText('which you wrote').waitFor({ state: 'detached' });
});
