import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { FrameLocator, Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, expect, test, vi } from 'vitest';
import { type AnalyticsEvent, analyticsEvents } from '../../src/domain/events.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, session, storedChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Analytics events of all functions, collected from a browser and at the receiving service. */

/** The only properties of a message. */
const messageShape = v.strictObject({
  eventType: v.picklist(analyticsEvents),
  eventProperties: v.strictObject({ operation: v.optional(v.string()), surface: v.optional(v.string()) }),
  appKey: v.optional(v.string()),
  version: v.optional(v.string()),
});
type Message = v.InferOutput<typeof messageShape>;

let site: page.Site;
let mia: Page;
let service: Server;
/** How the analytics service answers. */
let behaviour: 'accepts' | 'refuses' | 'hangs' = 'accepts';
/** Messages sent by the browser, and those that the app's server forwarded to the service. */
const sent: Message[] = [];
const forwarded: Message[] = [];

async function startService(): Promise<number> {
  service = createServer(async (request, response) => {
    forwarded.push(v.parse(messageShape, JSON.parse(await textOf(request))));
    if (behaviour !== 'hangs') response.writeHead(behaviour === 'accepts' ? 204 : 500).end();
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  return (service.address() as AddressInfo).port;
}

onSite(
  async started => {
    site = started;
    mia = await site.visitor(page.people.admin);
    mia.context().on('request', request => {
      if (new URL(request.url()).pathname !== '/api/analytics') return;
      sent.push(v.parse(messageShape, request.postDataJSON()));
    });
  },
  async () => ({ env: { ANALYTICS_URL: `http://127.0.0.1:${await startService()}/` } }),
);

afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);
const frame = (): FrameLocator => mia.frameLocator('main iframe');
const at = (path: string) => mia.goto(`${site.programs.tracker.url}${path}`);
const settings = () => at('/admin/site-settings');

/** A list is refetched whenever the page is notified of a change. */
const refetched: AnalyticsEvent = 'Templates list queried';

/** Runs `action` and waits until the browser has sent each of these events once, and no others. */
async function expectEvents(expected: readonly AnalyticsEvent[], action: () => Promise<unknown>) {
  const before = sent.length;
  await action();
  const events = () =>
    sent
      .slice(before)
      .map(({ eventType }) => eventType)
      .filter((event, index, all) => event !== refetched || (expected.includes(event) && all.indexOf(event) === index))
      .sort();
  await expect.poll(events).toEqual([...expected].sort());
}

async function menu(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
}

/** Allows analytics for the site again. */
async function allow() {
  const query = `mutation { updateSiteSettings(input: { analytics: true }) { errors { message } } }`;
  const answer = await graphql(site.programs, mia, await session(site.programs, mia, 'WEB-1'), query, {});
  expect(answer).toEqual({ data: { updateSiteSettings: { errors: [] } } });
}

/** Chooses an entry of a row's menu. */
async function rowMenu(row: string, entry: string) {
  await panel().getByRole('checkbox', { name: row }).hover();
  await panel()
    .getByRole('button', { name: new RegExp(`^More actions for ${row}|^Actions for ${row}`) })
    .click();
  await page.clickEntry(panel(), entry);
}

/** Events sent once before the total is counted. */
const sentOnce: readonly AnalyticsEvent[] = [
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

test('the demo checklist, and the two jobs', async () => {
  await expectEvents(['DemoTemplateApplied'], () => menu('Add demo checklist'));
  await expectEvents(['Custom field synchronization requested'], () => menu('Synchronize storages'));
  await expectEvents(['Import from issue checklist requested'], async () => {
    await menu('Import from Issue Checklist…');
    await panel().getByRole('button', { name: 'Import below' }).click();
  });
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

test('templates: the list, a mandatory item, and saving', async () => {
  await expectEvents(['App Loaded', 'Templates list queried'], async () => {
    await menu('Manage templates');
    await dialog().getByRole('button', { name: 'New template' }).waitFor();
  });
  await dialog().getByRole('button', { name: 'New template' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Silence');
  await dialog().getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.type(`- ${SECRET}`);
  await expectEvents(['Item made mandatory from template view'], () => mia.keyboard.press('Control+Shift+M'));
  await dialog().getByRole('button', { name: 'Create template' }).click();
  await dialog().getByRole('button', { name: 'Silence', exact: true }).click();
  const name = dialog().getByRole('textbox', { name: 'Name' });
  await name.fill('Silence again');
  const before = sent.length;
  await dialog().getByRole('button', { name: /^Save/ }).click();
  await dialog().getByRole('button', { name: 'Silence again', exact: true }).waitFor();
  const mutated = () => sent.slice(before).filter(({ eventType }) => eventType === 'Template mutated');
  await expect.poll(mutated).toHaveLength(1);
  // The list is refetched after each saving, and after the event about its change.
  const listed = () => sent.filter(({ eventType }) => eventType === refetched).length;
  await expect.poll(listed).toBeGreaterThanOrEqual(3);
});

test('assigned items', async () => {
  await expectEvents(['App Loaded', 'Assigned items queried'], async () => {
    await at('/plugins/assigned-items');
    await frame().getByRole('checkbox').first().waitFor();
  });
});

test('every event was sent and forwarded as often, and none contains content or names', async () => {
  expect([...new Set(sent.map(({ eventType }) => eventType))].sort()).toEqual([...analyticsEvents].sort());
  const count = (messages: readonly Message[], event: AnalyticsEvent) =>
    messages.filter(({ eventType }) => eventType === event).length;
  const counts = (messages: readonly Message[]) => analyticsEvents.map(event => [event, count(messages, event)]);
  // Each of these events was sent once.
  for (const event of sentOnce) expect([event, count(sent, event)]).toEqual([event, 1]);
  // The refetch of a list after a saving is reported later.
  await vi.waitFor(() => expect(counts(forwarded)).toEqual(counts(sent)), WAIT_TIMEOUT);
  const words = JSON.stringify([sent, forwarded]);
  for (const word of [SECRET, 'Dismiss', 'Silence', 'Emma', 'Mia', 'WEB-1', 'mia', 'localhost']) {
    expect(words).not.toContain(word);
  }
  expect(site.programs.addon.output()).not.toContain('Dismiss');
});

test('a service that refuses or does not answer affects no function', async () => {
  for (const next of ['refuses', 'hangs'] as const) {
    behaviour = next;
    const before = forwarded.length;
    await site.open(mia, 'WEB-1');
    const item = panel().getByRole('checkbox', { name: SECRET });
    await item.setChecked(next === 'refuses');
    await expect.poll(() => item.isChecked()).toBe(next === 'refuses');
    await expect.poll(() => forwarded.length).toBeGreaterThan(before);
  }
  behaviour = 'accepts';
  expect(site.browserErrors).toEqual([]);
});

test('the site disables analytics', async () => {
  await settings();
  const count = frame().getByRole('checkbox', { name: 'Send usage statistics' });
  await count.waitFor();
  await count.scrollIntoViewIfNeeded();
  await page.shots(mia, frame(), 'settings-analytics');
  const saved = mia.waitForResponse(response => response.request().postData()?.includes('updateSiteSettings') ?? false);
  await count.uncheck();
  await saved;
  await settings();
  await expect.poll(() => frame().getByRole('checkbox', { name: 'Send usage statistics' }).isChecked()).toBe(false);
  const before = sent.length;
  await site.open(mia, 'WEB-1');
  await panel().getByRole('checkbox', { name: SECRET }).waitFor();
  await panel().getByRole('button', { name: 'Open editor' }).click();
  await page.hasFocus(dialog().getByRole('textbox', { name: /as text/ }));
  await dialog().getByRole('button', { name: 'Close', exact: true }).click();
  // An event sent while analytics was off would arrive before those that are sent after it is on again.
  await allow();
  await expectEvents(['App Loaded', 'Checklist queried'], () => site.open(mia, 'WEB-1'));
  expect(sent.length).toBe(before + 2);
});

test('a failing analytics endpoint affects no function', async () => {
  await mia.context().route('**/api/analytics', route => route.abort());
  await site.open(mia, 'WEB-1');
  await panel().getByRole('checkbox', { name: SECRET }).check();
  await expect.poll(() => panel().getByRole('checkbox', { name: SECRET }).isChecked()).toBe(true);
  await expect.poll(async () => (await storedChecklist(site.programs, mia, 'WEB-1')).text).toContain(`+ ! ${SECRET}`);
  for (const where of [mia, panel()]) expect(await where.getByText('Something went wrong.').count()).toBe(0);
});
