import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, people, resize, type Site, shot, shots, switchTheme } from './site.ts';

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

/** The line's text, with the cursor's place as a mark typed there and taken back. */
async function typed(mark: string): Promise<string> {
  await emma.keyboard.type(mark);
  const found = await text.locator('.cm-line', { hasText: mark }).innerText();
  await emma.keyboard.press('Backspace');
  return found;
}

test('arrow keys step over a chip, with Control and Shift too', async () => {
  await toLine(3);
  await press('ArrowRight', '- Celebrate '.length);
  expect(await typed('¦')).toContain('Celebrate ¦🎉 with');
  await press('ArrowRight', 1);
  expect(await typed('¦')).toContain('Celebrate 🎉¦ with');
  await press('ArrowLeft', 1);
  expect(await typed('¦')).toContain('Celebrate ¦🎉 with');
  await press('Control+ArrowRight', 1);
  expect(await typed('¦')).toContain('Celebrate 🎉¦ with');
  await press('Control+ArrowLeft', 1);
  expect(await typed('¦')).toContain('Celebrate ¦🎉 with');
  await press('Shift+ArrowRight', 1);
  await text.locator('.cm-chip-emoji.cm-chip-selected-alone').waitFor();
  await press('Shift+ArrowRight', 2);
  await text.locator('.cm-chip-emoji.cm-chip-selected-covered').waitFor();
  await press('ArrowLeft', 1);
  await text.locator('.cm-chip-selected-covered').waitFor({ state: 'detached' });
  expect(await text.locator('.cm-line', { hasText: ':tada:' }).count()).toBe(0);
});

test.each(['Backspace', 'Control+Delete'])('%s removes a chip whole, and undo brings it back', async key => {
  await toLine(3);
  await press('ArrowRight', '- Celebrate '.length + (key.endsWith('Backspace') ? 1 : 0));
  await emma.keyboard.press(key);
  await line('Celebrate  with').waitFor();
  await emma.keyboard.press('Control+z');
  await chip('emoji').waitFor();
  await line('Celebrate 🎉 with').waitFor();
});

test('a click selects a chip, Enter opens its list, Escape leaves it, Backspace removes it', async () => {
  await chip('day').first().click();
  await text.locator('.cm-chip-day.cm-chip-selected-alone').waitFor();
  await shots(emma, dialog(emma), 'editor-chip-selected');
  await emma.keyboard.press('Enter');
  const list = dialog(emma).getByRole('listbox', { name: 'Suggestions' });
  await list.getByRole('option', { name: /^Tomorrow/ }).waitFor();
  await shots(emma, dialog(emma), 'editor-chip-changing');
  await emma.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await text.locator('.cm-chip-day.cm-chip-selected-alone').waitFor();
  await emma.keyboard.press('Enter');
  await list.waitFor();
  await emma.keyboard.type('6 may 2031');
  await list.getByRole('option', { name: /6 May 2031/ }).waitFor();
  // A list that has just changed ignores Enter.
  await expect
    .poll(async () => {
      if (await list.isVisible()) await emma.keyboard.press('Enter');
      return line('Tue 6 May 2031 at last').count();
    })
    .toBe(1);
  await press('Control+z', 1);
  await line('Mon 6 May 2030 at last').waitFor();
  await chip('person').click();
  await text.locator('.cm-chip-person.cm-chip-selected-alone').waitFor();
  await emma.keyboard.press('Escape');
  expect(await typed('¦')).toMatch(/Call .+¦ and ask/);
  await chip('person').click();
  await emma.keyboard.press('Backspace');
  await line('Call  and ask').waitFor();
  await emma.keyboard.press('Control+z');
  await chip('person').waitFor();
});

test('a drag from a chip selects on', async () => {
  const day = await chip('day').first().boundingBox();
  if (!day) throw new Error('Nothing to drag.');
  await emma.mouse.move(day.x + day.width / 2, day.y + day.height / 2);
  await emma.mouse.down();
  await emma.mouse.move(day.x + day.width + 40, day.y + day.height / 2, { steps: 4 });
  await emma.mouse.up();
  await text.locator('.cm-chip-day.cm-chip-selected-covered').waitFor();
});

