import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { settings as texts } from '../../src/domain/messages.ts';
import type { Tracker } from '../../src/tracker/app.ts';
import { graphql, session, showSectionsToCustomers, storedChecklist, writeChecklist } from './api.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { isAtRest, spentFrom } from './ledger.ts';
import { dialog, fits, hasFocus, panel, people, type Site, shots, switchTheme } from './site.ts';

/**
 * The main functions in the frames of the Forge app: the vendor's own library talks to the tracker's page, under the
 * policy that the vendor's generator derives from the manifest. Both frameworks install the add-on on one server.
 */

const ISSUE = 'WEB-2';

let site: Site;
let emma: Page;
let local: Tracker;

/** A user whose pages show the Forge frames. */
async function visitor(name: string, options?: Parameters<Site['visitor']>[1]): Promise<Page> {
  const page = await site.visitor(name, options);
  await page.evaluate(() => localStorage.setItem('tracker.frames', 'forge'));
  return page;
}

onSite(
  async started => {
    site = started;
    emma = await visitor(people.editor);
  },
  () => ({
    withForge: true,
    onTracker: started => {
      local = started;
    },
  }),
);

const tracker = (path: string) => `${site.programs.tracker.url}${path}`;
const text = async (issue = ISSUE) => (await storedChecklist(site.programs, emma, issue)).text;
const set = (settings: object) => emma.request.put(tracker('/host/forge'), { data: settings });

/** Screenshots in both themes; checks that nothing overflows horizontally, and accessibility. */
async function checkAppearance(page: Page, frame: FrameLocator, name: string): Promise<void> {
  await shots(page, frame, `forge-${name}`);
  await expect.poll(() => frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth)).toBe(true);
  expect(await axeFindings(frame.locator('html'), 'region'), name).toEqual([]);
}

test('items are added, ticked and stored from the panel, whose menus fit', async () => {
  await site.open(emma, ISSUE);
  const source = await emma
    .getByRole('region', { name: 'Checklist', exact: true })
    .locator('iframe')
    .getAttribute('src');
  expect(source).not.toContain(site.programs.addon.url);
  const frame = panel(emma);
  await frame.getByRole('textbox', { name: 'Add an item' }).click();
  await emma.keyboard.type('- write the report');
  await emma.keyboard.press('Enter');
  await frame.getByRole('checkbox', { name: 'write the report' }).check();
  await expect.poll(() => text()).toBe('+ write the report');
  await checkAppearance(emma, frame, 'panel');
  await frame.getByRole('button', { name: 'Checklist actions' }).click();
  await frame.getByRole('menuitem').first().waitFor();
  await expect.poll(() => fits(frame)).toBe(true);
  await emma.keyboard.press('Escape');
  await hasFocus(frame.getByRole('button', { name: 'Checklist actions' }));
});

test('the editor opens over the page, saves, and the panel shows the saved text', async () => {
  await panel(emma).getByRole('button', { name: 'Open editor' }).click();
  const editor = dialog(emma).getByRole('textbox', { name: /as text/ });
  await hasFocus(editor);
  await emma.keyboard.press('Control+End');
  await emma.keyboard.type('\nfrom the editor');
  await checkAppearance(emma, dialog(emma), 'editor');
  await dialog(emma).getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => text()).toContain('from the editor');
  await dialog(emma).getByRole('button', { name: 'Close', exact: true }).click();
  await emma.getByRole('dialog').waitFor({ state: 'hidden' });
  await panel(emma).getByText('from the editor').waitFor();
});

test("another user's change shows automatically", async () => {
  const mia = await visitor(people.admin);
  await site.openLoaded(mia, ISSUE);
  await panel(mia).getByRole('checkbox', { name: 'write the report' }).uncheck();
  await expect.poll(() => panel(emma).getByRole('checkbox', { name: 'write the report' }).isChecked()).toBe(false);
  await mia.context().close();
});

test('viewing costs no points, and the first tick costs a permission check and both copies', async () => {
  const mia = await visitor(people.admin);
  await writeChecklist(site.programs, mia, 'WEB-5', '- one\n- two');
  await mia.context().close();
  const atRest = () => isAtRest(site.programs, local);
  await atRest();
  const spent = await spentFrom(local, site.programs.tracker.url);
  await site.openLoaded(emma, 'WEB-5');
  await atRest();
  expect(await spent()).toEqual({});
  await panel(emma).getByRole('checkbox', { name: 'one' }).check();
  await expect.poll(() => text('WEB-5')).toBe('+ one\n- two');
  await emma.goto('about:blank');
  await expect.poll(spent).toEqual({ person: 3, property: 1, field: 1 });
  await atRest();
  expect(await spent()).toEqual({ person: 3, property: 1, field: 1 });
  await site.openLoaded(emma, ISSUE);
});

test("a foreign change shows soon, although the platform's event is minutes late", async () => {
  await set({ eventDelayMs: 180_000 });
  const property = tracker(`/rest/api/2/issue/${ISSUE}/properties/${edition.key}.checklist`);
  const put = { data: JSON.stringify('- from elsewhere'), headers: { 'content-type': 'application/json' } };
  expect((await emma.request.put(property, put)).ok()).toBe(true);
  await panel(emma).getByRole('checkbox', { name: 'from elsewhere' }).waitFor();
  await set({ eventDelayMs: 0 });
});

