import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { storedChecklist } from './api.ts';
import { failRequests, isAppRequest } from './fault-injection.ts';
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
const conflict = (user: Page) => page.dialog(user).getByRole('group', { name: /^You and someone else changed/ });

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
  // A row is added above: the tag moves with its row.
  await typeAt(emma, 'Release', '\n- First of all');
  await expect.poll(() => page.dialog(emma).locator('.cm-collaborator').allTextContents()).toEqual(['Mia Krystof']);
  await page.shots(emma, page.dialog(emma), '60-presence');
  // Text typed with a pause is undone in parts.
  await expect
    .poll(async () => {
      if ((await lines(emma)).join('\n') !== START) await emma.keyboard.press('Control+z');
      return (await lines(emma)).join('\n');
    })
    .toBe(START);
});

test("a collaborator's save appears with a note, which closes automatically", async () => {
  await typeAt(mia, 'Ship it', ' on Friday\nTell everybody');
  const note = page.dialog(emma).locator('.editor-remote-change-note');
  const notes = await page.watch(page.dialog(emma).locator('html'), '.editor-remote-change-note');
  const marked = await page.watch(text(emma), '.cm-check-arrived');
  await save(mia);
  await expect.poll(notes).toContain('Mia Krystof changed 2 rows');
  await page.shot(emma, '61-quiet-note');
  await expect.poll(marked).toEqual(['- Ship it on Friday', '- Tell everybody']);
  await expect.poll(() => lines(emma)).toContain('- Tell everybody');
  await note.waitFor({ state: 'detached' });
  await expect.poll(() => text(emma).locator('.cm-check-arrived').count()).toBe(0);
});

test('a conflict shows at its row; theirs is taken, undone, and mine kept', async () => {
  await typeAt(emma, 'Write the tests', ' and run them');
  await typeAt(mia, 'Write the tests', ' in the evening');
  await save(mia);
  await expect.poll(() => conflict(emma).textContent()).toContain('Theirs: Write the tests in the evening');
  await page.shots(emma, page.dialog(emma), '62-conflict');
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
  await page
    .dialog(emma)
    .getByRole('button', { name: /^Keep mine/ })
    .click();
  await save(emma);
  await expect.poll(stored).toContain('- Write the tests and run them\n');
  await expect.poll(() => lines(mia)).toContain('- Write the tests and run them');
});

test('a conflict found by the server also shows at its row', async () => {
  const fault = await failRequests(emma);
  await typeAt(emma, 'Agree on the date', ' in May');
  await emma.keyboard.press('Control+s');
  await expect.poll(() => state(emma).textContent()).toMatch(/^Not saved yet/);
  await typeAt(mia, 'Agree on the date', ' in June');
  await save(mia);
  await fault.end(() => emma.keyboard.press('Control+s'));
  await expect.poll(() => conflict(emma).textContent()).toContain('Theirs: Agree on the date in June');
  await page
    .dialog(emma)
    .getByRole('button', { name: /^Take theirs/ })
    .click();
  await save(emma);
  await expect.poll(stored).toContain('- Agree on the date in June\n');
});

test('typing continues while the server is down, and all of it is saved when the server is back', async () => {
  await typeAt(emma, 'Tell everybody', '\ntyped before');
  await emma.keyboard.press('Control+s');
  await site.programs.addon.kill('SIGKILL');
  await emma.keyboard.type('\ntyped while it was away');
  await emma.keyboard.press('Control+s');
  await emma.keyboard.type('\nand after that');
  await expect.poll(() => state(emma).textContent()).toMatch(/^Not saved yet/);
  await page.shots(emma, page.dialog(emma), '63-server-away');
  expect(await lines(emma)).toContain('- and after that');
  await site.programs.addon.start();
  await emma.keyboard.type(' it came back');
  await save(emma);
  const now = await stored();
  for (const line of ['- typed before', '- typed while it was away', '- and after that it came back'])
    expect(now.split(line)).toHaveLength(2);
});

test('an expired session is renewed while typing continues', async () => {
  let refused = 0;
  const signIns: string[] = [];
  emma.on('request', request => {
    if (request.url().includes('/api/jira/auth')) signIns.push(request.url());
  });
  await emma.context().route(isAppRequest, async route => {
    const { pathname } = new URL(route.request().url());
    if (pathname !== '/graphql' || refused >= 2) return route.continue();
    refused += 1;
    return route.fulfill({ status: 401, json: { error: 'Expired.' } });
  });
  await typeAt(emma, 'and after that it came back', '\ntyped with an old session');
  await emma.keyboard.press('Control+s');
  await emma.keyboard.type(' and on');
  await expect.poll(() => signIns.length).toBeGreaterThan(0);
  await save(emma);
  expect(refused).toBe(2);
  expect(await stored()).toContain('- typed with an old session and on\n');
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
  for (const each of [emma, second]) await each.reload();
  await site.openEditor(emma, ISSUE);
  await site.openEditor(second, ISSUE);
  const both = async () => [...(await lines(emma)), ...(await lines(second))].join('\n');
  await expect.poll(both).toContain('- unsaved in the first');
  await expect.poll(both).toContain('- unsaved in the second');
  await second.close();
});
