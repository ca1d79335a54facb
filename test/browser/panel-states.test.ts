import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { failures, refusals, shell } from '../../src/domain/messages.ts';
import { full } from '../run/seed.ts';
import { graphql, session, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { routeReads } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { panel, people, type Site, shots } from './site.ts';

provokes(/ 500 .*\/(graphql|issue\/WEB-2)|NOPE-99/);

/** The panel's rarer states and surfaces, in both themes: their messages, and no overflow. */

const ISSUE = 'WEB-2';
const EMMA = '[~accountid:5b10a2844c20165700ede21c]';

let site: Site;
let emma: Page;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
});

const write = (text: string) => writeChecklist(site.programs, emma, ISSUE, text);

/** Screenshots in both themes; checks that nothing overflows horizontally, and accessibility. */
async function checkAppearance(page: Page, frame: FrameLocator, name: string, ...leftOut: string[]) {
  await shots(page, frame, `state-${name}`, ...leftOut);
  await expect.poll(() => frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth)).toBe(true);
  expect(await axeFindings(frame.locator('html'), 'region', ...leftOut), name).toEqual([]);
}

const topOf = (selector: string) =>
  panel(emma)
    .locator(selector)
    .first()
    .evaluate(element => element.getBoundingClientRect().top);
const height = () =>
  panel(emma)
    .locator('body')
    .evaluate(body => body.getBoundingClientRect().height);

test('loading, and a failed load; loaded rows have the position of their skeletons', async () => {
  await write('- one\n- two\n- three');
  // The skeleton is as long as the list was.
  await site.openLoaded(emma, ISSUE);
  await panel(emma).getByRole('checkbox', { name: 'three' }).waitFor();
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  let readAgain = (): void => undefined;
  const retried = new Promise<void>(resolve => {
    readAgain = resolve;
  });
  const routeNext = await routeReads(emma, async route => {
    await held;
    await route.fulfill({ status: 500, body: '{}' });
  });
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('status', { name: 'Loading checklist' }).waitFor();
  const [bar, first, third, all] = [
    await topOf('.check-skeleton > :nth-child(1)'),
    await topOf('.check-skeleton > :nth-child(2)'),
    await topOf('.check-skeleton > :nth-child(4)'),
    await height(),
  ];
  // There is no main landmark or heading yet.
  await checkAppearance(emma, panel(emma), 'loading', 'landmark-one-main', 'page-has-heading-one');
  release();
  await panel(emma).getByText(failures.unknown).waitFor();
  await checkAppearance(emma, panel(emma), 'error', 'landmark-one-main', 'page-has-heading-one');
  // The panel also recovers automatically: then there is no button to click.
  routeNext(async route => {
    await retried;
    await route.continue();
  });
  await panel(emma).getByRole('button', { name: shell.retry }).click();
  readAgain();
  await panel(emma).getByRole('checkbox', { name: 'three' }).waitFor();
  await panel(emma).getByRole('button', { name: 'Filter' }).waitFor();
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  const moved = async (selector: string, from: number) => Math.abs((await topOf(selector)) - from);
  await expect.poll(() => moved('.check-bar-track', bar)).toBeLessThanOrEqual(2);
  await expect.poll(() => moved('.check-rows > li:nth-child(1) .check-text', first)).toBeLessThanOrEqual(2);
  await expect.poll(() => moved('.check-rows > li:nth-child(3) .check-text', third)).toBeLessThanOrEqual(2);
  await expect.poll(async () => Math.abs((await height()) - all)).toBeLessThanOrEqual(4);
});

const BAD = '<img src=x onerror="document.title=1">';

