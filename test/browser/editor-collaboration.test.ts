import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { readChecklist } from '../../src/text/read.ts';
import { graphql, session, storedChecklist, writeChecklist } from './api.ts';
import { onTwoUsers } from './fixture.ts';
import * as page from './site.ts';

/** A user in the text while another one moves, rewords or deletes the same row: no key goes elsewhere, no word is lost. */

const ROWS = ['Write the tests', 'Agree on the date', 'Ship it', 'Thank all'];

let site: page.Site;
let emma: Page;
let mia: Page;
/** Each test's issue: texts that an earlier one has left unsaved are of another. */
let issue: string;

onTwoUsers((...started) => {
  [site, emma, mia] = started;
});

const text = (user: Page) => page.dialog(user).getByRole('textbox', { name: /as text/ });
const line = (user: Page, words: string) => text(user).locator('.cm-line', { hasText: words });
const lines = (user: Page) => text(user).locator('.cm-line').allTextContents();
const box = (user: Page, name: string) => page.panel(user).getByRole('checkbox', { name });
const stored = async () => (await storedChecklist(site.programs, emma, issue)).text;
const storedRows = async () => readChecklist(await stored()).rows.map(({ text }) => text);

/** Opens the rows in Emma's editor, and the issue in Mia's panel. */
async function begin(key: string) {
  issue = key;
  await writeChecklist(site.programs, emma, issue, ROWS.map(row => `- ${row}`).join('\n'));
  await site.openLoaded(mia, issue);
  await site.openEditor(emma, issue);
  await expect.poll(() => lines(emma)).toEqual(ROWS.map(row => `- ${row}`));
}

/** Presses a key at a row of a user's panel. */
async function press(user: Page, row: string, key: string) {
  await box(user, row).focus();
  await page.hasFocus(box(user, row));
  await user.keyboard.press(key);
}

async function saveText(user: Page) {
  await user.keyboard.press('Control+s');
  await expect.poll(() => page.dialog(user).locator('.editor-state').textContent()).toBe('Saved');
}

async function closeEditor(user: Page) {
  await page.dialog(user).getByRole('button', { name: 'Close', exact: true }).click();
  await user.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Flags of a user's page, and choices in the panel's rows. */
const messages = async (user: Page) => {
  const flags = await user.locator('.flag').allTextContents();
  const notes = page.panel(user).locator('.check-conflict, .overwritten-values');
  return [...flags, ...(await notes.allTextContents())].join('\n');
};

test.each([
  ['at the end of the row', 'WEB-3', ['End'], 'Agree on the date', ' by mail', ' and phone'],
  ['inside a word', 'WEB-4', ['End', ...Array<string>(2).fill('ArrowLeft')], 'Agree on the da', 'yli', 'ght '],
])(
  'typing goes on in a row that another user moves, with the cursor %s',
  async (_, key, keys, before, first, second) => {
    await begin(key);
    const rest = 'Agree on the date'.slice(before.length);
    await line(emma, 'Agree on the date').click();
    for (const pressed of keys) await emma.keyboard.press(pressed);
    await emma.keyboard.type(first);
    await press(mia, 'Agree on the date', 'Alt+ArrowDown');
    const moved = [ROWS[0], ROWS[2], `${before}${first}${rest}`, ROWS[3]];
    await expect.poll(() => lines(emma)).toEqual(moved.map(row => `- ${row}`));
    await emma.keyboard.type(second);
    moved[2] = `${before}${first}${second}${rest}`;
    expect(await lines(emma)).toEqual(moved.map(row => `- ${row}`));
    await saveText(emma);
    expect(await storedRows()).toEqual(moved);
    await closeEditor(emma);
  },
);

test('a word that an unanswered choice leaves out is in the history, and its author is notified of it', async () => {
  await begin('WEB-5');
  await line(emma, 'Write the tests').click();
  await emma.keyboard.press('End');
  await emma.keyboard.type(' tomorrow');
  await site.openEditor(mia, issue);
  await line(mia, 'Write the tests').click();
  await mia.keyboard.press('End');
  await mia.keyboard.type(' tonight');
  await saveText(mia);
  await closeEditor(mia);
  const choice = page.dialog(emma).getByRole('group', { name: /^You and someone else changed/ });
  await expect.poll(() => choice.textContent()).toContain('Theirs: Write the tests tonight');
  await page.dialog(emma).getByRole('button', { name: 'Close', exact: true }).click();
  await page.dialog(emma).getByText('1 choice is open: keep mine, take theirs.').waitFor();
  await page.shots(emma, page.dialog(emma), '66-close-with-choice');
  await page.dialog(emma).getByRole('button', { name: 'Keep editing' }).click();
  await saveText(emma);
  await page.dialog(emma).getByText('1 choice is open: keep mine, take theirs.').waitFor();
  await page.shots(emma, page.dialog(emma), '67-saved-with-choice');
  await closeEditor(emma);
  expect(await storedRows()).toContain('Write the tests tomorrow');

  const { id } = await storedChecklist(site.programs, emma, issue);
  const query = 'query ($id: ID!) { checklistHistory(issueId: $id) { entries { conflicts { mine theirs } } } }';
  const token = await session(site.programs, emma, issue);
  const { data } = await graphql(site.programs, emma, token, query, { id });
  expect
    .soft(data.checklistHistory.entries.flatMap((entry: { conflicts: object[] }) => entry.conflicts))
    .toContainEqual({
      mine: expect.stringContaining('tomorrow'),
      theirs: expect.stringContaining('tonight'),
    });
  await page.shots(mia, page.panel(mia), '64-overwritten-choice');
  const isNotified = () => vi.waitFor(async () => expect(await messages(mia)).toContain('tonight'), 15_000);
  await isNotified();
  await site.openLoaded(mia, issue);
  await isNotified();
  await page.shots(mia, page.panel(mia), '65-overwritten-message');
});

test('what is typed in a row that another user deletes becomes a row of its own', async () => {
  await begin('WEB-6');
  await line(emma, 'Agree on the date').click();
  await emma.keyboard.press('End');
  await press(mia, 'Agree on the date', 'Delete');
  await expect.poll(() => lines(emma)).toEqual(['- Write the tests', '- Ship it', '- Thank all']);
  await page.dialog(emma).getByText('deleted the row you were in. What you type becomes a new row.').waitFor();
  await page.shots(emma, page.dialog(emma), '68-row-deleted');
  await emma.keyboard.type('still here');
  await saveText(emma);
  const rows = await storedRows();
  expect(rows.filter(row => row !== 'still here')).toEqual(['Write the tests', 'Ship it', 'Thank all']);
  expect(rows).toContain('still here');
  await closeEditor(emma);
});

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