test('an offline change stays, and is saved when the network is back', async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two');
  await site.openLoaded(emma, ISSUE);
  const one = panel(emma).getByRole('checkbox', { name: 'one' });
  await one.waitFor();
  await emma.context().setOffline(true);
  await one.check();
  await panel(emma)
    .getByText(/not saved/i)
    .first()
    .waitFor();
  await emma.context().setOffline(false);
  await expect.poll(() => text()).toBe('+ one\n- two');
});

test('the dark theme, and a phone', async () => {
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('checkbox', { name: 'two' }).waitFor();
  await switchTheme(emma, panel(emma), 'dark');
  await switchTheme(emma, panel(emma), 'light');
  const phone = await visitor(people.editor, { viewport: { width: 360, height: 900 }, hasTouch: true });
  await phone.goto(tracker(`/mobile/${ISSUE}`));
  await panel(phone).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await checkAppearance(phone, panel(phone), 'phone');
  await phone.context().close();
});

test('the hierarchy in the middle of the issue, and a template from the list', async () => {
  await emma.getByRole('button', { name: 'Smart hierarchy' }).click();
  const tree = emma.getByRole('region', { name: 'Smart hierarchy' }).frameLocator('iframe');
  await tree.getByRole('link', { name: ISSUE }).first().waitFor();
  await checkAppearance(emma, tree, 'hierarchy');
});

test.each([
  ['assigned items', '/plugins/assigned-items', /open items?/],
  ['smart hierarchy', '/plugins/smart-hierarchy?issueKey=WEB-1&projectKey=WEB', /WEB-1/],
])('the page of %s', async (name, path, shown) => {
  await emma.goto(tracker(path));
  const frame = emma.frameLocator('iframe');
  await frame.getByText(shown).first().waitFor();
  await checkAppearance(emma, frame, name.replace(' ', '-'));
});

test.each([
  ['project settings', '/projects/WEB/settings/project-settings'],
  ['site settings', '/admin/site-settings'],
  ['the first steps', '/admin/post-install'],
  ['the templates editor', '/plugins/smart-templates-editor'],
])('%s for an administrator', async (name, path) => {
  const mia = await visitor(people.admin);
  await mia.goto(tracker(path));
  const frame = mia.frameLocator('iframe');
  await frame.getByRole('heading').first().waitFor();
  await checkAppearance(mia, frame, name.replaceAll(' ', '-'));
  await mia.context().close();
});

test('a panel below the description shows on all issues of the project if a site administrator enables it', async () => {
  const setting = async (page: Page) => {
    await page.goto(tracker('/projects/WEB/settings/project-settings'));
    const frame = page.frameLocator('main iframe');
    return { frame, below: frame.getByRole('checkbox', { name: /^Show checklists below the description/ }) };
  };
  const pavel = await visitor(people.projectAdmin);
  const asProjectAdmin = await setting(pavel);
  await asProjectAdmin.below.check();
  await asProjectAdmin.frame.getByText(texts.pinRefused).waitFor();
  await asProjectAdmin.below.uncheck();
  await asProjectAdmin.frame.getByText(texts.pinRefused).waitFor({ state: 'hidden' });
  await pavel.context().close();

  const mia = await visitor(people.admin);
  const asAdmin = await setting(mia);
  const pinned = mia.waitForResponse(answer => answer.url().endsWith('/forge/panel/action/bulk/async'));
  await asAdmin.below.check();
  expect((await pinned).status()).toBe(202);
  const placed = async () => {
    const answer = await emma.request.get(tracker('/host/modules?framework=forge&place=issue-content&issueKey=WEB-2'));
    const modules: { key: string; contentPresent: boolean }[] = await answer.json();
    return modules.find(({ key }) => key === 'checklist-content')?.contentPresent;
  };
  await expect.poll(placed).toBe(true);
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await asAdmin.below.uncheck();
  await expect.poll(placed).toBeUndefined();
  await mia.context().close();
});

test('the header switches between the frameworks, Connect first, and the choice is remembered', async () => {
  const page = await site.visitor(people.editor);
  const source = () =>
    page.getByRole('region', { name: 'Checklist', exact: true }).locator('iframe').getAttribute('src');
  await site.open(page, ISSUE);
  const connect = await source();
  await page.getByText('Forge', { exact: true }).click();
  await expect.poll(source).not.toBe(connect);
  const forge = await source();
  await page.reload();
  expect(await source()).toBe(forge);
  expect(await page.getByRole('radio', { name: 'Forge' }).isChecked()).toBe(true);
  await page.context().close();
});

