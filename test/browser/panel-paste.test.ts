import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { onSite } from './fixture.ts';
import { panel, people, type Site, shots } from './site.ts';

/** Pasting a table into the panel's input, in a real browser. */

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openLoaded(emma, 'WEB-1');
});

test('a pasted table becomes items, and the columns that are not kept are said below the input', async () => {
  const input = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await input.click();
  await input.evaluate(element => {
    const data = new DataTransfer();
    data.setData(
      'text/plain',
      'Action;Owner;Due date;Priority;Cost\nBook a room;ana;2026-12-01;high;20\nOrder food;ben;;low;90',
    );
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await panel(emma).getByRole('listitem').filter({ hasText: 'Book a room' }).first().waitFor();
  await panel(emma).getByText("A column isn't kept. (4 times)").waitFor();
  await shots(emma, panel(emma), 'panel-paste-losses');
});
