import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, people, resize, type Site, shot, shots, switchTheme, themes } from './site.ts';

/** The appearance of a text while it is edited: chips, gutter, problems. Each test continues from the previous one. */

const TEXT = [
  '# Release 4.30',
  '- Write the notes 2020-01-31',
  '- Celebrate :tada: with us on 2030-05-06 at last',
  '- Call [~accountid:nobody-of-this-id] and ask',
  '- Ship by 30.02.2026',
  '~ Half of it',
  '+ Was due 2020-01-31',
  'x Not this time',
  '> since nobody asked for it',
  '',
  '> a detail of nothing',
  '- ! Must be',
].join('\n');

let site: Site;
let emma: Page;
let text: Locator;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  text = await site.openEditor(emma, 'WEB-1');
  await text.click();
  await emma.keyboard.insertText(TEXT);
});

const line = (words: string) => text.locator('.cm-line', { hasText: words });
const chip = (look: string) => text.locator(`.cm-chip-${look}`);
const button = (name: string | RegExp) => dialog(emma).getByRole('button', { name });

/** Puts the cursor at the start of a line, counted from 1. */
async function toLine(number: number) {
  await emma.keyboard.press('Control+Home');
  for (let i = 1; i < number; i++) await emma.keyboard.press('ArrowDown');
  await emma.keyboard.press('Home');
}

const press = async (key: string, times: number) => {
  for (let i = 0; i < times; i++) await emma.keyboard.press(key);
};

test('days, people and emoji show as chips', async () => {
  await chip('emoji').getByText('🎉').waitFor();
  await expect.poll(() => chip('overdue').textContent()).toBe('Fri 31 Jan 2020 overdue');
  await expect.poll(() => chip('day').allTextContents()).toEqual(['Mon 6 May 2030', 'Fri 31 Jan 2020']);
  await expect.poll(() => chip('person').count()).toBe(1);
  await shots(emma, dialog(emma), 'editor-look');
});

test('arrow keys enter a chip, move through its text and leave it', async () => {
  await toLine(3);
  await press('ArrowRight', '- Celebrate'.length);
  await chip('emoji').waitFor();
  await press('ArrowRight', 1);
  await line('Celebrate :tada: with').waitFor();
  await press('ArrowRight', ':tada:'.length);
  await line('Celebrate :tada: with').waitFor();
  await press('ArrowRight', 1);
  await chip('emoji').waitFor();
  // Enters the chip from its end.
  await press('ArrowLeft', 2);
  await emma.keyboard.insertText('X');
  await line(':tadaX:').waitFor();
  await emma.keyboard.press('Backspace');
  await line(':tada:').waitFor();
  await toLine(1);
  await chip('emoji').waitFor();
});

test('a click on a chip puts the cursor into its text', async () => {
  await chip('day').first().click();
  await line('on 2030-05-06 at').waitFor();
  await emma.keyboard.press('Shift+ArrowLeft');
  await line('on 2030-05-06 at').waitFor();
  await toLine(1);
  await chip('day').first().waitFor();
  await expect.poll(() => text.locator('.cm-chip-day').count()).toBe(2);
});

test('a line is copied as its text', async () => {
  await toLine(3);
  const copied = await text.evaluate(content => {
    const clipboardData = new DataTransfer();
    content.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  });
  expect(copied.trim()).toBe('- Celebrate :tada: with us on 2030-05-06 at last');
});

test('a composition beside chips leaves them unchanged, and inserts its text at the cursor', async () => {
  await toLine(3);
  await press('ArrowRight', '- Celebrate :tada: with'.length);
  await chip('emoji').waitFor();
  const words = () => text.locator('.cm-chip').allTextContents();
  const before = await words();
  const cdp = await emma.context().newCDPSession(emma);
  for (const composed of ['に', 'にほ', 'にほん', '日本']) {
    await cdp.send('Input.imeSetComposition', {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    });
    await line(`with${composed}`).waitFor();
    expect(await words()).toEqual(before);
  }
  await cdp.send('Input.insertText', { text: '日本' });
  await line('with日本 us').waitFor();
  expect(await words()).toEqual(before);
  await press('Backspace', 2);
  await line('with us').waitFor();
});

test('a click in the gutter ticks the item beside it', async () => {
  // The header above them has its fold beside it.
  const markers = dialog(emma).locator('.cm-check-tick:not([title*=section])');
  await markers.nth(1).click();
  await line('+ Celebrate').waitFor();
  await expect.poll(() => markers.nth(1).getAttribute('title')).toBe('Done. Click to reopen');
  await markers.nth(1).click();
  await line('- Celebrate').waitFor();
});

test('problems are counted, F8 moves to them, Ctrl+. fixes them', async () => {
  await button('2 problems').waitFor();
  await toLine(1);
  await emma.keyboard.press('F8');
  await dialog(emma).getByText('The calendar has no 30.02.2026.').first().waitFor();
  await shots(emma, dialog(emma), 'editor-problem');
  await emma.keyboard.press('Control+.');
  await line('Ship by').getByText('28 Feb').or(line('28.02.2026')).waitFor();
  await button('1 problem').click();
  await dialog(emma).getByText('This detail has no row directly above.').first().waitFor();
  await emma.keyboard.press('Control+.');
  const menu = dialog(emma).getByRole('menu', { name: 'Fixes' });
  await menu.waitFor();
  await shots(emma, dialog(emma), 'editor-fixes');
  await emma.keyboard.press('ArrowDown');
  await emma.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await emma.keyboard.press('Control+.');
  await menu.waitFor();
  await emma.keyboard.press('ArrowDown');
  await emma.keyboard.press('Enter');
  await line('- a detail of nothing').waitFor();
  await button(/problem/).waitFor({ state: 'detached' });
  await emma.keyboard.press('Control+z');
  await line('> a detail of nothing').waitFor();
});

test("Escape closes a problem's message, not the dialog around it", async () => {
  await button('1 problem').waitFor();
  await toLine(1);
  await emma.keyboard.press('F8');
  const message = dialog(emma).locator('.cm-tooltip-lint');
  await message.waitFor();
  await emma.keyboard.press('Escape');
  await message.waitFor({ state: 'detached' });
  expect(await text.isVisible()).toBe(true);
});

test('no accessibility violations in either theme', async () => {
  await toLine(1);
  for (const theme of themes) {
    await switchTheme(emma, dialog(emma), theme);
    expect(await axeFindings(dialog(emma).locator('body'))).toEqual([]);
  }
});

test('plain text shows every character, and the choice is remembered', async () => {
  await button('Plain text').click();
  await line(':tada: with us on 2030-05-06').waitFor();
  await expect.poll(() => text.locator('.cm-chip').count()).toBe(0);
  await shot(emma, 'editor-plain');
  await button('Save').click();
  await dialog(emma).getByText('Saved', { exact: true }).waitFor();
  await button('Close').click();
  text = await site.openEditor(emma, 'WEB-1');
  await expect.poll(() => button('Plain text').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => text.locator('.cm-chip').count()).toBe(0);
  await button('Plain text').click();
  await chip('emoji').waitFor();
});

test.each([
  ['narrow', { width: 360, height: 740 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)('a %s window shows the editor without a second scroll bar', async (name, size) => {
  await resize(emma, size);
  await chip('emoji').waitFor();
  await shot(emma, `editor-${name}`);
  const wide = () =>
    dialog(emma)
      .locator('.cm-scroller')
      .evaluate(scroller => scroller.scrollWidth - scroller.clientWidth);
  await expect.poll(wide).toBe(0);
});

test('no browser errors', () => expect(site.browserErrors).toEqual([]));
