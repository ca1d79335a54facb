import { useMutation, useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '../../../src/client/live/events.ts';
import { useLiveQuery } from '../../../src/ui/shell/use-live-query.ts';
import { fakeIssue, show } from '../issue.tsx';

const heard: { tell: (event: LiveEvent) => void } = { tell: () => undefined };
vi.mock(import('../../../src/ui/shell/use-live.ts'), () => ({
  useLive: (_interest: object, hear: (event: LiveEvent) => void) => {
    heard.tell = hear;
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

test('what somebody else has changed is read anew, and nothing else is', async () => {
  await shown();
  act(() => heard.tell({ kind: 'statuses' }));
  expect(screen.getByText('first')).toBeVisible();
  act(() => heard.tell({ kind: 'templates' }));
  expect(await screen.findByText('second')).toBeVisible();
});

test('it is read anew after the stream was away', async () => {
  await shown();
  act(() => heard.tell({ kind: 'gap' }));
  expect(await screen.findByText('second')).toBeVisible();
});

test('nothing is read until what is being changed here is done', async () => {
  await shown();
  await userEvent.click(screen.getByRole('button'));
  act(() => heard.tell({ kind: 'templates' }));
  expect(screen.getByText('first')).toBeVisible();
  act(() => server.release());
  await waitFor(() => expect(screen.getByText('second')).toBeVisible());
});
