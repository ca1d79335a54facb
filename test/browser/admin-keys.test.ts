import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session } from './api.ts';
import { axeFindings } from './axe.ts';
import { hold, inSortable } from './drag.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The screens of templates, rules, statuses and settings by keyboard alone; the focus is never lost. */

const PROJECT = '/projects/WEB/settings/project-settings';

let site: page.Site;
let mia: Page;

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
});

/** The frame of one of the app's pages outside of an issue. */
const main = (): FrameLocator => mia.frameLocator('main iframe');
const press = (key: string) => mia.keyboard.press(key);
const type = (text: string) => mia.keyboard.insertText(text);
const isFocused = (of: Locator) => of.evaluate(node => document.hasFocus() && node === document.activeElement);
const focused = (of: Locator) => expect.poll(() => isFocused(of)).toBe(true);

/** The place of the focus, seen from an element; in a text, Tab indents unless Escape was pressed before it. */
const focusFrom = (of: Locator) =>
  of.evaluate(node => {
    const { activeElement } = document;
    if (!document.hasFocus()) return 'elsewhere';
    if (node === activeElement) return 'there';
    return activeElement?.matches('.cm-content') ? 'in a text' : 'elsewhere';
  });

/** Presses Tab until the element has the focus. */
async function tabTo(of: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await of.waitFor();
  for (let count = 0; count < 80; count++) {
    const focus = await focusFrom(of);
    if (focus === 'there') return;
    if (focus === 'in a text') await press('Escape');
    await press(key);
  }
  throw new Error(`Tab does not lead to ${of}.`);
}

