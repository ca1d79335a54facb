import pg from 'pg';
import type { FrameLocator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { createDatabase } from '../server/support/postgres.ts';
import { writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Webhooks in both directions with the tracker's receiver and automation, and notifications in its outbox. */

const ISSUE = 'WEB-3';
const EMMA = '5b10a2844c20165700ede21c';

let database: string;
let site: page.Site;
let mia: Page;
let emma: Page;
/** Mia's pages of the tracker, beside the one with the settings. */
let tools: Page;

onSite(
  async started => {
    site = started;
    mia = await site.visitor(page.people.admin);
    emma = await site.visitor(page.people.editor);
    tools = await site.visitor(page.people.admin);
  },
  () => ({
    createDatabase: async () => {
      database = await createDatabase(inject('postgres'), { template: inject('template') });
      return database;
    },
  }),
);

const settings = (): FrameLocator => mia.frameLocator('main iframe');
const panel = (): FrameLocator => page.panel(emma);
const visit = (path: string) => tools.goto(`${site.programs.tracker.url}${path}`);
const sent = () => tools.getByRole('region', { name: 'Sent by apps' });

/** Makes the waiting digests due. */
async function releaseDigests(): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query("update queue set due = now() where name = 'send-digest'");
  await client.end();
}

/** The secret that the settings show, and its end. */
async function takeSecret(name: string): Promise<string> {
  const shown = settings().getByRole('region', { name: `Secret of ${name}` });
  const secret = await shown.getByRole('textbox').inputValue();
  expect(secret).toMatch(/^whs_/);
  await shown.getByRole('button', { name: 'Done' }).click();
  return secret;
}

test('an administrator adds an outgoing webhook, and its receiver gets signed calls; a narrow page shows everything', async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- Tag the build\n- Tell support');
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  // By keyboard: sections that load move the button.
  await settings().getByRole('button', { name: 'Manage webhooks' }).press('Enter');
  await settings().getByText('No outgoing webhooks yet.').waitFor();
  await page.shots(mia, settings(), 'automation-empty');
  await settings().getByRole('button', { name: 'Add outgoing webhook' }).click();
  const form = settings().getByRole('form', { name: 'New webhook' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Release board');
  await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook');
  await form.getByRole('checkbox', { name: 'Item completed' }).check();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await form.getByText('Enter an address that starts with “https://”.').waitFor();
  await form.getByRole('textbox', { name: 'Address' }).fill(`${site.programs.tracker.url}/receiver`);
  await page.shots(mia, settings(), 'automation-form');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await takeSecret('Release board');

  await visit('/outbox');
  await tools.getByRole('textbox', { name: /^Secret/ }).fill(secret);
  await tools.getByRole('button', { name: 'Save receiver' }).click();
  await tools.getByText('Secret (saved)').waitFor();
  await settings().getByRole('button', { name: 'Send test' }).click();
  await sent().getByRole('article', { name: 'Webhook test' }).getByText('Signature valid').waitFor();

  await site.openLoaded(emma, ISSUE);
  await panel().getByRole('checkbox', { name: 'Tag the build' }).check();
  const call = sent().getByRole('article', { name: 'Webhook item.completed' });
  await call.getByText('Signature valid').waitFor();
  expect(await call.textContent()).not.toContain('Tag the build');

  await settings().getByRole('button', { name: 'Show log' }).click();
  const log = settings().getByRole('region', { name: 'Log of Release board' });
  await log.getByRole('row', { name: /Item completed Accepted, 204/ }).waitFor();
  expect(await axeFindings(settings().locator('main'))).toEqual([]);
  await page.shots(mia, settings(), 'automation-log');
  await page.resize(mia, { width: 360, height: 900 });
  const sideways = () =>
    settings()
      .locator('html')
      .evaluate(html => html.scrollWidth - html.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await page.shots(mia, settings(), 'automation-360');
  await page.resize(mia, { width: 1280, height: 900 });
});

test('a rule of the automation changes a checklist by an incoming webhook', async () => {
  await settings().getByRole('button', { name: 'Add incoming webhook' }).click();
  const form = settings().getByRole('form', { name: 'New webhook' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Deploy');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await takeSecret('Deploy');
  const entry = settings().getByRole('article', { name: 'Deploy' });
  const address = (await entry.locator('code').textContent()) ?? '';

  await visit('/automation');
  await tools.getByRole('textbox', { name: 'Address' }).fill(address);
  await tools.getByRole('textbox', { name: 'Secret' }).fill('wrong');
  const body = { action: 'addItems', issue: ISSUE, text: '- Announce it' };
  await tools.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify(body));
  await tools.getByRole('button', { name: 'Send request' }).click();
  await tools.getByRole('heading', { name: 'Answered 401' }).waitFor();
  await tools.getByRole('textbox', { name: 'Secret' }).fill(secret);
  await tools.getByRole('checkbox', { name: /^Sign the body/ }).check();
  await tools.getByRole('button', { name: 'Send request' }).click();
  await tools.getByRole('heading', { name: 'Answered 200' }).waitFor();
  await page.shot(tools, 'tracker-automation');

  await panel().locator('li[data-key]').filter({ hasText: 'Announce it' }).waitFor();
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), 'History');
  await panel().getByText('Automation: Deploy').first().waitFor();
  await panel().getByRole('button', { name: 'Back to checklist' }).click();
});

test('an assigned person is notified once, and can mute the issue', async () => {
  await writeChecklist(site.programs, mia, ISSUE, `- Write the **notes** [~accountid:${EMMA}]`);
  await releaseDigests();
  await visit('/outbox');
  const notice = sent().getByRole('article', { name: `Notification of ${ISSUE}` });
  await notice.getByText('to Emma Richards').waitFor();
  expect(await notice.textContent()).toContain('- Write the notes');
  await page.shot(tools, 'tracker-outbox');

  const actions = panel().getByRole('button', { name: 'Checklist actions' });
  await actions.click();
  await page.clickEntry(panel(), 'Mute notifications');
  await actions.click();
  await panel().getByRole('menuitem', { name: 'Unmute notifications' }).waitFor();
  await page.clickEntry(panel(), 'Notification settings');
  const choices = panel().getByRole('group', { name: 'Email notifications' });
  expect(await choices.getByRole('radio', { name: 'My items', exact: true }).isChecked()).toBe(true);
  await page.shots(emma, panel(), 'notifications');
  await choices.getByRole('radio', { name: 'Off' }).check();
  await panel().getByRole('button', { name: 'Back to checklist' }).click();
  await panel().locator('li[data-key]').first().waitFor();
});
