import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, people, resize, type Site, shot, shots } from './site.ts';

/** The preview beside the text, in a real browser; each test continues from the previous one. */

let site: Site;
let emma: Page;
let text: Locator;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  text = await site.openEditor(emma, 'WEB-1');
});

const preview = () => dialog(emma).getByRole('region', { name: 'Preview' });
const button = () => dialog(emma).getByRole('button', { name: 'Preview', exact: true });
const box = (name: string | RegExp) => preview().getByRole('checkbox', { name });
const row = (name: string) => preview().getByRole('listitem').filter({ hasText: name });
const width = async () => Math.round((await preview().boundingBox())?.width ?? 0);

/** Replaces the text by a paste, which handles long texts at once. */
async function write(content: string) {
  await text.press('Control+a');
  await text.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, content);
}

const content = [
  '# Release',
  '> Each time, see [the guide](https://example.com/guide)',
  '- Write **notes** for WEB-2 until 2027-01-31',
  '> ask [~accountid:nobody]',
  '+ Tag the `build`',
  '~ Tell everybody :tada:',
  'x Fax it',
  '## After',
  '- ! Rest <img src=x onerror="document.title=1">',
].join('\n');

test("the preview shows the text's checklist, and follows the typing at once", async () => {
  await write(content);
  await button().click();
  await preview().getByRole('heading', { name: 'Release' }).waitFor();
  expect(await box('Tag the build').isChecked()).toBe(true);
  await preview().getByText('2/5').waitFor();
  await preview().getByText('<img src=x onerror="document.title=1">').waitFor();
  expect(await preview().locator('img[src=x]').count()).toBe(0);
  await text.press('Control+End');
  await emma.keyboard.type('\nMore');
  await box('More').waitFor();
  await expect.poll(() => row('More').getAttribute('aria-current')).toBe('true');
  await shots(emma, dialog(emma), 'editor-preview');
  expect(await axeFindings(dialog(emma).locator('.editor-screen'))).toEqual([]);
});

test('on a narrow screen the title of an issue gives way, and its status shows', async () => {
  await resize(emma, { width: 360, height: 900 });
  const status = text.locator('.cm-chip-issue .cm-chip-lozenge');
  const end = async () => (box => (box?.x ?? 0) + (box?.width ?? 0))(await status.boundingBox());
  await expect.poll(end).toBeLessThan(360 - 8);
  expect(
    await text.evaluate(({ parentElement: scroller }) => (scroller?.scrollWidth ?? 0) - (scroller?.clientWidth ?? 0)),
  ).toBe(0);
  await resize(emma, { width: 1280, height: 900 });
  await preview().waitFor();
});

test('a click on a row puts the cursor there, and the row at the cursor is marked', async () => {
  await row('Fax it').getByText('Fax it').click();
  await expect.poll(() => row('Fax it').getAttribute('aria-current')).toBe('true');
  await emma.keyboard.type(' twice');
  await row('Fax it twice').waitFor();
  await expect.poll(() => preview().locator('[aria-current]').count()).toBe(1);
});

test('links open in another tab', async () => {
  const link = preview().getByRole('link', { name: 'WEB-2' });
  const [opened] = await Promise.all([emma.context().waitForEvent('page'), link.click()]);
  await opened.close();
  expect(await text.isVisible()).toBe(true);
});

test('keys and the mouse move the separator', async () => {
  const border = dialog(emma).getByRole('separator', { name: 'Preview width' });
  const before = await width();
  await border.press('ArrowLeft');
  await expect.poll(width).toBeGreaterThan(before);
  const at = await border.boundingBox();
  if (!at) throw new Error('The border is not there.');
  await emma.mouse.move(at.x, at.y + 50);
  await emma.mouse.down();
  await emma.mouse.move(at.x + 150, at.y + 50, { steps: 4 });
  await emma.mouse.up();
  await expect.poll(width).toBeLessThan(before);
});

const long = Array.from({ length: 2000 }, (_, index) =>
  index % 20 === 0 ? `## Part ${index}` : `- item ${index} ${'of some words '.repeat(index % 7)}`,
).join('\n');

/** The text at the upper edge of the preview, without the progress beside a header. */
const topRow = () =>
  preview().evaluate(pane => {
    const edge = pane.getBoundingClientRect().top + 1;
    const rows = [...pane.querySelectorAll('.preview-row')];
    const first = rows.find(one => one.getBoundingClientRect().bottom > edge);
    return first?.querySelector('.check-words')?.textContent ?? '';
  });

const topLine = () =>
  text.evaluate(element => {
    const edge = (element.parentElement?.getBoundingClientRect().top ?? 0) + 1;
    const rows = [...element.querySelectorAll('.cm-line')];
    return rows.find(one => one.getBoundingClientRect().bottom > edge)?.textContent ?? '';
  });

const number = (line: string) => Number(/\d+/.exec(line)?.[0] ?? -1);

test('both sides scroll together, whichever is scrolled', async () => {
  await write(long);
  await text.press('Control+Home');
  await text.hover({ position: { x: 200, y: 200 } });
  for (let turn = 0; turn < 8; turn++) await emma.mouse.wheel(0, 4000);
  await expect.poll(async () => number(await topLine())).toBeGreaterThan(300);
  await expect.poll(async () => Math.abs(number(await topRow()) - number(await topLine()))).toBeLessThanOrEqual(2);
  await preview().hover({ position: { x: 100, y: 100 } });
  const before = number(await topRow());
  await emma.mouse.wheel(0, 3000);
  await expect.poll(async () => number(await topRow())).toBeGreaterThan(before + 20);
  await expect.poll(async () => Math.abs(number(await topRow()) - number(await topLine()))).toBeLessThanOrEqual(2);
  await text.press('Control+End');
  await box(/^item 1999/).waitFor();
  // Only rows near the visible part are rendered.
  await expect.poll(() => preview().locator('.preview-row').count()).toBeLessThan(400);
});

test('a narrow screen has neither preview nor button, and a wide one has them again', async () => {
  await resize(emma, { width: 700, height: 900 });
  await preview().waitFor({ state: 'detached' });
  await expect.poll(() => button().count()).toBe(0);
  await shot(emma, 'editor-preview-narrow');
  await resize(emma, { width: 1280, height: 900 });
  await preview().waitFor();
});
