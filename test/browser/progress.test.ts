import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storageKey } from '../../src/domain/storage.ts';
import { writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { day, panel, people, type Site, shot, shots } from './site.ts';

// A gadget that has no settings yet.
provokes(/ 404 .*\/properties\/config/);

/** Progress outside of issues: fields on a board and in a list, and the dashboard's gadget. */

let site: Site;
let editor: Page;
onSite(async started => {
  site = started;
  editor = await site.visitor(people.editor);
  await writeChecklist(site.programs, editor, 'WEB-1', `- ! Load test [~accountid:a] ${day(-3)}\n+ Approved\n+ Built`);
  await writeChecklist(site.programs, editor, 'WEB-2', '+ Designed\n+ Shipped');
});

const at = (page: Page, path: string) => page.goto(`${site.programs.tracker.url}${path}`);

test('a board and a list show the fields of checklists', async () => {
  await at(editor, '/projects/WEB/board');
  const card = editor.getByRole('article', { name: 'WEB-1', exact: true });
  await card.getByText('2/3').waitFor();
  expect(await card.getByRole('definition').allTextContents()).toEqual(['66', '1', '2/3']);
  await shot(editor, 'board');
  await at(editor, '/projects/WEB/issues');
  const row = editor.getByRole('row', { name: /WEB-2/ });
  await row.getByText('2/2').waitFor();
  expect((await row.getByRole('cell').allTextContents()).slice(3)).toEqual(['100', '0', '2/2']);
  await editor.getByRole('columnheader', { name: 'Open mandatory items' }).waitFor();
  await shot(editor, 'list');
});

test('the collapsed panel shows progress, which follows changes', async () => {
  const mia = await site.visitor(people.admin);
  const heading = mia
    .getByRole('region', { name: 'Checklist', exact: true })
    .getByRole('button', { name: /^Checklist/ });
  await site.openLoaded(editor, 'WEB-1');
  const load = panel(editor).getByRole('checkbox', { name: /Load test/ });
  await load.waitFor();
  // The panel writes it some seconds after the last change; the collapsed one needs no frame of the app.
  await site.open(mia, 'WEB-1');
  await heading.click();
  await mia.reload();
  await heading.getByText('2/3', { exact: true }).waitFor();
  expect(await mia.locator('iframe').count()).toBe(0);
  await shot(mia, 'badge');
  await load.press('Space');
  await heading.getByText('3/3', { exact: true }).waitFor();
  await load.press('Space');
});

test('a gadget is added, configured, shows progress by issue and overdue items, and is refreshed on request', async () => {
  const gadget = editor.getByRole('region', { name: /^Gadget/ }).frameLocator('iframe');
  const press = (name: string | RegExp) => editor.getByRole('button', { name }).press('Enter');
  await at(editor, '/dashboard');
  await press(/^Add gadget/);
  await gadget.getByRole('form', { name: 'Gadget' }).waitFor();
  await gadget.getByRole('button', { name: 'Save gadget' }).click();
  await gadget.getByRole('progressbar', { name: '2 of 3 done' }).waitFor();
  expect(await gadget.getByRole('row', { name: /WEB-1/ }).getByRole('cell').allTextContents()).toEqual(['2/3', '1']);
  expect(await axeFindings(gadget.locator('main'))).toEqual([]);
  await shots(editor, gadget, 'gadget');
  await press('Configure');
  await gadget.getByRole('combobox', { name: 'Show' }).selectOption('Overdue items');
  await gadget.getByRole('button', { name: 'Save gadget' }).click();
  await gadget.getByRole('rowheader', { name: 'Load test' }).waitFor();
  const text = 'Second test';
  await writeChecklist(site.programs, editor, 'WEB-2', `- ${text} ${day(-1)}`);
  const property = `${site.programs.tracker.url}/rest/api/3/issue/WEB-2/properties/${storageKey('checklist')}`;
  await expect.poll(async () => (await editor.request.get(property)).text()).toContain(text);
  await press('Refresh');
  await gadget.getByRole('rowheader', { name: text }).waitFor();
});
