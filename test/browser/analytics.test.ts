import type { FrameLocator, Page } from 'playwright-core';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type AnalyticsEvent, analyticsEvents } from '../../src/domain/events.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Analytics events of screens and their controls, as a browser sends them. */

/** The only properties of a message. */
const messageShape = v.strictObject({
  eventType: v.picklist(analyticsEvents),
  eventProperties: v.strictObject({ operation: v.optional(v.string()), surface: v.optional(v.string()) }),
});

let site: page.Site;
let mia: Page;
/** Messages sent by the browser. */
const sent: v.InferOutput<typeof messageShape>[] = [];
/** The statuses of their answers. */
const answers: number[] = [];

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
  const isEvent = (url: string) => new URL(url).pathname === '/api/analytics';
  mia.context().on('request', request => {
    if (isEvent(request.url())) sent.push(v.parse(messageShape, request.postDataJSON()));
  });
  mia.context().on('response', answer => {
    if (isEvent(answer.url())) answers.push(answer.status());
  });
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);
const frame = (): FrameLocator => mia.frameLocator('main iframe');

/** Runs `action` and waits until the browser has sent each of these events once, and no others, and they are answered. */
async function expectEvents(expected: readonly AnalyticsEvent[], action: () => Promise<unknown>) {
  const before = sent.length;
  await action();
  const events = () =>
    sent
      .slice(before)
      .map(({ eventType }) => eventType)
      .sort();
  await expect.poll(events).toEqual([...expected].sort());
  // The page that an event is sent from may be left next, and then sees no answer.
  await expect.poll(() => answers.length).toBe(sent.length);
}

async function menu(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
}

/** Chooses an entry of a row's menu. */
async function rowMenu(row: string, entry: string) {
  await panel().getByRole('checkbox', { name: row }).hover();
  await panel()
    .getByRole('button', { name: new RegExp(`^More actions for ${row}|^Actions for ${row}`) })
    .click();
  await page.clickEntry(panel(), entry);
}

const SECRET = 'Dismiss the board quietly';

test('an issue is opened, and an item added', async () => {
  await expectEvents(['App Loaded', 'Checklist queried'], async () => {
    await site.open(mia, 'WEB-1');
    await panel().getByText('No items yet.').waitFor();
  });
  await expectEvents(['Checklist mutated'], async () => {
    const add = panel().getByRole('textbox', { name: 'Add an item' });
    await add.fill(SECRET);
    await add.press('Enter');
    await panel().getByRole('checkbox', { name: SECRET }).waitFor();
  });
});

test('details are added, a person is assigned, and an item is made mandatory', async () => {
  await expectEvents(['Add details clicked'], async () => {
    await rowMenu(SECRET, 'Add details');
    // The field loads with its first use.
    await page.hasFocus(panel().locator('.cm-content'));
    await mia.keyboard.press('Escape');
    await panel().locator('.cm-content').waitFor({ state: 'detached' });
  });
  await expectEvents(['Assignee selected in checklist'], async () => {
    await rowMenu(SECRET, 'Assign…');
    await panel().getByRole('option', { name: 'Assign to me' }).click();
  });
  await expectEvents(['Item made mandatory from issue view'], () => rowMenu(SECRET, 'Make mandatory'));
  await panel().getByText('Mandatory').first().waitFor();
});

test('the full-size editor, a person in it, and saving', async () => {
  await expectEvents(['App Loaded', 'Checklist queried', 'Fullscreen editor used'], async () => {
    await panel().getByRole('button', { name: 'Open editor' }).click();
    await page.hasFocus(dialog().getByRole('textbox', { name: /as text/ }));
  });
  await expectEvents(['Assignee selected in full screen editor'], async () => {
    await mia.keyboard.press('Control+End');
    await mia.keyboard.type('\nSign with @Emma');
    await dialog().getByRole('option', { name: /Emma/ }).click();
  });
  await expectEvents(['Checklist mutated'], async () => {
    await mia.keyboard.press('Control+s');
    await dialog().getByText('Saved', { exact: true }).waitFor();
  });
  await dialog().getByRole('button', { name: 'Close', exact: true }).click();
});

test('templates: the list, and a mandatory item', async () => {
  await expectEvents(['App Loaded', 'Templates list queried'], async () => {
    await menu('Manage templates');
    await dialog().getByRole('button', { name: 'New template' }).waitFor();
  });
  await dialog().getByRole('button', { name: 'New template' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Silence');
  await dialog().getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.type(`- ${SECRET}`);
  await expectEvents(['Item made mandatory from template view'], () => mia.keyboard.press('Control+Shift+M'));
});

test('assigned items', async () => {
  await expectEvents(['App Loaded', 'Assigned items queried'], async () => {
    await mia.goto(`${site.programs.tracker.url}/plugins/assigned-items`);
    await frame().getByRole('checkbox').first().waitFor();
  });
});

test('every event is accepted, and none contains content or names', async () => {
  await expect.poll(() => answers).toEqual(sent.map(() => 204));
  const words = JSON.stringify(sent);
  for (const word of [SECRET, 'Dismiss', 'Silence', 'Emma', 'Mia', 'WEB-1', 'mia', 'localhost']) {
    expect(words).not.toContain(word);
  }
  expect(site.programs.addon.output()).not.toContain('Dismiss');
});
