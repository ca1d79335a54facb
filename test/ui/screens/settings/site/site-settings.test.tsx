import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { failures, settings as messages, shell } from '../../../../../src/domain/messages.ts';
import { addonPermissions, permissionKey } from '../../../../../src/domain/permissions.ts';
import { builtInStatuses } from '../../../../../src/domain/statuses.ts';
import ProjectSettingsScreen, {
  CenterSection,
  PortalSection,
} from '../../../../../src/ui/screens/settings/project/project-settings.tsx';
import SiteSettingsScreen from '../../../../../src/ui/screens/settings/site/site-settings.tsx';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer, refusal, type Sent } from '../../templates/server.ts';

const statuses = builtInStatuses.map(status => ({ ...status, projectId: null, builtIn: true, going: false }));
const site = {
  ...{
    managePermissions: false,
    viewPermissions: false,
    analytics: true,
    gettingStartedTemplateId: null,
    starterTemplates: true,
  },
  ...{ textField: 'OWN', textFieldId: null, fields: [{ id: 'f1', name: 'Notes', own: false }] },
};
const names = [{ id: 'first', name: 'First day' }];
const made = (sent: readonly Sent[]) => sent.filter(({ name }) => !name.startsWith('get'));

test('switches change at once, permissions after saying who loses access, and are reverted when refused', async () => {
  const issue = fakeIssue('');
  const server: { refuses: boolean } = { refuses: false };
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getSiteSettings: () => ({ siteSettings: site }),
    updateSiteSettings: ({ input }) => ({
      updateSiteSettings: server.refuses
        ? { settings: null, errors: refusal('FORBIDDEN', null, failures.unknown) }
        : { settings: { ...site, ...(input as object) }, errors: [] },
    }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  const own = await screen.findByRole('checkbox', { name: 'Use the app’s own permissions' });
  fireEvent.click(own);
  expect(own).not.toBeChecked();
  expect(await screen.findByRole('alertdialog')).toHaveAccessibleName(
    'People who can edit issues but have none of the app’s permissions can no longer change checklists. They can still see them. The settings of each project list who has which permission.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(own).toHaveFocus();
  expect(made(sent)).toEqual([]);
  await userEvent.click(own);
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }));
  expect(own).toBeChecked();
  expect(own).toHaveFocus();
  await waitFor(() =>
    expect(made(sent)).toEqual([{ name: 'updateSiteSettings', variables: { input: { managePermissions: true } } }]),
  );
  // Also while the previous change is pending.
  const counted = screen.getByRole('checkbox', { name: 'Send usage statistics' });
  fireEvent.click(counted);
  expect(counted).not.toBeChecked();
  await waitFor(() =>
    expect(made(sent).at(-1)).toEqual({ name: 'updateSiteSettings', variables: { input: { analytics: false } } }),
  );
  server.refuses = true;
  const view = screen.getByRole('checkbox', { name: /^Show checklists only to people/ });
  await userEvent.click(view);
  expect(await screen.findByRole('alertdialog')).toHaveAccessibleName(/can no longer see checklists/);
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(issue.flags).toEqual([{ title: failures.unknown, type: 'error' }]));
  await waitFor(() => expect(view).not.toBeChecked());
});

test('a template for the first steps is chosen, and cleared', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getSiteSettings: () => ({ siteSettings: { ...site, gettingStartedTemplateId: 'gone' } }),
    updateSiteSettings: ({ input }) => ({
      updateSiteSettings: { settings: { ...site, ...(input as object) }, errors: [] },
    }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  const first = await screen.findByRole('combobox', { name: 'Try a checklist with' });
  // A template that was deleted meanwhile counts as none.
  expect(first).toHaveDisplayValue('The demo checklist');
  await userEvent.selectOptions(first, 'First day');
  await waitFor(() => expect(first).toHaveDisplayValue('First day'));
  await userEvent.selectOptions(first, 'The demo checklist');
  await waitFor(() =>
    expect(made(sent).map(({ variables }) => variables.input)).toEqual([
      { gettingStartedTemplateId: 'first' },
      { gettingStartedTemplateId: null },
    ]),
  );
});

test('another field can be chosen for the text', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getSiteSettings: () => ({ siteSettings: site }),
    updateSiteSettings: ({ input }) => ({
      updateSiteSettings: { settings: { ...site, ...(input as object) }, errors: [] },
    }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Copy checklists as text to' }), 'Notes');
  const input = { textField: 'CHOSEN', textFieldId: 'f1' };
  await waitFor(() => expect(made(sent)).toEqual([{ name: 'updateSiteSettings', variables: { input } }]));
});

