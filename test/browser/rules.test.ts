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
const rest = (path: string) => `${site.programs.tracker.url}/rest/api/3/issue/${path}`;

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
  await template('New summary', '- Read it again');
  await mia.goto(`${site.programs.tracker.url}${PROJECT}`);
  // Statuses that load move the elements below them.
  await rules().getByText('Skipped').waitFor();
  await rules().getByRole('button', { name: 'Template assignments' }).click();
  await rules().getByRole('button', { name: 'New rule' }).click();
  await rules().getByRole('combobox', { name: 'Apply the template' }).selectOption('Wrap-up');
  await rules().getByRole('combobox', { name: 'When an issue' }).selectOption('moves to a status');
  const statuses = rules().getByRole('group', { name: 'Which status' });
  await expect.poll(() => statuses.getByRole('checkbox').count()).toBe(3);
  await rules().getByRole('button', { name: 'Create rule' }).click();
  await rules().getByText('Choose the status that issues move to.').waitFor();
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

test('a changed field adds another template, and the first one is added once', async () => {
  await rules().getByRole('button', { name: 'New rule' }).click();
  await rules().getByRole('combobox', { name: 'Apply the template' }).selectOption('New summary');
  await rules().getByRole('combobox', { name: 'When an issue' }).selectOption('has a field changed');
  await rules().getByRole('combobox', { name: 'Which field' }).selectOption('Summary');
  await rules().getByRole('button', { name: 'Create rule' }).click();
  await rules().getByText('when an issue has Summary changed').waitFor();

  await move('To Do');
  await move('Done');
  const data = { fields: { summary: 'Currency sign jumps on all screens' } };
  expect((await emma.request.put(rest(ISSUE), { data })).status()).toBe(204);
  await rows('Read it again').waitFor();
  // The addition of this item has evaluated all rules.
  expect(await rows('Tell support').count()).toBe(1);
  await move('To Do');
  const again = { fields: { summary: 'Currency sign jumps' } };
  expect((await emma.request.put(rest(ISSUE), { data: again })).status()).toBe(204);
});

test('a rule whose template is deleted shows that, does nothing, and can get another one', async () => {
  await rules().getByRole('button', { name: 'All templates' }).click();
  await rules().getByRole('button', { name: 'Actions for New summary' }).click();
  await rules().getByRole('menuitem', { name: 'Delete' }).click();
  await rules().getByRole('button', { name: 'Undo' }).waitFor();
  await rules().getByRole('button', { name: 'Template assignments' }).click();
  await rules().getByText('The template was deleted, so this rule does nothing').waitFor();
  await page.shots(mia, rules(), 'rules-gone');
  await rules().getByRole('button', { name: 'Edit the rule for a deleted template' }).click();
  await rules().getByRole('combobox', { name: 'Apply the template' }).selectOption('Wrap-up');
  await rules().getByRole('button', { name: 'Save rule' }).click();
  await rules().getByText('The template was deleted').waitFor({ state: 'detached' });
});

test('without the permission to move an issue its status is text', async () => {
  const victor = await site.visitor(page.people.viewer);
  await site.open(victor, ISSUE);
  await victor.getByRole('region', { name: 'Details' }).getByText('To Do').waitFor();
  expect(await victor.getByRole('combobox', { name: 'Status' }).count()).toBe(0);
  await victor.close();
});

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
