import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { editorOn } from './editor.ts';
import { onSite } from './fixture.ts';
import { hasFocus, people, type Site, shots } from './site.ts';

/** What real keys make of marks, and of lists that a command opened. */

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openEditor(emma, 'WEB-1');
});

const { frame, text, keys } = editorOn(() => emma);
const shows = (...wanted: string[]) =>
  expect
    .poll(async () => (await text().locator('.cm-line').allInnerTexts()).map(line => line.replace(/\n/g, '')))
    .toEqual(wanted);

/** Replaces the text and puts the cursor at its end. */
async function fresh(content: string) {
  await text().click();
  await keys('Control+a', 'Delete');
  if (content !== '') await emma.keyboard.insertText(content);
}

test('marks typed behind automatic ones replace them, and undo takes back that alone', async () => {
  await fresh('');
  await emma.keyboard.type('# Build\n* wash\n+ dry\n> with care\n- [x] fold\n~ iron\nx burn\n## Ship\n1. send');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send');
  await keys('Enter');
  await emma.keyboard.type('+ ');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send', '+ ');
  await keys('Control+z');
  await shows('# Build', '- wash', '+ dry', '> with care', '+ fold', '~ iron', 'x burn', '## Ship', '- send', '- + ');
  await shots(emma, frame(), 'typing-marks');
});

test.each([
  ['Assign…', '@'],
  ['Due date…', '//'],
])('Escape out of the list of the button %s leaves the text as it was', async (name, sign) => {
  await fresh('- wash\n- dry');
  await frame().getByRole('toolbar').getByRole('button', { name }).click();
  await shows('- wash', `- dry ${sign}`);
  await frame().getByRole('listbox').waitFor();
  await emma.keyboard.type('t');
  await keys('Escape');
  await shows('- wash', '- dry');
  await hasFocus(text());
  await emma.keyboard.type('!');
  await shows('- wash', '- dry!');
  // A click elsewhere takes the sign away, too.
  await frame().getByRole('toolbar').getByRole('button', { name }).click();
  await frame().getByRole('listbox').waitFor();
  await text().locator('.cm-line').first().click();
  await shows('- wash', '- dry!');
});

test('Escape in the calendar of a command leaves the text as it was', async () => {
  await fresh('- dry');
  await keys('Control+Shift+D');
  await frame()
    .getByRole('option', { name: /Pick a date/ })
    .click();
  await frame()
    .getByRole('dialog', { name: /Pick a date/ })
    .getByRole('gridcell')
    .first()
    .waitFor();
  await keys('Escape');
  await shows('- dry');
  await hasFocus(text());
});

test('a pasted column of owners assigns the items of known people', async () => {
  await fresh('');
  await text().evaluate(element => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Task\tOwner\nwash\tPavel Novak\ndry\tEve Unknown');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await shows('- wash @Pavel Novak', '- dry', '> Assignee: Eve Unknown');
  await frame().getByText('1 item assigned.').first().waitFor();
  await shots(emma, frame(), 'typing-owners');
  await keys('Control+z');
  await shows('- wash', '> Assignee: Pavel Novak', '- dry', '> Assignee: Eve Unknown');
  await keys('Control+z');
  await expect.poll(() => text().innerText()).not.toContain('wash');
});

test('the address of an issue with a query shows as the issue', async () => {
  await fresh(
    '- see ADDRESS?focusedId=3#comment-3 first\n- next'.replace('ADDRESS', `${site.programs.tracker.url}/browse/WEB-2`),
  );
  await expect.poll(() => text().locator('.cm-chip-issue').innerText()).toMatch(/^WEB-2/);
  await shots(emma, frame(), 'typing-address');
});

test('no browser errors', () => expect(site.browserErrors).toEqual([]));
