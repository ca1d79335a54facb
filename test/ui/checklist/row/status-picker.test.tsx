import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

test('many statuses are searched, and chosen by keys', async () => {
  const issue = fakeIssue('- one\n');
  issue.statuses = Array.from({ length: 200 }, (_, at) => ({
    ...{ slug: `wait-${at}`, name: `Wait ${at}`, color: 'yellow' as const, checked: false, former: [], going: false },
  }));
  const sent: unknown[] = [];
  const { backend } = issue.bridge;
  issue.bridge.backend = (path, init) => {
    const { variables } = (init?.json ?? {}) as { variables?: { input?: { change?: { status?: string } } } };
    if (variables?.input?.change?.status) sent.push(variables.input.change.status);
    return backend(path, init);
  };
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Status of one: To Do' }));
  const popup = within(await screen.findByRole('dialog', { name: 'Status' }));
  const search = popup.getByRole('combobox', { name: 'Find a status' });
  await waitFor(() => expect(search).toHaveFocus());
  expect(popup.getByRole('option', { name: /^To Do/ })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('ait 19');
  expect(popup.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Wait 19',
    ...Array.from({ length: 10 }, (_, at) => `Wait 19${at}`),
  ]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(sent).toEqual(['wait-190']));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a search that finds no status says so', async () => {
  const issue = fakeIssue('- one\n');
  issue.statuses = Array.from({ length: 20 }, (_, at) => ({
    ...{ slug: `wait-${at}`, name: `Wait ${at}`, color: 'yellow' as const, checked: false, former: [], going: false },
  }));
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Status of one: To Do' }));
  await userEvent.type(await screen.findByRole('combobox', { name: 'Find a status' }), 'nothing');
  expect(await screen.findByText('No statuses match.')).toBeVisible();
});
