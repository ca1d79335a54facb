import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import type { loadChunk } from '../../../../src/ui/shell/lazy-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';

/** The outbox chunk loads after the rows: a click before that shows at once, and is not lost. */

const chunk = vi.hoisted(() => ({ requests: 0, resolve: (): void => undefined, reject: (): void => undefined }));

vi.mock('../../../../src/ui/shell/lazy-screen.tsx', async load => {
  const lazy = await load<typeof import('../../../../src/ui/shell/lazy-screen.tsx')>();
  const pendingChunk: typeof loadChunk = async (name, get) => {
    chunk.requests += 1;
    await new Promise<void>((resolve, reject) => {
      chunk.resolve = resolve;
      chunk.reject = () => reject(new lazy.ChunkLoadFailed(`Loading chunk ${name} failed.`));
    });
    return get();
  };
  return { ...lazy, loadChunk: pendingChunk };
});

beforeEach(() => {
  chunk.requests = 0;
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

test('a tick before that is stored once the chunk has loaded, and the focus stays', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  expect(chunk.requests).toBe(1);
  await userEvent.click(box('b'));
  await userEvent.click(box('a'));
  expect(issue.operations).toEqual([]);
  expect(box('a')).toBeChecked();
  expect(box('b')).toBeChecked();
  await act(async () => chunk.resolve());
  await waitFor(() => expect(box('b')).toBeChecked());
  expect(box('a')).toBeChecked();
  expect(box('a')).toHaveFocus();
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n+ b\n'));
});

test('a failed chunk shows a message, can be retried, and loses no change', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(box('a'));
  await act(async () => chunk.reject());
  expect(await screen.findByText('Loading chunk outbox failed.')).toBeVisible();
  expect(box('a')).toHaveFocus();
  await userEvent.click(await screen.findByText('Retry'));
  expect(chunk.requests).toBe(2);
  await act(async () => chunk.resolve());
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n'));
  expect(screen.queryByText(/^Loading chunk/)).toBeNull();
});

test('a further click also retries', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  await act(async () => chunk.reject());
  await userEvent.click(box('b'));
  expect(chunk.requests).toBe(2);
  await act(async () => chunk.resolve());
  await waitFor(() => expect(issue.stored.text).toBe('- a\n+ b\n'));
});
