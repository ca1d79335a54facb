import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, hasFocus, people, resize, type Site, shots } from './site.ts';

/** The editor's commands by keyboard: keys, palette, toolbar, find and replace, folding, several cursors. */

const TEXT = ['# Build', '- wash', '> with soap', '+ dry', '# Ship', '- pack wash', '- send'].join('\n');

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openEditor(emma, 'WEB-1');
});

const frame = () => dialog(emma);
const text = () => frame().getByRole('textbox', { name: /as text/ });
/** Presses keys one after the other. */
const keys = async (...pressed: string[]) => {
  for (const key of pressed) await emma.keyboard.press(key);
};

/** The visible text, line by line, with folds as `…`. */
const lines = () => text().locator('.cm-line').allInnerTexts();
const shows = (...wanted: string[]) =>
  expect.poll(async () => (await lines()).map(line => line.trim())).toEqual(wanted);

/** Replaces the text and puts the cursor at its start. */
async function fresh(content = TEXT) {
  await text().click();
  await keys('Control+a');
  // As one input, so that no key continues a list.
  await emma.keyboard.insertText(content);
  await keys('Control+Home');
}

const violations = () => axeFindings(frame().locator('html'));

test('marks typed behind automatic ones replace them, and undo takes back that alone', async () => {
  await fresh();
  await keys('Control+a', 'Delete');
  await emma.keyboard.type('# Build\n* wash\n+ dry\n> with care\n\n- [x] fold\n~ iron\nx burn\n## Ship\n1. send');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send');
  await keys('Enter');
  await emma.keyboard.type('+ ');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send', '+');
  await keys('Control+z');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send', '- +');
  await shots(emma, frame(), 'typing-marks');
});

test('several cursors type at several positions', async () => {
  await fresh();
  await keys('ArrowDown', 'End', 'Control+d', 'Control+d', 'Control+b');
  await shows('# Build', '- **wash**', '> with soap', '+ dry', '# Ship', '- pack **wash**', '- send');
  // Escape leaves one cursor.
  await keys('Escape', 'ArrowRight', 'x');
  await shows('# Build', '- **washx**', '> with soap', '+ dry', '# Ship', '- pack **wash**', '- send');
  await fresh();
  await text()
    .getByText('dry')
    .click({ modifiers: ['Alt'] });
  await text()
    .locator('.cm-line')
    .last()
    .click({ modifiers: ['Alt'] });
  await keys('End', 'x');
  await shows('# Buildx', '- wash', '> with soap', '+ dryx', '# Ship', '- pack wash', '- sendx');
  expect(await emma.getByRole('dialog').isVisible()).toBe(true);
});

test('the palette finds a command, runs it, and returns the focus', async () => {
  await fresh();
  await keys('ArrowDown', 'F1');
  const search = frame().getByRole('combobox', { name: 'Commands' });
  await hasFocus(search);
  await shots(emma, frame(), 'commands-palette');
  expect(await violations()).toEqual([]);
  await emma.keyboard.type('done or');
  await expect
    .poll(() => frame().getByRole('option', { selected: true }).innerText())
    .toMatch(/Mark as done or not done\s*Ctrl\+Enter/);
  await keys('Enter');
  await search.waitFor({ state: 'detached' });
  await shows('# Build', '+ wash', '> with soap', '+ dry', '# Ship', '- pack wash', '- send');
  // Escape closes the palette alone.
  await keys('Control+Shift+P');
  await hasFocus(search);
  await keys('Escape');
  await search.waitFor({ state: 'detached' });
  await hasFocus(text());
  expect(await emma.getByRole('dialog').isVisible()).toBe(true);
});

test('the toolbar is one Tab stop', async () => {
  await fresh();
  await hasFocus(text());
  await keys('ArrowDown', 'Escape', 'Shift+Tab');
  const focused = () => frame().locator('[role=toolbar] :focus').getAttribute('aria-keyshortcuts');
  await expect.poll(focused).toBe('Control+Z');
  await keys('ArrowRight', 'ArrowRight');
  await expect.poll(focused).toBe('Control+Enter');
  await expect.poll(() => frame().getByRole('tooltip').innerText()).toBe('Mark as done or not done (Ctrl+Enter)');
  await shots(emma, frame(), 'commands-toolbar');
  await keys('Enter');
  await shows('# Build', '+ wash', '> with soap', '+ dry', '# Ship', '- pack wash', '- send');
  await hasFocus(text());
});

