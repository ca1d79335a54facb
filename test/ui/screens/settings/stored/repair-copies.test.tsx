import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { managing } from '../../../../../src/domain/messages.ts';
import { RepairCopiesSection } from '../../../../../src/ui/screens/settings/stored/repair-copies.tsx';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer } from '../../templates/server.ts';

const job = (values: object) => ({
  ...{ id: '1', kind: 'SYNCHRONIZE', state: 'DONE', total: 40, seen: 40, done: 3, failed: 0 },
  ...{ ended: '2026-11-01T10:00:00.000Z', log: [] },
  ...values,
});
const timeout = 10_000;

test('a repair is started for the project alone, shows its progress, and what it did', async () => {
  const issue = fakeIssue('');
  const jobs: object[] = [];
  const sent = answer(issue, {
    getRepair: () => ({ jobs }),
    repairCopies: () => {
      jobs.unshift(job({ state: 'QUEUED', total: null, seen: 0, done: 0, ended: null }));
      return { synchronizeStorages: { job: jobs[0], message: null, errors: [] } };
    },
  });
  await show(issue, <RepairCopiesSection projectId="10" />, { canManageTemplates: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Repair copies' }));
  expect(await screen.findByText('The repair is starting.')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Issues checked' })).not.toHaveAttribute('value');
  expect(screen.queryByRole('button', { name: 'Repair copies' })).not.toBeInTheDocument();
  expect(new Set(sent.map(({ variables }) => variables.projectId))).toEqual(new Set(['10']));
  jobs[0] = job({ state: 'RUNNING', seen: 12, done: 2, ended: null });
  await screen.findByText('12 of 40 issues checked, 2 repaired.', {}, { timeout });
  expect(screen.getByRole('progressbar', { name: 'Issues checked' })).toHaveValue(12);
  jobs[0] = job({ failed: 1, log: [{ issue: 'PR-2', message: 'No.' }] });
  await screen.findByText('40 issues checked, 3 repaired. 1 issue couldn’t be repaired.', {}, { timeout });
  expect(screen.getByRole('link', { name: 'PR-2' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Repair copies' })).toBeEnabled();
});

test('a running repair is cancelled', async () => {
  const issue = fakeIssue('');
  let running = job({ state: 'RUNNING', seen: 12, done: 2, ended: null });
  const sent = answer(issue, {
    getRepair: () => ({ jobs: [job({ kind: 'CHECK', seen: 99 }), running] }),
    cancelJob: () => {
      running = job({ state: 'CANCELLED', seen: 12, done: 2 });
      return { cancelJob: { job: running, message: null, errors: [] } };
    },
  });
  await show(issue, <RepairCopiesSection projectId={undefined} />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel repair' }));
  expect(await screen.findByText('The repair was cancelled. 12 issues checked, 2 repaired.')).toBeVisible();
  expect(sent.filter(({ name }) => name === 'cancelJob').map(({ variables }) => variables.id)).toEqual(['1']);
});

test('a repair that does not start is said in place', async () => {
  const issue = fakeIssue('');
  answer(issue, {
    getRepair: () => ({ jobs: [job({ state: 'FAILED', seen: 1, done: 1 })] }),
    repairCopies: () => 500,
  });
  await show(issue, <RepairCopiesSection projectId={undefined} />, { isAdmin: true });
  expect(await screen.findByText('The repair didn’t finish. 1 issue checked, 1 repaired.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Repair copies' }));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(managing.synchronize), { timeout });
});
