import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session, storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
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

const frame = (): FrameLocator => emma.frameLocator('main iframe');
const shots = (name: string) => page.shots(emma, frame(), name);
const row = (key: string) =>
  frame()
    .getByRole('row')
    .filter({ has: frame().getByRole('link', { name: key, exact: true }) })
    .first();
const keys = () => frame().locator('.tree-row .tree-name a').allTextContents();
const toggle = (key: string) => row(key).getByRole('button', { name: `checklist of ${key}` });
const total = (where = frame()) => where.locator('.tree-total');
const create = async (fields: object) =>
  (await mia.request.post(`${site.programs.tracker.url}/rest/api/3/issue`, { data: { fields } })).json();
const textOf = async (key: string) => (await storedChecklist(site.programs, mia, key)).text;

/** Texts of cells that begin before the previous cell ends. */
const overlapping = (cells: Element[]) =>
  cells.flatMap(cell => {
    const ends = [...(cell.previousElementSibling?.children ?? [])].map(each => each.getBoundingClientRect().right);
    const begins = [...cell.children].map(each => each.getBoundingClientRect().left);
    return Math.min(...begins) < Math.max(...ends) ? (cell.textContent ?? '') : [];
  });

test('without an issue it requests one, and shows its parents, children, sub-tasks and links with their figures', async () => {
  await emma.goto(`${site.programs.tracker.url}/plugins/smart-hierarchy`);
  await frame().getByRole('textbox', { name: 'Issue key' }).fill('web');
  const found = frame().getByRole('button', { name: /^WEB-2/ });
  await found.waitFor();
  await shots('hierarchy-pick');
  await found.click();
  await expect.poll(() => total().textContent()).toBe('5 issues, 2 of 10 items done, 2 mandatory open');
  await expect.poll(keys).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-6', 'WEB-5', 'HELP-4', 'WEB-8']);
  expect(await row('WEB-6').textContent()).toContain('is blocked by');
  expect(await row('WEB-2').getAttribute('aria-level')).toBe('2');
  await shots('hierarchy');
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

test('a narrow page shows everything', async () => {
  await page.resize(emma, { width: 320, height: 800 });
  await expect.poll(() => frame().locator('.tree-branch').evaluateAll(overlapping)).toEqual([]);
  await shots('hierarchy-320-open');
  const wide = () =>
    frame()
      .locator('html')
      .evaluate(it => it.scrollWidth - it.clientWidth);
  await expect.poll(wide).toBe(0);
  await toggle('WEB-2').click();
  await shots('hierarchy-320');
  await page.resize(emma, { width: 1280, height: 900 });
});

test('by keyboard alone', async () => {
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

test('a template is applied to a branch', async () => {
  const token = await session(site.programs, mia, 'WEB-1');
  const mutation = `mutation($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { errors { message } }
  }`;
  const input = { name: 'Definition of done', text: '- Reviewed\n- Tested\n' };
  const made = await graphql(site.programs, mia, token, mutation, { input });
  expect(made.errors).toBeUndefined();
  await row('WEB-1')
    .getByRole('button', { name: /^Apply/ })
    .click();
  const box = frame().getByRole('region', { name: 'Apply a template below WEB-1' });
  await box.getByText('1 issue gets it. Left out: 4 have items already.').waitFor();
  await shots('hierarchy-apply');
  await box.getByRole('button', { name: 'Apply to 1 issue' }).click();
  await box.getByText('The template was applied to 1 issue.').waitFor();
  await shots('hierarchy-applied');
  expect(await textOf('WEB-4')).toBe('- Reviewed\n- Tested');
  await box.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => toggle('WEB-4').textContent()).toContain('0/2');
});

test('in the panel of an issue with sixty children only visible rows are rendered, and keys reach the last', async () => {
  const made = await create({ project: { key: 'WEB' }, issuetype: { name: 'Epic' }, summary: 'Everything' });
  const story = { project: { key: 'WEB' }, issuetype: { name: 'Story' }, parent: { key: made.key } };
  await Promise.all(Array.from({ length: 60 }, (_, part) => create({ ...story, summary: `Part ${part + 1}` })));
  await site.open(emma, made.key);
  await emma.getByRole('button', { name: 'Smart hierarchy' }).click();
  const region = emma.getByRole('region', { name: 'Smart hierarchy', exact: true });
  const frame = region.frameLocator('iframe');
  await expect.poll(() => total(frame).textContent()).toBe('61 issues, no items');
  await page.shots(emma, frame, 'hierarchy-panel');
  const rows = frame.locator('.tree-row');
  await expect.poll(() => rows.count()).toBeLessThan(50);
  await rows.first().focus();
  await page.hasFocus(rows.first());
  await emma.keyboard.press('End');
  await expect.poll(() => frame.locator('.tree-row:focus').getAttribute('aria-rowindex')).toBe('62');
  await expect.poll(() => rows.count()).toBeLessThan(55);
  await frame.getByRole('textbox', { name: 'Search' }).fill('part 59');
  await expect.poll(() => rows.count()).toBe(2);
  // Of them the open issue, whose row has another background.
  expect(await axeFindings(frame.locator('main'))).toEqual([]);
});