test('a customer sees the checklist of a request in the portal', async () => {
  await writeChecklist(site.programs, emma, 'HELP-1', '# Delivery !customers\n- Order a new laptop');
  const mia = await site.visitor(people.admin);
  await showSectionsToCustomers(site.programs, mia, 'HELP');
  await mia.context().close();
  const carla = await visitor(people.viewer);
  await carla.request.post(tracker('/host/user'), { data: { accountId: 'qm:7c5a41d9:b2f6' } });
  await carla.goto(tracker('/portal/HELP-1'));
  const frame = carla.getByRole('region', { name: /Checklist/ }).frameLocator('iframe');
  await frame.getByText('Order a new laptop').waitFor();
  await checkAppearance(carla, frame, 'portal');
  await carla.context().close();
});

test('a user on Connect and one on Forge share a checklist, also in an open editor', async () => {
  const pavel = await site.visitor(people.projectAdmin);
  const text = await site.openEditor(pavel, ISSUE);
  await pavel.keyboard.press('Control+End');
  await pavel.keyboard.type('\nfrom Connect');
  await site.openLoaded(emma, ISSUE);
  await panel(emma).getByRole('checkbox', { name: 'two' }).check();
  await expect.poll(() => text.textContent()).toContain('+ two');
  await dialog(pavel).getByRole('button', { name: 'Save', exact: true }).click();
  await panel(emma).getByRole('checkbox', { name: 'from Connect' }).waitFor();
  await pavel.context().close();
});

test('without a license the panel shows why it is read-only', async () => {
  await set({ isLicensed: false });
  await site.open(emma, ISSUE);
  await panel(emma).getByText('Read-only', { exact: true }).waitFor();
  await checkAppearance(emma, panel(emma), 'unlicensed');
  await set({ isLicensed: true });
});

test('a site that uninstalls Connect keeps all its data, and open editors', async () => {
  // Reports to the server that the license is active again.
  await site.openLoaded(emma, ISSUE);
  const mia = await visitor(people.admin);
  const change = async (operation: string, type: string, input: object) => {
    const token = await session(site.programs, mia, ISSUE);
    const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { errors { message } } }`;
    const { data } = await graphql(site.programs, mia, token, query, { input });
    expect(data[operation].errors).toEqual([]);
  };
  await change('createTemplateFromText', 'CreateTemplateFromTextInput', { name: 'First day', text: '- Say hello' });
  await change('createStatus', 'CreateStatusInput', { name: 'On hold', color: 'yellow', checked: false });
  await change('updateSiteSettings', 'UpdateSiteSettingsInput', { managePermissions: true });
  const onConnect = await site.visitor(people.projectAdmin);
  await site.openEditor(onConnect, ISSUE);
  await onConnect.keyboard.press('Control+End');
  await onConnect.keyboard.type('\ntyped on Connect before');
  const onForge = await visitor(people.projectAdmin);
  await site.openEditor(onForge, ISSUE);
  await onForge.keyboard.press('Control+Home');
  await onForge.keyboard.type('typed on Forge before\n');

  const taken = await mia.request.post(tracker('/host/addon'), { data: { action: 'uninstall' } });
  expect(taken.ok()).toBe(true);

  for (const [page, typed] of [
    [onForge, 'typed on Forge before'],
    [onConnect, 'typed on Connect before'],
  ] as const) {
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await panel(emma).getByRole('checkbox', { name: typed }).waitFor();
    await page.context().close();
  }
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('checkbox', { name: 'from Connect', exact: true }).check();
  const property = tracker(`/rest/api/2/issue/${ISSUE}/properties/${edition.key}.checklist`);
  const value = async () => (await (await emma.request.get(property)).json()).value;
  const moved = 'typed on Forge before\n+ one\n+ two\n+ from Connect\n- typed on Connect before';
  await expect.poll(async () => (await value()).text).toBe(moved);

  const bySearch = async (jql: string) => {
    const found = await emma.request.get(
      tracker(`/rest/api/3/search/jql?${new URLSearchParams({ jql, fields: 'summary' })}`),
    );
    return (await found.json()).issues.map(({ key }: { key: string }) => key);
  };
  expect(await bySearch('checklistText ~ "typed on Connect before" and checklistChecked = 3')).toEqual([ISSUE]);
  const victor = await visitor(people.viewer);
  await site.open(victor, ISSUE);
  await panel(victor).getByText('Read-only', { exact: true }).waitFor();
  await victor.context().close();

  await panel(emma).getByRole('button', { name: 'Checklist actions' }).click();
  await panel(emma).getByRole('menuitem', { name: 'History' }).click();
  const authors = panel(emma).locator('.history-group h3');
  await expect.poll(async () => new Set(await authors.allTextContents())).toContain(people.projectAdmin);

  await mia.goto(tracker('/admin/site-settings'));
  const settings = mia.frameLocator('main iframe');
  await settings.getByRole('checkbox', { name: 'Use the app’s own permissions', checked: true }).waitFor();
  await settings.getByRole('button', { name: 'Edit On hold' }).waitFor();
  await settings.getByRole('option', { name: 'First day' }).first().waitFor({ state: 'attached' });
  await mia.context().close();
});

test('no policy violations and no browser errors', () => {
  // The network that was offline, and a customer's forbidden requests to the tracker.
  const expected = ['ERR_INTERNET_DISCONNECTED', '/issue/HELP-1', '/mypermissions'];
  expect(site.browserErrors.filter(each => !expected.some(part => each.includes(part)))).toEqual([]);
});