const tool = (name: string) => frame().getByRole('toolbar').getByRole('button', { name, exact: true });
const states = (...names: string[]) =>
  Promise.all(
    names.map(async name => {
      const button = tool(name);
      if ((await button.getAttribute('aria-disabled')) === 'true') return 'disabled';
      return (await button.getAttribute('aria-pressed')) === 'true' ? 'pressed' : 'ready';
    }),
  );

test('the toolbar says what the cursor stands in and what does not apply there', async () => {
  await fresh('# Build\n- **wash**\n> with soap\n+ ! dry');
  const shown = () => states('Mark as done or not done', 'Mandatory', 'Assign…', 'Header', 'Detail', 'Bold');
  await expect.poll(shown).toEqual(['disabled', 'disabled', 'disabled', 'pressed', 'ready', 'ready']);
  await keys('ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await expect.poll(shown).toEqual(['ready', 'ready', 'ready', 'ready', 'ready', 'pressed']);
  await keys('ArrowDown');
  await expect.poll(shown).toEqual(['ready', 'ready', 'ready', 'ready', 'pressed', 'ready']);
  await keys('ArrowDown');
  await expect.poll(shown).toEqual(['pressed', 'pressed', 'ready', 'ready', 'ready', 'ready']);
  await tool('Bold').hover();
  await expect.poll(() => frame().getByRole('tooltip').innerText()).toBe('Bold (Ctrl+B)');
  await tool('Detail').click();
  await shows('# Build', '- **wash**', '> with soap', '> dry');
  await tool('Detail').click();
  await shows('# Build', '- **wash**', '> with soap', '+ ! dry');
  await tool('Header').click();
  await shows('# Build', '- **wash**', '> with soap', '# dry');
  await hasFocus(text());
  await shots(emma, frame(), 'commands-toolbar-states');
  await text().hover();
  await frame().getByRole('tooltip').waitFor({ state: 'detached' });
  expect(await violations()).toEqual([]);
  await tool('Header').click();
  await shows('# Build', '- **wash**', '> with soap', '+ ! dry');
});

test('find and replace', async () => {
  await fresh();
  await keys('Control+f');
  await hasFocus(frame().getByRole('textbox', { name: 'Find' }));
  await emma.keyboard.type('wash');
  await keys('Enter');
  await shots(emma, frame(), 'commands-find');
  expect(await violations()).toEqual([]);
  await frame().getByRole('textbox', { name: 'Replace' }).fill('clean');
  await frame().getByRole('button', { name: 'Replace all' }).click();
  await shows('# Build', '- clean', '> with soap', '+ dry', '# Ship', '- pack clean', '- send');
  await keys('Escape');
  await frame().getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
  await hasFocus(text());
  expect(await emma.getByRole('dialog').isVisible()).toBe(true);
});

test('Escape, then Tab, leaves the text, which says so', async () => {
  await text().focus();
  await hasFocus(text());
  const description = () =>
    text().evaluate(it => document.getElementById(it.getAttribute('aria-describedby') ?? '')?.textContent);
  expect(await description()).toContain('press Escape, then Tab');
  await keys('Tab');
  await hasFocus(text());
  await keys('Escape');
  await frame().getByText('Press Tab to leave the text.').first().waitFor();
  await shots(emma, frame(), 'commands-leave');
  await text().focus();
  await hasFocus(text());
  // Another key ends it.
  await keys('Escape', 'ArrowRight', 'Tab');
  await hasFocus(text());
  await keys('Escape', 'Tab');
  await expect.poll(() => text().evaluate(element => element.contains(document.activeElement))).toBe(false);
});

test.each([
  ['narrow', { width: 360, height: 740 }],
  // A zoom of 200 percent halves the available width.
  ['zoom', { width: 640, height: 450 }],
])('it fits a smaller viewport: %s', async (name, viewport) => {
  await resize(emma, viewport);
  await text().focus();
  const wide = () =>
    frame()
      .locator('html')
      .evaluate(element => element.scrollWidth - element.clientWidth);
  await expect.poll(wide).toBe(0);
  await shots(emma, frame(), `commands-${name}`);
  await hasFocus(text());
  await keys('Control+f');
  await hasFocus(frame().getByRole('textbox', { name: 'Find' }));
  await expect.poll(wide).toBe(0);
  await shots(emma, frame(), `commands-${name}-find`);
  await keys('Escape');
  await hasFocus(text());
  await keys('F1');
  await hasFocus(frame().getByRole('combobox', { name: 'Commands' }));
  await shots(emma, frame(), `commands-${name}-palette`);
  await keys('Escape');
});
