import type { CDPSession, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { full } from '../run/seed.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { launchChromium } from './chromium.ts';
import { onSite } from './fixture.ts';
import { showsRows } from './panel-row.ts';
import { dialog, hasFocus, panel, people, type Site, shot, siteOf } from './site.ts';

/** A phone with a finger. Frames of other sites share the page's process here: the driver's touches miss in others. */

const ISSUE = 'WEB-4';
const HEIGHT = 640;
/** What an on-screen keyboard leaves of it. */
const ABOVE_KEYBOARD = 360;
/** Of a line, which may be hidden: its letters are not. */
const LEADING = 3;

let site: Site;
let phone: Page;
let finger: CDPSession;

onSite(async started => {
  site = started;
});

beforeAll(async () => {
  const browser = await launchChromium(['--disable-site-isolation-trials', '--disable-features=IsolateOrigins']);
  site = { ...siteOf(site.programs, browser), stop: () => browser.close() };
  phone = await site.visitor(people.editor, {
    ...{ viewport: { width: 360, height: HEIGHT }, hasTouch: true, isMobile: true },
    userAgent: 'Mozilla/5.0 (Linux; Android 15) AtlassianMobileApp',
  });
  finger = await phone.context().newCDPSession(phone);
  await writeChecklist(site.programs, phone, ISSUE, text);
  await phone.goto(`${site.programs.tracker.url}/mobile/${ISSUE}`);
  frame = panel(phone);
  // A first touch loads code.
  await frame.getByRole('button', { name: 'More actions for item 1', exact: true }).waitFor();
  // Boxes are disabled until the user's permissions are known.
  await frame.locator('.check-tick input:enabled').first().waitFor({ state: 'attached' });
});
afterAll(() => site.stop());

const items = Array.from({ length: 30 }, (_, index) => `item ${index + 1}`);
const text = items.map(item => `- ${item}`).join('\n');
const stored = async () => (await storedChecklist(site.programs, phone, ISSUE)).text;

let frame: FrameLocator;
beforeEach(async () => {
  await phone.setViewportSize({ width: 360, height: HEIGHT });
  await writeChecklist(site.programs, phone, ISSUE, text);
  await showsRows(frame, text);
  await phone.evaluate(() => scrollTo(0, 0));
});

const words = (item: string): Locator => frame.getByText(item, { exact: true });
const field = (item: string) => frame.getByRole('textbox', { name: `Text of ${item}` });
const middle = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) throw new Error(`${of} is not visible.`);
  return { x: box.x + Math.min(20, box.width / 2), y: box.y + box.height / 2 };
};
const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
  finger.send('Input.dispatchTouchEvent', { type, touchPoints });
const dragged = () => frame.locator('.check-dragged').count();
/** How much of an element's text is outside what the keyboard leaves, in pixels: the browser scrolls to the caret, not to the field's edge. */
const hiddenPart = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) return Number.POSITIVE_INFINITY;
  const { above, below } = await of.evaluate(element => {
    const style = getComputedStyle(element);
    return {
      above: Number.parseFloat(style.paddingTop) + Number.parseFloat(style.borderTopWidth),
      below: Number.parseFloat(style.paddingBottom) + Number.parseFloat(style.borderBottomWidth),
    };
  });
  return Math.max(0, box.y + box.height - below - ABOVE_KEYBOARD, -box.y - above);
};
/** The same of the caret in a row's field, which has more than one line. */
const hiddenPartOfCaret = async (of: Locator) => {
  const outer = await phone.getByRole('region', { name: 'Checklist', exact: true }).locator('iframe').boundingBox();
  const caret = await of.evaluate(() => {
    const { top = 0, bottom = 0 } = getSelection()?.getRangeAt(0).getBoundingClientRect() ?? {};
    return { top, bottom };
  });
  return outer ? Math.max(0, outer.y + caret.bottom - ABOVE_KEYBOARD, -outer.y - caret.top) : Number.POSITIVE_INFINITY;
};

