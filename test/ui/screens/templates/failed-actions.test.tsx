import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failures, managing, successes } from '../../../../src/domain/messages.ts';
import SmartTemplatesScreen from '../../../../src/ui/screens/templates/smart/smart-templates-screen.tsx';
import TemplatesScreen from '../../../../src/ui/screens/templates/templates-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';
import { answer, page, template } from './server.ts';
import { editor, line, open, project } from './smart/fixture.ts';

/** Actions of a template's menu: a failure is said at the template until the next action, and success when it is made. */

afterEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});
beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined }));
});

const administrator = { canImportTemplate: true, canManageTemplates: true, isAdmin: true };
const actions = [
  ['Duplicate', 'duplicateTemplate', managing.createTemplate, successes.duplicateTemplate],
  ['Set as default', 'setDefaultTemplate', managing.updateTemplate, undefined],
  ['Export', 'exportTemplates', managing.getTemplates, undefined],
  ['Delete', 'deleteTemplate', managing.deleteTemplate, successes.deleteTemplate],
] as const;

async function choose(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${of}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

test.each(actions)('a list says at its template that %s failed, and success after the answer', async (...row) => {
  const [action, operation, words, success] = row;
  const server: { answer: () => unknown } = { answer: () => 503 };
  const issue = fakeIssue('');
  answer(issue, {
    getTemplates: () => page([template('1', 'Release'), template('2', 'Audit')]),
    getTemplateUsage: () => ({ templateUsage: { issueCount: 0, rules: [] } }),
    [operation]: () => server.answer(),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', action);
  const entries = within(await screen.findByRole('list', { name: 'Templates' })).getAllByRole('listitem');
  const [release, audit] = entries.map(entry => within(entry));
  expect(await release?.findByText(words)).toHaveAttribute('role', 'alert');
  expect(audit?.queryByText(words)).toBeNull();
  let made = (_: unknown): void => undefined;
  server.answer = () =>
    new Promise(resolve => {
      made = resolve;
    });
  await choose('Release', action);
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
  expect(issue.flags.map(({ type }) => type)).toEqual(['error']);
  if (success === undefined) return;
  made({ [operation]: { template: null, errors: [] } });
  await waitFor(() => expect(issue.flags.at(-1)?.title).toBe(success));
});

test('a deletion that could not be undone says so beside its Undo', async () => {
  const issue = fakeIssue('');
  answer(issue, {
    getTemplates: () => page([template('1', 'Release')]),
    getTemplateUsage: () => ({ templateUsage: { issueCount: 0, rules: [] } }),
    deleteTemplate: () => ({ deleteTemplate: { template: null, errors: [] } }),
    restoreTemplate: () => 503,
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await choose('Release', 'Delete');
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(managing.updateTemplate)).toHaveAttribute('role', 'alert');
});

test('a next page that could not be loaded says so at its button', async () => {
  const issue = fakeIssue('');
  answer(issue, {
    getTemplates: ({ skip }) => (skip ? 400 : page([template('1', 'Release')], { total: 2 })),
  });
  await show(issue, <TemplatesScreen />, administrator, project);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText(managing.getTemplates)).toHaveAttribute('role', 'alert');
  expect(screen.getByText('Release')).toBeVisible();
});

test.each(actions)('the smart editor says that %s failed', async (action, operation, words) => {
  const { issue } = open({ [operation]: () => 503 });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await editor();
  await choose('Release', action);
  expect(await screen.findByText(words)).toHaveAttribute('role', 'alert');
});

test('a version that could not be restored says so at it, until the next try', async () => {
  const server: { answer: () => unknown } = { answer: () => 400 };
  const { issue } = open({ getTemplateVersion: () => server.answer() });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await editor();
  await userEvent.click(await screen.findByRole('tab', { name: 'Versions' }));
  const restore = () => screen.findByRole('button', { name: 'Restore' });
  await userEvent.click(await restore());
  expect(await screen.findByText(failures.unknown)).toHaveAttribute('role', 'alert');
  server.answer = () => new Promise(() => undefined);
  await userEvent.click(await restore());
  await waitFor(() => expect(screen.queryByText(failures.unknown)).toBeNull());
});
