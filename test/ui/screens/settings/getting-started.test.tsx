import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { fieldErrors } from '../../../../src/domain/fields.ts';
import { refusals, storage, successes } from '../../../../src/domain/messages.ts';
import GettingStartedScreen from '../../../../src/ui/screens/settings/getting-started.tsx';
import { fakeIssue, show } from '../../issue.tsx';
import { answer } from '../templates/server.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

const started = { hasChecklist: false, hasTemplate: true, templateId: null, templateName: null };

test('the demo checklist is added to the chosen issue', async () => {
  const issue = fakeIssue('- mine\n');
  answer(issue, { getGettingStarted: () => ({ gettingStarted: started }) });
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    path.endsWith('/NO-1') ? { status: 404, text: 'none' } : request(path, init);
  await show(issue, <GettingStartedScreen />, { isAdmin: true });
  const add = await screen.findByRole('button', { name: 'Add the demo checklist' });
  await userEvent.click(add);
  expect(screen.getByText(fieldErrors.REQUIRED)).toBeVisible();
  const key = screen.getByRole('textbox', { name: 'Issue key' });
  await userEvent.type(key, 'no-1{Enter}');
  expect(await screen.findByText(storage.issueNotFound)).toBeVisible();
  await userEvent.clear(key);
  await userEvent.type(key, 'abc-1{Enter}');
  expect(await screen.findByRole('link', { name: 'ABC-1' })).toBeVisible();
  await waitFor(() => expect(issue.stored.text).toContain('- mine\n# How a checklist works'));
  expect(issue.flags.at(-1)).toEqual({ title: successes.updateChecklist, type: 'success' });
});

test("the site's first template replaces the demo checklist", async () => {
  const issue = fakeIssue('- mine\n');
  const sent = answer(issue, {
    getGettingStarted: () => ({ gettingStarted: { ...started, templateId: 'first', templateName: 'First day' } }),
    applyTemplateToChecklist: () => ({ applyTemplateToChecklist: { checklist: null, errors: [] } }),
  });
  await show(issue, <GettingStartedScreen />, { isAdmin: true });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Issue key' }), 'abc-1');
  await userEvent.click(screen.getByRole('button', { name: 'Add “First day”' }));
  await waitFor(() => expect(sent.at(-1)?.name).toBe('applyTemplateToChecklist'));
  expect(sent.at(-1)?.variables.input).toMatchObject({ change: { templateIds: ['first'], mode: 'APPEND' } });
});

test('a completed step is marked, and the next ones link to their screens', async () => {
  const issue = fakeIssue('');
  answer(issue, { getGettingStarted: () => ({ gettingStarted: started }) });
  await show(issue, <GettingStartedScreen />, { isAdmin: true });
  expect(await screen.findByRole('heading', { name: /^Save recurring lists.* Done$/ })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Write a template' }));
  expect(window.location.pathname).toBe('/templates/new');
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue(''), <GettingStartedScreen />, {});
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});
