import { useMutation, useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '../../../src/client/live/events.ts';
import { useLiveQuery } from '../../../src/ui/shell/use-live-query.ts';
import { fakeIssue, show } from '../issue.tsx';

const live: { publish: (event: LiveEvent) => void } = { publish: () => undefined };
vi.mock(import('../../../src/ui/shell/use-live.ts'), () => ({
  useLive: (_interest: object, listener: (event: LiveEvent) => void) => {
    live.publish = listener;
    return true;
  },
}));

const server = { value: 'first', release: (): void => undefined };
beforeEach(() => {
  server.value = 'first';
});

function Screen() {
  const { data } = useQuery({ queryKey: ['list'], queryFn: () => server.value });
  const { mutate } = useMutation({
    mutationFn: () =>
      new Promise<void>(resolve => {
        server.release = resolve;
      }),
  });
  useLiveQuery('templates', ['list']);
  return (
    <button type="button" onClick={() => mutate()}>
      {data}
    </button>
  );
}

async function shown() {
  await show(fakeIssue(''), <Screen />, {});
  await screen.findByText('first');
  server.value = 'second';
}

test('a change by another user refetches the query, other events do not', async () => {
  await shown();
  act(() => live.publish({ kind: 'statuses' }));
  expect(screen.getByText('first')).toBeVisible();
  act(() => live.publish({ kind: 'templates' }));
  expect(await screen.findByText('second')).toBeVisible();
});

test('the query is refetched after a gap of the event stream', async () => {
  await shown();
  act(() => live.publish({ kind: 'gap' }));
  expect(await screen.findByText('second')).toBeVisible();
});

test('no refetch until a pending mutation has finished', async () => {
  await shown();
  await userEvent.click(screen.getByRole('button'));
  act(() => live.publish({ kind: 'templates' }));
  expect(screen.getByText('first')).toBeVisible();
  act(() => server.release());
  await waitFor(() => expect(screen.getByText('second')).toBeVisible());
});