test("deleting all data requires the site's address", async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getSiteSettings: () => ({ siteSettings: site }),
    removeSiteData: ({ confirm }) => ({
      removeSiteData:
        confirm === 'https://site.example'
          ? { removed: true, errors: [] }
          : { removed: false, errors: refusal('UNCONFIRMED', 'confirm', messages.unconfirmed) },
    }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove all data…' }));
  const address = screen.getByRole('textbox', { name: 'Type the site’s address to confirm' });
  await userEvent.type(address, 'elsewhere{Enter}');
  expect(await screen.findByText(messages.unconfirmed)).toBeVisible();
  await userEvent.clear(address);
  await userEvent.type(address, 'https://site.example{Enter}');
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Remove all data' })).toBeNull());
  expect(made(sent)).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Remove all data…' })).toHaveFocus();
});

test('a person is erased by account id, and a refusal says what to enter', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getSiteSettings: () => ({ siteSettings: site }),
    erasePerson: ({ accountId }) => ({
      erasePerson:
        accountId === 'ann'
          ? { checklists: 2, errors: [] }
          : { checklists: null, errors: refusal('NOT_FOUND', 'accountId', messages.noAccount) },
    }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Erase a person…' }));
  const account = screen.getByRole('textbox', { name: 'Atlassian account ID' });
  await userEvent.type(account, '-{Enter}');
  // Once: a flag with the same words would cover the form in a narrow window.
  expect(await screen.findAllByText(messages.noAccount)).toHaveLength(1);
  expect(issue.flags).toEqual([]);
  await userEvent.clear(account);
  await userEvent.type(account, 'ann{Enter}');
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Erase a person' })).toBeNull());
  expect(made(sent)).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Erase a person…' })).toHaveFocus();
});

/** The settings of a project without a portal. */
const project = { showInCenter: false, portal: 'OFF', portalModes: ['OFF', 'SECTIONS'], service: false };

test('a service project says what its customers see', async () => {
  const issue = fakeIssue('');
  const before = { ...project, service: true, portal: 'ALL', portalModes: ['ALL', 'OFF', 'SECTIONS'] };
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getProjectSettings: () => ({ projectSettings: before }),
    updateProjectSettings: () => ({
      updateProjectSettings: { settings: { ...before, portal: 'SECTIONS' }, errors: [] },
    }),
    getHolders: () => ({ permissionHolders: [] }),
  });
  await show(issue, <ProjectSettingsScreen />, { canManageTemplates: true }, { projectId: '10' });
  const field = await screen.findByRole('combobox', { name: 'Customers see' });
  expect(field).toHaveAccessibleDescription(/every item .* can see its whole checklist/);
  expect(field).toHaveAccessibleDescription(/Kept from before this choice existed/);
  await userEvent.selectOptions(field, 'Sections visible to customers');
  expect(field).toHaveAccessibleDescription(/Customers see sections with !customers/);
  expect(field).not.toHaveAccessibleDescription(/Kept from before/);
  const input = { projectId: '10', portal: 'SECTIONS' };
  await waitFor(() => expect(made(sent)).toEqual([{ name: 'updateProjectSettings', variables: { input } }]));
});

test('a project without a portal says nothing of customers, and a new site offers no whole checklists', async () => {
  const issue = fakeIssue('');
  let settings = project;
  answer(issue, {
    getStatuses: () => ({ statuses }),
    getProjectSettings: () => ({ projectSettings: settings }),
    getHolders: () => ({ permissionHolders: [] }),
  });
  const open = () => show(issue, <ProjectSettingsScreen />, { canManageTemplates: true }, { projectId: '10' });
  const first = await open();
  await screen.findByRole('checkbox', { name: /^Show checklists below/ });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Customer portal' })).toBeNull());
  first.unmount();
  settings = { ...project, service: true };
  await open();
  const field = await screen.findByRole('combobox', { name: 'Customers see' });
  expect([...field.querySelectorAll('option')].map(option => option.textContent)).toEqual([
    'Nothing',
    'Sections visible to customers',
  ]);
});

test('until the settings are known, nothing is said of customers', async () => {
  const issue = fakeIssue('');
  let finish = () => {};
  const known = new Promise<void>(resolve => {
    finish = resolve;
  });
  answer(issue, { getProjectSettings: () => ({ projectSettings: { ...project, service: true } }) });
  const { backend } = issue.bridge;
  issue.bridge.backend = async (path, init) => {
    await known;
    return backend(path, init);
  };
  await show(issue, <PortalSection projectId="10" />);
  expect(screen.queryByRole('heading')).toBeNull();
  expect(screen.queryByLabelText('Loading')).toBeNull();
  finish();
  expect(await screen.findByRole('heading', { name: 'Customer portal' })).toBeVisible();
});

