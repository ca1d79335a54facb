import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Templates and statuses, from the panel to the settings, as an administrator and as an editor. */

const ISSUE = 'WEB-3';

let site: page.Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);

/** The frame of one of the app's pages outside of an issue. */
const frame = (): FrameLocator => mia.frameLocator('main iframe');

async function menu(entry: string) {
  await panel().getByRole('button', { name: 'Checklist actions' }).click();
  await page.clickEntry(panel(), entry);
}

async function sideways(of: FrameLocator): Promise<number> {
  return of.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
}

test('a checklist is saved as a template', async () => {
  await site.open(mia, ISSUE);
  const add = panel().getByRole('textbox', { name: 'Add an item' });
  await add.click();
  await add.pressSequentially('Write the notes');
  await add.press('Enter');
  await panel().getByText('Write the notes', { exact: true }).waitFor();
  await menu('Save as template…');
  await panel().getByRole('textbox', { name: 'Name' }).waitFor();
  await panel().getByRole('button', { name: 'Save template' }).click();
  await panel().getByText('This field is required.').waitFor();
  await panel().getByRole('textbox', { name: 'Template text' }).waitFor();
  await page.shots(mia, panel(), 'template-save');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await panel().getByRole('textbox', { name: 'Name' }).fill('Release');
  await panel().getByRole('button', { name: 'Save template' }).click();
  await panel().getByText('is now available for other checklists').waitFor();
  await page.shots(mia, panel(), 'template-saved');
  await panel().getByRole('button', { name: 'Done' }).click();
  await panel().getByText('Write the notes', { exact: true }).waitFor();
});

