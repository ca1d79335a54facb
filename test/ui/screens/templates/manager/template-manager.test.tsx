import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import {
  deletion,
  limitReached,
  managing,
  templates as messages,
  refusals,
  shell,
  successes,
} from '../../../../../src/domain/messages.ts';
import TemplatesScreen from '../../../../../src/ui/screens/templates/templates-screen.tsx';
import { LeaveDialog } from '../../../../../src/ui/shell/navigation/dialogs.tsx';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer, page, refusal, type Sent, template } from '../server.ts';

afterEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

const administrator = { canImportTemplate: true, canManageTemplates: true, isAdmin: true };
const project = { projectId: '10', projectKey: 'ABC' };
const rule = {
  ...{ id: 'r1', templateId: '1', templateName: 'Release', projectIds: ['10'], issueTypeIds: [] },
  ...{ moment: 'CREATED', statusIds: [], fieldId: null, enabled: true },
};
const two = [template('1', 'Release'), template('2', 'Onboarding', { projectId: null, itemCount: 1 })];
const made = (sent: readonly Sent[]) => sent.filter(({ name }) => name !== 'getTemplates');
const names = async () =>
  within(await screen.findByRole('list', { name: 'Templates' }))
    .getAllByRole('listitem')
    .map(item => item.querySelector('.templates-name')?.textContent);

async function choose(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${of}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

test("a list shows each template's scope and length; the server searches and sorts", async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: ({ search }) => page(two.filter(({ name }) => name.includes(String(search ?? '')))),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  expect(await names()).toEqual(['Release', 'Onboarding']);
  expect(screen.getByText('1 item')).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'Rel');
  await waitFor(async () => expect(await names()).toEqual(['Release']));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Most items first');
  await waitFor(() =>
    expect(sent.at(-1)?.variables).toMatchObject({ projectId: '10', search: 'Rel', sort: 'ITEMS', descending: true }),
  );
});

test("a list shows each template's last change, in time relative to now", async () => {
  const ago = (hours: number) => ({ updated: new Date(Date.now() - hours * 3_600_000).toISOString() });
  const issue = fakeIssue('');
  const templates = [
    template('1', 'New', ago(0)),
    template('2', 'Fresh', ago(3.5)),
    template('3', 'Recent', ago(36)),
    template('4', 'Old', ago(60)),
  ];
  answer(issue, { getTemplates: () => page(templates) });
  await show(issue, <TemplatesScreen />, administrator, project);
  expect(
    within(await screen.findByRole('list', { name: 'Templates' }))
      .getAllByText(/^Last changed/)
      .map(words => words.textContent),
  ).toEqual(['now', '3 hours ago', 'yesterday', '2 days ago'].map(time => `Last changed ${time}`));
});

test('full scopes show their limits, and the limit of templates in general once no scope has room', async () => {
  const full = { count: 5, most: 5 };
  let rooms: object = { projectRoom: full };
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page(two, rooms) });
  const { unmount } = await show(issue, <TemplatesScreen />, administrator, project);
  expect(await screen.findByText(limitReached.projectTemplates)).toBeVisible();
  expect(screen.queryByText(limitReached.globalTemplates)).toBeNull();
  unmount();
  rooms = { projectRoom: full, globalRoom: full };
  await show(issue, <TemplatesScreen />, administrator, project);
  expect(await screen.findByText(limitReached.templates)).toBeVisible();
  expect(screen.queryByText(limitReached.projectTemplates)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'New template' }));
  const form = await screen.findByRole('form', { name: 'New template' });
  expect(within(form).getByText(limitReached.templates)).toBeVisible();
});

