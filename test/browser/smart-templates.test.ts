import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storage } from '../../src/domain/messages.ts';
import { graphql, sendChange, session, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import * as page from './site.ts';

provokes(/NONE-7/);

/** The smart templates editor: by keyboard, and on a small screen. */

const PROJECT = '10000';
const RETROSPECTIVE = 'Retrospective with a name that is so long that it has to go on in a second line';
const RELEASE = [
  '# Before',
  '- ! Write the release notes',
  '- Tell support',
  '> who is on call',
  '# After',
  '- Watch the figures',
].join('\n');

let site: page.Site;
let mia: Page;
const ids = new Map<string, string>();

onSite(async started => {
  site = started;
  mia = await site.visitor(page.people.admin);
  const make = async (name: string, projectId: string | null, text: string) =>
    ids.set(name, (await ask('createTemplateFromText', { projectId, name, text })).template.id);
  await make('Definition of done', null, '- Reviewed\n- Tested\n- Documented');
  await make('Onboarding', null, '# First day\n- Laptop\n- Accounts');
  await make('Release', PROJECT, RELEASE);
  await make(RETROSPECTIVE, PROJECT, '- Look back');
  await ask('updateTemplate', { id: ids.get('Release'), text: `${RELEASE}\n- Celebrate` });
  await writeChecklist(site.programs, mia, 'WEB-1', '# Own\n- Already there\n+ And done');
});

async function ask(name: string, input: object) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation run($input: ${type}!) { ${name}(input: $input) { errors { message } template { id } } }`;
  const token = await session(site.programs, mia, 'WEB-1');
  const { data } = await graphql(site.programs, mia, token, query, { input });
  expect(data[name].errors).toEqual([]);
  return data[name];
}

const frame = (user: Page): FrameLocator => user.frameLocator('main iframe');
const open = async (user: Page, about = '?projectKey=WEB') => {
  await user.goto(`${site.programs.tracker.url}/plugins/smart-templates-editor${about}`);
  await frame(user).locator('main').waitFor();
};
const line = (user: Page, name: string | RegExp): Locator => frame(user).getByRole('treeitem', { name });
const search = (user: Page) => frame(user).getByRole('textbox', { name: 'Search templates' });
const text = (user: Page, name = 'Release') => frame(user).getByRole('textbox', { name: `Text of ${name}` });
const tab = (user: Page, name: string) => frame(user).getByRole('tab', { name });
const panel = (user: Page) => frame(user).getByRole('tabpanel');
const state = (words: string) => frame(mia).locator('.editor-state', { hasText: new RegExp(`^${words}$`) });
const press = (key: string) => mia.keyboard.press(key);
const focused = (of: Locator) => expect.poll(() => of.evaluate(node => node === document.activeElement)).toBe(true);
const expectAccessible = async (user: Page) => expect(await axeFindings(frame(user).locator('main'))).toEqual([]);

test('templates in folders are found, opened, edited and saved by keyboard alone', async () => {
  await open(mia);
  await line(mia, 'Whole site').waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-begin');
  await search(mia).focus();
  await mia.keyboard.insertText('rel');
  await expect.poll(() => frame(mia).getByRole('treeitem').count()).toBe(2);
  await press('ArrowDown');
  await focused(line(mia, /^Release/));
  await press('Enter');
  await text(mia).waitFor();
  await press('F6');
  await focused(text(mia));
  await press('Control+End');
  await mia.keyboard.insertText('\n- Thank everybody');
  await state('Unsaved changes').waitFor();
  await line(mia, /Not saved/).waitFor();
  await press('Control+s');
  await state('Saved').waitFor();
  await press('F6');
  await focused(tab(mia, 'Preview'));
  await press('ArrowRight');
  await focused(tab(mia, 'Usage'));
  await press('ArrowRight');
  await panel(mia).getByText('Current').waitFor();
  await press('Shift+F6');
  await focused(text(mia));
  await press('F6');
  await press('F6');
  await focused(line(mia, /^Release/));
  await press('ArrowLeft');
  await focused(line(mia, /^Web shop/));
  await search(mia).fill('');
  await line(mia, 'Whole site').waitFor();
});

test('the preview on an issue writes nothing there', async () => {
  await tab(mia, 'Preview').click();
  await panel(mia).getByRole('textbox', { name: 'On issue' }).fill('web-1');
  await press('Enter');
  await panel(mia).getByText('From this template').waitFor();
  await panel(mia).getByText('Already there').waitFor();
  await panel(mia).getByText('Thank everybody').waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-preview');
  await expectAccessible(mia);
  await panel(mia).getByRole('textbox', { name: 'On issue' }).fill('NONE-7');
  await press('Enter');
  await panel(mia).getByText(storage.issueNotFound).waitFor();
  await panel(mia).getByRole('textbox', { name: 'On issue' }).fill('WEB-1');
  await press('Enter');
  await panel(mia).getByText('From this template').waitFor();
});

test('the usage of a template', async () => {
  const rule = `mutation run($input: TemplateAssignmentInput!) {
    createTemplateAssignment(input: $input) { errors { message } } }`;
  const input = { templateId: ids.get('Release'), projectIds: [PROJECT], issueTypeIds: [], moment: 'CREATED' };
  const token = await session(site.programs, mia, 'WEB-2');
  await graphql(site.programs, mia, token, rule, { input });
  const base = { epoch: '', seq: 0, hash: '', text: '' };
  const templateIds = [ids.get('Release') ?? ''];
  const change = { kind: 'applyTemplateToChecklist', mode: 'APPEND', templateIds } as const;
  expect(await sendChange(site.programs, mia, token, { issueId: '10002', base, change })).toMatchObject({ errors: [] });
  await tab(mia, 'Usage').click();
  await panel(mia).getByText('Used on 1 issue.').waitFor();
  await panel(mia).getByText('Added when an issue is created.').waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-usage');
});

test('earlier versions, their differences, and a restore', async () => {
  await tab(mia, 'Versions').click();
  await panel(mia).getByRole('button', { name: 'Difference' }).first().click();
  await panel(mia).locator('.cm-changedLine').getByText('Thank everybody').waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-versions');
  await panel(mia).getByRole('button', { name: 'Restore' }).last().click();
  await focused(text(mia));
  await expect.poll(() => text(mia).innerText()).not.toContain('Celebrate');
  await state('Unsaved changes').waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-restored');
  await press('Control+z');
  await expect.poll(() => text(mia).innerText()).toContain('Celebrate');
  await state('Saved').waitFor();
});

test('a template is created in a folder', async () => {
  const name = frame(mia).getByRole('textbox', { name: 'Name' });
  await frame(mia).getByRole('button', { name: 'New template' }).click();
  await focused(name);
  await page.shots(mia, frame(mia), 'smart-templates-new');
  await frame(mia).getByRole('combobox', { name: 'Folder' }).selectOption({ index: 1 });
  await name.fill('Incident');
  await frame(mia).getByRole('textbox', { name: 'Template text' }).click();
  await mia.keyboard.insertText('- Say who leads');
  await press('Control+s');
  await text(mia, 'Incident').waitFor();
  await focused(name);
});

test('a deleted template in the narrow list has its name, its facts and its button below each other', async () => {
  const query = 'mutation run($id: ID!) { deleteTemplate(id: $id) { errors { message } } }';
  const token = await session(site.programs, mia, 'WEB-1');
  const { data } = await graphql(site.programs, mia, token, query, { id: ids.get(RETROSPECTIVE) });
  expect(data.deleteTemplate.errors).toEqual([]);
  await open(mia);
  await frame(mia).getByRole('button', { name: 'Deleted templates' }).click();
  const entry = frame(mia).getByRole('list', { name: 'Deleted templates' }).getByRole('listitem');
  await entry.waitFor();
  await page.shots(mia, frame(mia), 'smart-templates-deleted');
  const boxes = () =>
    entry.evaluate(node => {
      const edges = (of: Element) => {
        const { top, bottom, left, right, width } = of.getBoundingClientRect();
        return { top, bottom, left, right, width };
      };
      return { list: edges(node), parts: [...node.children].slice(0, 3).map(edges) };
    });
  for (const width of [1280, 800, 360]) {
    await page.resize(mia, { width, height: 900 });
    await expect
      .poll(async () => {
        const { list, parts } = await boxes();
        const [name, facts, button] = parts;
        if (!name || !facts || !button) return undefined;
        return {
          isNameWide: name.width >= list.width - 1,
          isBelow: name.bottom <= facts.top && facts.bottom <= button.top,
          isInside: parts.every(({ left, right }) => left >= list.left - 1 && right <= list.right + 1),
        };
      })
      .toEqual({ isNameWide: true, isBelow: true, isInside: true });
  }
  await page.resize(mia, { width: 1280, height: 900 });
});

test('a small screen shows one part at a time', async () => {
  await page.resize(mia, { width: 360, height: 740 });
  await open(mia);
  await line(mia, 'Whole site').waitFor();
  const sideways = () =>
    frame(mia)
      .locator('html')
      .evaluate(html => html.scrollWidth - html.clientWidth);
  await expect.poll(sideways).toBe(0);
  await page.shots(mia, frame(mia), 'smart-templates-360');
  await line(mia, /^Release/).click();
  await text(mia).waitFor();
  await expect.poll(sideways).toBe(0);
  await page.shots(mia, frame(mia), 'smart-templates-360-open');
  await frame(mia).getByRole('button', { name: 'All templates' }).click();
  await focused(line(mia, /^Release/));
});
