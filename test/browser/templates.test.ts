import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Templates in the panel and in its dialogs: saved, managed, applied and imported; everything fits its frame. */

const ISSUE = 'WEB-3';

let site: page.Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);

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
  await add.fill('Write the notes');
  await add.press('Enter');
  await panel().getByText('Write the notes', { exact: true }).waitFor();
  await menu('Save as template…');
  await panel().getByRole('textbox', { name: 'Template text' }).waitFor();
  await panel().getByRole('textbox', { name: 'Name' }).fill('Release');
  await page.shots(mia, panel(), 'template-save');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await panel().getByRole('button', { name: 'Save template' }).click();
  await panel().getByText('is now available for other checklists').waitFor();
  await page.shots(mia, panel(), 'template-saved');
  await panel().getByRole('button', { name: 'Done' }).click();
  await panel().getByText('Write the notes', { exact: true }).waitFor();
});

test('the manager lists it, and another one is written as text; a narrow dialog fits', async () => {
  await menu('Manage templates');
  await dialog().getByRole('button', { name: 'Release', exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'New template' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Definition of done');
  await dialog().getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.insertText('# Done means\n- ! Reviewed\n- Documented\n> In English');
  await page.shots(mia, dialog(), 'template-new');
  await dialog().getByRole('button', { name: 'Create template' }).click();
  await dialog().getByRole('button', { name: 'Definition of done', exact: true }).waitFor();
  await page.shots(mia, dialog(), 'templates');
  expect(await axeFindings(dialog().locator('main'))).toEqual([]);
  await dialog().getByRole('button', { name: 'Actions for Definition of done' }).click();
  await dialog().getByRole('menuitem', { name: 'Delete' }).waitFor();
  await page.shots(mia, dialog(), 'templates-menu');
  await dialog().getByRole('menuitem', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Undo' }).waitFor();
  await page.resize(mia, { width: 360, height: 740 });
  await page.shots(mia, dialog(), 'templates-narrow');
  const boxes = () =>
    Promise.all(['.templates-name', '.templates-about'].map(part => dialog().locator(part).first().boundingBox()));
  // A name is on a line of its own, in the upper half.
  await expect
    .poll(async () => {
      const [name, about] = await boxes();
      return name && about && name.y < 370 && name.y + name.height <= about.y;
    })
    .toBe(true);
  await expect.poll(() => sideways(dialog())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await dialog().getByRole('button', { name: 'Undo' }).click();
  await dialog().getByRole('button', { name: 'Definition of done', exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
});

test('a starter template is previewed in a frame that grows, and is offered first in the next empty checklist', async () => {
  await panel().getByRole('button', { name: 'Apply template' }).click();
  const incident = panel().getByRole('option', { name: /^Incident/ });
  await incident.hover();
  await panel().getByRole('region', { name: 'Preview of Incident' }).getByText('Service is restored').waitFor();
  await expect.poll(() => page.fits(panel())).toBe(true);
  await page.shots(mia, panel(), 'template-popup');
  expect(await axeFindings(panel().locator('main'))).toEqual([]);
  await page.resize(mia, { width: 360, height: 1400 });
  await page.shots(mia, panel(), 'template-popup-360');
  await expect.poll(() => page.fits(panel())).toBe(true);
  await page.resize(mia, { width: 1280, height: 900 });
  await incident.click();
  await panel().getByText('Service is restored').waitFor();

  await site.open(mia, 'WEB-4');
  await panel()
    .getByRole('button', { name: /^Incident/ })
    .waitFor();
  await page.shots(mia, panel(), 'launcher');
  await page.resize(mia, { width: 360, height: 1000 });
  await page.shots(mia, panel(), 'launcher-360');
  await expect.poll(() => sideways(panel())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
});

test('templates are chosen for an issue, previewed, imported, and undone', async () => {
  await menu('Apply template…');
  await panel().getByRole('button', { name: 'More options…' }).click();
  // Starter templates follow in a list of their own.
  const own = dialog().getByRole('list', { name: 'Templates', exact: true });
  await own.getByRole('checkbox', { name: 'Definition of done' }).check();
  await own.getByRole('checkbox', { name: 'Release' }).check();
  await dialog().getByRole('region', { name: 'Preview' }).getByText('Reviewed').waitFor();
  await page.shots(mia, dialog(), 'template-import');
  await page.resize(mia, { width: 360, height: 800 });
  await page.shots(mia, dialog(), 'template-import-narrow');
  await expect.poll(() => sideways(dialog())).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
  await dialog().getByRole('button', { name: 'Apply 2 templates' }).click();
  await page.keepUndo(panel());
  await panel().getByText('Reviewed').waitFor();
  await panel().getByText('Applied 2 templates').waitFor();
  await page.shots(mia, panel(), 'template-imported');
  await panel().getByRole('button', { name: 'Undo' }).click();
  await panel().getByText('Reviewed').waitFor({ state: 'detached' });
});
