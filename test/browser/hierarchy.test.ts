import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session, storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { holdRequests } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** The page with an issue's ancestors, descendants and links; and its panel. */

let site: page.Site;
let emma: Page;
let mia: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(page.people.editor);
  mia = await site.visitor(page.people.admin);
  const texts: Record<string, string> = {
    'WEB-1': '# Release\n- ! Agree on the date\n+ Tell everybody',
    'WEB-2': '- Look at checkout.ts\n+ Ask the shop\n~ Write it',
    'WEB-3': '- ! A long one that has to wrap somewhere, since nobody ever wrote shorter sentences about it',
    'HELP-4': '- Call the provider',
  };
  for (const [key, text] of Object.entries(texts)) await writeChecklist(site.programs, mia, key, text);
});

const frameOf = (user: Page): FrameLocator => user.frameLocator('main iframe');
const frame = () => frameOf(emma);
const shots = (name: string) => page.shots(emma, frame(), name);
const open = (user: Page, key: string) =>
  user.goto(`${site.programs.tracker.url}/plugins/smart-hierarchy?issueKey=${key}&projectKey=${key.split('-')[0]}`);
const row = (key: string, where = frame()) =>
  where
    .getByRole('row')
    .filter({ has: where.getByRole('link', { name: key, exact: true }) })
    .first();
const keys = (where = frame()) => where.locator('.tree-row .tree-name a').allTextContents();
const toggle = (key: string, where = frame()) => row(key, where).getByRole('button', { name: `checklist of ${key}` });
const total = (where = frame()) => where.locator('.tree-total');
const rest = (user: Page, method: 'post' | 'put', path: string, data: object) =>
  user.request[method](`${site.programs.tracker.url}/rest/api/3${path}`, { data });
const textOf = async (key: string) => (await storedChecklist(site.programs, mia, key)).text;

/** Texts of cells that begin before the previous cell ends. */
const overlapping = (cells: Element[]) =>
  cells.flatMap(cell => {
    const ends = [...(cell.previousElementSibling?.children ?? [])].map(each => each.getBoundingClientRect().right);
    const begins = [...cell.children].map(each => each.getBoundingClientRect().left);
    return Math.min(...begins) < Math.max(...ends) ? (cell.textContent ?? '') : [];
  });

test('parents, children, sub-tasks and links with their figures', async () => {
  await open(emma, 'WEB-2');
  await expect.poll(() => total().textContent()).toBe('5 issues, 2 of 10 items done, 2 mandatory open');
  await expect.poll(keys).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-6', 'WEB-5', 'HELP-4', 'WEB-8']);
  expect(await row('WEB-6').textContent()).toContain('is blocked by');
  expect(await row('WEB-2').getAttribute('aria-level')).toBe('2');
  await shots('hierarchy');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
});

test('a checklist is edited in the tree, and changes of other users show automatically', async () => {
  await toggle('WEB-2').click();
  await frame().getByRole('checkbox', { name: 'Look at checkout.ts' }).check();
  await page.keepUndo(frame());
  await expect.poll(() => textOf('WEB-2')).toContain('+ Look at checkout.ts');
  await expect.poll(() => toggle('WEB-2').textContent()).toContain('2/3');
  await expect.poll(() => row('WEB-1').textContent()).toContain('3/10');
  await shots('hierarchy-open');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await frame().getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => textOf('WEB-2')).toContain('- Look at checkout.ts');
  // A checklist that is open, and one of which only figures show.
  await writeChecklist(site.programs, mia, 'WEB-2', '+ Look at checkout.ts\n+ Ask the shop\n+ Write it');
  await expect.poll(() => toggle('WEB-2').textContent()).toContain('3/3');
  await writeChecklist(site.programs, mia, 'WEB-5', '+ Agree on the rounding rule\n- Ask the carriers');
  await expect.poll(() => toggle('WEB-5').textContent()).toContain('1/2');
});

test('by keyboard alone', async () => {
  await open(emma, 'WEB-2');
  await expect.poll(() => total().textContent()).toContain('items done');
  await frame().getByRole('button', { name: 'Refresh' }).focus();
  await page.hasFocus(frame().getByRole('button', { name: 'Refresh' }));
  const press = (key: string) => emma.keyboard.press(key);
  const focused = () => frame().locator('.tree-row:focus').locator('.tree-name a').textContent();
  await press('Tab');
  await expect.poll(focused).toBe('WEB-2');
  await press('ArrowLeft');
  await expect.poll(keys).toEqual(['WEB-1', 'WEB-2', 'WEB-5', 'HELP-4', 'WEB-8']);
  await press('ArrowRight');
  await expect.poll(keys).toContain('WEB-3');
  await press('ArrowRight');
  await expect.poll(focused).toBe('WEB-3');
  await press('Enter');
  const box = frame().getByRole('checkbox', { name: /A long one/ });
  await box.waitFor();
  await expect.poll(focused).toBe('WEB-3');
  // Tabs past the row's link and button into its checklist.
  for (let tabs = 0; tabs < 6 && !(await box.evaluate(it => it === document.activeElement)); tabs++) await press('Tab');
  await press('Space');
  await expect.poll(() => textOf('WEB-3')).toContain('+ ! A long one');
  await shots('hierarchy-keys');
  await press('Control+z');
  await expect.poll(() => textOf('WEB-3')).toContain('- ! A long one');
});