test('a new template begins as a starter template', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    createTemplateFromText: () => ({ createTemplateFromText: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New template' }));
  const starters = await screen.findByRole('button', { name: 'Use a starter template' });
  await userEvent.click(starters);
  await userEvent.keyboard('{Escape}');
  expect(starters).toHaveFocus();
  await userEvent.click(starters);
  await userEvent.type(screen.getByRole('combobox', { name: 'Find a template' }), 'bug');
  await userEvent.click(await screen.findByRole('option', { name: /^Bug/ }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Bug'));
  expect(screen.queryByRole('button', { name: 'Use a starter template' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Create template' }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toContain('createTemplateFromText'));
  // The focus goes on in the name of the new template.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Release' })).toHaveFocus());
  const { variables } = sent.find(({ name }) => name === 'createTemplateFromText') ?? {};
  expect(variables?.input).toMatchObject({ name: 'Bug', text: expect.stringContaining('Root cause is found') });
});

test('a list pasted into a new template names its notation and what it lost, and is read in another one', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    createTemplateFromText: () => ({ createTemplateFromText: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New template' }));
  const form = within(await screen.findByRole('form', { name: 'New template' }));
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Release');
  await userEvent.click(form.getByRole('textbox', { name: 'Template text' }));
  const pasted = '* (/) see !plan.png!\n* order {{food}}';
  fireEvent.paste(form.getByRole('textbox', { name: 'Template text' }), {
    clipboardData: {
      types: ['text/plain'],
      files: [],
      getData: (kind: string) => (kind === 'text/plain' ? pasted : ''),
    },
  });
  expect(await form.findByText('Pasted as Wiki.')).toBeVisible();
  expect(form.getByText("An image isn't kept. “plan.png”")).toBeVisible();
  const others = within(form.getByRole('group', { name: 'Read as:' }));
  await userEvent.click(others.getByRole('button', { name: 'Text' }));
  await userEvent.click(form.getByRole('button', { name: 'Create template' }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toContain('createTemplateFromText'));
  const { variables } = sent.find(({ name }) => name === 'createTemplateFromText') ?? {};
  expect(variables?.input).toMatchObject({ text: '- (/) see !plan.png!\n- order {{food}}' });
});

test('a deleted template is restored', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    getTemplateUsage: () => ({ templateUsage: { issueCount: 0, rules: [] } }),
    deleteTemplate: () => ({ deleteTemplate: { template: two[0], errors: [] } }),
    restoreTemplate: () => ({ restoreTemplate: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', 'Delete');
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(made(sent)).toEqual([
    { name: 'getTemplateUsage', variables: { id: '1', projectId: '10' } },
    { name: 'deleteTemplate', variables: { id: '1' } },
    { name: 'restoreTemplate', variables: { id: '1' } },
  ]);
  expect(issue.flags).toEqual([{ title: successes.deleteTemplate, type: 'success' }]);
});

test('deleting a template that issues and rules use says what becomes of them first', async () => {
  const issue = fakeIssue('');
  const used = { issueCount: 1200, rules: [rule, { ...rule, id: 'r2' }] };
  const sent = answer(issue, {
    getTemplates: () => page([template('1', 'Release', { isDefault: true })]),
    getTemplateUsage: () => ({ templateUsage: used }),
    deleteTemplate: () => ({ deleteTemplate: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', 'Delete');
  const question = await screen.findByRole('alertdialog');
  expect(question).toHaveAccessibleName(
    'Delete “Release”? 1,200 issues use it. Existing checklists stay as they are. 2 rules add it and do nothing until you restore it or choose another template there. It is no longer the default template. You can restore it for 30 days.',
  );
  expect(question).toHaveFocus();
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Actions for Release' })).toHaveFocus();
  expect(sent.map(({ name }) => name)).not.toContain('deleteTemplate');
  await choose('Release', 'Delete');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete template' }));
  expect(await screen.findByRole('button', { name: 'Undo' })).toHaveFocus();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('deleted templates are listed with the end of their time, and restored', async () => {
  const issue = fakeIssue('');
  const entry = (id: string, name: string, projectId: string | null) => ({
    ...{ id, name, projectId, itemCount: 3 },
    deleted: new Date(Date.now() - 49 * 3_600_000).toISOString(),
    restorableUntil: '2026-12-28T10:00:00.000Z',
  });
  let left = [entry('7', 'Audit', '10'), entry('8', 'Handover', null)];
  const sent = answer(issue, {
    getTemplates: () => page(two),
    getDeletedTemplates: () => ({ deletedTemplates: left }),
    restoreTemplate: ({ id }) => {
      if (id === '7')
        return { restoreTemplate: { template: null, errors: refusal('NOT_UNIQUE', 'name', 'This is already taken.') } };
      left = left.filter(each => each.id !== id);
      return { restoreTemplate: { template: two[1], errors: [] } };
    },
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  const toggle = await screen.findByRole('button', { name: 'Deleted templates' });
  // A manager that is only viewed asks nothing more.
  expect(sent.map(({ name }) => name)).not.toContain('getDeletedTemplates');
  await userEvent.click(toggle);
  const [audit, handover] = within(await screen.findByRole('list', { name: 'Deleted templates' })).getAllByRole(
    'listitem',
  );
  expect(audit).toHaveTextContent('AuditProject3 itemsDeleted 2 days agoKept until 28 December');
  expect(handover).toHaveTextContent('HandoverWhole site');
  await userEvent.click(screen.getByRole('button', { name: 'Restore Audit' }));
  expect(await screen.findByText(deletion.nameTaken('Audit'))).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Restore Handover' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Restore Handover' })).toBeNull());
  expect(toggle).toHaveFocus();
  expect(screen.getByText(/is restored/)).toHaveTextContent('“Handover” is restored.');
});

test('a template becomes a site template after a warning', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    updateTemplate: () => ({ updateTemplate: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', 'Make site template…');
  expect(await screen.findByRole('alertdialog')).toHaveTextContent('Everyone on this site can see');
  await userEvent.click(screen.getByRole('button', { name: 'Make site template' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(made(sent)).toEqual([{ name: 'updateTemplate', variables: { input: { id: '1', projectId: null } } }]);
});

test('a template is duplicated, and another is made the default', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    duplicateTemplate: () => ({ duplicateTemplate: { template: two[0], errors: [] } }),
    setDefaultTemplate: () => ({ setDefaultTemplate: { template: two[1], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', 'Duplicate');
  await choose('Onboarding', 'Set as default');
  await waitFor(() =>
    expect(made(sent)).toEqual([
      { name: 'duplicateTemplate', variables: { input: { id: '1' } } },
      { name: 'setDefaultTemplate', variables: { projectId: '10', templateId: '2' } },
    ]),
  );
  expect(issue.flags).toEqual([{ title: successes.duplicateTemplate, type: 'success' }]);
});

test("on the site's screen a project's template is made the default of its project", async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    setDefaultTemplate: () => ({ setDefaultTemplate: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator);
  await choose('Release', 'Set as default');
  await choose('Onboarding', 'Set as default');
  await waitFor(() =>
    expect(made(sent)).toEqual([
      { name: 'setDefaultTemplate', variables: { projectId: '10', templateId: '1' } },
      { name: 'setDefaultTemplate', variables: { projectId: null, templateId: '2' } },
    ]),
  );
});

test('a template is opened, renamed and saved; the focus returns', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    updateTemplate: () => ({ updateTemplate: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  await screen.findByRole('list', { name: 'Templates' });
  // The text was not changed, and may have been changed by another user.
  const input = { id: '1', name: 'Release 2' };
  expect(made(sent)).toEqual([{ name: 'updateTemplate', variables: { input } }]);
  expect(screen.getByRole('button', { name: 'Release' })).toHaveFocus();
});

test('an unsaved text is restored', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page(two) });
  const screens = (
    <>
      <TemplatesScreen />
      <LeaveDialog />
    </>
  );
  const { unmount } = await show(issue, screens, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New template' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Half a na');
  unmount();
  await show(issue, screens, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Half a na');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Half a na');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByRole('list', { name: 'Templates' });
  expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull();
});

test('closing the dialog asks before a text is lost, and then keeps no draft of it', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page(two) });
  const screens = (
    <>
      <TemplatesScreen />
      <LeaveDialog />
    </>
  );
  const dialog = { ...project, surface: 'dialog' as const };
  const { unmount } = await show(issue, screens, administrator, dialog);
  await userEvent.click(await screen.findByRole('button', { name: 'New template' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Half a na');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  unmount();
  await show(issue, screens, administrator, dialog);
  await screen.findByRole('list', { name: 'Templates' });
  expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull();
});

test('the text of a template that another user deletes meanwhile can be saved as a new template', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page(two),
    updateTemplate: () => ({
      updateTemplate: { template: null, errors: refusal('NOT_FOUND', 'id', 'This template no longer exists.') },
    }),
    createTemplateFromText: () => ({ createTemplateFromText: { template: two[0], errors: [] } }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText(/Someone else has deleted/)).toHaveTextContent('“Release”');
  await userEvent.click(screen.getByRole('button', { name: 'Create template' }));
  await screen.findByRole('list', { name: 'Templates' });
  expect(made(sent).at(-1)).toEqual({
    name: 'createTemplateFromText',
    variables: { input: { projectId: '10', name: 'Release 2', text: '- a\n- b\n' } },
  });
});

test('the draft of a template that the list does not show is saved to that template', async () => {
  const issue = fakeIssue('');
  const there: { all: boolean } = { all: true };
  const sent = answer(issue, {
    getTemplates: () => page(there.all ? two : []),
    updateTemplate: () => ({ updateTemplate: { template: two[0], errors: [] } }),
  });
  const { unmount } = await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
  unmount();
  there.all = false;
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save template' }));
  await waitFor(() =>
    expect(made(sent)).toEqual([{ name: 'updateTemplate', variables: { input: { id: '1', name: 'Release 2' } } }]),
  );
});

test('a draft is merged with what another user saved meanwhile', async () => {
  const issue = fakeIssue('');
  const there = { text: '- a\n- b\n' };
  const sent = answer(issue, {
    getTemplates: () => page([{ ...two[0], text: there.text }]),
    updateTemplate: () => ({ updateTemplate: { template: two[0], errors: [] } }),
  });
  const { unmount } = await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  await userEvent.click(await screen.findByRole('textbox', { name: 'Template text' }));
  await userEvent.keyboard('{Control>}{End}{/Control}- mine');
  unmount();
  there.text = '- a\n- b\n- theirs\n';
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save template' }));
  await waitFor(() =>
    expect(made(sent)).toEqual([
      {
        name: 'updateTemplate',
        variables: { input: { id: '1', text: '- a\n- b\n- mine', baseText: '- a\n- b\n' } },
      },
    ]),
  );
});

test('a file is imported, and skipped entries are reported', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplates: () => page([]),
    importTemplates: () => ({
      importTemplates: { templates: [two[0]], notTaken: [{ name: 'ab', message: 'Too short.' }], errors: [] },
    }),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  expect(await screen.findByText('No templates yet.')).toBeVisible();
  await userEvent.upload(
    screen.getByLabelText('Template file'),
    new File(['{}'], 'templates.json', { type: 'application/json' }),
  );
  expect(await screen.findByText('1 template was imported.', { exact: false })).toHaveTextContent('ab: Too short.');
  expect(made(sent)).toEqual([{ name: 'importTemplates', variables: { input: { projectId: '10', file: '{}' } } }]);
});

test('a user with permission to use templates sees them read-only', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page(two) });
  await show(issue, <TemplatesScreen />, { canImportTemplate: true }, project);
  expect(await names()).toEqual(['Release', 'Onboarding']);
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'New template' })).toBeNull();
});

test('a failed load can be retried', async () => {
  const issue = fakeIssue('');
  const server: { answers: boolean } = { answers: false };
  answer(issue, { getTemplates: () => (server.answers ? page(two) : new Error('no')) });
  await show(issue, <TemplatesScreen />, administrator, project);
  expect(await screen.findByText(managing.getTemplates)).toBeVisible();
  server.answers = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await names()).toEqual(['Release', 'Onboarding']);
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue(''), <TemplatesScreen />, {}, project);
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});

test('lines that another user changed meanwhile are not overwritten without a confirmation', async () => {
  const issue = fakeIssue('');
  const message = messages.sameLines;
  const sent = answer(issue, {
    getTemplates: () => page(two),
    updateTemplate: ({ input }) => {
      const refused = 'baseText' in (input as object);
      const errors = refused ? refusal('CHANGED_MEANWHILE', 'text', message) : [];
      return { updateTemplate: { template: refused ? null : two[0], errors } };
    },
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  const text = await screen.findByRole('textbox', { name: 'Template text' });
  act(() => EditorView.findFromDOM(text)?.dispatch({ changes: { from: 0, insert: '- c\n' } }));
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText(message)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  await waitFor(() => expect(made(sent)).toHaveLength(2));
  expect(made(sent)[0]?.variables).toMatchObject({ input: { id: '1', baseText: '- a\n- b\n' } });
  expect(made(sent)[1]?.variables).not.toHaveProperty('input.baseText');
});
