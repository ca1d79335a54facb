import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fieldErrors } from '../../../../src/domain/fields.ts';
import { limitReached, refusals, successes, whole } from '../../../../src/domain/messages.ts';
import SaveTemplateScreen from '../../../../src/ui/screens/templates/save-template.tsx';
import { fakeIssue, show } from '../../issue.tsx';
import { answer, page, refusal, type Sent, template } from './server.ts';

afterEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

const administrator = { canSaveTemplate: true, canManageTemplates: true, isAdmin: true };
const project = { projectId: '10', projectKey: 'ABC' };
const nameField = () => screen.findByRole('textbox', { name: 'Name' });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save template' }));
const made = (sent: readonly Sent[]) => sent.filter(({ name }) => name !== 'getTemplates');
const created = (payload: object) => ({ createTemplateFromText: { template: null, errors: [], ...payload } });

test('a template manager saves the displayed text, each item to do', async () => {
  const issue = fakeIssue('# Head\n+ a\n~ b\n');
  const sent = answer(issue, {
    getTemplates: () => page([]),
    createTemplateFromText: () => created({ template: template('1', 'Release') }),
  });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  await userEvent.type(await nameField(), 'Release');
  await save();
  expect(await screen.findByText(/is now available for other checklists/)).toHaveTextContent('“Release”');
  expect(made(sent)).toEqual([
    {
      name: 'createTemplateFromText',
      variables: { input: { projectId: '10', name: 'Release', text: '# Head\n- a\n- b\n' } },
    },
  ]);
  expect(issue.flags).toEqual([{ title: successes.createTemplate, type: 'success' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(window.location.pathname).toBe('/checklist');
});

test('items keep their status, and the template is for the whole site, if those options are chosen', async () => {
  const issue = fakeIssue('+ a\n');
  const sent = answer(issue, {
    getTemplates: () => page([]),
    createTemplateFromText: () => created({ template: template('1', 'Release', { projectId: null }) }),
  });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  await userEvent.type(await nameField(), 'Release');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who can use it' }), 'Whole site');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Set all items to To Do' }));
  await save();
  const input = { projectId: null, name: 'Release', text: '+ a\n' };
  await waitFor(() => expect(made(sent)).toEqual([{ name: 'createTemplateFromText', variables: { input } }]));
});

test('a user with permission to add items saves the checklist as it is, for the project', async () => {
  const issue = fakeIssue('+ a\n');
  const sent = answer(issue, {
    getTemplates: () => page([]),
    createTemplateFromChecklist: () => ({
      createTemplateFromChecklist: { template: template('1', 'Release'), errors: [] },
    }),
  });
  await show(issue, <SaveTemplateScreen />, { canSaveTemplate: true }, project);
  expect(screen.queryByRole('option', { name: 'Whole site' })).toBeNull();
  expect(await screen.findByRole('textbox', { name: 'Template text' })).toHaveAttribute('aria-readonly', 'true');
  await userEvent.type(await nameField(), 'Release');
  await save();
  await screen.findByText(/is now available/);
  const input = { projectId: '10', name: 'Release', issueId: '1', keepStatuses: false };
  expect(made(sent)).toEqual([{ name: 'createTemplateFromChecklist', variables: { input } }]);
});

test('the form says when the browser cannot keep an unsaved template', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, { getTemplates: () => page([]) });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  const name = await nameField();
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  try {
    await userEvent.type(name, 'Half a na');
    expect(await screen.findByText(whole.draftNotKept)).toBeVisible();
    expect(name).toHaveValue('Half a na');
  } finally {
    full.mockRestore();
  }
});

test('an unsaved text is restored until it is discarded or saved', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, {
    getTemplates: () => page([]),
    createTemplateFromText: () => created({ template: template('1', 'Release') }),
  });
  const open = () => show(issue, <SaveTemplateScreen />, administrator, project);
  const first = await open();
  await userEvent.type(await nameField(), 'Half a na');
  first.unmount();
  const second = await open();
  expect(await nameField()).toHaveValue('Half a na');
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(await nameField()).toHaveValue('');
  await userEvent.type(await nameField(), 'Release');
  await save();
  await screen.findByRole('button', { name: 'Done' });
  second.unmount();
  await open();
  expect(await nameField()).toHaveValue('');
  expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull();
});

test('a name is validated as it is typed, and a taken one shows an error at its field', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, {
    getTemplates: () => page([]),
    createTemplateFromText: () => created({ errors: refusal('NOT_UNIQUE', 'name', fieldErrors.NOT_UNIQUE) }),
  });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  const name = await nameField();
  await save();
  expect(screen.getByText(fieldErrors.REQUIRED)).toBeVisible();
  expect(name).toHaveFocus();
  await userEvent.type(name, 'ab');
  expect(screen.getByText(fieldErrors.TOO_SHORT)).toBeVisible();
  await userEvent.type(name, 'c');
  expect(screen.queryByText(fieldErrors.TOO_SHORT)).toBeNull();
  await save();
  expect(await screen.findByText(fieldErrors.NOT_UNIQUE)).toBeVisible();
  expect(name).toHaveFocus();
  expect(issue.flags).toEqual([{ title: fieldErrors.NOT_UNIQUE, type: 'error' }]);
  await userEvent.clear(name);
  await userEvent.paste('x'.repeat(141));
  expect(screen.getByText(fieldErrors.TOO_LONG)).toBeVisible();
});

test('a name shows a short error while it is typed, and the full one once it is sent', async () => {
  const issue = fakeIssue('- a\n');
  const sent = answer(issue, { getTemplates: () => page([]) });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  const name = await nameField();
  await userEvent.type(name, 'ab');
  expect(screen.getByText('Too short.')).toBeVisible();
  expect(name).toBeInvalid();
  await userEvent.clear(name);
  expect(name).toBeValid();
  await userEvent.paste('x'.repeat(141));
  expect(screen.getByText('Too long.')).toBeVisible();
  await save();
  expect(screen.getByText(fieldErrors.TOO_LONG)).toBeVisible();
  expect(made(sent)).toEqual([]);
});

test("the edition's limit shows before any input", async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, { getTemplates: () => page([], { projectRoom: { count: 5, most: 5 } }) });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  expect(await screen.findByText(limitReached.projectTemplates)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Upgrade for more' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save template' })).toBeDisabled();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who can use it' }), 'Whole site');
  expect(screen.queryByText(limitReached.projectTemplates)).toBeNull();
  expect(screen.getByRole('button', { name: 'Save template' })).toBeEnabled();
});

test('without room in either scope the limit of templates in general shows, and nothing can be entered', async () => {
  const issue = fakeIssue('- a\n');
  const full = { count: 5, most: 5 };
  answer(issue, { getTemplates: () => page([], { projectRoom: full, globalRoom: full }) });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  expect(await screen.findByText(/Reached maximum allowed templates for Smart Checklist Free version\./)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who can use it' }), 'Whole site');
  expect(screen.getByText(limitReached.templates)).toBeVisible();
  expect(await nameField()).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Save template' })).toBeDisabled();
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue('- a\n'), <SaveTemplateScreen />, {}, project);
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});

test('an empty text cannot become a template', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page([]) });
  await show(issue, <SaveTemplateScreen />, administrator, project);
  expect(await screen.findByText(fieldErrors.CHECKLIST_REQUIRED)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save template' })).toBeDisabled();
});
