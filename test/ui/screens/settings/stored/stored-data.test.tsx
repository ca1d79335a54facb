import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failures, shell } from '../../../../../src/domain/messages.ts';
import { StoredDataSection } from '../../../../../src/ui/screens/settings/stored/stored-data.tsx';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer } from '../../templates/server.ts';

const job = (values: object) => ({
  ...{ id: '1', kind: 'CHECK', state: 'DONE', total: 3, seen: 3, done: 3, failed: 0 },
  ...{ ended: '2026-11-01T10:00:00.000Z', log: [] },
  ...values,
});

test('says which copies Jira refuses and why, and that they are retried', async () => {
  const issue = fakeIssue('');
  const refused = [
    { copy: 'property', reason: 'forbidden', issues: 1, projects: 0, projectKeys: [] },
    { copy: 'property', reason: 'hidden', issues: 3, projects: 0, projectKeys: [] },
    { copy: 'field', reason: 'screen', issues: 12, projects: 0, projectKeys: [] },
    { copy: 'statuses', reason: 'forbidden', issues: 0, projects: 1, projectKeys: ['WEB'] },
    { copy: 'templates', reason: 'refused', issues: 0, projects: 7, projectKeys: ['A', 'B', 'C', 'D', 'E'] },
  ];
  answer(issue, { getStoredData: () => ({ storedData: { refused, mailedProjects: [] }, jobs: [] }) });
  await show(issue, <StoredDataSection projectId={undefined} />, { isAdmin: true });
  const status = await screen.findByRole('status');
  expect(status).toHaveTextContent(
    'The issue property of 1 issue isn’t up to date. The app doesn’t have permission to edit issues there. Check the permission scheme and data security policies. Retrying automatically.',
  );
  expect(status).toHaveTextContent(
    'The issue property of 3 issues isn’t up to date. Jira doesn’t let the app see issues there. Check the permission scheme and data security policies. Retrying automatically.',
  );
  expect(status).toHaveTextContent('The Checklist Text field of 12 issues isn’t up to date.');
  expect(status).toHaveTextContent(
    'The copy of the statuses in project WEB isn’t up to date. The app doesn’t have the Administer projects permission. Check the permission scheme. Retrying automatically.',
  );
  expect(status).toHaveTextContent('The copy of the templates in projects A, B, C, D, E and 2 more isn’t up to date.');
});

test('in a project, only its own data are shown and checked', async () => {
  const issue = fakeIssue('');
  const refused = [{ copy: 'statuses', reason: 'refused', issues: 0, projects: 1, projectKeys: ['WEB'] }];
  const sent = answer(issue, {
    getStoredData: () => ({ storedData: { refused, mailedProjects: [] }, jobs: [] }),
    checkStoredData: () => ({ checkStoredData: { job: null, message: null, errors: [] } }),
  });
  await show(issue, <StoredDataSection projectId="10" />, { canManageTemplates: true });
  expect(await screen.findByRole('status')).toHaveTextContent(
    'The copy of the statuses in this project isn’t up to date. Jira rejects the change.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Check stored data' }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toContain('checkStoredData'));
  expect(new Set(sent.map(({ variables }) => variables.projectId))).toEqual(new Set(['10']));
});

test.each([
  [undefined, ['WEB'], 'project WEB'],
  [undefined, ['A', 'B', 'WEB'], 'projects A, B and WEB'],
  ['10', ['WEB'], 'this project'],
])('says where updates of the field send mail, and how to end that', async (projectId, mailedProjects, where) => {
  const issue = fakeIssue('');
  answer(issue, { getStoredData: () => ({ storedData: { refused: [], mailedProjects }, jobs: [] }) });
  await show(issue, <StoredDataSection projectId={projectId} />, { isAdmin: true, canManageTemplates: true });
  expect(await screen.findByRole('status')).toHaveTextContent(
    `Jira emails watchers when the app updates the Checklist Text field in ${where}. ` +
      'To stop these emails, grant “Administer projects” to the project role atlassian-addons-project-access.',
  );
});

test('the check is started, shows its progress, and what it repaired', async () => {
  const issue = fakeIssue('');
  const jobs: object[] = [];
  const sent = answer(issue, {
    getStoredData: () => ({ storedData: { refused: [], mailedProjects: [] }, jobs }),
    checkStoredData: () => {
      jobs.unshift(job({ state: 'RUNNING', seen: 1, ended: null }));
      return { checkStoredData: { job: jobs[0], message: null, errors: [] } };
    },
  });
  await show(issue, <StoredDataSection projectId={undefined} />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Check stored data' }));
  expect(await screen.findByText('Checking stored data: 1 of 3 issues done.')).toBeVisible();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  expect(sent.filter(({ name }) => name === 'checkStoredData')).toHaveLength(1);
  jobs[0] = job({
    ...{ done: 1, failed: 1 },
    log: [
      { issue: null, message: 'Jira doesn’t answer. This continues when it does.' },
      { issue: 'PR-1', message: 'Repaired: counts of items.' },
      { issue: 'PR-2', message: 'No.' },
    ],
  });
  await waitFor(
    () => expect(screen.getByText('3 issues checked, 1 repaired. 1 issue couldn’t be repaired.')).toBeVisible(),
    { timeout: 10_000 },
  );
  expect(screen.getByRole('link', { name: 'PR-1' })).toBeVisible();
});

test('progress of checklists that follow changed statuses is shown', async () => {
  const issue = fakeIssue('');
  const jobs = [job({ kind: 'REFRESH', state: 'RUNNING', total: 40, seen: 12, ended: null })];
  answer(issue, { getStoredData: () => ({ storedData: { refused: [], mailedProjects: [] }, jobs }) });
  await show(issue, <StoredDataSection projectId={undefined} />, { isAdmin: true });
  expect(await screen.findByText('Updating checklists to the new statuses: 12 of 40 issues done.')).toBeVisible();
});

test('an open page says when copies begin and cease to be refused', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const issue = fakeIssue('');
  let refused: object[] = [];
  answer(issue, { getStoredData: () => ({ storedData: { refused, mailedProjects: [] }, jobs: [] }) });
  await show(issue, <StoredDataSection projectId={undefined} />, { isAdmin: true });
  await screen.findByRole('button', { name: 'Check stored data' });
  expect(screen.queryByRole('listitem')).not.toBeInTheDocument();
  refused = [{ copy: 'property', reason: 'refused', issues: 1, projects: 0, projectKeys: [] }];
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(screen.getByRole('listitem')).toHaveTextContent('Check for archived issues.');
  refused = [];
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(screen.queryByRole('listitem')).not.toBeInTheDocument();
});

test('a failed read is said with Retry, and repeated', async () => {
  const issue = fakeIssue('');
  const server: { answer: () => unknown } = { answer: () => 400 };
  answer(issue, { getStoredData: () => server.answer() });
  await show(issue, <StoredDataSection projectId={undefined} />, { isAdmin: true });
  expect(await screen.findByRole('heading', { name: failures.unknown })).toBeVisible();
  server.answer = () => ({ storedData: { refused: [], mailedProjects: [] }, jobs: [] });
  await userEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(await screen.findByRole('button', { name: 'Check stored data' })).toBeVisible();
});