const content = [
  '# Release :rocket: of WEB-1',
  `- Write the **notes** for everybody who reads them ${EMMA} 2020-02-02`,
  '+ Freeze the branch',
  `~ Ask ${EMMA} about \`cookies\` and WEB-3`,
  '> In English and German',
  'x Fax it to https://example.com/a/very/long/address/that/does/not/break/anywhere/at/all?and=more&of=it',
  `- ! Sign it off ${EMMA} 2199-01-01`,
  '## שחרור',
  '- שלום עולם, ما اليوم 2199-01-01',
  '+ لا شيء',
  '- 🎉🎉',
  `- ${BAD}`,
  '- Gone with [~accountid:somebodywholeft] and NOPE-99',
  `- ${'Averylongwordthatnobodycanread'.repeat(6)}`,
].join('\n');

test('with every element of a row, and no markup that runs', async () => {
  await write(content);
  const link = panel(emma).getByRole('link', { name: /^WEB-3 / });
  expect(await link.getAttribute('href')).toMatch(/\/browse\/WEB-3$/);
  const person = panel(emma)
    .getByRole('link', { name: /Emma Richards/ })
    .first();
  expect(await person.getAttribute('href')).toMatch(/\/jira\/people\//);
  await panel(emma).getByText('Unknown person').waitFor();
  await panel(emma).getByText('overdue').first().waitFor();
  await panel(emma).getByText(BAD).waitFor();
  expect(await panel(emma).locator('img[src=x]').count()).toBe(0);
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await checkAppearance(emma, panel(emma), 'rows');
  await panel(emma).getByText('Freeze the branch').hover();
  await shots(emma, panel(emma), 'state-hover');
  await panel(emma)
    .getByText('Freeze the branch')
    .click({ modifiers: ['Control'] });
  await panel(emma)
    .getByText('Write the notes')
    .first()
    .click({ modifiers: ['Control'] });
  await panel(emma).getByText('2 selected').waitFor();
  await checkAppearance(emma, panel(emma), 'bulk');
});

// The narrower one in any case.
test.each(full ? [360, 320] : [320])('on a phone %i wide', async width => {
  const phone = await site.visitor(people.editor, { viewport: { width, height: 900 }, hasTouch: true });
  await phone.goto(`${site.programs.tracker.url}/mobile/${ISSUE}`);
  const frame = panel(phone);
  await frame.getByRole('link', { name: /^WEB-3 / }).waitFor();
  await frame.getByRole('textbox', { name: 'Add an item' }).waitFor();
  await checkAppearance(phone, frame, `phone-${width}`);
  await frame.getByRole('button', { name: 'More actions for Freeze the branch' }).click();
  await frame.getByRole('menuitem', { name: 'Due date…' }).waitFor();
  await shots(phone, frame, `state-phone-menu-${width}`);
  await phone.context().close();
});

test('read-only, and without the permission to view', async () => {
  const mia = await site.visitor(people.admin);
  const token = await session(site.programs, mia, ISSUE);
  const change = async (values: object) => {
    const query =
      'mutation ($input: UpdateSiteSettingsInput!) { updateSiteSettings(input: $input) { errors { code } } }';
    const { data } = await graphql(site.programs, mia, token, query, { input: values });
    expect(data.updateSiteSettings.errors).toEqual([]);
  };
  await change({ managePermissions: true, viewPermissions: true });
  const victor = await site.visitor(people.viewer);
  await site.open(victor, ISSUE);
  await panel(victor).getByText('Read-only', { exact: true }).waitFor();
  await checkAppearance(victor, panel(victor), 'read-only');
  // None of the app's own permissions, which the site's scheme grants to all users.
  await victor.route('**/rest/api/2/mypermissions*', route => route.fulfill({ json: { permissions: {} } }));
  await site.open(victor, ISSUE);
  await panel(victor).getByText(refusals.permission).waitFor();
  expect(await panel(victor).locator('.check-rows').count()).toBe(0);
  await checkAppearance(victor, panel(victor), 'no-view', 'landmark-one-main', 'page-has-heading-one');
  await change({ managePermissions: false, viewPermissions: false });
  await victor.context().close();
  await mia.context().close();
});
