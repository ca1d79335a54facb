import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/client/history.ts';
import { builtIn } from '../../../../src/text/status-registry.ts';
import { Timeline } from '../../../../src/ui/screens/history/timeline.tsx';
import { fakeIssue, show } from '../../issue.tsx';

const entry = (about: Partial<HistoryEntry>): HistoryEntry => ({
  ...{ epoch: 'e', seq: 2, created: new Date().toISOString(), account: 'ana', kind: 'updateChecklistFromText' },
  ...{ name: 'Checklists', previous: { epoch: 'e', seq: 1 }, previousName: null },
  ...{ changes: [], changeCount: 0, conflicts: [] },
  ...about,
});

const open = (about: Partial<HistoryEntry>) =>
  show(
    fakeIssue('- a'),
    <Timeline
      issueId="1"
      entries={[entry(about)]}
      statuses={builtIn}
      current={undefined}
      revert={undefined}
      onRow={() => undefined}
      onMore={undefined}
      loadingMore={false}
    />,
  );

test.each(['tracker', ''])('a foreign change is not of an unknown person: %j', async account => {
  await open({ account, kind: 'foreignProperty' });
  expect(await screen.findByRole('heading', { level: 3 })).toHaveTextContent('Changed outside the app');
  expect(screen.getByText(/in the issue property/)).toBeVisible();
});

test('a foreign change of an account that the tracker knows has its name', async () => {
  await open({ account: 'bot', kind: 'foreignField' });
  await waitFor(() => expect(screen.getByRole('heading', { level: 3 })).toHaveTextContent('Person bot'));
});

test('a gate that is set or removed reads so', async () => {
  const change = { kind: 'GATES', index: 0, row: 'Build', rowId: null, header: true } as const;
  const changes = [
    { ...change, from: '', to: 'Done' },
    { ...change, from: 'Done', to: '', index: 1 },
  ];
  await open({ changes, changeCount: 2 });
  const [set, removed] = screen.getAllByText('Build').map(row => row.closest('li'));
  expect(set).toHaveTextContent(/^Gate set: Build ?none →became Done/);
  expect(removed).toHaveTextContent(/^Gate removed: Build ?Done →became none/);
});

const onlySpaces = 'Only spaces or formatting changed.';

test('a rename reads as a rename', async () => {
  await open({ name: 'Launch', previousName: 'Release' });
  expect(screen.getByText('Renamed the checklist from “Release” to “Launch”')).toBeVisible();
  expect(screen.getByText(/renamed the checklist/)).toBeVisible();
  expect(screen.queryByText(onlySpaces)).toBeNull();
});

test('the first name of a checklist', async () => {
  await open({ name: 'Launch', previousName: 'Checklists' });
  expect(screen.getByText('Named the checklist “Launch”')).toBeVisible();
});

test('a change of spaces alone', async () => {
  await open({});
  expect(screen.getByText(onlySpaces)).toBeVisible();
  expect(screen.getByText(/edited the text/)).toBeVisible();
});
