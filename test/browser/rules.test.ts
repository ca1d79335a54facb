import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session } from './api.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Rules, from the screen that creates them to the checklist of an issue that triggers them. */

const PROJECT = '/projects/WEB/settings/project-settings';
const ISSUE = 'WEB-7';

let site: page.Site;
let mia: Page;
let emma: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
  emma = await site.visitor(page.people.editor);
});

const rules = (): FrameLocator => mia.frameLocator('main iframe');
const panel = (): FrameLocator => page.panel(emma);
const rows = (text: string) => panel().locator('li[data-key]').filter({ hasText: text });

/** Creates a template of the project through the server. */
async function template(name: string, text: string): Promise<void> {
  const token = await session(site.programs, mia, ISSUE);
  const query = `mutation ($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { errors { message } }
  }`;
  const input = { projectId: '10000', name, text };
  const { data } = await graphql(site.programs, mia, token, query, { input });
  expect(data.createTemplateFromText.errors).toEqual([]);
}

/** Changes the issue's status in its view, as an editor. */
async function move(to: string): Promise<void> {
  const status = emma.getByRole('combobox', { name: 'Status' });
  await status.selectOption(to);
  await expect.poll(() => status.locator('option').first().textContent()).toBe(to);
}

test('an issue that moves to a status gets the template of a rule', async () => {
  await template('Wrap-up', '- Tell support');
  await mia.goto(`${site.programs.tracker.url}${PROJECT}`);
  // Statuses that load move the elements below them.
  await rules().getByText('Skipped').waitFor();
  await rules().getByRole('button', { name: 'Rules' }).click();
  await rules().getByRole('button', { name: 'New rule' }).click();
  await rules().getByRole('combobox', { name: 'Apply the template' }).selectOption('Wrap-up');
  await rules().getByRole('combobox', { name: 'When an issue' }).selectOption('moves to a status');
  const statuses = rules().getByRole('group', { name: 'Which status' });
  await statuses.getByRole('checkbox', { name: 'Done' }).check();
  await rules().getByRole('button', { name: 'Create rule' }).click();
  await rules().getByText('when an issue moves to Done').waitFor();

  await site.open(emma, ISSUE);
  await panel().locator('main').waitFor();
  await move('In Progress');
  await move('Done');
  await rows('Tell support').waitFor();
  await page.shots(emma, panel(), 'rule-applied');
});