test('settings that cannot be loaded are tried again from the section on the portal, too', async () => {
  const issue = fakeIssue('');
  answer(issue, { getProjectSettings: () => ({ projectSettings: { ...project, service: true } }) });
  const { backend } = issue.bridge;
  const server: { isAway: boolean } = { isAway: true };
  issue.bridge.backend = async (path, init) => {
    if (server.isAway) throw new Error('away');
    return backend(path, init);
  };
  await show(issue, <PortalSection projectId="10" />);
  const again = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByRole('heading', { name: 'Customer portal' })).toBeVisible();
  server.isAway = false;
  await userEvent.click(again);
  expect(await screen.findByRole('combobox', { name: 'Customers see' })).toHaveValue('OFF');
});

test("a project shows its permissions and the panel's position", async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses }),
    getTemplateNames: () => ({ templates: { templates: names, total: names.length } }),
    getProjectSettings: () => ({ projectSettings: { ...project, showInCenter: false } }),
    updateProjectSettings: () => ({
      updateProjectSettings: { settings: { ...project, showInCenter: true }, errors: [] },
    }),
    getHolders: () => ({
      permissionHolders: [
        { permission: permissionKey(addonPermissions.manage), known: true, accounts: ['bo'], more: true },
        { permission: permissionKey(addonPermissions.view), known: true, accounts: [], more: false },
        { permission: permissionKey(addonPermissions.addItems), known: false, accounts: [], more: false },
      ],
    }),
  });
  await show(issue, <ProjectSettingsScreen />, { canManageTemplates: true }, { projectId: '10' });
  expect(await screen.findByText('Person bo and more')).toBeVisible();
  expect(screen.getByText('No one')).toBeVisible();
  expect(screen.getByText('Unknown: Jira denied the search')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: /^Show checklists below/ }));
  const input = { projectId: '10', showInCenter: true };
  await waitFor(() => expect(made(sent)).toEqual([{ name: 'updateProjectSettings', variables: { input } }]));
});

test("a new position of the panel offers to reload the tracker's page, unless it is refused", async () => {
  const issue = fakeIssue('');
  const reload = vi.spyOn(issue.bridge, 'reload').mockReturnValue();
  answer(issue, {
    getStatuses: () => ({ statuses }),
    getProjectSettings: () => ({ projectSettings: { ...project, showInCenter: false } }),
    updateProjectSettings: () => ({
      updateProjectSettings: { settings: { ...project, showInCenter: true }, errors: [] },
    }),
    getHolders: () => ({ permissionHolders: [] }),
  });
  const open = () => show(issue, <ProjectSettingsScreen />, { canManageTemplates: true }, { projectId: '10' });
  const first = await open();
  const below = { name: /^Show checklists below/ };
  const position = await screen.findByRole('checkbox', below);
  expect(screen.queryByRole('button', { name: 'Reload page' })).toBeNull();
  await userEvent.click(position);
  expect(await screen.findByText(messages.moved)).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Reload page' }));
  expect(reload).toHaveBeenCalledOnce();
  first.unmount();

  issue.bridge.extension = () => Promise.resolve('app/');
  await open();
  await userEvent.click(await screen.findByRole('checkbox', below));
  expect(await screen.findByText(messages.pinRefused)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Reload page' })).toBeNull();
});

test('a panel that the tracker failed to move is said with Retry', async () => {
  const issue = fakeIssue('');
  const tracker: { status: number } = { status: 500 };
  issue.bridge.extension = () => Promise.resolve('app/');
  issue.bridge.request = () => Promise.resolve({ status: tracker.status, text: '{}' });
  answer(issue, {
    getProjectSettings: () => ({ projectSettings: project }),
    updateProjectSettings: () => ({
      updateProjectSettings: { settings: { ...project, showInCenter: true }, errors: [] },
    }),
  });
  await show(issue, <CenterSection projectId="10" />, { canManageTemplates: true, isAdmin: true });
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Show checklists below/ }));
  expect(await screen.findByText(messages.pinFailed)).toBeVisible();
  expect(screen.queryByText(messages.pinRefused)).toBeNull();
  tracker.status = 202;
  await userEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(await screen.findByText(messages.moved)).toBeVisible();
  expect(screen.queryByText(messages.pinFailed)).toBeNull();
});
