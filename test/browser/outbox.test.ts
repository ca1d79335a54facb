import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { failRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import * as page from './site.ts';

provokes(/ (502|503) |ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING/);

/** Pending changes while the server is unavailable: they show, and all of them are stored. */

const ISSUE = 'WEB-5';

let site: page.Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
  await open();
  await item('Agree on the rounding rule').waitFor();
  // The field's editor is loaded before the server is away: a page that lacks a file reloads.
  const editor = emma.waitForResponse(/\/editor-[^/]+\.js$/);
  await panel().getByRole('textbox', { name: 'Add an item' }).click();
  await (await editor).finished();
});

const open = () => site.open(emma, ISSUE);
const panel = () => page.panel(emma);
const dialog = () => page.dialog(emma);
const item = (text: string) => panel().getByRole('checkbox', { name: text });
const notSaved = () => panel().getByText(/^Not saved yet/);
const retry = () => panel().getByRole('button', { name: 'Retry now' }).click();
const shot = (name: string) => page.shot(emma, name);
const shots = (name: string) => page.shots(emma, panel(), name);

async function add(text: string) {
  const input = panel().getByRole('textbox', { name: 'Add an item' });
  await input.fill(text);
  await input.press('Enter');
  await item(text).waitFor();
}

/** The text of the tracker's property. */
async function stored(): Promise<string> {
  const property = `${edition.key}.checklist`;
  const answer = await emma.request.get(
    `${site.programs.tracker.url}/rest/api/2/issue/${ISSUE}?properties=${property}`,
  );
  return (await answer.json()).properties[property]?.text ?? '';
}

test('while the server is down, changes show and are not saved yet; they are saved when it is back', async () => {
  await item('Agree on the rounding rule').check();
  await expect.poll(stored).toContain('+ Agree on the rounding rule');
  await site.programs.addon.kill('SIGKILL');
  await add('Made while it was away');
  await notSaved().waitFor();
  await item('Made while it was away').check();
  await shots('20-not-saved-yet');
  expect(await stored()).not.toContain('Made while it was away');
  const fault = await failRequests(emma);
  await site.programs.addon.start();
  await fault.end(retry);
  await expect.poll(stored).toContain('+ Made while it was away');
  await notSaved().waitFor({ state: 'detached' });
});

test('after a reload the panel still shows them, and saves them', async () => {
  const fault = await failRequests(emma);
  await add('Made before the reload');
  await item('Made before the reload').check();
  await notSaved().waitFor();
  await emma.reload();
  await item('Made before the reload').waitFor();
  await expect.poll(() => item('Made before the reload').isChecked()).toBe(true);
  await notSaved().waitFor();
  await shots('21-not-saved-yet-after-reload');
  await fault.end(retry);
  await expect.poll(stored).toContain('+ Made before the reload');
  await notSaved().waitFor({ state: 'detached' });
  expect((await stored()).match(/Made before the reload/g)).toHaveLength(1);
});

test('an editor that is closed while its text is pending leaves it to the panel', async () => {
  await panel().getByRole('button', { name: 'Open editor' }).click();
  const text = dialog().getByRole('textbox', { name: /as text/ });
  await text.waitFor();
  const fault = await failRequests(emma, 503);
  await text.press('Control+End');
  await emma.keyboard.type('\nFrom the editor');
  await emma.keyboard.press('Control+s');
  await dialog()
    .getByText(/^Not saved yet/)
    .waitFor();
  await shot('22-editor-not-saved-yet');
  await dialog().getByRole('button', { name: 'Close', exact: true }).click();
  await emma.getByRole('dialog').waitFor({ state: 'detached' });
  await item('From the editor').waitFor();
  await notSaved().waitFor();
  await fault.end(retry);
  await expect.poll(stored).toContain('- From the editor');
});
