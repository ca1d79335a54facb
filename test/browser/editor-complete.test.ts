import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, hasFocus, people, resize, type Site, shot, shots } from './site.ts';

/** The completion lists of the text editor by keyboard alone, in the built product. */

let site: Site;
let page: Page;

onSite(async started => {
  site = started;
  page = await site.visitor(people.editor);
  await site.openEditor(page, 'WEB-1');
});

const text = () => dialog(page).getByRole('textbox', { name: /as text/ });
const list = () => dialog(page).getByRole('listbox', { name: 'Suggestions' });
const option = (name: string | RegExp) => list().getByRole('option', { name });
const hint = () => dialog(page).locator('.cm-complete-hint');
/** The line at the cursor as its text: a chip shows other words. */
const copied = () =>
  text().evaluate(content => {
    const clipboardData = new DataTransfer();
    content.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  });
const lines = () =>
  dialog(page)
    .locator('.cm-line')
    .evaluateAll(found => found.map(line => line.textContent));

/** Replaces the text by typing. */
async function type(what: string): Promise<void> {
  await page.keyboard.press('Escape');
  await text().focus();
  await hasFocus(text());
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(what);
}

/** Milliseconds for which a new list ignores keys, with a margin. */
const INTERACTION_DELAY = 100;

/** Presses a key after the list has shown its current option for that time, as a user does. */
async function press(key: 'ArrowDown' | 'ArrowUp' | 'Enter'): Promise<void> {
  await expect.poll(() => text().getAttribute('aria-activedescendant')).toBeTruthy();
  await text().evaluate(
    (content, appears) =>
      new Promise<void>(resolve => {
        let last: string | null = null;
        let since = 0;
        const check = () => {
          const now = content.getAttribute('aria-activedescendant');
          if (now !== last) [last, since] = [now, performance.now()];
          if (now && performance.now() - since > appears) resolve();
          else requestAnimationFrame(check);
        };
        check();
      }),
    INTERACTION_DELAY,
  );
  await page.keyboard.press(key);
}

async function accept(): Promise<void> {
  await press('Enter');
  await list().waitFor({ state: 'detached' });
}

/**
 * Accessibility violations of the editor. The list is operated from the text, which names the active option: like the
 * list of a combobox, which the rule excludes, it needs no focus to scroll.
 */
const violations = () => axeFindings(dialog(page).locator('.cm-editor'), 'scrollable-region-focusable');

test("people: avatar and name, and the tracker's mention", async () => {
  await type('- Ask @em');
  await option('Emma Richards').waitFor();
  expect(await violations()).toEqual([]);
  await shots(page, dialog(page), 'complete-people');
  await type('- Ask @em');
  await option('Emma Richards').waitFor();
  await accept();
  await expect
    .poll(lines)
    .toEqual([expect.stringMatching(/^- Ask (\[~accountid:5b10a2844c20165700ede21c\]|@Emma Richards) $/)]);
  await type('- Ask @nobodyatall');
  await hint().waitFor();
  await shots(page, dialog(page), 'complete-nobody');
  await page.keyboard.press('Escape');
  await hint().waitFor({ state: 'detached' });
  await text().waitFor();
});

test('days: by name, by phrase and from the calendar', async () => {
  await type('- By //');
  await option(/^Tomorrow/).waitFor();
  expect(await violations()).toEqual([]);
  await shots(page, dialog(page), 'complete-days');
  await type('- By 01/12/2030 //31 december 2030');
  await option(/31 December 2030/).waitFor();
  await accept();
  await expect.poll(copied).toContain('31/12/2030');
  await type('- By //');
  await option(/^Pick a date/).waitFor();
  await press('ArrowUp');
  await accept();
  const calendar = dialog(page).getByRole('dialog', { name: 'Pick a date…' });
  await expect.poll(() => calendar.locator(':focus').count()).toBe(1);
  await shots(page, dialog(page), 'complete-calendar');
  await calendar.locator('[role=gridcell] [tabindex="0"], [role=gridcell][tabindex="0"]').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await calendar.waitFor({ state: 'detached' });
  await expect.poll(lines).toEqual([expect.stringMatching(/^- By (20\d\d-\d\d-\d\d|\w.*\d.*) $/)]);
  await hasFocus(text());
  await type('- By //');
  await option(/^Pick a date/).waitFor();
  await press('ArrowUp');
  await accept();
  await expect.poll(() => calendar.locator(':focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await calendar.waitFor({ state: 'detached' });
  await expect.poll(lines).toEqual(['- By //']);
});

test('a day in words at the end of an item is offered as its due date, and Tab takes it', async () => {
  await type('- Call Anna on 24 December');
  const offer = dialog(page).getByRole('button', { name: /^Due \w+ 24 December/ });
  await offer.waitFor();
  await shots(page, dialog(page), 'complete-day-in-words');
  await text().focus();
  await page.keyboard.press('Tab');
  await offer.waitFor({ state: 'detached' });
  expect(await copied()).toMatch(/^- Call Anna 20\d\d-12-24/);
  await hasFocus(text());
});

test('issues: summary and status', async () => {
  await type('- After WEB-');
  await option(/^WEB-1 .*One-page checkout/).waitFor();
  expect(await violations()).toEqual([]);
  await shots(page, dialog(page), 'complete-issues');
  await type('- After WEB-');
  await option(/^WEB-2/).waitFor();
  await press('ArrowDown');
  await accept();
  await expect.poll(async () => (await lines()).join()).toContain('WEB-2');
});

test('a list closes when the text loses the focus', async () => {
  await type('- :smi');
  await option(':smile:').waitFor();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).focus();
  await list().waitFor({ state: 'detached' });
});

test('the lists fit a narrow frame', async () => {
  await resize(page, { width: 360, height: 640 });
  for (const [typed, name] of [
    ['- Some words before the name of @e', 'people'],
    ['- Some words that come before WEB-', 'issues'],
    ['- Some words that come before //', 'days'],
  ] as const) {
    await type(typed);
    await list().waitFor();
    await expect
      .poll(async () => {
        const box = await list().boundingBox();
        return box !== null && box.width > 0 && box.x >= 0 && box.x + box.width <= 360;
      })
      .toBe(true);
    await shot(page, `complete-narrow-${name}`);
  }
});
