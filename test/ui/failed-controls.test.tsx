import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { failures, managing } from '../../src/domain/messages.ts';
import { builtInStatuses } from '../../src/domain/statuses.ts';
import { useTemplateChanges } from '../../src/ui/model/templates/use-templates.ts';
import AutomationScreen from '../../src/ui/screens/automation/automation-screen.tsx';
import NotificationsScreen from '../../src/ui/screens/notifications/notifications-screen.tsx';
import { CenterSection, PortalSection } from '../../src/ui/screens/settings/project/project-settings.tsx';
import {
  AnalyticsSection,
  FirstSection,
  StartersSection,
  TextFieldSection,
} from '../../src/ui/screens/settings/site/site-settings.tsx';
import { StatusesSection } from '../../src/ui/screens/settings/statuses/statuses-section.tsx';
import { StoredDataSection } from '../../src/ui/screens/settings/stored/stored-data.tsx';
import { TemplateFiles } from '../../src/ui/screens/templates/manager/template-files.tsx';
import RulesScreen from '../../src/ui/screens/templates/rules/rules-screen.tsx';
import { fakeIssue, show } from './issue.tsx';
import { type Answers, answer } from './screens/templates/server.ts';

/** Controls without a form: a failure is said beside them, in the app's words, until their next use. */

const project = { projectId: '10', projectKey: 'ABC' };
const status = (slug: string, values: object = {}) => ({
  ...{ slug, name: slug, color: 'blue', checked: false, former: [], projectId: null, builtIn: false, going: false },
  ...values,
});
const site = {
  ...{ managePermissions: false, viewPermissions: false, analytics: true, gettingStartedTemplateId: null },
  ...{ starterTemplates: true, textField: 'OWN', textFieldId: null, fields: [{ id: 'f', name: 'Notes', own: false }] },
};
const hook = {
  ...{ id: 'w', name: 'Build', direction: 'OUTGOING', url: 'https://receiver.example/', address: null, projectIds: [] },
  ...{ events: ['checklist.completed'], actions: [], withText: false, automated: false, hasToken: false },
  ...{ hasSecret: true, enabled: true, stopped: null },
};
const rule = (id: string, templateName: string) => ({
  ...{ id, templateId: `t${id}`, templateName, projectIds: ['10'], issueTypeIds: [], moment: 'CREATED' },
  ...{ statusIds: [], fieldId: null, enabled: true },
});
const reads: Answers = {
  getStatusJobs: () => ({ jobs: [] }),
  getNotifications: () => ({ notificationSettings: { mode: 'OFF', muted: false } }),
  getStatuses: () => ({
    statuses: [...builtInStatuses.map(each => status(each.slug, { ...each, builtIn: true })), status('b'), status('c')],
  }),
  getSiteSettings: () => ({ siteSettings: site }),
  getProjectSettings: () => ({
    projectSettings: { showInCenter: false, portal: 'OFF', portalModes: ['OFF', 'SECTIONS'], service: true },
  }),
  getHolders: () => ({ permissionHolders: [] }),
  getTemplateNames: () => ({ templates: { templates: [{ id: 't1', name: 'Release' }], total: 1 } }),
  getStoredData: () => ({ storedData: { refused: [], mailedProjects: [] }, jobs: [] }),
  getWebhooks: () => ({ webhooks: [hook] }),
  getAssignments: () => ({ templateAssignments: [rule('1', 'Release'), rule('2', 'Audit')] }),
};

const Center = () => <CenterSection projectId="10" />;
const Portal = () => <PortalSection projectId="10" />;
const Statuses = () => <StatusesSection projectId={undefined} />;

const Files = () => <TemplateFiles changes={useTemplateChanges()} scopes={['project']} projectId="10" />;

const upload = () => userEvent.upload(screen.getByLabelText('Template file'), new File(['{}'], 'templates.json'));
const choose = (value: string) => (control: HTMLElement) => fireEvent.change(control, { target: { value } });
const pressUp = (handle: HTMLElement) => {
  handle.focus();
  fireEvent.keyDown(handle, { key: 'ArrowUp' });
};