/** Screenshots; checks that nothing of a narrow page overflows. */
async function checkWidths(name: string): Promise<void> {
  await page.shots(mia, main(), name);
  await page.resize(mia, { width: 360, height: 900 });
  const sideways = () =>
    main()
      .locator('html')
      .evaluate(html => html.scrollWidth - html.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await page.resize(mia, { width: 1280, height: 900 });
}
const expectAccessible = async () => expect(await axeFindings(main().locator('main'))).toEqual([]);

const button = (name: string | RegExp, of = main()) => of.getByRole('button', { name, exact: true });
const field = (name: string, of = main()) => of.getByRole('textbox', { name });

/** Opens one of the app's pages, with the focus at its start. */
async function enter(path: string, first: Locator): Promise<void> {
  await mia.goto(`${site.programs.tracker.url}${path}`);
  await first.waitFor();
  await main()
    .locator('body')
    .evaluate(() => window.focus());
}

/** Makes a change through the server, as another administrator's page does. */
async function change(operation: string, type: string, input: object): Promise<void> {
  const token = await session(site.programs, mia, 'WEB-1');
  const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { errors { message } } }`;
  const { data } = await graphql(site.programs, mia, token, query, { input });
  expect(data[operation].errors).toEqual([]);
}

test('statuses are created, moved, changed and deleted', async () => {
  await enter(PROJECT, button('New status'));
  await tabTo(button('New status'));
  await press('Enter');
  await focused(field('Name'));
  await press('Escape');
  await focused(button('New status'));
  for (const name of ['On hold', 'QA failed']) {
    await press('Enter');
    await focused(field('Name'));
    await type(name);
    await press('Tab');
    await press('ArrowRight');
    await press('Enter');
    await button(`Edit ${name}`).waitFor();
    await focused(button('New status'));
  }
  const handle = button('Move On hold: arrow up or down');
  await tabTo(handle);
  await press('ArrowDown');
  await main().getByText('On hold moved to position 2 of 2.').waitFor();
  await focused(handle);
  await press('ArrowUp');
  await main().getByText('On hold moved to position 1 of 2.').waitFor();
  await focused(handle);
  await checkWidths('statuses');
  await expectAccessible();
  await tabTo(button('Edit On hold'));
  await press('Enter');
  await focused(field('Name'));
  await page.shots(mia, main(), 'status-edit');
  await type(' longer');
  await press('Enter');
  await focused(button(/^Edit .*longer.*/));
  await tabTo(button(/^Delete .*longer.*/));
  await press('Enter');
  await focused(main().getByRole('alertdialog'));
  await page.shots(mia, main(), 'status-delete');
  await press('Escape');
  await focused(button(/^Delete .*longer.*/));
  await press('Enter');
  await tabTo(button('Delete status'));
  await press('Enter');
  await button(/^Delete .*longer.*/).waitFor({ state: 'detached' });
  await focused(button('New status'));
});

test('templates are created, found, made site templates, deleted and restored', async () => {
  await tabTo(button('Manage templates'));
  await press('Enter');
  await button('New template').waitFor();
  await tabTo(button('New template'));
  await press('Enter');
  await focused(field('Name'));
  await type('Release');
  const text = field('Template text');
  await tabTo(text);
  await type('# Before\n- Tests are green\n- Notes are written');
  await press('Control+s');
  await button('Release').waitFor();
  await focused(button('Release'));
  await tabTo(field('Search'));
  await type('rel');
  await tabTo(button('Release'));
  await press('Enter');
  await focused(field('Name'));
  await tabTo(button('Cancel'));
  await press('Enter');
  await focused(button('Release'));
  expect(await field('Search').inputValue()).toBe('rel');
  const actions = button('Actions for Release');
  const choose = async (entry: string) => {
    await tabTo(actions);
    await press('Enter');
    await main().getByRole('menuitem', { name: entry }).waitFor();
    // The open menu focuses its first entry; a letter moves to the next entry that begins with it.
    await expect
      .poll(() =>
        main()
          .getByRole('menuitem')
          .first()
          .evaluate(node => node.contains(document.activeElement)),
      )
      .toBe(true);
    const item = main().getByRole('menuitem', { name: entry });
    for (let count = 0; count < 10 && !(await isFocused(item)); count++) await press('ArrowDown');
    await press('Enter');
  };
  await choose('Make site template…');
  await focused(main().getByRole('alertdialog'));
  await page.shots(mia, main(), 'templates-question');
  await press('Escape');
  await focused(actions);
  await choose('Delete');
  await focused(button('Undo'));
  await press('Enter');
  await button('Release').waitFor();
  await expect
    .poll(() =>
      main()
        .locator('.templates-box')
        .evaluate(box => box.contains(document.activeElement)),
    )
    .toBe(true);
});

test('rules are created, moved, switched off, changed and deleted', async () => {
  const input = { projectId: '10000', name: 'Onboarding', text: '- Say hello' };
  await change('createTemplateFromText', 'CreateTemplateFromTextInput', input);
  // The list shows what another administrator creates.
  await field('Search').fill('');
  await button('Onboarding').waitFor();
  await tabTo(button('Rules'));
  await press('Enter');
  for (const [letter, name] of [
    ['R', 'Release'],
    ['O', 'Onboarding'],
  ] as const) {
    await button('New rule').waitFor();
    await tabTo(button('New rule'));
    await press('Enter');
    await tabTo(main().getByRole('combobox', { name: 'Apply the template' }));
    await press(letter);
    if (letter === 'R') {
      await press('Tab');
      await press('Escape');
      // Leaving would lose the entered values.
      await focused(button('Stay'));
      await press('Tab');
      await press('Enter');
      await focused(button('New rule'));
      await press('Enter');
      await tabTo(main().getByRole('combobox', { name: 'Apply the template' }));
      await press(letter);
      await main().getByText('match now').waitFor();
      await page.shots(mia, main(), 'rule-new');
      await expectAccessible();
    }
    await tabTo(button('Create rule'));
    await press('Enter');
    await button(`Edit the rule for ${name}`).waitFor();
    await focused(button('New rule'));
  }
  const handle = button('Move Onboarding: arrow up or down');
  await tabTo(handle);
  await press('ArrowUp');
  await main().getByText('Onboarding moved to position 1 of 2.').waitFor();
  await focused(handle);
  await checkWidths('rules');
  const on = main().getByRole('listitem').filter({ hasText: 'Onboarding' }).getByRole('checkbox', { name: 'On' });
  await tabTo(on);
  await press('Space');
  await expect.poll(() => on.isChecked()).toBe(false);
  await focused(on);
  await tabTo(button('Edit the rule for Onboarding'));
  await press('Enter');
  await tabTo(main().getByRole('combobox', { name: 'When an issue' }));
  await press('Escape');
  await focused(button('Edit the rule for Onboarding'));
  await tabTo(button('Delete the rule for Onboarding'));
  await press('Enter');
  await button('Edit the rule for Onboarding').waitFor({ state: 'detached' });
  await expect
    .poll(() =>
      main()
        .locator('.templates-box')
        .evaluate(box => box.contains(document.activeElement)),
    )
    .toBe(true);
});

test('rules are dragged', async () => {
  await tabTo(button('New rule'));
  await press('Enter');
  await main().getByRole('combobox', { name: 'Apply the template' }).selectOption('Onboarding');
  await button('Create rule').click();
  await hold(main(), inSortable(main(), 'Onboarding', 'Release'), 'above');
  await mia.mouse.up();
  await main().getByText('Onboarding moved to position 1 of 2.').waitFor();
  await expect.poll(() => main().locator('.rules-words strong').allTextContents()).toEqual(['Onboarding', 'Release']);
});

test('the settings of a site show what another administrator changes, and a hidden notice passes the focus on', async () => {
  await enter('/admin/site-settings', button('Get started'));
  await main()
    .getByRole('note', { name: /^New here/ })
    .waitFor();
  await checkWidths('settings-site');
  await change('createStatus', 'CreateStatusInput', { name: 'Waiting', color: 'yellow', checked: false });
  await button('Edit Waiting').waitFor();
  await change('createTemplateFromText', 'CreateTemplateFromTextInput', { name: 'First day', text: '- Say hello' });
  const first = main().getByRole('combobox', { name: 'Try a checklist with' });
  await first.getByRole('option', { name: 'First day' }).waitFor({ state: 'attached' });
  await change('updateSiteSettings', 'UpdateSiteSettingsInput', { managePermissions: true });
  await main().getByRole('checkbox', { name: 'Use the app’s own permissions', checked: true }).waitFor();
  await change('updateSiteSettings', 'UpdateSiteSettingsInput', { managePermissions: false });
  await expectAccessible();
  const hide = main()
    .getByRole('note', { name: /^New here/ })
    .getByRole('button', { name: /show again/ });
  await hide.focus();
  await press('Enter');
  await hide.waitFor({ state: 'detached' });
  await press('Tab');
  await focused(button('New status'));
});

test('the dialog about removing all data closes with Escape', async () => {
  await button('Remove all data…').focus();
  await press('Enter');
  await focused(field('Type the site’s address to confirm'));
  await press('Escape');
  await focused(button('Remove all data…'));
});

test('the first steps open a checklist', async () => {
  await enter('/admin/post-install', button('Add the demo checklist'));
  await tabTo(field('Issue key'));
  await press('Enter');
  await main().getByText('This field is required.').waitFor();
  await focused(field('Issue key'));
  await type('WEB-4');
  await press('Enter');
  await tabTo(main().getByRole('link', { name: 'WEB-4' }));
  await page.shots(mia, main(), 'post-install');
  await expectAccessible();
});

const panel = () => page.panel(mia);
const dialog = () => page.dialog(mia);

/** Chooses an entry of the checklist's menu. */
async function choose(entry: string): Promise<void> {
  await tabTo(button('Checklist actions', panel()), 'Shift+Tab');
  await press('Enter');
  const item = panel().getByRole('menuitem', { name: entry });
  await item.waitFor();
  for (let count = 0; count < 30; count++) {
    if (await isFocused(item)) break;
    await press('ArrowDown');
  }
  await press('Enter');
}

test('a checklist is saved as a template, which is imported into another issue', async () => {
  await site.open(mia, 'WEB-4');
  await panel().getByRole('checkbox').last().focus();
  await choose('Save as template…');
  await tabTo(field('Name', panel()));
  await press('Enter');
  await panel().getByText('This field is required.').waitFor();
  await focused(field('Name', panel()));
  await type('How it works');
  await tabTo(button('Save template', panel()));
  await press('Enter');
  await panel().getByText('is now available for other checklists').waitFor();
  await tabTo(button('Done', panel()));
  await press('Enter');
  await panel().getByRole('checkbox').first().waitFor();

  await site.open(mia, 'WEB-3');
  await field('Add an item', panel()).focus();
  await choose('Apply template…');
  await focused(panel().getByRole('combobox', { name: 'Find a template' }));
  await tabTo(button('More options…', panel()));
  await press('Enter');
  await tabTo(dialog().getByLabel('Search'));
  await type('How it');
  const found = dialog().getByRole('checkbox', { name: 'How it works' });
  await tabTo(found);
  await press('Space');
  await expect.poll(() => found.isChecked()).toBe(true);
  await tabTo(button('Apply template', dialog()));
  await press('Enter');
  await panel().getByText('Applied “How it works”').or(panel().getByText('How a checklist works')).first().waitFor();
  await mia.locator('dialog iframe').waitFor({ state: 'detached' });
});
