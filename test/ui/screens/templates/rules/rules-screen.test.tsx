import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { edition } from '../../../../../src/domain/edition.ts';
import { fieldErrors } from '../../../../../src/domain/fields.ts';
import {
  managing,
  rules as messages,
  refusals,
  shell,
  templates,
  unreachable,
} from '../../../../../src/domain/messages.ts';
import RulesScreen from '../../../../../src/ui/screens/templates/rules/rules-screen.tsx';
import { LeaveDialog } from '../../../../../src/ui/shell/navigation/dialogs.tsx';
import { json } from '../../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../../issue.tsx';
import { answer, refusal, type Sent, template } from '../server.ts';

const administrator = { canManageTemplates: true, isAdmin: true };
const project = { projectId: '10', projectKey: 'ABC' };
const rule = (id: string, templateName: string, values: object = {}) => ({
  ...{ id, templateId: `t${id}`, templateName, projectIds: ['10'], issueTypeIds: [], moment: 'CREATED' },
  ...{ statusIds: [], fieldId: null, enabled: true, ...values },
});
const made = (sent: readonly Sent[]) => sent.filter(({ name }) => !/^(get|preview)/.test(name));
const asked = {
  getTemplateNames: () => ({ templates: { templates: [{ id: 't1', name: 'Release' }], total: 1 } }),
  previewAssignment: () => ({
    templateAssignmentPreview: {
      jql: 'project in (10)',
      count: 7,
      issues: [{ id: '1', key: 'ABC-1', summary: 'First' }],
    },
  }),
};

function withWorkflow(issue: FakeIssue): FakeIssue {
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) => {
    if (path.endsWith('/statuses')) return json([{ id: 'bug', name: 'Bug', statuses: [{ id: 's', name: 'Ready' }] }]);
    if (path.endsWith('/issuetype')) {
      return json([
        { id: 'bug', name: 'Bug' },
        { id: 'task', name: 'Task', scope: { type: 'PROJECT', project: { id: '11' } } },
      ]);
    }
    if (path.endsWith('/status')) return json([{ id: 's', name: 'Ready' }]);
    const projects = [
      { id: '10', key: 'ABC', name: 'Web shop' },
      { id: '11', key: 'HELP', name: 'Help desk' },
    ];
    if (path.endsWith('/project/search')) {
      const values = projects.filter(({ name }) => name.toLowerCase().includes(`${init?.query?.query ?? ''}`));
      return json({ values, total: values.length });
    }
    const one = projects.find(({ id }) => path.endsWith(`/project/${id}`));
    if (one) return json(one);
    if (path.endsWith('/field')) return json([{ id: 'f', name: 'Fix version' }]);
    return request(path, init);
  };
  return issue;
}

test('Escape and Cancel ask before the values of a rule are lost', async () => {
  const issue = withWorkflow(fakeIssue(''));
  answer(issue, { ...asked, getAssignments: () => ({ templateAssignments: [] }) });
  const screens = (
    <>
      <RulesScreen />
      <LeaveDialog />
    </>
  );
  await show(issue, screens, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByText(shell.unsaved)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'New rule' }));
  const template = screen.getByRole('combobox', { name: 'Apply the template' });
  await userEvent.selectOptions(template, 'Release');
  for (const leaving of ['{Escape}', undefined]) {
    if (leaving) {
      template.focus();
      await userEvent.keyboard(leaving);
    } else await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
    await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
    expect(template).toHaveDisplayValue('Release');
  }
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(screen.queryByRole('form', { name: 'New rule' })).toBeNull();
});

test('a rule is created from a template, an event and issue types, and describes its issues', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const rules: object[] = [];
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: rules }),
    createTemplateAssignment: () => {
      rules.push(rule('1', 'Release', { moment: 'MOVED', statusIds: ['s'], issueTypeIds: ['bug'] }));
      return { createTemplateAssignment: { assignments: rules, errors: [] } };
    },
  });
  await show(issue, <RulesScreen />, administrator, project);
  expect(await screen.findByText('No template is applied automatically yet.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'New rule' }));
  await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
  expect(screen.getByText(fieldErrors.REQUIRED)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Apply the template' }), 'Release');
  expect(
    await screen.findByText(
      "Only issues created after you save the rule get the template. About 7 issues match now and don't get it:",
    ),
  ).toBeVisible();
  const all = screen.getByRole('link', { name: 'Show all in the issue list' });
  expect(all).toHaveAttribute('href', expect.stringMatching(/\/issues\/\?jql=project\+in\+%2810%29$/));
  const moment = screen.getByRole('combobox', { name: 'When an issue' });
  await userEvent.selectOptions(moment, 'has a field changed');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Which field' }), 'Fix version');
  expect(
    await screen.findByText(
      'An issue gets the template once, when Fix version changes after you save the rule. About 7 issues can get it:',
    ),
  ).toBeVisible();
  await userEvent.selectOptions(moment, 'moves to a status');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ready' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Bug' }));
  expect(
    await screen.findByText(
      'An issue gets the template once, when it moves to Ready after you save the rule. Issues in Ready now get it only if they leave it and come back. About 7 issues can get it:',
    ),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
  expect(await screen.findByText('when a Bug moves to Ready')).toBeVisible();
  const values = { templateId: 't1', projectIds: ['10'], issueTypeIds: ['bug'], moment: 'MOVED', statusIds: ['s'] };
  expect(made(sent)).toEqual([
    { name: 'createTemplateAssignment', variables: { input: { ...values, fieldId: null } } },
  ]);
  expect(screen.getByRole('button', { name: 'New rule' })).toHaveFocus();
});

