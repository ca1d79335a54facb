import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProjectsField } from '../../../src/ui/model/projects.tsx';
import { json } from '../fakes.ts';
import { fakeIssue, show } from '../issue.tsx';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

/** The field with one chosen project, of a tracker that answers a read of it so. */
async function chosen(answer: () => ReturnType<typeof json>) {
  const issue = fakeIssue('');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    path.includes('/project/10')
      ? answer()
      : path.includes('/project')
        ? json({ values: [], total: 0 })
        : request(path, init);
  await show(issue, <ProjectsField chosen={['10']} error={undefined} onChange={() => undefined} />, {});
  await act(() => vi.advanceTimersByTimeAsync(10_000));
}

test('a chosen project is named, also where a form was restored', async () => {
  await chosen(() => json({ id: '10', key: 'ABC', name: 'Website' }));
  expect(screen.getByRole('button', { name: 'Remove Website' })).toBeVisible();
});

test('a project that the user cannot see is another one', async () => {
  await chosen(() => json({}, 404));
  expect(screen.getByText('Another project')).toBeVisible();
});

test('a project whose name could not be read is not said to be another one, and is named once it is read', async () => {
  const server: { isDown: boolean } = { isDown: true };
  await chosen(() => (server.isDown ? json({}, 500) : json({ id: '10', key: 'ABC', name: 'Website' })));
  expect(screen.queryByText('Another project')).toBeNull();
  expect(screen.getByText('…')).toBeVisible();
  server.isDown = false;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText('Website')).toBeVisible();
});
