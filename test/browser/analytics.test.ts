import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type AnalyticsEvent, analyticsEvents } from '../../src/domain/events.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, session, storedChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** What the product tells of its use, collected from everybody's browser while all of it is used. */

/** All that a message may hold. */
const messageShape = z.strictObject({
  eventType: z.enum(analyticsEvents),
  eventProperties: z.strictObject({ operation: z.string().optional(), surface: z.string().optional() }),
  appKey: z.string().optional(),
  version: z.string().optional(),
});
type Message = z.infer<typeof messageShape>;

let site: page.Site;
let mia: Page;
let elsewhere: Server;
/** In what the other service does: takes what it is told, refuses it, or says nothing. */
let mood: 'takes' | 'refuses' | 'hangs' = 'takes';
/** What our server was told, and the service that it passes events on to. */
const told: Message[] = [];
const passed: Message[] = [];

async function listenElsewhere(): Promise<number> {
  elsewhere = createServer(async (request, response) => {
    passed.push(messageShape.parse(JSON.parse(await textOf(request))));
    if (mood !== 'hangs') response.writeHead(mood === 'takes' ? 204 : 500).end();
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  return (elsewhere.address() as AddressInfo).port;
}

onSite(
  async there => {
    site = there;
    mia = await site.visitor(page.people.admin);
    mia.context().on('request', request => {
      if (new URL(request.url()).pathname !== '/api/analytics') return;
      told.push(messageShape.parse(request.postDataJSON()));
    });
  },
  async () => ({ env: { ANALYTICS_URL: `http://127.0.0.1:${await listenElsewhere()}/` } }),
);

afterAll(() => {
  elsewhere.closeAllConnections();
  elsewhere.close();
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);
const frame = (): FrameLocator => mia.frameLocator('main iframe');
const at = (path: string) => mia.goto(`${site.programs.tracker.url}${path}`);
const settings = () => at('/admin/site-settings');

/** A list is read again whenever a page hears that it may have changed. */
const repeated: AnalyticsEvent = 'Templates list queried';

/** Does something, and waits until these events were told since, each once, and no others. */
async function whileDoing(expected: readonly AnalyticsEvent[], work: () => Promise<unknown>) {
  const before = told.length;
  await work();
  const events = () =>
    told
      .slice(before)
      .map(({ eventType }) => eventType)
      .filter((event, index, all) => event !== repeated || (expected.includes(event) && all.indexOf(event) === index))
      .sort();
  await expect.poll(events).toEqual([...expected].sort());
}

async function menu(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
}

/** Lets the site be counted again. */
async function allow() {
  const query = `mutation { updateSiteSettings(input: { analytics: true }) { errors { message } } }`;
  const answer = await graphql(site.programs, mia, await session(site.programs, mia, 'WEB-1'), query, {});
  expect(answer).toEqual({ data: { updateSiteSettings: { errors: [] } } });
}

/** Something in the menu of the row that says this. */
async function rowMenu(row: string, entry: string) {
  await panel().getByRole('checkbox', { name: row }).hover();
  await panel()
    .getByRole('button', { name: new RegExp(`^More actions for ${row}|^Actions for ${row}`) })
    .click();
  await page.clickEntry(panel(), entry);
}

/** What is done once on the way to the count of all. */
const doneOnce: readonly AnalyticsEvent[] = [
  'Add details clicked',
  'Assigned items queried',
  'Assignee selected in checklist',
  'Assignee selected in full screen editor',
  'Custom field synchronization requested',
  'DemoTemplateApplied',
  'Fullscreen editor used',
  'Import from issue checklist requested',
  'Item made mandatory from issue view',
  'Item made mandatory from template view',
  'Template mutated',
];

const SECRET = 'Dismiss the board quietly';

test('an issue is opened, and an item added', async () => {
  await whileDoing(['App Loaded', 'Checklist queried'], async () => {
    await site.open(mia, 'WEB-1');
    await panel().getByText('No items yet.').waitFor();
  });
  await whileDoing(['Checklist mutated'], async () => {
    const add = panel().getByRole('textbox', { name: 'Add an item' });
    await add.fill(SECRET);
    await add.press('Enter');
    await panel().getByRole('checkbox', { name: SECRET }).waitFor();
  });
});

test('details, a person, and that it must be done', async () => {
  await whileDoing(['Add details clicked'], async () => {
    await rowMenu(SECRET, 'Add details');
    await mia.keyboard.press('Escape');
  });
  await whileDoing(['Assignee selected in checklist'], async () => {
    await rowMenu(SECRET, 'Assign…');
    await panel().getByRole('option', { name: 'Assign to me' }).click();
  });
  await whileDoing(['Item made mandatory from issue view'], () => rowMenu(SECRET, 'Make mandatory'));
  await panel().getByText('Mandatory').first().waitFor();
});

test('the demo checklist, and the two jobs', async () => {
  await whileDoing(['DemoTemplateApplied'], () => menu('Add demo checklist'));
  await whileDoing(['Custom field synchronization requested'], () => menu('Synchronize storages'));
  await whileDoing(['Import from issue checklist requested'], async () => {
    await menu('Import from Issue Checklist…');
    await panel().getByRole('button', { name: 'Import below' }).click();
  });
});

test('the full-size editor, a person in it, and saving', async () => {
  await whileDoing(['App Loaded', 'Checklist queried', 'Fullscreen editor used'], async () => {
    await panel().getByRole('button', { name: 'Open editor' }).click();
    await page.hasFocus(dialog().getByRole('textbox', { name: /as text/ }));
  });
  await whileDoing(['Assignee selected in full screen editor'], async () => {
    await mia.keyboard.press('Control+End');
    await mia.keyboard.type('\nSign with @Emma');
    await dialog().getByRole('option', { name: /Emma/ }).click();
  });
  await whileDoing(['Checklist mutated'], async () => {
    await mia.keyboard.press('Control+s');
    await dialog().getByText('Saved', { exact: true }).waitFor();
  });
  await dialog().getByRole('button', { name: 'Close', exact: true }).click();
});

test('templates: the list, an item that must be done, and saving', async () => {
  await whileDoing(['App Loaded', 'Templates list queried'], async () => {
    await menu('Manage templates');
    await dialog().getByRole('button', { name: 'New template' }).waitFor();
  });
  await dialog().getByRole('button', { name: 'New template' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Silence');
  await dialog().getByRole('textbox', { name: 'Text of the template' }).click();
  await mia.keyboard.type(`- ${SECRET}`);
  await whileDoing(['Item made mandatory from template view'], () => mia.keyboard.press('Control+Shift+M'));
  await dialog().getByRole('button', { name: 'Create template' }).click();
  await dialog().getByRole('button', { name: 'Silence', exact: true }).click();
  const name = dialog().getByRole('textbox', { name: 'Name' });
  await name.fill('Silence again');
  const before = told.length;
  await dialog().getByRole('button', { name: /^Save/ }).click();
  await dialog().getByRole('button', { name: 'Silence again', exact: true }).waitFor();
  const mutated = () => told.slice(before).filter(({ eventType }) => eventType === 'Template mutated');
  await expect.poll(mutated).toHaveLength(1);
  // The list is read anew after each saving, and where somebody says that it has changed.
  const listed = () => told.filter(({ eventType }) => eventType === repeated).length;
  await expect.poll(listed).toBeGreaterThanOrEqual(3);
});

test('assigned items', async () => {
  await whileDoing(['App Loaded', 'Assigned items queried'], async () => {
    await at('/plugins/assigned-items');
    await frame().getByRole('checkbox').first().waitFor();
  });
});

test('every event of the list was told, was passed on as often, and none says what or who', async () => {
  expect([...new Set(told.map(({ eventType }) => eventType))].sort()).toEqual([...analyticsEvents].sort());
  const count = (messages: readonly Message[], event: AnalyticsEvent) =>
    messages.filter(({ eventType }) => eventType === event).length;
  const counts = (messages: readonly Message[]) => analyticsEvents.map(event => [event, count(messages, event)]);
  // What was done once was told once, however long ago.
  for (const event of doneOnce) expect([event, count(told, event)]).toEqual([event, 1]);
  // A list that is read anew because of what was saved is told of late.
  await vi.waitFor(() => expect(counts(passed)).toEqual(counts(told)), WAIT_TIMEOUT);
  const words = JSON.stringify([told, passed]);
  for (const word of [SECRET, 'Dismiss', 'Silence', 'Emma', 'Mia', 'WEB-1', 'mia', 'localhost']) {
    expect(words).not.toContain(word);
  }
  expect(site.programs.addon.output()).not.toContain('Dismiss');
});

test('a service that refuses or hangs costs nobody anything', async () => {
  for (const next of ['refuses', 'hangs'] as const) {
    mood = next;
    const before = passed.length;
    await site.open(mia, 'WEB-1');
    const item = panel().getByRole('checkbox', { name: SECRET });
    await item.setChecked(next === 'refuses');
    await expect.poll(() => item.isChecked()).toBe(next === 'refuses');
    await expect.poll(() => passed.length).toBeGreaterThan(before);
  }
  mood = 'takes';
  expect(site.complaints).toEqual([]);
});

test('the site says that it does not want to be counted', async () => {
  await settings();
  const count = frame().getByRole('checkbox', { name: 'Count which functions are used' });
  await count.waitFor();
  await count.scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'settings-analytics');
  const saved = mia.waitForResponse(response => response.request().postData()?.includes('updateSiteSettings') ?? false);
  await count.uncheck();
  await saved;
  await settings();
  await expect
    .poll(() => frame().getByRole('checkbox', { name: 'Count which functions are used' }).isChecked())
    .toBe(false);
  const before = told.length;
  await site.open(mia, 'WEB-1');
  await panel().getByRole('checkbox', { name: SECRET }).waitFor();
  await panel().getByRole('button', { name: 'Open editor' }).click();
  await page.hasFocus(dialog().getByRole('textbox', { name: /as text/ }));
  await dialog().getByRole('button', { name: 'Close', exact: true }).click();
  // What was to be told of that would have been told before what comes when it is allowed again.
  await allow();
  await whileDoing(['App Loaded', 'Checklist queried'], () => site.open(mia, 'WEB-1'));
  expect(told.length).toBe(before + 2);
});

test('our own server refusing to count disturbs nobody', async () => {
  await mia.context().route('**/api/analytics', route => route.abort());
  await site.open(mia, 'WEB-1');
  await panel().getByRole('checkbox', { name: SECRET }).check();
  await expect.poll(() => panel().getByRole('checkbox', { name: SECRET }).isChecked()).toBe(true);
  await expect.poll(async () => (await storedChecklist(site.programs, mia, 'WEB-1')).text).toContain(`+ ! ${SECRET}`);
  for (const where of [mia, panel()]) expect(await where.getByText('Something went wrong.').count()).toBe(0);
});