test('a trigger without its status or field counts no issues; fields that no user changes are not offered', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const { request } = issue.bridge;
  const own = (key: string) => `ari:cloud:ecosystem::extension/app/environment/static/${key}`;
  issue.bridge.request = async (path, init) =>
    path.endsWith('/field')
      ? json([
          { id: 'created', key: 'created', name: 'Created' },
          { id: 'creator', key: 'creator', name: 'Creator' },
          { id: 'customfield_1', key: own('checklist-progress'), name: 'Checklist progress' },
          { id: 'customfield_2', key: `${edition.key}__checklist-text`, name: 'Checklist text' },
          { id: 'customfield_3', key: 'customfield_3', name: 'Fix version' },
          { id: 'subtasks', key: 'subtasks', name: 'Sub-tasks' },
        ])
      : request(path, init);
  const fields = { moment: 'FIELD_CHANGED', fieldId: 'creator' };
  answer(issue, { ...asked, getAssignments: () => ({ templateAssignments: [rule('1', 'Release', fields)] }) });
  await show(issue, <RulesScreen />, administrator, project);
  expect(await screen.findByText('when an issue has Creator changed')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'New rule' }));
  await screen.findByText(/About 7 issues match now/);
  const moment = screen.getByRole('combobox', { name: 'When an issue' });
  await userEvent.selectOptions(moment, 'has a field changed');
  const field = screen.getByRole('combobox', { name: 'Which field' });
  const offered = within(field).getAllByRole('option');
  expect(offered.map(({ textContent }) => textContent)).toEqual(['Choose a field', 'Fix version']);
  expect(screen.queryByText(/About 7 issues/)).toBeNull();
  await userEvent.selectOptions(field, 'Fix version');
  expect(await screen.findByText(/About 7 issues can get it/)).toBeVisible();
  await userEvent.selectOptions(moment, 'moves to a status');
  expect(screen.queryByText(/About 7 issues/)).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ready' }));
  expect(await screen.findByText(/About 7 issues can get it/)).toBeVisible();
});

test('rules are moved by keys, turned off and deleted; a refused change is reverted', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const rules = [rule('1', 'Release'), rule('2', 'Audit')];
  let answerNow = (): void => undefined;
  const gate = new Promise<void>(resolve => {
    answerNow = resolve;
  });
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: rules }),
    moveTemplateAssignment: async () => {
      await gate;
      return {
        moveTemplateAssignment: { assignments: null, errors: refusal('NOT_FOUND', 'id', managing.moveAssignment) },
      };
    },
    updateTemplateAssignment: () => ({ updateTemplateAssignment: { assignments: rules, errors: [] } }),
    deleteTemplateAssignment: () => {
      rules.shift();
      return { deleteTemplateAssignment: { assignments: rules, errors: [] } };
    },
  });
  await show(issue, <RulesScreen />, administrator, project);
  const names = () =>
    within(screen.getByRole('list', { name: /^Rules/ }))
      .getAllByRole('listitem')
      .map(item => item.querySelector('strong')?.textContent);
  (await screen.findByRole('button', { name: /^Move Audit/ })).focus();
  await userEvent.keyboard('{ArrowUp}');
  expect(names()).toEqual(['Audit', 'Release']);
  answerNow();
  await waitFor(() => expect(issue.flags).toEqual([{ title: managing.moveAssignment, type: 'error' }]));
  await waitFor(() => expect(names()).toEqual(['Release', 'Audit']));
  const [on] = screen.getAllByRole('checkbox', { name: 'On: Release' });
  if (!on) throw new Error('No switch.');
  fireEvent.click(on);
  expect(on).not.toBeChecked();
  await userEvent.click(screen.getByRole('button', { name: 'Delete the rule for Release' }));
  await waitFor(() => expect(names()).toEqual(['Audit']));
  expect(made(sent)).toEqual([
    { name: 'moveTemplateAssignment', variables: { input: { id: '2', before: '1' } } },
    { name: 'updateTemplateAssignment', variables: { input: { id: '1', enabled: false } } },
    { name: 'deleteTemplateAssignment', variables: { id: '1' } },
  ]);
});

