import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onSite } from './fixture.ts';
import { panel, people, type Site, shots } from './site.ts';

/** Pasting lists and tables into the panel, in a real browser. */

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openLoaded(emma, 'WEB-1');
});

/** Pastes a text into the input for new items, or another field. */
async function paste(text: string, field: string | RegExp = 'Add an item') {
  const input = panel(emma).getByRole('textbox', { name: field });
  await input.click();
  await input.evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

const rowWith = (words: string) => panel(emma).getByRole('listitem').filter({ hasText: words }).first();
const hasFocus = (field: string | RegExp) =>
  expect
    .poll(() =>
      panel(emma)
        .getByRole('textbox', { name: field })
        .evaluate(element => element === document.activeElement),
    )
    .toBe(true);

test('a pasted table becomes items, and the columns that are not kept are said below the input', async () => {
  await paste('Action;Owner;Due date;Priority;Cost\nBook a room;ana;2026-12-01;high;20\nOrder food;ben;;low;90');
  await panel(emma).getByRole('listitem').filter({ hasText: 'Book a room' }).first().waitFor();
  await panel(emma).getByText("A column isn't kept. (4 times)").waitFor();
  await shots(emma, panel(emma), 'panel-paste-losses');
});

test('the notation is named below the input, and another one reads the paste again', async () => {
  await paste('* (/) Fill in {{name}}\n* Send by mail');
  await panel(emma).getByText('Pasted as Wiki.').waitFor();
  await shots(emma, panel(emma), 'panel-paste-read-as');
  await panel(emma).getByRole('button', { name: 'Text', exact: true }).click();
  await panel(emma).getByRole('listitem').filter({ hasText: '(/) Fill in' }).first().waitFor();
  await panel(emma).getByText('Pasted as Text.').waitFor();
});

test('a paste between rows and one into a row are read again by keyboard, and the field keeps the focus', async () => {
  await rowWith('Book a room').getByRole('checkbox').focus();
  await emma.keyboard.press('n');
  await paste('* (/) Ask {{who}}\n* Wait', /^New item below/);
  await panel(emma).getByText('Pasted as Wiki.').waitFor();
  await shots(emma, panel(emma), 'panel-paste-between-rows');
  await emma.keyboard.press('Tab');
  await emma.keyboard.press('Enter');
  await rowWith('(/) Ask {{who}}').waitFor();
  await hasFocus(/^New item below/);
  await emma.keyboard.press('Escape');
  await rowWith('Order food').getByRole('checkbox').focus();
  await emma.keyboard.press('F2');
  await hasFocus(/^Text of Order food/);
  await paste('* (/) Call {{whom}}\n* Drive', /^Text of Order food/);
  await panel(emma).getByText('Pasted as Wiki.').waitFor();
  await shots(emma, panel(emma), 'panel-paste-in-row');
  await emma.keyboard.press('Tab');
  await emma.keyboard.press('Enter');
  await rowWith('(/) Call {{whom}}').waitFor();
  await hasFocus(/^Text of Order food/);
  await emma.keyboard.press('Escape');
});

test('a paste that is much longer than any checklist is refused', async () => {
  await paste('- [ ] again\n'.repeat(20_000));
  await panel(emma)
    .getByText(/This is too much to paste/)
    .waitFor();
  await shots(emma, panel(emma), 'panel-paste-refused');
});
