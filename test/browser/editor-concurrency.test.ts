import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { storedChecklist } from './api.ts';
import { onTwoUsers } from './fixture.ts';
import * as page from './site.ts';

/** Two users in one text at once, and a server that fails during typing: no input is lost. */

const ISSUE = 'WEB-6';
const START = '# Release\n- Write the tests\n- Agree on the date\n- Ship it\n';

let site: page.Site;
let emma: Page;
let mia: Page;

onTwoUsers(async (...started) => {
  [site, emma, mia] = started;
  const empty = await site.openEditor(emma, ISSUE);
  await empty.press('Control+a');
  await emma.keyboard.insertText(START);
  await emma.keyboard.press('Control+s');
  await vi.waitFor(async () => expect(await stored()).toBe(START), 60_000);
  await site.openEditor(mia, ISSUE);
});

const text = (user: Page) => page.dialog(user).getByRole('textbox', { name: /as text/ });
const state = (user: Page) => page.dialog(user).locator('.editor-state');
const lines = (user: Page) => text(user).locator('.cm-line').allTextContents();
const conflict = (user: Page) => page.dialog(user).getByRole('group', { name: /^You and .+ changed/ });

const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).whole;

/** Puts the cursor at the end of a line and types there. */
async function typeAt(user: Page, line: string, keys: string) {
  await text(user).locator('.cm-line', { hasText: line }).click();
  await user.keyboard.press('End');
  await user.keyboard.type(keys);
}

async function save(user: Page) {
  await user.keyboard.press('Control+s');
  await expect.poll(() => state(user).textContent()).toBe('Saved');
}

test("each user sees the other's row, in the text and as a description", async () => {
  await typeAt(mia, 'Agree on the date', '');
  await typeAt(emma, 'Write the tests', '');
  await page.dialog(emma).getByText('at “Agree on the date”').waitFor();
  await page.dialog(mia).getByText('at “Write the tests”').waitFor();
  const tag = page.dialog(emma).locator('.cm-collaborator');
  await expect.poll(() => tag.allTextContents()).toEqual(['Mia Krystof']);
  const row = text(emma).locator('.cm-line', { hasText: 'Agree on the date' });
  const distance = async () => {
    const [tagBox, rowBox] = await Promise.all([tag.boundingBox(), row.boundingBox()]);
    return Math.abs((tagBox?.y ?? 0) - (rowBox?.y ?? -99));
  };
  await expect.poll(distance).toBeLessThan(12);
  expect(await tag.locator('xpath=..').getAttribute('aria-hidden')).toBe('true');
  await page.shots(emma, page.dialog(emma), '60-presence');
});

test('typing goes on inside a word of a row that another user moves, and then in one that another user deletes', async () => {
  await typeAt(emma, 'Agree on the date', '');
  for (const key of ['ArrowLeft', 'ArrowLeft']) await emma.keyboard.press(key);
  await emma.keyboard.type('yli');
  await text(mia).locator('.cm-line', { hasText: 'Agree on the date' }).click();
  await mia.keyboard.press('Alt+ArrowDown');
  await save(mia);
  const moved = ['# Release', '- Write the tests', '- Ship it', '- Agree on the daylite', ''];
  await expect.poll(() => lines(emma)).toEqual(moved);
  await emma.keyboard.type('ght ');
  await save(emma);
  await expect.poll(stored).toBe(moved.join('\n').replace('daylite', 'daylight te'));

  await expect.poll(() => lines(mia)).toContain('- Agree on the daylight te');
  await text(mia).locator('.cm-line', { hasText: 'Agree on the daylight te' }).click();
  await mia.keyboard.press('Control+Shift+K');
  await expect.poll(() => lines(mia)).not.toContain('- Agree on the daylight te');
  await save(mia);
  await page.dialog(emma).getByText('deleted the item you were in. What you type becomes a new item.').waitFor();
  await page.shots(emma, page.dialog(emma), '68-row-deleted');
  await emma.keyboard.type('still here');
  await save(emma);
  const rows = (await stored())
    .trimEnd()
    .split('\n')
    .filter(row => !row.includes('still here'));
  expect(rows).toEqual(['# Release', '- Write the tests', '- Ship it']);
  expect(await stored()).toContain('still here');
});

test('a conflict shows at its row; theirs is taken, undone, and mine kept', async () => {
  await typeAt(emma, 'Write the tests', ' and run them');
  await typeAt(mia, 'Write the tests', ' in the evening');
  await save(mia);
  await expect.poll(() => conflict(emma).textContent()).toContain('Theirs: Write the tests in the evening');
  await page.shots(emma, page.dialog(emma), '62-conflict');
  await page.dialog(emma).getByRole('button', { name: 'Close', exact: true }).click();
  await page.dialog(emma).getByText('1 choice is open: keep mine, take theirs.').waitFor();
  await page.shots(emma, page.dialog(emma), '66-close-with-choice');
  await page.dialog(emma).getByRole('button', { name: 'Keep editing' }).click();
  await page.hasFocus(text(emma));
  // The bar is rendered before it can take the focus.
  const focused = () =>
    page
      .dialog(emma)
      .locator('body')
      .evaluate(() => document.activeElement?.textContent);
  await emma.keyboard.press('Alt+F5');
  await expect.poll(focused).toMatch(/^Keep mine/);
  await emma.keyboard.press('Tab');
  await expect.poll(focused).toMatch(/^Take theirs/);
  await emma.keyboard.press('Enter');
  await conflict(emma).waitFor({ state: 'detached' });
  await expect.poll(() => lines(emma)).toContain('- Write the tests in the evening');
  await page.hasFocus(text(emma));
  await emma.keyboard.press('Control+z');
  await conflict(emma).waitFor();
  await expect.poll(() => lines(emma)).toContain('- Write the tests and run them');
  await save(emma);
  await page.shots(emma, page.dialog(emma), '67-saved-with-choice');
  await page.dialog(emma).getByRole('button', { name: 'Go to choice' }).click();
  await expect.poll(focused).toMatch(/^Keep mine/);
  await emma.keyboard.press('Enter');
  await conflict(emma).waitFor({ state: 'detached' });
  await expect.poll(stored).toContain('- Write the tests and run them\n');
  await expect.poll(() => lines(mia)).toContain('- Write the tests and run them');
});

test('two windows of one user keep separate drafts, and neither shows the other as a collaborator', async () => {
  const second = await emma.context().newPage();
  second.setDefaultTimeout(WAIT_TIMEOUT);
  await site.openEditor(second, ISSUE);
  await typeAt(emma, 'Release', '\n- unsaved in the first');
  await typeAt(second, 'Ship it', '\nunsaved in the second');
  expect(await page.dialog(emma).locator('.editor-collaborators').textContent()).not.toContain('Emma');
  // Both drafts are stored a moment after the last key.
  const drafts = () =>
    page
      .dialog(emma)
      .locator('html')
      .evaluate(() => Object.keys(localStorage).filter(key => key.includes('.draft')).length);
  await expect.poll(drafts).toBe(2);
  await site.openEditor(emma, ISSUE);
  await site.openEditor(second, ISSUE);
  const both = async () => [...(await lines(emma)), ...(await lines(second))].join('\n');
  await expect.poll(both).toContain('- unsaved in the first');
  await expect.poll(both).toContain('- unsaved in the second');
  await second.close();
});