test("a project administrator sees the site's rules, but cannot change them", async () => {
  const issue = withWorkflow(fakeIssue(''));
  answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: [rule('1', 'Release', { projectIds: [] })] }),
  });
  await show(issue, <RulesScreen />, { canManageTemplates: true }, project);
  expect(await screen.findByText('when an issue of any project is created')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'On: Release' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
});

test("on the site's screen, rules name their projects, and are created for some of them", async () => {
  const issue = withWorkflow(fakeIssue(''));
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: [rule('1', 'Release', { projectIds: ['10', '11'] })] }),
    createTemplateAssignment: () => ({ createTemplateAssignment: { assignments: [], errors: [] } }),
  });
  await show(issue, <RulesScreen />, administrator, { surface: 'admin' });
  expect(await screen.findByText('when an issue of Web shop or Help desk is created')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'New rule' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Apply the template' }), 'Release');
  // Values of a single project are chosen along with that project.
  expect(screen.queryByRole('checkbox', { name: 'Task' })).toBeNull();
  const projects = screen.getByRole('combobox', { name: 'Add a project' });
  await userEvent.type(projects, 'nowhere');
  expect(await screen.findByText('No project matches “nowhere”.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(projects).toHaveValue('');
  expect(screen.getByRole('form', { name: 'New rule' })).toBeVisible();
  await userEvent.type(projects, 'help');
  await waitFor(() => expect(screen.getAllByRole('option', { name: /(HELP|ABC)/ })).toHaveLength(1));
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Remove Help desk' })).toBeVisible();
  expect(projects).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Task' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When an issue' }), 'moves to a status');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ready' }));
  await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(made(sent)).toHaveLength(1));
  expect(made(sent)[0]?.variables).toMatchObject({
    input: { templateId: 't1', projectIds: ['11'], issueTypeIds: ['task'], moment: 'MOVED', statusIds: ['s'] },
  });
});

test('a rule shows names, and a placeholder for missing objects', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const site = rule('1', 'Release', {
    ...{ projectIds: [], issueTypeIds: ['bug', '10009', '10010'], moment: 'MOVED', statusIds: ['s', '10003'] },
  });
  answer(issue, { ...asked, getAssignments: () => ({ templateAssignments: [site] }) });
  await show(issue, <RulesScreen />, administrator, project);
  const words = 'when a Bug or issue of another type of any project moves to Ready or another status';
  expect(await screen.findByText(words)).toBeVisible();
});

const lost = {
  ...{ id: 't1', projectId: '10', name: 'Release', itemCount: 2, deleted: '2026-11-01T10:00:00.000Z' },
  restorableUntil: '2026-12-01T10:00:00.000Z',
};

test('a rule names its deleted template, which the form restores', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const server: { isDeleted: boolean } = { isDeleted: true };
  const release = { id: 't1', name: 'Release' };
  const audit = { id: 't2', name: 'Audit' };
  const sent = answer(issue, {
    ...asked,
    getTemplateNames: () => {
      const names = server.isDeleted ? [audit] : [audit, release];
      return { templates: { templates: names, total: names.length } };
    },
    getDeletedTemplates: () => ({ deletedTemplates: server.isDeleted ? [lost] : [] }),
    getAssignments: () => ({
      templateAssignments: [rule('1', 'Release', server.isDeleted ? { templateName: null } : {})],
    }),
    restoreTemplate: () => {
      server.isDeleted = false;
      return { restoreTemplate: { template: template('t1', 'Release'), errors: [] } };
    },
    updateTemplateAssignment: () => ({ updateTemplateAssignment: { assignments: [], errors: [] } }),
  });
  await show(issue, <RulesScreen />, administrator, project);
  const edit = await screen.findByRole('button', { name: 'Edit the rule for Release' });
  const line = within(screen.getByRole('list', { name: /^Rules/ })).getByRole('listitem');
  expect(line).toHaveTextContent('Release (deleted template) when an issue is created');
  await userEvent.click(edit);
  const chosen = await screen.findByRole('combobox', { name: 'Apply the template' });
  const words = 'The template “Release” was deleted. Restore it, or choose another one.';
  const said = () => screen.queryByText((_, element) => element?.tagName === 'P' && element.textContent === words);
  expect(said()).toBeVisible();
  await userEvent.selectOptions(chosen, 'Audit');
  expect(said()).toBeNull();
  await userEvent.selectOptions(chosen, 'Choose a template');
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(chosen).toHaveDisplayValue('Release'));
  expect(chosen).toHaveFocus();
  expect(said()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }));
  await waitFor(() => expect(made(sent).map(({ name }) => name)).toContain('updateTemplateAssignment'));
  expect(made(sent)[0]).toEqual({ name: 'restoreTemplate', variables: { id: 't1' } });
  expect(made(sent)[1]?.variables).toMatchObject({ input: { id: '1', templateId: 't1' } });
});

