import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, hasFocus, panel, people, resize, type Site, shots } from './site.ts';

/** Gates of sections in the tracker's page: written in the editor, seen and set in the panel. */

const ISSUE = 'WEB-3';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
});

const frame = () => panel(emma);
const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;

test('a gate shows what is open, leads there, and warns of the status', async () => {
  await writeChecklist(
    site.programs,
    emma,
    ISSUE,
    '# Definition of done !before:Done !customers\n- Code reviewed\n- Load test\n+ Tests written\n# Release notes for the next version !before:Done\n+ Written',
  );
  await site.openLoaded(emma, ISSUE);
  const chip = frame().getByRole('button', { name: 'Definition of done: Before Done: 2 open' });
  await chip.waitFor();
  await frame().getByText('Not ready for Done: 2 items are open in Definition of done.').waitFor();
  await shots(emma, frame(), 'gates');
  await resize(emma, { width: 360, height: 800 });
  const sideways = () =>
    frame()
      .locator('html')
      .evaluate(html => html.scrollWidth - html.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await shots(emma, frame(), 'gates-360');
  await resize(emma, { width: 1280, height: 900 });
  await chip.click();
  await frame().getByRole('dialog', { name: 'Open items of Definition of done' }).waitFor();
  await hasFocus(frame().getByRole('button', { name: 'Code reviewed', exact: true }));
  await shots(emma, frame(), 'gates-open');
  expect(await axeFindings(frame().locator('html'), 'region'), 'open items').toEqual([]);
  await frame().getByRole('button', { name: 'Load test', exact: true }).click();
  await hasFocus(frame().getByRole('checkbox', { name: 'Load test' }));
  await emma.keyboard.press('Space');
  await frame().getByText('Not ready for Done: 1 item is open in Definition of done.').waitFor();
});

test('the warning goes when the issue gets that status, and comes back with an earlier one', async () => {
  const warning = frame().getByText('Not ready for Done');
  const status = emma.getByRole('combobox', { name: 'Status', exact: true });
  await status.selectOption({ label: 'Done' });
  await warning.waitFor({ state: 'detached' });
  await status.selectOption({ label: 'In Progress' });
  await warning.waitFor();
});

test('a gate is chosen among the statuses of the project', async () => {
  await frame().getByText('Definition of done', { exact: true }).hover();
  await frame().getByRole('button', { name: 'More actions for Definition of done' }).click();
  await frame().getByRole('menuitem', { name: 'Gate before a status…' }).click();
  const popup = frame().getByRole('dialog', { name: 'Gates of Definition of done' });
  await popup.getByRole('checkbox', { name: 'In Progress' }).check();
  await expect.poll(stored).toContain('# Definition of done !before:Done !customers !before:[In Progress]');
  // The tracker says that the site has no rule of the app.
  await popup.getByText('No workflow rule checks gates yet, so nothing is blocked.').waitFor();
  await popup.getByText('Ask an administrator to set up a workflow rule.').waitFor();
  await shots(emma, frame(), 'gates-choose');
  await popup.getByRole('button', { name: 'Remove gates' }).click();
  await expect.poll(stored).toMatch(/^# Definition of done !customers\n/);
  await popup.getByRole('button', { name: 'Close' }).click();
});

test('a mandatory item says whether that is enforced; without a portal nothing is offered to customers', async () => {
  const mia = await site.visitor(people.projectAdmin);
  await site.openLoaded(mia, ISSUE);
  const actions = (name: string) => panel(mia).getByRole('button', { name: `More actions for ${name}` });
  await panel(mia).getByText('Code reviewed', { exact: true }).hover();
  await actions('Code reviewed').click();
  await panel(mia).getByRole('menuitem', { name: 'Make mandatory' }).click();
  await panel(mia).getByText('No workflow rule checks mandatory items yet').waitFor();
  await panel(mia).getByRole('link', { name: 'Set up a workflow rule' }).waitFor();
  await shots(mia, panel(mia), 'mandatory-enforced');
  await panel(mia).getByText('Release notes for the next version', { exact: true }).hover();
  await actions('Release notes for the next version').click();
  await panel(mia).getByRole('menuitem', { name: 'Gate before a status…' }).waitFor();
  await expect.poll(() => panel(mia).getByRole('menuitem', { name: 'Show to customers' }).count()).toBe(0);
  await mia.context().close();
});

test('a gate that is set in the editor says whether that is enforced, with the way there', async () => {
  const mia = await site.visitor(people.projectAdmin);
  await writeChecklist(site.programs, mia, ISSUE, '# Release\n- Ship it');
  await site.openEditor(mia, ISSUE);
  await mia.keyboard.press('Control+Home');
  await mia.keyboard.press('End');
  await mia.keyboard.type(' !before:Do');
  await dialog(mia).getByRole('option', { name: 'Done', exact: true }).click();
  await dialog(mia).getByText('No workflow rule checks gates yet, so nothing is blocked.').waitFor();
  await dialog(mia).getByRole('link', { name: 'Set up a workflow rule' }).waitFor();
  await shots(mia, dialog(mia), 'gates-editor-enforced');
  await dialog(mia).getByRole('button', { name: 'Dismiss' }).click();
  await hasFocus(dialog(mia).getByRole('textbox', { name: /as text/ }));
  await mia.keyboard.press('Control+s');
  await expect.poll(stored).toMatch(/^# Release !before:Done/);
  await mia.context().close();
});

test('after a reload the panel says that the unsaved text of the editor waits', async () => {
  const page = await site.visitor(people.editor);
  await writeChecklist(site.programs, page, ISSUE, '- Agree on the rule\n- Write it down');
  await site.openEditor(page, ISSUE);
  await page.keyboard.type('- typed in the editor\n');
  const isKept = () =>
    dialog(page)
      .locator('html')
      .evaluate(() => Object.values(localStorage).some(value => `${value}`.includes('typed in the editor')));
  await expect.poll(isKept).toBe(true);
  await site.openLoaded(page, ISSUE);
  await panel(page).getByText('Your unsaved changes in the editor were kept.').waitFor();
  await shots(page, panel(page), 'draft-editor-waits');
  await panel(page).getByRole('button', { name: 'Open the unsaved changes in the editor' }).click();
  await hasFocus(dialog(page).getByRole('textbox', { name: /as text/ }));
  await dialog(page).getByText('typed in the editor').first().waitFor();
  await page.context().close();
});

test('in the editor a gate is completed, and becomes a chip', async () => {
  await frame().getByRole('button', { name: 'Open editor' }).click();
  await hasFocus(dialog(emma).getByRole('textbox', { name: /as text/ }));
  await emma.keyboard.press('Control+a');
  await emma.keyboard.press('Delete');
  await emma.keyboard.type('# Ship it !bef');
  const option = (name: string) =>
    dialog(emma).getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name });
  await option('Gate before a status').click();
  await option('In Progress').waitFor();
  await shots(emma, dialog(emma), 'gates-editor-list');
  await option('In Progress').click();
  await emma.keyboard.press('Enter');
  await emma.keyboard.type('- now');
  await dialog(emma).locator('.cm-chip', { hasText: 'Before In Progress' }).waitFor();
  await shots(emma, dialog(emma), 'gates-editor');
});

test('after a reload the rows say that the unsaved text of a field and of a new item waits', async () => {
  const page = await site.visitor(people.editor);
  // The page ends without the event in which a field saves its text.
  await page
    .context()
    .addInitScript(() => addEventListener('pagehide', event => event.stopImmediatePropagation(), true));
  await writeChecklist(site.programs, page, ISSUE, '- Agree on the rule\n- Write it down');
  await site.openLoaded(page, ISSUE);
  const keeps = (words: string) =>
    panel(page)
      .locator('html')
      .evaluate((_, text) => Object.values(localStorage).some(value => `${value}`.includes(text)), words);
  const row = (name: string) => panel(page).getByRole('checkbox', { name, exact: true });
  await row('Agree on the rule').focus();
  await page.keyboard.press('n');
  await hasFocus(panel(page).getByRole('textbox', { name: 'New item below Agree on the rule' }));
  await page.keyboard.type('Ask first');
  await expect.poll(() => keeps('Ask first')).toBe(true);
  await row('Write it down').focus();
  await page.keyboard.press('F2');
  await hasFocus(panel(page).getByRole('textbox', { name: 'Text of Write it down' }));
  await page.keyboard.type(' by Friday');
  await expect.poll(() => keeps('Write it down by Friday')).toBe(true);
  await site.openLoaded(page, ISSUE);
  await panel(page).getByText('Unsaved text: “Write it down by Friday”').waitFor();
  await panel(page).getByText('Unsaved new item: “Ask first”').waitFor();
  await shots(page, panel(page), 'draft-rows-wait');
  expect(await axeFindings(panel(page).locator('html'), 'region')).toEqual([]);
  await panel(page).getByRole('button', { name: 'Open the unsaved new item below Agree on the rule' }).click();
  await hasFocus(panel(page).getByRole('textbox', { name: 'New item below Agree on the rule' }));
  await page.keyboard.press('Enter');
  await expect.poll(stored).toBe('- Agree on the rule\n- Ask first\n- Write it down');
  await panel(page).getByRole('button', { name: 'Open the unsaved text of Write it down' }).click();
  await hasFocus(panel(page).getByRole('textbox', { name: 'Text of Write it down' }));
  await page.keyboard.press('Enter');
  await expect.poll(stored).toBe('- Agree on the rule\n- Ask first\n- Write it down by Friday');
  await expect
    .poll(() =>
      panel(page)
        .getByText(/^Unsaved (text|new item):/)
        .count(),
    )
    .toBe(0);
  await page.context().close();
});
