import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { failRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { people, type Site, shots } from './site.ts';

/** Pages that are opened while the server is down: they say so, and come back with it, without a click. */

let site: Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(people.admin);
});

const frame = () => mia.frameLocator('main iframe');

test.each([
  ['assigned items', '/plugins/assigned-items', 'No items are assigned to you.'],
  ['site settings', '/admin/site-settings', 'New status'],
])('%s come back with the server', async (name, path, content) => {
  const fault = await failRequests(mia, 503);
  await mia.goto(`${site.programs.tracker.url}${path}`);
  await frame().getByText("The server didn't answer.").waitFor();
  await frame().getByText('Retrying automatically.').waitFor();
  await shots(mia, frame(), `server-down-${name.replace(' ', '-')}`);
  expect(await axeFindings(frame().locator('html'), 'region'), name).toEqual([]);
  await fault.end(async () => {});
  await frame().getByText(content).first().waitFor();
  expect(await frame().getByText('Retrying automatically.').count()).toBe(0);
});