test('a rule says that its template was deleted when the name is no longer known', async () => {
  const issue = withWorkflow(fakeIssue(''));
  answer(issue, {
    ...asked,
    getDeletedTemplates: () => ({ deletedTemplates: [] }),
    getAssignments: () => ({ templateAssignments: [rule('9', 'Release', { templateName: null })] }),
  });
  await show(issue, <RulesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit the rule for a deleted template' }));
  expect(await screen.findByText(messages.templateDeleted)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue(''), <RulesScreen />, {}, project);
  expect(await screen.findByText(refusals.projectAdmin)).toBeVisible();
});

test('the input for a rule that another user deletes meanwhile can be saved as a new rule', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const rules = [rule('1', 'Release')];
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: rules }),
    updateTemplateAssignment: () => {
      rules.pop();
      const errors = refusal('NOT_FOUND', 'id', 'This rule no longer exists.');
      return { updateTemplateAssignment: { assignments: null, errors } };
    },
    createTemplateAssignment: () => ({ createTemplateAssignment: { assignments: rules, errors: [] } }),
  });
  await show(issue, <RulesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit the rule for Release' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When an issue' }), 'moves to a status');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Ready' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(await screen.findByText(/Someone else has deleted/)).toHaveTextContent('“Release”');
  expect(screen.getByRole('checkbox', { name: 'Ready' })).toBeChecked();
  await userEvent.click(screen.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(made(sent)).toHaveLength(2));
  expect(made(sent).at(-1)).toMatchObject({
    name: 'createTemplateAssignment',
    variables: { input: { templateId: 't1', moment: 'MOVED', statusIds: ['s'] } },
  });
});

test("unchanged values of a rule keep another user's changes", async () => {
  const issue = withWorkflow(fakeIssue(''));
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: [rule('1', 'Release')] }),
    updateTemplateAssignment: () => ({ updateTemplateAssignment: { assignments: [], errors: [] } }),
  });
  await show(issue, <RulesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit the rule for Release' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Bug' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }));
  await waitFor(() => expect(made(sent)).toHaveLength(1));
  expect(made(sent)[0]?.variables).toEqual({ input: { id: '1', issueTypeIds: ['bug'] } });
});

test('one submission creates one rule, even if it is sent several times', async () => {
  const issue = withWorkflow(fakeIssue(''));
  const sent = answer(issue, {
    ...asked,
    getAssignments: () => ({ templateAssignments: [] }),
    createTemplateAssignment: () => new Promise(() => undefined),
  });
  await show(issue, <RulesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Apply the template' }), 'Release');
  const form = screen.getByRole('form', { name: 'New rule' });
  fireEvent.submit(form);
  await waitFor(() => expect(made(sent)).toHaveLength(1));
  fireEvent.submit(form);
  await screen.findByText(/About 7 issues/);
  expect(made(sent)).toHaveLength(1);
});

test.each([429, 500])('a tracker that answers %i is said with Retry, and nothing is made up of it', async status => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const issue = withWorkflow(fakeIssue(''));
  const { request } = issue.bridge;
  const tracker: { isFailing: boolean } = { isFailing: true };
  issue.bridge.request = (path, init) =>
    tracker.isFailing && path.endsWith('/statuses') ? Promise.resolve(json({}, status)) : request(path, init);
  const moved = rule('1', 'Release', { moment: 'MOVED', statusIds: ['s'], issueTypeIds: ['bug'] });
  answer(issue, { ...asked, getAssignments: () => ({ templateAssignments: [moved] }) });
  await show(issue, <RulesScreen />, { ...administrator, isAdmin: false }, project);
  expect(await screen.findByText('when a … moves to …')).toBeVisible();
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: 'Edit the rule for Release' }));
  await vi.advanceTimersByTimeAsync(4_000);
  const alert = await screen.findByRole('heading', { name: templates.workflowNotLoaded });
  expect(alert.parentElement).toHaveTextContent(`${unreachable.tracker} ${unreachable.retrying}`);
  expect(screen.queryByRole('group', { name: 'Which status' })).toBeNull();
  tracker.isFailing = false;
  fireEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(await screen.findByRole('checkbox', { name: 'Ready' })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'Bug' })).toBeChecked();
});
