import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { failures, refusals, shell } from '../../src/domain/messages.ts';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';
import { graphql, session, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { routeReadings } from './fault-injection.ts';
import { onSite } from './fixture.ts';
import { panel, people, type Site, shots } from './site.ts';

/** How the panel looks in its rarer states and places, in both themes: what is told there, and that nothing sticks out. */

const ISSUE = 'WEB-2';
const EMMA = '[~accountid:5b10a2844c20165700ede21c]';

let site: Site;
let emma: Page;

onSite(async there => {
  site = there;
  emma = await site.visitor(people.editor);
});

const write = (text: string) => writeChecklist(site.programs, emma, ISSUE, text);

/** Pictures of a state in both themes, in each of which nothing is wrong with it. */
async function look(page: Page, frame: FrameLocator, name: string, ...leftOut: string[]) {
  await shots(page, frame, `state-${name}`);
  await expect.poll(() => frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth)).toBe(true);
  expect(await axeFindings(frame.locator('html'), 'region', ...leftOut), name).toEqual([]);
}

test('while it is read, and where it cannot be', async () => {
  await write('# Release\n- one\n- two');
  let letGo = (): void => undefined;
  const held = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let readAgain = (): void => undefined;
  const again = new Promise<void>(resolve => {
    readAgain = resolve;
  });
  const answerReadings = await routeReadings(emma, async route => {
    await held;
    await route.fulfill({ status: 500, body: '{}' });
  });
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('status', { name: 'Loading checklist' }).waitFor();
  // There is nothing yet to be the main part, or its heading.
  await look(emma, panel(emma), 'loading', 'landmark-one-main', 'page-has-heading-one');
  letGo();
  await panel(emma).getByText(failures.unknown).waitFor();
  await look(emma, panel(emma), 'error', 'landmark-one-main', 'page-has-heading-one');
  // The panel recovers by itself, too: then there is nothing to click.
  answerReadings(async route => {
    await again;
    await route.continue();
  });
  await panel(emma).getByRole('button', { name: shell.retry }).click();
  readAgain();
  await panel(emma).getByRole('checkbox', { name: 'two' }).waitFor();
});

const content = [
  '# Release :rocket: of WEB-1',
  `- Write the **notes** for everybody who reads them ${EMMA} 2020-02-02`,
  '+ Freeze the branch',
  '~ Ask about `cookies` and WEB-3',
  '> In English and German',
  'x Fax it to https://example.com/a/very/long/address/that/does/not/break/anywhere/at/all?and=more&of=it',
  `- ! Sign it off ${EMMA} 2199-01-01`,
  '## שחרור',
  '- שלום עולם, ما اليوم 2199-01-01',
  '+ لا شيء',
  '- 🎉🎉',
  `- ${'Averylongwordthatnobodycanread'.repeat(6)}`,
].join('\n');

test('with everything that a row can hold', async () => {
  await write(content);
  await site.open(emma, ISSUE);
  await panel(emma)
    .getByRole('link', { name: /^WEB-3 / })
    .waitFor();
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await look(emma, panel(emma), 'rows');
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
  await look(emma, panel(emma), 'bulk');
});

test('with a page to itself', async () => {
  await site.open(emma, ISSUE);
  await panel(emma)
    .getByRole('link', { name: /^WEB-3 / })
    .waitFor();
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  // Nothing of the tracker's opens it so by itself: the frame is laid out as it would be, at a page's size.
  await emma
    .getByRole('region', { name: 'Checklist', exact: true })
    .locator('iframe')
    .evaluate(element => {
      Object.assign(element.style, { position: 'fixed', inset: '0', width: '1280px', height: '900px', zIndex: '9999' });
      element.style.background = 'var(--ds-surface, white)';
    });
  await panel(emma)
    .locator('html')
    .evaluate(element => {
      element.dataset.layout = 'scroll';
    });
  await look(emma, panel(emma), 'page');
});

test.each([360, 320])('on a phone %i wide', async width => {
  const phone = await site.visitor(people.editor, { viewport: { width, height: 900 }, hasTouch: true });
  await phone.goto(`${site.programs.tracker.url}/mobile/${ISSUE}`);
  const frame = panel(phone);
  await frame.getByRole('link', { name: /^WEB-3 / }).waitFor();
  await frame.getByRole('textbox', { name: 'Add an item' }).waitFor();
  await look(phone, frame, `phone-${width}`);
  await frame.getByRole('button', { name: 'More actions for Freeze the branch' }).click();
  await frame.getByRole('menuitem', { name: 'Due date…' }).waitFor();
  await shots(phone, frame, `state-phone-menu-${width}`);
  await phone.context().close();
});

test('in the portal', async () => {
  const carla = await (await site.browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  carla.setDefaultTimeout(WAIT_TIMEOUT);
  await carla.request.post(`${site.programs.tracker.url}/host/user`, { data: { accountId: 'qm:7c5a41d9:b2f6' } });
  await writeChecklist(site.programs, emma, 'HELP-1', '# Before\n+ Ask the manager\n- Order a new laptop\n~ Pack it');
  await carla.goto(`${site.programs.tracker.url}/portal/HELP-1`);
  const frame = carla.getByRole('region', { name: /Checklist/ }).frameLocator('iframe');
  await frame.getByText('Order a new laptop').waitFor();
  await look(carla, frame, 'portal');
  await carla.context().close();
});

test('for somebody who may only look, and for somebody who may not', async () => {
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
  await panel(victor).getByText('Read only.').waitFor();
  await look(victor, panel(victor), 'read-only');
  // None of our own permissions, which the site's scheme gives to everybody.
  await victor.route('**/rest/api/2/mypermissions*', route => route.fulfill({ json: { permissions: {} } }));
  await site.open(victor, ISSUE);
  await panel(victor).getByText(refusals.permission).waitFor();
  expect(await panel(victor).locator('.check-rows').count()).toBe(0);
  await look(victor, panel(victor), 'no-view', 'landmark-one-main', 'page-has-heading-one');
  await change({ managePermissions: false, viewPermissions: false });
  await victor.context().close();
  await mia.context().close();
});

test('no page complained of anything else', () => {
  expect(site.complaints.filter(each => !/500/.test(each))).toEqual([]);
});
