import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { managing, templates as messages } from '../../../../../src/domain/messages.ts';
import SmartTemplatesScreen from '../../../../../src/ui/screens/templates/smart/smart-templates-screen.tsx';
import { show } from '../../../issue.tsx';
import { refusal } from '../server.ts';
import { changes, editor, filed, line, onboarding, open, project, release, save, type } from './fixture.ts';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('a template that another user deletes can be saved as a new one', async () => {
  const { issue, sent } = open({
    updateTemplate: () => ({
      updateTemplate: { template: null, errors: refusal('NOT_FOUND', 'id', messages.notFound) },
    }),
    createTemplateFromText: () => ({ createTemplateFromText: { template: onboarding, errors: [] } }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Save as a new template' }));
  const input = { name: 'Release', text: '- new\n- a\n- b\n', projectId: '10' };
  await waitFor(() => expect(changes(sent).at(-1)).toEqual({ name: 'createTemplateFromText', variables: { input } }));
  await editor('Onboarding');
});

test('an open template that another user deletes shows a message at once', async () => {
  const server = { one: (stored: object): object => ({ template: stored }) };
  const { issue, stored } = open({ getTemplate: () => server.one(stored) });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  server.one = () => new Error(messages.notFound);
  // Each saving queries the current list.
  await save();
  expect(await screen.findByText(/Someone else has deleted/)).toBeVisible();
  expect((await editor()).state.doc.toString()).toContain('- new');
});

test('the draft of a template that another user deleted is offered from another template', async () => {
  const server: { deleted: boolean } = { deleted: false };
  const { issue, stored, sent } = open({
    getTemplateTree: () => ({
      templateTree: {
        folders: [
          { projectId: null, mayChange: true, templates: [onboarding].map(filed) },
          { projectId: '10', mayChange: true, templates: (server.deleted ? [] : [release]).map(filed) },
          { projectId: '1', mayChange: true, templates: [] },
        ],
        next: null,
      },
    }),
    getTemplate: ({ id }) =>
      id === onboarding.id
        ? { template: onboarding }
        : server.deleted
          ? new Error(messages.notFound)
          : { template: stored },
    updateTemplate: ({ input }) => {
      if (Object(input).id === onboarding.id) return { updateTemplate: { template: onboarding, errors: [] } };
      server.deleted = true;
      return { updateTemplate: { template: null, errors: refusal('NOT_FOUND', 'id', messages.notFound) } };
    },
    createTemplateFromText: () => ({ createTemplateFromText: { template: onboarding, errors: [] } }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  await save();
  await screen.findByText(/Someone else has deleted/);
  await userEvent.click(await line(/^Onboarding/));
  type(await editor('Onboarding'), '- new\n');
  // Saving refetches the list.
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Show it' }));
  expect((await editor()).state.doc.toString()).toContain('- new');
  await userEvent.click(await screen.findByRole('button', { name: 'Save as a new template' }));
  const input = { name: 'Release', text: '- new\n- a\n- b\n', projectId: '10' };
  await waitFor(() => expect(changes(sent).at(-1)).toEqual({ name: 'createTemplateFromText', variables: { input } }));
  await editor('Onboarding');
  expect(screen.queryByRole('button', { name: 'Show it' })).toBeNull();
});

test('the undo key restores a deleted template and opens it again', async () => {
  const { issue, sent } = open({
    deleteTemplate: () => ({ deleteTemplate: { template: release, errors: [] } }),
    restoreTemplate: () => ({ restoreTemplate: { template: release, errors: [] } }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await editor();
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Release' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  // The editor's toolbar has an Undo, too.
  const list = within(screen.getByRole('navigation', { name: 'All templates' }));
  await waitFor(() => expect(list.getByRole('button', { name: 'Undo' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await editor();
  expect(list.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(await line(/^Release/)).toHaveFocus();
  expect(changes(sent).map(({ name }) => name)).toEqual(['deleteTemplate', 'restoreTemplate']);
});

test.each([
  { failing: 'updateTemplate', button: 'Save', said: managing.updateTemplate },
  { failing: 'createTemplateFromText', button: 'Save as a new template', said: managing.createTemplate },
])('a failed $failing is said in the form until the next save', async ({ failing, button, said }) => {
  const { issue, stored } = open({
    updateTemplate: ({ input }) =>
      server.isFailing && failing === 'updateTemplate'
        ? 503
        : failing === 'updateTemplate'
          ? { updateTemplate: { template: { ...stored, ...Object(input) }, errors: [] } }
          : { updateTemplate: { template: null, errors: refusal('NOT_FOUND', 'id', messages.notFound) } },
    createTemplateFromText: () =>
      server.isFailing ? 503 : { createTemplateFromText: { template: onboarding, errors: [] } },
  });
  const server: { isFailing: boolean } = { isFailing: true };
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await editor();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '!');
  await save();
  if (button !== 'Save') await userEvent.click(await screen.findByRole('button', { name: button }));
  expect(await screen.findByText(said)).toBeVisible();
  expect(screen.getByText('Your text is kept in this browser.')).toBeVisible();
  server.isFailing = false;
  await userEvent.click(screen.getByRole('button', { name: button }));
  await waitFor(() => expect(screen.queryByText(said)).toBeNull());
});