test.each<{
  what: string;
  Screen: () => React.ReactNode;
  role: 'radio' | 'checkbox' | 'combobox' | 'button';
  name: string | RegExp;
  use?: (control: HTMLElement) => unknown;
  failing: string;
  said?: string;
}>([
  {
    ...{ what: 'notifications', Screen: NotificationsScreen, role: 'radio', name: 'My items' },
    failing: 'chooseNotifications',
  },
  ...(
    [
      [AnalyticsSection, 'checkbox', 'Send usage statistics'],
      [StartersSection, 'checkbox', 'Offer starter templates'],
      [TextFieldSection, 'combobox', 'Copy checklists as text to', choose('NONE')],
      [FirstSection, 'combobox', 'Try a checklist with', choose('t1')],
    ] as const
  ).map(([Screen, role, name, use]) => ({
    ...{ what: 'site settings', Screen, role, name, failing: 'updateSiteSettings' },
    ...(use && { use }),
  })),
  {
    ...{ what: 'panel position', Screen: Center, role: 'checkbox', name: /^Show checklists below/ },
    failing: 'updateProjectSettings',
  },
  {
    ...{ what: 'portal', Screen: Portal, role: 'combobox', name: 'Customers see' },
    ...{ use: choose('SECTIONS'), failing: 'updateProjectSettings' },
  },
  {
    ...{ what: 'order of statuses', Screen: Statuses, role: 'button', name: /^Move c\b/, use: pressUp },
    ...{ failing: 'reorderStatuses', said: managing.orderStatuses },
  },
  {
    ...{
      what: 'stored data',
      Screen: () => <StoredDataSection projectId={undefined} />,
      role: 'button',
      name: 'Check stored data',
    },
    failing: 'checkStoredData',
  },
  { what: 'a webhook', Screen: AutomationScreen, role: 'checkbox', name: 'On: Build', failing: 'updateWebhook' },
  { what: 'a webhook', Screen: AutomationScreen, role: 'button', name: 'Send test', failing: 'testWebhook' },
  {
    ...{ what: 'a rule', Screen: RulesScreen, role: 'checkbox', name: 'On: Audit' },
    failing: 'updateTemplateAssignment',
  },
  {
    ...{ what: 'a rule', Screen: RulesScreen, role: 'button', name: 'Delete the rule for Audit' },
    failing: 'deleteTemplateAssignment',
  },
  {
    ...{ what: 'order of rules', Screen: RulesScreen, role: 'button', name: /^Move Audit/, use: pressUp },
    ...{ failing: 'moveTemplateAssignment', said: managing.moveAssignment },
  },
  {
    ...{ what: 'templates', Screen: Files, role: 'button', name: 'Export all' },
    ...{ failing: 'exportTemplates', said: managing.getTemplates },
  },
  {
    ...{ what: 'templates', Screen: Files, role: 'button', name: 'Import file…', use: upload },
    ...{ failing: 'importTemplates', said: managing.createTemplate },
  },
])('$what: a failed $name is said beside it until its next use', async row => {
  const { Screen, role, name, use = fireEvent.click, failing, said = failures.unknown } = row;
  const issue = fakeIssue('');
  const server: { answer: () => unknown } = { answer: () => 503 };
  answer(issue, { ...reads, [failing]: () => server.answer() });
  await show(
    issue,
    <Screen />,
    { isAdmin: true, canManageTemplates: true },
    Screen === AutomationScreen ? {} : project,
  );
  const control = await screen.findByRole(role, { name });
  await use(control);
  expect(await screen.findByText(said)).toHaveAttribute('role', 'alert');
  await waitFor(() => expect(issue.flags).toHaveLength(1));
  server.answer = () => new Promise(() => undefined);
  await use(await screen.findByRole(role, { name }));
  await waitFor(() => expect(screen.queryByText(said)).toBeNull());
});