test('the manager lists it, and another one is written as text', async () => {
  await menu('Manage templates');
  await dialog().getByRole('button', { name: 'Release', exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'New template' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Definition of done');
  await dialog().getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.insertText('# Done means\n- ! Reviewed\n- Documented\n> In English');
  await page.shots(mia, dialog(), 'template-new');
  expect(await axeFindings(dialog().locator('main'))).toEqual([]);
  await dialog().getByRole('button', { name: 'Create template' }).click();
  await dialog().getByRole('button', { name: 'Definition of done', exact: true }).waitFor();
  await page.shots(mia, dialog(), 'templates');
  expect(await axeFindings(dialog().locator('main'))).toEqual([]);
});

test('its menu, the dialog about the whole site, and a narrow dialog', async () => {
  await dialog().getByRole('button', { name: 'Actions for Release' }).click();
  await dialog().getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  await page.shots(mia, dialog(), 'templates-menu');
  await dialog().getByRole('menuitem', { name: 'Make site template…' }).click();
  await dialog().getByRole('alertdialog').waitFor();
  await page.shots(mia, dialog(), 'templates-question');
  await dialog().getByRole('button', { name: 'Make site template' }).click();
  await dialog().getByRole('alertdialog').waitFor({ state: 'detached' });
  await dialog().getByRole('button', { name: 'Actions for Definition of done' }).click();
  await dialog().getByRole('menuitem', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Undo' }).waitFor();
  await page.resize(mia, { width: 360, height: 800 });
  await page.shots(mia, dialog(), 'templates-narrow');
  await expect.poll(() => sideways(dialog())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await dialog().getByRole('button', { name: 'Undo' }).click();
  await dialog().getByRole('button', { name: 'Definition of done', exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
});

test('a starter template is applied with two clicks, and is offered first in the next empty checklist', async () => {
  await mia.reload();
  await panel().getByRole('button', { name: 'Apply template' }).click();
  await panel()
    .getByRole('option', { name: /^Incident/ })
    .hover();
  await panel().getByRole('region', { name: 'Preview of Incident' }).getByText('Service is restored').waitFor();
  await expect.poll(() => page.fits(panel())).toBe(true);
  await page.shots(mia, panel(), 'template-popup');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  for (const width of [400, 360]) {
    await page.resize(mia, { width, height: 1400 });
    await page.shots(mia, panel(), `template-popup-${width}`);
    await expect.poll(() => page.fits(panel())).toBe(true);
  }
  await page.resize(mia, { width: 1280, height: 900 });
  await panel()
    .getByRole('option', { name: /^Incident/ })
    .click();
  await page.keepUndo(panel());
  await panel().getByText('Service is restored').waitFor();
  await panel().getByRole('button', { name: 'Undo' }).click();
  await panel().getByText('Service is restored').waitFor({ state: 'detached' });

  await site.open(mia, 'WEB-4');
  await panel()
    .getByRole('button', { name: /^Incident/ })
    .waitFor();
  await page.shots(mia, panel(), 'launcher');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 1000 });
  await page.shots(mia, panel(), 'launcher-360');
  await expect.poll(() => sideways(panel())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await site.open(mia, ISSUE);
});

test('templates are chosen for an issue, previewed, imported, and undone', async () => {
  await menu('Import template…');
  await panel().getByRole('button', { name: 'More options…' }).click();
  await dialog().getByRole('checkbox', { name: 'Definition of done' }).check();
  await dialog().getByRole('checkbox', { name: 'Release' }).check();
  await dialog().getByRole('region', { name: 'Preview' }).getByText('Reviewed').waitFor();
  await page.shots(mia, dialog(), 'template-import');
  expect(await axeFindings(dialog().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 800 });
  await page.shots(mia, dialog(), 'template-import-narrow');
  await expect.poll(() => sideways(dialog())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await dialog().getByRole('button', { name: 'Import 2 templates' }).click();
  await page.keepUndo(panel());
  await panel().getByText('Reviewed').waitFor();
  await panel().getByText('Imported 2 templates').waitFor();
  await page.shots(mia, panel(), 'template-imported');
  await panel().getByRole('button', { name: 'Undo' }).click();
  await panel().getByText('Reviewed').waitFor({ state: 'detached' });
});

test('a project has its own statuses, in its order', async () => {
  await mia.goto(`${site.programs.tracker.url}/projects/WEB/settings/project-settings`);
  await frame().getByRole('button', { name: 'New status' }).waitFor();
  for (const [name, color] of [
    ['On hold', 'yellow'],
    ['QA failed', 'red'],
  ] as const) {
    await frame().getByRole('button', { name: 'New status' }).click();
    await frame().getByRole('textbox', { name: 'Name' }).fill(name);
    await frame().getByRole('radio', { name: color }).check();
    await page.shots(mia, frame(), 'status-new');
    await frame().getByRole('button', { name: 'Create status' }).click();
    await frame()
      .getByRole('button', { name: `Edit ${name}` })
      .waitFor();
  }
  await frame().getByRole('button', { name: 'Move QA failed' }).press('ArrowUp');
  await frame().getByText('QA failed moved to position 1 of 2.').waitFor();
  await page.shots(mia, frame(), 'statuses');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await frame().getByRole('button', { name: 'Delete On hold' }).click();
  await frame().getByText('No item has this status.').waitFor();
  await page.shots(mia, frame(), 'status-delete');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 800 });
  await page.shots(mia, frame(), 'statuses-narrow');
  await expect.poll(() => sideways(frame())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await frame().getByRole('button', { name: 'Delete status' }).click();
  await frame().getByRole('button', { name: 'Edit On hold' }).waitFor({ state: 'detached' });
});

test('a rule describes its issues', async () => {
  await mia.goto(`${site.programs.tracker.url}/projects/WEB/settings/project-settings`);
  await frame().getByRole('button', { name: 'Template assignments' }).click();
  await frame().getByRole('button', { name: 'New rule' }).click();
  await frame().getByRole('combobox', { name: 'Apply the template' }).selectOption('Definition of done');
  await frame().getByText('match now').waitFor();
  await frame().getByRole('combobox', { name: 'When an issue' }).selectOption('moves to a status');
  await frame().getByRole('checkbox', { name: 'Done' }).check();
  await page.shots(mia, frame(), 'rule-new');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await frame().getByRole('button', { name: 'Create rule' }).click();
  await frame().getByText('when an issue moves to Done').waitFor();
  await page.resize(mia, { width: 360, height: 800 });
  await page.shots(mia, frame(), 'rules-narrow');
  await expect.poll(() => sideways(frame())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
});

test('the settings of the site and of a project', async () => {
  await mia.goto(`${site.programs.tracker.url}/admin/site-settings`);
  await frame().getByRole('checkbox', { name: 'Use the app’s own permissions' }).waitFor();
  await page.resize(mia, { width: 1280, height: 1800 });
  await page.shots(mia, frame(), 'settings-site');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 1800 });
  await page.shots(mia, frame(), 'settings-site-narrow');
  await expect.poll(() => sideways(frame())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 1200 });
  await mia.goto(`${site.programs.tracker.url}/projects/WEB/settings/project-settings`);
  await frame()
    .getByRole('checkbox', { name: /^Show checklists below/ })
    .waitFor();
  await page.shots(mia, frame(), 'settings-project');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await mia.goto(`${site.programs.tracker.url}/admin/post-install`);
  await frame().getByRole('textbox', { name: 'Issue key' }).fill('WEB-1');
  await frame().getByRole('button', { name: 'Add the demo checklist' }).click();
  await frame().getByRole('link', { name: 'WEB-1' }).waitFor();
  await page.shots(mia, frame(), 'post-install');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
});

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
