import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import ChecklistPanel from '../../../../src/ui/panel/panel.tsx';
import type { loadChunk } from '../../../../src/ui/shell/lazy-screen.tsx';
import { fakeIssue, show } from '../../issue.tsx';

/** The part that changes need comes after the rows: what is clicked before shows at once, and is not lost. */

const chunk = vi.hoisted(() => ({ asked: 0, come: (): void => undefined, fail: (): void => undefined }));

vi.mock('../../../../src/ui/shell/lazy-screen.tsx', async load => {
  const lazy = await load<typeof import('../../../../src/ui/shell/lazy-screen.tsx')>();
  const late: typeof loadChunk = async (name, get) => {
    chunk.asked += 1;
    await new Promise<void>((resolve, reject) => {
      chunk.come = resolve;
      chunk.fail = () => reject(new lazy.ChunkLoadFailed(`Loading chunk ${name} failed.`));
    });
    return get();
  };
  return { ...lazy, loadChunk: late };
});

beforeEach(() => {
  chunk.asked = 0;
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

test('a tick from before is made when it comes, and the focus stays', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  expect(chunk.asked).toBe(1);
  await userEvent.click(box('b'));
  await userEvent.click(box('a'));
  expect(issue.asked).toEqual([]);
  expect(box('a')).toBeChecked();
  expect(box('b')).toBeChecked();
  await act(async () => chunk.come());
  await waitFor(() => expect(box('b')).toBeChecked());
  expect(box('a')).toBeChecked();
  expect(box('a')).toHaveFocus();
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n+ b\n'));
});

test('one that does not come is told, can be fetched again, and loses nothing', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(box('a'));
  await act(async () => chunk.fail());
  expect(await screen.findByText('Loading chunk outbox failed.')).toBeVisible();
  expect(box('a')).toHaveFocus();
  await userEvent.click(await screen.findByText('Retry'));
  expect(chunk.asked).toBe(2);
  await act(async () => chunk.come());
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n'));
  expect(screen.queryByText(/^Loading chunk/)).toBeNull();
});

test('a further click fetches it again, too', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  await act(async () => chunk.fail());
  await userEvent.click(box('b'));
  expect(chunk.asked).toBe(2);
  await act(async () => chunk.come());
  await waitFor(() => expect(issue.stored.text).toBe('- a\n+ b\n'));
});