test('what is typed at once after the first tap on a text is the text of its field', async () => {
  for (let run = 1; run <= (full ? 5 : 1); run += 1) {
    if (run > 1) await phone.reload();
    await frame.getByRole('button', { name: `More actions for item ${run}`, exact: true }).waitFor();
    await finger.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await words(`item ${run}`).tap();
    await phone.keyboard.type(' by Friday, or else on Monday');
    await phone.keyboard.press('Enter');
    await expect.poll(stored).toContain(`- item ${run} by Friday, or else on Monday\n`);
    await finger.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
});

test('a tap ticks a row, and opens the text of another', async () => {
  await frame.locator('.check-tick').first().tap();
  await expect.poll(stored).toContain('+ item 1\n- item 2');
  await words('item 2').tap();
  await hasFocus(field('item 2'));
  await phone.keyboard.press('End');
  await phone.keyboard.type('!');
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toContain('+ item 1\n- item 2!\n- item 3');
});

test('a swipe over the rows scrolls, and neither drags, ticks nor opens anything', async () => {
  const from = await middle(words('item 8'));
  await touch('touchStart', from);
  for (let step = 1; step <= 10; step += 1) await touch('touchMove', { x: from.x, y: from.y - step * 25 });
  await touch('touchEnd');
  await expect.poll(async () => (await middle(words('item 8'))).y).toBeLessThan(from.y - 50);
  const sideways = await middle(words('item 12'));
  await touch('touchStart', sideways);
  for (let step = 1; step <= 10; step += 1) await touch('touchMove', { x: sideways.x + step * 15, y: sideways.y });
  await touch('touchEnd');
  expect(await dragged()).toBe(0);
  expect(await frame.locator('.check-field').count()).toBe(0);
  // A tap still works, and only it changes something.
  await frame.locator('.check-tick').nth(11).tap();
  await expect.poll(stored).toBe(text.replace('- item 12\n', '+ item 12\n'));
});

test('a long press alone changes nothing, and the next tap works', async () => {
  await touch('touchStart', await middle(words('item 3')));
  await expect.poll(dragged).toBe(1);
  await phone.waitForTimeout(700);
  await touch('touchEnd');
  await phone.keyboard.press('Escape');
  expect(await dragged()).toBe(0);
  await frame.locator('.check-tick').nth(3).tap();
  await expect.poll(stored).toBe(text.replace('- item 4\n', '+ item 4\n'));
});

/** Presses a row until it is lifted, and drags it to the upper or lower half of another one. */
async function drag(from: Locator, to: Locator, half: 'upper' | 'lower') {
  const start = await middle(from);
  await touch('touchStart', start);
  await expect.poll(dragged).toBe(1);
  const end = await middle(to);
  const y = end.y + (half === 'upper' ? -6 : 6);
  for (let step = 1; step <= 5; step += 1)
    await touch('touchMove', { x: start.x, y: start.y + ((y - start.y) * step) / 5 });
}

test('a long press lifts a row, which is dropped where the finger leaves', async () => {
  await drag(words('item 2'), words('item 4'), 'lower');
  await frame.locator('li', { hasText: 'item 4' }).locator('[style*="--stroke-color"]').waitFor();
  await shot(phone, 'touch-drag');
  await touch('touchEnd');
  await expect.poll(stored).toContain('- item 1\n- item 3\n- item 4\n- item 2\n- item 5');
  expect(await frame.locator('.check-field').count()).toBe(0);
  await writeChecklist(site.programs, phone, ISSUE, '# One\n- a\n# Two\n- b');
  await showsRows(frame, '# One\n- a\n# Two\n- b');
  await drag(words('Two'), words('One'), 'upper');
  await touch('touchEnd');
  await expect.poll(stored).toBe('# Two\n- b\n# One\n- a');
});

/** Takes an entry of a row's menu. */
async function choose(row: string, entry: string) {
  await frame.getByRole('button', { name: `More actions for ${row}`, exact: true }).tap();
  await frame.getByRole('menuitem', { name: entry, exact: true }).tap();
}

test('items and sections are moved by their menus', async () => {
  await writeChecklist(site.programs, phone, ISSUE, '# One\n- a\n- b\n# Two\n- c');
  await showsRows(frame, '# One\n- a\n- b\n# Two\n- c');
  await choose('a', 'Move down');
  await expect.poll(stored).toBe('# One\n- b\n- a\n# Two\n- c');
  await choose('Two', 'Move up');
  await expect.poll(stored).toBe('# Two\n- c\n# One\n- b\n- a');
});

test('details have buttons that save and cancel', async () => {
  const details = frame.getByRole('textbox', { name: 'Details of item 1' });
  await choose('item 1', 'Add details');
  await hasFocus(details);
  await phone.keyboard.type('by bus');
  await shot(phone, 'touch-details');
  await frame.getByRole('button', { name: 'Save', exact: true }).tap();
  await expect.poll(stored).toContain('- item 1\n> by bus\n- item 2');
  await choose('item 1', 'Edit details');
  await hasFocus(details);
  await phone.keyboard.type(' or train');
  await frame.getByRole('button', { name: 'Cancel', exact: true }).tap();
  await details.waitFor({ state: 'detached' });
  expect(await stored()).toContain('> by bus\n');
});

/** Completes a person where the cursor is. */
async function pickMia(of: FrameLocator) {
  await phone.keyboard.type(' @Mia');
  await of.getByRole('option', { name: 'Mia Krystof' }).tap();
}
const names = (of: Locator) =>
  of.evaluate(it => getComputedStyle(it.querySelector('.cm-chip-name-text') ?? it, '::before').content);

test('a picked person shows as a name in each field', async () => {
  const mia = '"@Mia Krystof"';
  const add = frame.getByRole('textbox', { name: 'Add an item' });
  await add.tap();
  await hasFocus(add);
  await pickMia(frame);
  await expect.poll(() => names(add)).toBe(mia);
  await shot(phone, 'touch-name');
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toMatch(/item 30\n- \[~accountid:\w+\]$/);
  await phone.evaluate(() => scrollTo(0, 0));
  await choose('item 1', 'Edit');
  await hasFocus(field('item 1'));
  await phone.keyboard.press('End');
  await pickMia(frame);
  await expect.poll(() => names(field('item 1'))).toBe(mia);
  // The name goes as a whole, and typing goes on behind it.
  await phone.keyboard.press('Backspace');
  await phone.keyboard.press('Backspace');
  await phone.keyboard.type('by bus');
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toContain('- item 1 by bus\n');
  await choose('item 2', 'Add details');
  const details = frame.getByRole('textbox', { name: 'Details of item 2' });
  await hasFocus(details);
  await pickMia(frame);
  await expect.poll(() => names(details)).toBe(mia);
  // The keyboard composes words beside the name, and corrects one.
  for (const text of ['t', 'te', 'teh', 'the'])
    await finger.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await finger.send('Input.insertText', { text: 'the' });
  await phone.keyboard.type(' bus');
  expect(await names(details)).toBe(mia);
  await frame.getByRole('button', { name: 'Save', exact: true }).tap();
  await expect.poll(stored).toMatch(/item 2\n> \[~accountid:\w+\] the bus\n/);
  await frame.getByRole('button', { name: 'Open editor' }).tap();
  const editor = dialog(phone).getByRole('textbox', { name: /as text/ });
  await expect.poll(() => names(editor)).toBe(mia);
  await shot(phone, 'touch-editor');
  await dialog(phone).getByRole('button', { name: 'Close' }).first().tap();
  await phone.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the undo bar covers no line that is being typed', async () => {
  const add = frame.getByRole('textbox', { name: 'Add an item' });
  await add.tap();
  await hasFocus(add);
  await phone.setViewportSize({ width: 360, height: ABOVE_KEYBOARD });
  await phone.keyboard.type('one more');
  await phone.keyboard.press('Enter');
  const undo = frame.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await phone.keyboard.type('and another one, which is longer than the line of a phone');
  await expect.poll(() => hiddenPart(add)).toBeLessThan(LEADING);
  const overlap = async () => {
    const [bar, line] = [await undo.boundingBox(), await add.boundingBox()];
    return bar && line ? Math.min(bar.y + bar.height, line.y + line.height) - Math.max(bar.y, line.y) : undefined;
  };
  await expect.poll(overlap).toBeLessThanOrEqual(0);
  await shot(phone, 'touch-undo');
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toContain('and another one');
});

/** The buttons whose text is not in their middle, by their text. */
const uncentred = (of: FrameLocator) =>
  of.locator('html').evaluate(() =>
    [...document.querySelectorAll('button')].flatMap(button => {
      const text = document.createRange();
      text.selectNodeContents(button);
      const [box, words] = [button.getBoundingClientRect(), text.getBoundingClientRect()];
      if (box.height === 0 || words.height === 0) return [];
      return Math.abs(box.top + box.bottom - words.top - words.bottom) > 4 ? (button.textContent ?? '') : [];
    }),
  );

test('labels are in the middle of their buttons, and a section’s words have a line', async () => {
  const section = '# Ship it to customers !before:Done\n- item 1';
  await writeChecklist(site.programs, phone, ISSUE, section);
  await showsRows(frame, section);
  await frame.getByRole('button', { name: /Before Done: 1 open/ }).waitFor();
  expect((await words('Ship it to customers').boundingBox())?.width).toBeGreaterThan(120);
  await shot(phone, 'touch-section');
  expect(await uncentred(frame)).toEqual([]);
  await frame.getByRole('button', { name: 'Open editor' }).tap();
  await hasFocus(dialog(phone).getByRole('textbox', { name: /as text/ }));
  expect(await uncentred(dialog(phone))).toEqual([]);
  await dialog(phone).getByRole('button', { name: 'Close' }).first().tap();
  await phone.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the on-screen keyboard hides neither the field for a new item nor a row’s', async () => {
  const add = frame.getByRole('textbox', { name: 'Add an item' });
  await add.tap();
  await hasFocus(add);
  await phone.setViewportSize({ width: 360, height: ABOVE_KEYBOARD });
  await phone.keyboard.type('one more');
  await expect.poll(() => hiddenPart(add)).toBeLessThan(LEADING);
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toBe(`${text}\n- one more`);
  await phone.setViewportSize({ width: 360, height: HEIGHT });
  await words('item 20').tap();
  await hasFocus(field('item 20'));
  await phone.setViewportSize({ width: 360, height: ABOVE_KEYBOARD });
  await phone.keyboard.type(' and a half');
  await expect.poll(() => hiddenPartOfCaret(field('item 20'))).toBeLessThan(LEADING);
  await phone.keyboard.press('Enter');
  await expect.poll(stored).toContain('- item 20 and a half\n');
});

test('the on-screen keyboard does not hide the editor’s line', async () => {
  await frame.getByRole('button', { name: 'Open editor' }).tap();
  const editor = dialog(phone).getByRole('textbox', { name: /as text/ });
  const line = dialog(phone).locator('.cm-line', { hasText: 'item 25' });
  await line.scrollIntoViewIfNeeded();
  await line.tap();
  await hasFocus(editor);
  await phone.setViewportSize({ width: 360, height: ABOVE_KEYBOARD });
  await phone.keyboard.press('End');
  await phone.keyboard.type('!');
  await expect.poll(() => hiddenPart(dialog(phone).locator('.cm-line', { hasText: '!' }))).toBeLessThan(LEADING);
  await dialog(phone).getByRole('button', { name: 'Save', exact: true }).tap();
  await expect.poll(stored).toContain('!');
});