test('children of a linked issue open there, and circular links end', async () => {
  const link = { type: { name: 'Blocks' }, inwardIssue: { key: 'WEB-8' }, outwardIssue: { key: 'WEB-2' } };
  expect((await rest(mia, 'post', '/issueLink', link)).status()).toBe(201);
  const back = { ...link, inwardIssue: { key: 'WEB-2' }, outwardIssue: { key: 'WEB-8' } };
  expect((await rest(mia, 'post', '/issueLink', back)).status()).toBe(201);
  await open(emma, 'WEB-2');
  await expect.poll(() => total().textContent()).toContain('items done');
  await frame().getByRole('button', { name: 'Expand WEB-6' }).click();
  await frame().getByRole('button', { name: 'Expand WEB-8' }).first().click();
  await expect.poll(async () => (await keys()).length).toBeGreaterThan(8);
  await shots('hierarchy-circle');
  await frame().getByRole('button', { name: 'In this tree: show' }).first().click();
  await expect.poll(() => frame().locator('.tree-row:focus').count()).toBe(1);
});

test('a viewer has read-only checklists', async () => {
  const victor = await site.visitor(page.people.viewer);
  await open(victor, 'WEB-2');
  const viewerFrame = frameOf(victor);
  await expect.poll(() => total(viewerFrame).textContent()).toContain('items done');
  await toggle('WEB-2', viewerFrame).click();
  await expect.poll(() => viewerFrame.getByRole('checkbox', { name: 'Ask the shop' }).isDisabled()).toBe(true);
  expect(await viewerFrame.getByRole('button', { name: /^Apply|^Open editor/ }).count()).toBe(0);
  await page.shots(victor, viewerFrame, 'hierarchy-viewer');
  expect(await axeFindings(viewerFrame.locator('main'))).toEqual([]);
  await victor.context().close();
});

test('an issue that becomes hidden disappears, and the text typed in its checklist stays', async () => {
  await open(emma, 'WEB-1');
  await expect.poll(() => total().textContent()).toContain('items done');
  await toggle('WEB-5').click();
  const input = frame().getByRole('textbox', { name: 'Add an item to WEB-5' });
  await input.fill('Nearly written');
  const setSecurity = (security: object | null) => rest(mia, 'put', '/issue/WEB-5', { fields: { security } });
  expect((await setSecurity({ name: 'Administrators' })).status()).toBe(204);
  await frame().getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(keys).not.toContain('WEB-5');
  await frame().getByText("This issue no longer exists, or you don't have permission to see it.").waitFor();
  expect(await input.inputValue()).toBe('Nearly written');
  await shots('hierarchy-gone');
  const other = await site.visitor(page.people.viewer);
  await open(other, 'WEB-1');
  await expect.poll(() => total(frameOf(other)).textContent()).toContain('items done');
  expect(await frameOf(other).locator('body').textContent()).not.toContain('delivery costs');
  await other.context().close();
  expect((await setSecurity(null)).status()).toBe(204);
  await frame().getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(keys).toContain('WEB-5');
  expect(await input.inputValue()).toBe('Nearly written');
  await input.fill('');
});

test('a rate limit of the tracker is waited for, and a failure shows a message with a retry', async () => {
  const addFault = (rule: object) => emma.request.post(`${site.programs.tracker.url}/host/faults`, { data: rule });
  const clearFaults = () => emma.request.delete(`${site.programs.tracker.url}/host/faults`);
  // The fault lasts until its message shows.
  await addFault({ match: 'search/jql', by: 'people', status: 429, retryAfter: 4 });
  await open(emma, 'WEB-1');
  await frame().getByText('Jira asked for a pause.').waitFor();
  await clearFaults();
  await expect.poll(() => total().textContent()).toContain('items done');
  await addFault({ match: 'bulkfetch', by: 'addon', status: 500 });
  await open(emma, 'WEB-1');
  await frame().getByText("We couldn't load some checklists.").waitFor();
  await expect.poll(keys).toContain('WEB-2');
  await shots('hierarchy-trouble');
  // The page also recovers automatically: then there is no button to click.
  await holdRequests(emma, async () => {
    await frame().getByRole('button', { name: 'Retry' }).click();
    await clearFaults();
  });
  await expect.poll(() => total().textContent()).toContain('items done');
});

