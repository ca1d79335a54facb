import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { failRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { people, type Site, shots } from './site.ts';

provokes(/ 503 /);

/** A page that is opened while the server is down says so, and comes back with it, without a click. */

let site: Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(people.admin);
});

const frame = () => mia.frameLocator('main iframe');

test('site settings come back with the server', async () => {
  const fault = await failRequests(mia, 503);
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  await frame().getByText("The server didn't answer.").waitFor();
  await frame().getByText('Retrying automatically.').waitFor();
  await shots(mia, frame(), 'server-down-site-settings');
  expect(await axeFindings(frame().locator('html'), 'region')).toEqual([]);
  await fault.end(async () => {});
  await frame().getByText('New status').first().waitFor();
  expect(await frame().getByText('Retrying automatically.').count()).toBe(0);
});
