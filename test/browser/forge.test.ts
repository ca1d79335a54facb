import type { FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { showSectionsToCustomers, storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { dialog, fits, hasFocus, panel, people, resize, type Site, shots, switchTheme } from './site.ts';

// A customer's forbidden requests to the tracker.
provokes(/(\/issue\/HELP-1|\/mypermissions)$/);

/**
 * The main functions in the frames of the Forge app: the vendor's own library talks to the tracker's page, under the
 * policy that the vendor's generator derives from the manifest. Both frameworks install the add-on on one server.
 */

const ISSUE = 'WEB-2';

let site: Site;
let emma: Page;
let mia: Page;

onSite(
  async started => {
    site = started;
    emma = await site.visitor(people.editor);
    mia = await visitor(people.admin);
  },
  () => ({ withForge: true }),
);

/** A user whose pages show the Forge frames. */
async function visitor(name: string): Promise<Page> {
  const page = await site.visitor(name);
  await page.evaluate(() => localStorage.setItem('tracker.frames', 'forge'));
  return page;
}

const tracker = (path: string) => `${site.programs.tracker.url}${path}`;
const text = async (issue = ISSUE) => (await storedChecklist(site.programs, emma, issue)).text;
const property = (issue = ISSUE) => tracker(`/rest/api/2/issue/${issue}/properties/${edition.key}.checklist`);
const value = async (issue = ISSUE) => (await (await emma.request.get(property(issue))).json()).value;

/** Screenshots in both themes; checks that nothing overflows horizontally. */
async function checkAppearance(page: Page, frame: FrameLocator, name: string): Promise<void> {
  await shots(page, frame, `forge-${name}`);
  await expect.poll(() => frame.locator('html').evaluate(html => html.scrollWidth <= html.clientWidth)).toBe(true);
}

test('the header switches between the frameworks, Connect first, and the choice is remembered', async () => {
  const source = () =>
    emma.getByRole('region', { name: 'Checklist', exact: true }).locator('iframe').getAttribute('src');
  await site.open(emma, ISSUE);
  expect(await source()).toContain(site.programs.addon.url);
  await emma.getByText('Forge', { exact: true }).click();
  await expect.poll(source).not.toContain(site.programs.addon.url);
  await emma.reload();
  expect(await source()).not.toContain(site.programs.addon.url);
  expect(await emma.getByRole('radio', { name: 'Forge' }).isChecked()).toBe(true);
});

test('items are added, ticked and stored from the panel, whose menus fit', async () => {
  const frame = panel(emma);
  await frame.getByRole('textbox', { name: 'Add an item' }).click();
  await emma.keyboard.type('- write the report');
  await emma.keyboard.press('Enter');
  await frame.getByRole('checkbox', { name: 'write the report' }).check();
  await expect.poll(() => text()).toBe('+ write the report');
  await checkAppearance(emma, frame, 'panel');
  await switchTheme(emma, frame, 'dark');
  await switchTheme(emma, frame, 'light');
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

test("a foreign change shows soon, although the platform's event is minutes late", async () => {
  const set = (settings: object) => emma.request.put(tracker('/host/forge'), { data: settings });
  await set({ eventDelayMs: 180_000 });
  const put = { data: JSON.stringify('- one\n- two'), headers: { 'content-type': 'application/json' } };
  expect((await emma.request.put(property(), put)).ok()).toBe(true);
  await panel(emma).getByRole('checkbox', { name: 'two' }).waitFor();
  await set({ eventDelayMs: 0 });
});

test('before the app has its permissions a checklist is usable, and afterwards its copies are written', async () => {
  const set = (settings: object) => emma.request.put(tracker('/host/forge'), { data: settings });
  const put = (text: string) =>
    emma.request.put(property(), { data: JSON.stringify(text), headers: { 'content-type': 'application/json' } });
  await set({ isPermitted: false, contextChars: 30_000 });
  await put('- one\n- two\n- early');
  await site.openLoaded(emma, ISSUE);
  const input = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await input.fill('Added before');
  await input.press('Enter');
  await expect.poll(() => text()).toContain('- Added before');
  expect(JSON.stringify(await value())).not.toContain('Added before');
  await set({ isPermitted: true, contextChars: 0 });
  // The next event; without one the issue is read again after minutes.
  await put('- one\n- two\n- early\n- late');
  for (const item of ['early', 'late', 'Added before'])
    await panel(emma).getByRole('checkbox', { name: item }).waitFor();
  await expect.poll(async () => JSON.stringify(await value())).toContain('Added before');
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two');
  await expect.poll(async () => (await value()).text).toBe('- one\n- two');
});

test('the hierarchy in the middle of the issue', async () => {
  await emma.getByRole('button', { name: 'Smart hierarchy' }).click();
  const tree = emma.getByRole('region', { name: 'Smart hierarchy' }).frameLocator('iframe');
  await tree.getByRole('link', { name: ISSUE }).first().waitFor();
  await checkAppearance(emma, tree, 'hierarchy');
});

test('a phone, and pages of the administration and of templates', async () => {
  await resize(mia, { width: 360, height: 900 });
  await mia.goto(tracker(`/mobile/${ISSUE}`));
  await panel(mia).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await checkAppearance(mia, panel(mia), 'phone');
  await resize(mia, { width: 1280, height: 900 });
  const frame = mia.frameLocator('main iframe');
  await mia.goto(tracker('/admin/site-settings'));
  await frame.getByRole('heading', { name: 'Site settings' }).waitFor();
  await checkAppearance(mia, frame, 'site-settings');
  await mia.goto(tracker('/plugins/smart-templates-editor'));
  await frame.getByRole('heading', { name: 'Smart templates editor' }).waitFor();
  await checkAppearance(mia, frame, 'the-templates-editor');
});

test('a panel below the description shows on all issues of the project if a site administrator enables it', async () => {
  await mia.goto(tracker('/projects/WEB/settings/project-settings'));
  const frame = mia.frameLocator('main iframe');
  const below = frame.getByRole('checkbox', { name: /^Show checklists below the description/ });
  const pinned = mia.waitForResponse(answer => answer.url().endsWith('/forge/panel/action/bulk/async'));
  await below.check();
  expect((await pinned).status()).toBe(202);
  await checkAppearance(mia, frame, 'project-settings');
  const placed = async () => {
    const answer = await emma.request.get(tracker('/host/modules?framework=forge&place=issue-content&issueKey=WEB-2'));
    const modules: { key: string; contentPresent: boolean }[] = await answer.json();
    return modules.find(({ key }) => key === 'checklist-content')?.contentPresent;
  };
  await expect.poll(placed).toBe(true);
  await site.open(emma, ISSUE);
  await panel(emma).getByRole('textbox', { name: 'Add an item' }).waitFor();
  await below.uncheck();
  await expect.poll(placed).toBeUndefined();
});

test('a customer sees the checklist of a request in the portal', async () => {
  await writeChecklist(site.programs, mia, 'HELP-1', '# Delivery !customers\n- Order a new laptop');
  await showSectionsToCustomers(site.programs, mia, 'HELP');
  const carla = await visitor(people.viewer);
  await carla.request.post(tracker('/host/user'), { data: { accountId: 'qm:7c5a41d9:b2f6' } });
  await carla.goto(tracker('/portal/HELP-1'));
  const frame = carla.getByRole('region', { name: /Checklist/ }).frameLocator('iframe');
  await frame.getByText('Order a new laptop').waitFor();
  await checkAppearance(carla, frame, 'portal');
  await carla.context().close();
});

test('a gadget is added, configured in a frame of its own, and refreshed on request', async () => {
  await writeChecklist(site.programs, mia, 'WEB-1', '- Load test\n+ Approved\n+ Built');
  const gadget = mia.getByRole('region', { name: /^Gadget/ }).frameLocator('iframe');
  const press = (name: string | RegExp) => mia.getByRole('button', { name }).press('Enter');
  await mia.goto(tracker('/dashboard'));
  await press(/^Add gadget/);
  await gadget.getByRole('form', { name: 'Gadget' }).waitFor();
  await press('Configure');
  await gadget.getByRole('form', { name: 'Gadget' }).waitFor();
  await gadget.getByRole('button', { name: 'Save gadget' }).click();
  await gadget.getByRole('progressbar', { name: '2 of 3 done' }).waitFor();
  await checkAppearance(mia, gadget, 'gadget');
  await writeChecklist(site.programs, mia, 'WEB-1', '+ Load test\n+ Approved\n+ Built');
  await expect.poll(async () => (await value('WEB-1')).text).toContain('+ Load test');
  await press('Refresh');
  await gadget.getByRole('progressbar', { name: '3 of 3 done' }).waitFor();
});

test('a condition of a workflow hides the transition until the checklist is done', async () => {
  await writeChecklist(site.programs, mia, ISSUE, '- ! one\n- two');
  await mia.goto(tracker('/projects/WEB/workflow'));
  const transition = mia.getByRole('region', { name: 'Transition to Done' });
  await transition.getByRole('button', { name: /^Add condition/ }).click();
  const form = mia.getByRole('region', { name: 'New rule' }).frameLocator('iframe');
  await form.getByRole('checkbox', { name: 'All mandatory items are done' }).waitFor();
  await checkAppearance(mia, form, 'workflow-rule');
  await transition.getByRole('button', { name: 'Add rule', exact: true }).press('Enter');
  const rule = transition.getByRole('region', { name: 'Condition' });
  await rule
    .frameLocator('iframe')
    .getByText(/transition is hidden/)
    .waitFor();
  await site.open(emma, ISSUE);
  const status = emma.getByRole('combobox', { name: 'Status' });
  await status.waitFor();
  expect(await status.getByRole('option', { name: 'Done', exact: true }).count()).toBe(0);
  await writeChecklist(site.programs, mia, ISSUE, '+ ! one\n- two');
  await expect.poll(() => status.getByRole('option', { name: 'Done', exact: true }).count()).toBe(1);
  await rule.getByRole('button', { name: 'Remove' }).click();
  await rule.waitFor({ state: 'detached' });
});

test('users on Connect and on Forge share a checklist, and keep data and open editors when the site uninstalls Connect', async () => {
  const onConnect = await site.visitor(people.projectAdmin);
  const onForge = await visitor(people.projectAdmin);
  const text = await site.openEditor(onConnect, ISSUE);
  await onConnect.keyboard.press('Control+End');
  await onConnect.keyboard.type('\ntyped on Connect before');
  await site.openEditor(onForge, ISSUE);
  await onForge.keyboard.press('Control+Home');
  await onForge.keyboard.type('typed on Forge before\n');
  await site.openLoaded(emma, ISSUE);
  await panel(emma).getByRole('checkbox', { name: 'two' }).check();
  await expect.poll(() => text.textContent()).toContain('+ two');

  const taken = await mia.request.post(tracker('/host/addon'), { data: { action: 'uninstall' } });
  expect(taken.ok()).toBe(true);
  // The tracker refuses the open Connect frames the names of those who change the checklist from now on.
  provokes(/\/user\/bulk$/);

  for (const [page, typed] of [
    [onForge, 'typed on Forge before'],
    [onConnect, 'typed on Connect before'],
  ] as const) {
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await panel(emma).getByRole('checkbox', { name: typed }).waitFor();
    await page.context().close();
  }
  await panel(emma).getByRole('checkbox', { name: 'typed on Connect before' }).check();
  const moved = 'typed on Forge before\n+ ! one\n+ two\n+ typed on Connect before';
  await expect.poll(async () => (await value()).text).toBe(moved);
  const jql = 'checklistText ~ "typed on Connect before" and checklistChecked = 3';
  const search = new URLSearchParams({ jql, fields: 'summary' });
  const found = await (await emma.request.get(tracker(`/rest/api/3/search/jql?${search}`))).json();
  expect(found.issues.map(({ key }: { key: string }) => key)).toEqual([ISSUE]);
});