test('a template is applied to a branch', async () => {
  const token = await session(site.programs, mia, 'WEB-1');
  const mutation = `mutation($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { errors { message } }
  }`;
  const input = { name: 'Definition of done', text: '- Reviewed\n- Tested\n' };
  const made = await graphql(site.programs, mia, token, mutation, { input });
  expect(made.errors).toBeUndefined();
  await open(emma, 'WEB-1');
  await expect.poll(() => total().textContent()).toContain('items done');
  await row('WEB-1')
    .getByRole('button', { name: /^Apply/ })
    .click();
  const box = frame().getByRole('region', { name: 'Apply a template below WEB-1' });
  await box.getByText('1 issue gets it. Left out: 4 have items already.').waitFor();
  await shots('hierarchy-apply');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await box.getByRole('button', { name: 'Apply to 1 issue' }).click();
  await box.getByText('The template was applied to 1 issue.').waitFor();
  await shots('hierarchy-applied');
  expect(await textOf('WEB-4')).toBe('- Reviewed\n- Tested');
  await box.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => toggle('WEB-4').textContent()).toContain('0/2');
});

test('on a phone, and in the panel of an issue', async () => {
  await page.resize(emma, { width: 360, height: 800 });
  await open(emma, 'WEB-2');
  await expect.poll(() => total().textContent()).toContain('items done');
  await shots('hierarchy-360');
  await page.resize(emma, { width: 320, height: 800 });
  await expect.poll(() => frame().locator('.tree-branch').evaluateAll(overlapping)).toEqual([]);
  await shots('hierarchy-320');
  await page.resize(emma, { width: 360, height: 800 });
  await toggle('WEB-2').click();
  await frame().getByRole('checkbox', { name: 'Ask the shop' }).waitFor();
  await shots('hierarchy-360-open');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  const wide = () =>
    frame()
      .locator('html')
      .evaluate(it => it.scrollWidth - it.clientWidth);
  await expect.poll(wide).toBe(0);
  await page.resize(emma, { width: 1280, height: 900 });
  await site.open(emma, 'WEB-2');
  await emma.getByRole('button', { name: 'Smart hierarchy' }).click();
  const panel = emma.getByRole('region', { name: 'Smart hierarchy', exact: true }).frameLocator('iframe');
  await expect.poll(() => total(panel).textContent()).toContain('items done');
  await page.shots(emma, panel, 'hierarchy-panel');
  expect(await axeFindings(panel.locator('main'))).toEqual([]);
});

test('without an issue it requests one', async () => {
  await emma.goto(`${site.programs.tracker.url}/plugins/smart-hierarchy`);
  await frame().getByRole('textbox', { name: 'Issue key' }).fill('web');
  await frame()
    .getByRole('button', { name: /^WEB-2/ })
    .waitFor();
  await shots('hierarchy-pick');
  expect(await axeFindings(frame().locator('main'))).toEqual([]);
  await frame()
    .getByRole('button', { name: /^WEB-2/ })
    .click();
  await expect.poll(keys).toContain('WEB-2');
});

test('five hundred issues: only visible rows are rendered, and keys reach the last', async () => {
  const epic = { project: { key: 'WEB' }, issuetype: { name: 'Epic' }, summary: 'Everything' };
  const made = await (await rest(mia, 'post', '/issue', { fields: epic })).json();
  const story = { project: { key: 'WEB' }, issuetype: { name: 'Story' }, parent: { key: made.key } };
  for (let from = 0; from < 500; from += 20) {
    const some = Array.from({ length: 20 }, (_, index) => ({ ...story, summary: `Part ${from + index + 1}` }));
    await Promise.all(some.map(fields => rest(mia, 'post', '/issue', { fields })));
  }
  await open(emma, made.key);
  await expect.poll(() => total().textContent()).toBe('501 issues, no items');
  const rows = frame().locator('.tree-row');
  await expect.poll(() => rows.count()).toBeLessThan(60);
  await rows.first().focus();
  await page.hasFocus(rows.first());
  await emma.keyboard.press('End');
  await expect.poll(() => frame().locator('.tree-row:focus').getAttribute('aria-rowindex')).toBe('502');
  await expect.poll(() => rows.count()).toBeLessThan(80);
  await frame().getByRole('textbox', { name: 'Search' }).fill('part 499');
  await expect.poll(() => rows.count()).toBe(2);
  expect(site.browserErrors.filter(words => !/status of (4|5)\d\d/.test(words))).toEqual([]);
});
