import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { failures, shell } from '../../../../src/domain/messages.ts';
import HistoryScreen from '../../../../src/ui/screens/history/history-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';
import { answer } from '../templates/server.ts';

test('a failed load can be retried', async () => {
  const server: { isAway: boolean } = { isAway: true };
  const issue = fakeIssue('- a\n');
  answer(issue, {
    getHistory: () => (server.isAway ? new Error(failures.unknown) : { checklistHistory: { entries: [], next: null } }),
  });
  await show(issue, <HistoryScreen />);
  const again = await screen.findByRole('button', { name: shell.retry });
  expect(screen.getAllByText(failures.unknown)[0]).toBeVisible();
  server.isAway = false;
  await userEvent.click(again);
  expect(await screen.findByText('No changes yet. Changes to this checklist show here.')).toBeVisible();
  expect(screen.queryByRole('button', { name: shell.retry })).toBeNull();
});
