import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { onSite } from './fixture.ts';
import { deleteRow, dialog, hasFocus, panel, people, type Site, shot } from './site.ts';

/** The main flow of the product: each test continues from the previous one. */

const ISSUE = 'WEB-1';

let site: Site;
let emma: Page;
let mia: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
});

const open = (page: Page, issue = ISSUE) => site.open(page, issue);
const item = (page: Page, text: string) => panel(page).getByRole('checkbox', { name: text });

/** The tracker's copies: the property's text and the Checklist Text field. */
async function stored(page: Page, issue = ISSUE): Promise<{ property: unknown; field: unknown }> {
  const query = '?properties=*all&expand=names';
  const answer = await page.request.get(`${site.programs.tracker.url}/rest/api/2/issue/${issue}${query}`);
  const { properties, names, fields } = await answer.json();
  const [key] = Object.keys(properties).filter(each => each.endsWith('.checklist'));
  const [field] = Object.keys(names).filter(each => names[each] === 'Checklist Text');
  return { property: properties[key ?? '']?.text, field: fields[field ?? ''] };
}

/** Resolves when both copies have the same text. */
const copied = () =>
  expect
    .poll(async () => {
      const { property, field } = await stored(emma);
      return property === field;
    })
    .toBe(true);

test('an issue without a checklist opens', async () => {
  await open(emma);
  await panel(emma).getByText('No items yet.').waitFor();
  await shot(emma, '01-empty');
});

test('a checklist is written as text in the editor', async () => {
  await panel(emma).getByRole('button', { name: 'Open editor' }).click();
  const text = dialog(emma).getByRole('textbox', { name: /as text/ });
  await text.waitFor();
  await shot(emma, '02-editor-empty');
  await text.click();
  await emma.keyboard.insertText(
    [
      '# Definition of done',
      '- Code **reviewed** by @pavel',
      '> and by the design team',
      '+ Tests written',
      '~ Documentation for WEB-2',
      'x Load test, see https://example.com/plan',
      '- ! Approved until 2027-01-31',
      '## After the release',
      '- Tell :tada: everybody',
    ].join('\n'),
  );
  await dialog(emma).getByText('Unsaved changes').waitFor();
  await shot(emma, '03-editor-unsaved');
});

test('the dialog does not close with Escape while edits are unsaved, and closing asks', async () => {
  await emma.keyboard.press('Escape');
  await dialog(emma).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(emma)
    .getByText(/It looks like you have been editing something/)
    .waitFor();
  await hasFocus(dialog(emma).getByRole('button', { name: 'Save and close' }));
  await shot(emma, '04-editor-guard');
  await dialog(emma).getByRole('button', { name: 'Keep editing' }).click();
});

test('saving with Ctrl+S stores it in property and field', async () => {
  await emma.keyboard.press('Control+s');
  await dialog(emma).getByText('Saved', { exact: true }).waitFor();
  await shot(emma, '05-editor-saved');
  // The tracker's copies follow a moment later, the property first.
  const text = '# Definition of done\n- Code **reviewed** by @pavel\n> and by the design team';
  await expect.poll(async () => (await stored(emma)).property).toContain(text);
  await copied();
});

test('the panel shows it when the editor is closed', async () => {
  await dialog(emma).getByRole('button', { name: 'Close', exact: true }).click();
  await emma.getByRole('dialog').waitFor({ state: 'detached' });
  await panel(emma)
    .getByRole('progressbar', { name: /^2 of 6 done/ })
    .waitFor();
  await panel(emma).getByRole('heading', { name: 'Definition of done' }).waitFor();
  await expect.poll(() => item(emma, 'Tests written').isChecked()).toBe(true);
  await shot(emma, '06-panel');
});

test('ticking, adding and deleting work inline and reach the tracker', async () => {
  await item(emma, 'Code reviewed').check();
  const input = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await input.fill('Ask the support team');
  await input.press('Enter');
  await item(emma, 'Ask the support team').waitFor();
  await deleteRow(panel(emma).getByRole('listitem').filter({ hasText: 'Load test' }));
  await item(emma, 'Load test').waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await stored(emma)).property)
    .toBe(
      [
        '# Definition of done',
        '+ Code **reviewed** by @pavel',
        '> and by the design team',
        '+ Tests written',
        '~ Documentation for WEB-2',
        '- ! Approved until 2027-01-31',
        '## After the release',
        '- Tell :tada: everybody',
        '- Ask the support team',
      ].join('\n'),
    );
  await shot(emma, '07-panel-worked');
});

test("another user's tick shows in the open panel, which keeps the focus and half-typed text", async () => {
  mia = await site.visitor(people.admin);
  await site.openLoaded(mia, ISSUE);
  await item(mia, 'Ask the support team').waitFor();
  const input = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await input.click();
  await emma.keyboard.type('half ty');
  const scrolled = await emma.evaluate(() => scrollY);
  await item(mia, 'Documentation').check();
  await expect.poll(() => item(emma, 'Documentation').isChecked()).toBe(true);
  await emma.keyboard.type('ped');
  await expect.poll(() => input.inputValue()).toBe('half typed');
  expect(await emma.evaluate(() => scrollY)).toBe(scrolled);
  await input.fill('');
});

test('two concurrent ticks are both stored', async () => {
  await Promise.all([item(mia, 'Ask the support team').check(), item(emma, 'Approved').check()]);
  for (const page of [mia, emma]) {
    await expect.poll(() => item(page, 'Ask the support team').isChecked()).toBe(true);
    await expect.poll(() => item(page, 'Approved').isChecked()).toBe(true);
  }
});

test('an edit in the editor and a concurrent tick in the panel are both stored', async () => {
  await panel(emma).getByRole('button', { name: 'Open editor' }).click();
  const text = dialog(emma).getByRole('textbox', { name: /as text/ });
  await hasFocus(text);
  await item(mia, 'Tell').check();
  await expect.poll(async () => (await stored(mia)).property).toContain('+ Tell :tada: everybody');
  await text.press('Control+End');
  await emma.keyboard.type('\nPublish the notes');
  await emma.keyboard.press('Control+s');
  await dialog(emma).getByText('Saved', { exact: true }).waitFor();
  await expect
    .poll(async () =>
      String((await stored(emma)).property)
        .split('\n')
        .slice(-3),
    )
    .toEqual(['+ Tell :tada: everybody', '+ Ask the support team', '- Publish the notes']);
  await copied();
});
