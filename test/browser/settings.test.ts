import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session } from './api.ts';
import { hold, inSortable } from './drag.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The settings for users without permission, and for users who have them open while another user changes them. */

const PROJECT = '/projects/WEB/settings/project-settings';

/** Milliseconds after which what was typed is stored. */
const DRAFT = 500;

let site: page.Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
});

const frameOf = (user: Page): FrameLocator => user.frameLocator('main iframe');
const frame = () => frameOf(mia);
const names = async () => (await frame().getByRole('list', { name: 'Statuses' }).locator('.check-status').all()).length;

/** Makes a change as the administrator through the server. */
async function change(operation: string, type: string, input: object) {
  const token = await session(site.programs, mia, 'WEB-1');
  const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { errors { message } } }`;
  const { data } = await graphql(site.programs, mia, token, query, { input });
  expect(data[operation].errors).toEqual([]);
}

test('statuses, templates and switches that another administrator changes show at once', async () => {
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  await frame()
    .getByRole('note', { name: /^New here/ })
    .waitFor();
  await page.shots(mia, frame(), 'settings-notice');
  await expect.poll(names).toBe(4);
  await change('createStatus', 'CreateStatusInput', { name: 'On hold', color: 'yellow', checked: false });
  await frame().getByRole('button', { name: 'Edit On hold' }).waitFor();
  await change('createTemplateFromText', 'CreateTemplateFromTextInput', { name: 'First day', text: '- Say hello' });
  const first = frame().getByRole('combobox', { name: 'Try a checklist with' });
  await first.getByRole('option', { name: 'First day' }).waitFor({ state: 'attached' });
  await change('updateSiteSettings', 'UpdateSiteSettingsInput', { managePermissions: true });
  await frame().getByRole('checkbox', { name: 'Use the app’s own permissions', checked: true }).waitFor();
  await change('updateSiteSettings', 'UpdateSiteSettingsInput', { managePermissions: false });
});

test('a notice is hidden for good', async () => {
  const note = frame().getByRole('note', { name: /^New here/ });
  const kept = mia.waitForResponse(
    answer => answer.request().method() === 'PUT' && answer.url().includes('/user/properties/'),
  );
  await note.getByRole('button').last().click();
  await note.waitFor({ state: 'detached' });
  expect((await kept).ok()).toBe(true);
  await mia.reload();
  await frame().getByRole('button', { name: 'Edit On hold' }).waitFor();
  expect(await note.count()).toBe(0);
});

test('a status is dragged to another position', async () => {
  await hold(frame(), inSortable(frame(), 'On hold', 'To Do'), 'above');
  await mia.mouse.up();
  await frame().getByText('On hold moved to position 1 of 5.').waitFor();
  await page.shots(mia, frame(), 'statuses-dragged');
});

test('what is entered in a form is there again after a reload, until it is cancelled', async () => {
  const name = frame().getByRole('textbox', { name: 'Name', exact: true });
  await frame().getByRole('button', { name: 'New status' }).click();
  await page.hasFocus(name);
  await mia.keyboard.type('Waits for the customer');
  await frame().getByRole('radio', { name: 'red' }).check({ force: true });
  await mia.waitForTimeout(DRAFT);
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  await frame().getByRole('button', { name: 'New status' }).click();
  await page.hasFocus(name);
  expect(await name.inputValue()).toBe('Waits for the customer');
  await frame().getByText('Your unsaved changes have been restored.').waitFor();
  await page.shots(mia, frame(), 'settings-restored');
  await frame().getByRole('button', { name: 'Cancel' }).click();
  await frame().getByRole('button', { name: 'Leave' }).click();
  await frame().getByRole('button', { name: 'New status' }).click();
  await page.hasFocus(name);
  expect(await name.inputValue()).toBe('');
  await frame().getByRole('button', { name: 'Cancel' }).click();
});

test("users without administration permission have no link to the app's settings", async () => {
  for (const name of [page.people.editor, page.people.viewer]) {
    const visitor = await site.visitor(name);
    await visitor.goto(`${site.programs.tracker.url}${PROJECT}`);
    await visitor.locator('main').waitFor();
    expect(await visitor.locator('main iframe').count()).toBe(0);
    await visitor.close();
  }
});

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
