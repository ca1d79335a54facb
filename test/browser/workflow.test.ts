import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sendChange, session, storedChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { people, type Site, shots } from './site.ts';

provokes(/ 400 .*\/transitions/);

/** Workflow rules: configured in the app's frame, evaluated by the tracker from the issue property. */

let site: Site;
let admin: Page;
let editor: Page;
onSite(async started => {
  site = started;
  admin = await site.visitor(people.projectAdmin);
  editor = await site.visitor(people.editor);
});

const base = { epoch: '', seq: 0, hash: '', text: '' };

/** Stores a checklist, and resolves when the tracker has it. */
async function write(user: Page, key: string, text: string): Promise<void> {
  const before = await storedChecklist(site.programs, user, key).catch(() => undefined);
  const answer = await user.request.get(`${site.programs.tracker.url}/rest/api/2/issue/${key}`);
  const { id } = await answer.json();
  const token = await session(site.programs, user, key);
  const { errors } = await sendChange(site.programs, user, token, {
    ...{ issueId: id, base: before ? { ...base, text: before.text } : base },
    change: { kind: 'updateChecklistFromText', text },
  });
  expect(errors).toEqual([]);
  await expect.poll(async () => (await storedChecklist(site.programs, user, key)).text).toBe(text);
}

const transition = (page: Page, name = 'Done') => page.getByRole('region', { name: `Transition to ${name}` });
const form = (page: Page): FrameLocator =>
  page.getByRole('region', { name: /^(New|Edit) rule$/ }).frameLocator('iframe');
/** A button of the tracker. Its place depends on the frame's height, which follows the frame's content: keys find it. */
const button = (page: Page, name: string | RegExp) => transition(page).getByRole('button', { name, exact: true });

test('a validator is added, refuses by name, is changed, and lets the issue pass', async () => {
  const key = 'WEB-1';
  await write(editor, key, '- ! Approved by security\n- ! Load test\n# Release\n- Announce');
  await admin.goto(`${site.programs.tracker.url}/projects/WEB/workflow`);
  await button(admin, /^Add validator/).click();
  await form(admin).getByRole('checkbox', { name: 'All mandatory items are done' }).uncheck();
  await form(admin).getByRole('checkbox', { name: 'Sections with a gate before the target status are done' }).uncheck();
  await button(admin, 'Add rule').press('Enter');
  await form(admin).getByText('Choose at least one condition.').waitFor();
  await form(admin).getByRole('checkbox', { name: 'All mandatory items are done' }).check();
  await form(admin).getByRole('combobox', { name: 'All items of these sections are done' }).fill('Release');
  await form(admin).getByRole('button', { name: 'Add section' }).click();
  await form(admin)
    .getByText(/section “Release” are done\./)
    .waitFor();
  expect(await axeFindings(form(admin).locator('main'))).toEqual([]);
  await shots(admin, form(admin), 'workflow-rule');
  await button(admin, 'Add rule').press('Enter');
  const summary = transition(admin).getByRole('region', { name: 'Validator' });
  await summary
    .frameLocator('iframe')
    .getByText(/all items of the section “Release” are done/)
    .waitFor();
  await shots(admin, summary.frameLocator('iframe'), 'workflow');

  await editor.goto(`${site.programs.tracker.url}/browse/${key}`);
  await editor.getByRole('combobox', { name: 'Status' }).selectOption('Done');
  const said = editor.getByRole('alert').filter({ hasText: 'open' });
  await said.waitFor();
  expect(await said.textContent()).toBe(
    '2 mandatory items are open: Approved by security, Load test. 1 item is open in the section “Release”: Announce',
  );

  await summary.getByRole('button', { name: 'Edit' }).click();
  expect(await form(admin).getByRole('checkbox', { name: 'All mandatory items are done' }).isChecked()).toBe(true);
  await form(admin).getByRole('button', { name: 'Remove Release' }).click();
  await button(admin, 'Save rule').press('Enter');
  await summary
    .frameLocator('iframe')
    .getByText('The transition is allowed when all mandatory items are done.')
    .waitFor();

  await write(editor, key, '+ ! Approved by security\n+ ! Load test\n# Release\n- Announce');
  await editor.reload();
  await editor.getByRole('combobox', { name: 'Status' }).selectOption('Done');
  await editor.getByRole('combobox', { name: 'Status' }).filter({ hasText: 'Done' }).first().waitFor();
  await summary.getByRole('button', { name: 'Remove' }).click();
  await summary.waitFor({ state: 'detached' });
});