test('a chip that is dragged to another row moves there whole, and onto another chip stays', async () => {
  const day = chip('day').first();
  const centre = async (of: Locator) => {
    const box = await of.boundingBox();
    if (!box) throw new Error('Nothing to drag.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const drag = async (to: { x: number; y: number }) => {
    await day.click();
    await text.locator('.cm-chip-day.cm-chip-selected-alone').waitFor();
    const from = await centre(day);
    await emma.mouse.move(from.x, from.y);
    await emma.mouse.down();
    await emma.mouse.move(from.x + 8, from.y, { steps: 2 });
    await emma.mouse.move(to.x, to.y, { steps: 6 });
    await emma.mouse.up();
  };
  const before = await text.innerText();
  await drag(await centre(chip('person')));
  expect(await text.innerText()).toBe(before);
  const half = await line('Half of it').boundingBox();
  if (!half) throw new Error('No row to drop on.');
  await drag({ x: half.x + half.width - 8, y: half.y + half.height / 2 });
  await line('Half of it').locator('.cm-chip-day').waitFor();
  await expect.poll(() => line('Celebrate').textContent()).not.toContain('2030');
  await emma.keyboard.press('Control+z');
  await line('Celebrate').locator('.cm-chip-day').waitFor();
  expect(await text.innerText()).toBe(before);
});

test('text of the other direction beside a chip is stepped through one by one', async () => {
  await toLine(4);
  await emma.keyboard.press('End');
  await emma.keyboard.insertText(' שלום :tada: עולם');
  await chip('emoji').nth(1).waitFor();
  for (let i = 0; i < ' :tada: עולם'.length + 2; i++) {
    await emma.keyboard.press('ArrowLeft');
    expect(await text.locator('.cm-chip-emoji').count()).toBe(2);
  }
  await emma.keyboard.press('Control+z');
  await chip('emoji').nth(1).waitFor({ state: 'detached' });
});

test('a composition at the start of a line that a chip begins leaves both', async () => {
  await toLine(12);
  await emma.keyboard.press('End');
  await emma.keyboard.insertText('\n:tada: begins');
  await chip('emoji').nth(1).waitFor();
  await emma.keyboard.press('Home');
  const cdp = await emma.context().newCDPSession(emma);
  for (const composed of ['に', 'にほ', 'にほん', '日本']) {
    await cdp.send('Input.imeSetComposition', {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    });
    await line(composed).waitFor();
  }
  await cdp.send('Input.insertText', { text: '日本' });
  await expect.poll(() => line('begins').innerText()).toBe('日本🎉 begins');
  await press('Control+z', 1);
  while ((await line('begins').count()) > 0) await press('Control+z', 1);
  await line('Must be').waitFor();
});

test('a composition beside chips leaves them unchanged, and inserts its text at the cursor', async () => {
  await toLine(3);
  // The emoji is one step.
  await press('ArrowRight', '- Celebrate 🎉 with'.length - 1);
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

test('F8 moves to a problem, and Ctrl+. opens its fixes', async () => {
  await button('2 problems').waitFor();
  await toLine(1);
  await emma.keyboard.press('F8');
  await dialog(emma).getByText("The date 30.02.2026 doesn't exist.").first().waitFor();
  await shots(emma, dialog(emma), 'editor-problem');
  await emma.keyboard.press('Control+.');
  await line('Ship by').getByText('28 Feb').or(line('28.02.2026')).waitFor();
  await button('1 problem').click();
  await dialog(emma).getByText('This detail has no item directly above.').first().waitFor();
  await emma.keyboard.press('Control+.');
  const menu = dialog(emma).getByRole('menu', { name: 'Fixes' });
  await menu.waitFor();
  await shots(emma, dialog(emma), 'editor-fixes');
  await emma.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
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

test('an issue shows its summary, priority and status', async () => {
  await emma.keyboard.press('Control+End');
  await emma.keyboard.press('Enter');
  await emma.keyboard.insertText('See WEB-6 first');
  await chip('issue').getByRole('img', { name: 'Priority: Highest' }).waitFor();
  await expect.poll(() => chip('issue').textContent()).toBe('WEB-6 Basket empties after signing in In Progress');
  await shots(emma, dialog(emma), 'editor-issue');
});

test('no accessibility violations in the dark theme', async () => {
  await toLine(1);
  await switchTheme(emma, dialog(emma), 'dark');
  expect(await axeFindings(dialog(emma).locator('body'))).toEqual([]);
  await switchTheme(emma, dialog(emma), 'light');
});

test('plain text shows every character', async () => {
  await button('Plain text').click();
  await line(':tada: with us on 2030-05-06').waitFor();
  await expect.poll(() => text.locator('.cm-chip').count()).toBe(0);
  await shot(emma, 'editor-plain');
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
