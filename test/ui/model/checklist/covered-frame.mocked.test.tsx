import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useEffectEvent } from 'react';
import { expect, test, vi } from 'vitest';
import type { Json } from '../../../../src/bridge/bridge.ts';
import type { LiveEvent } from '../../../../src/client/live/events.ts';
import EditorScreen from '../../../../src/ui/screens/editor/editor-screen.tsx';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** How often a frame reads while others change its checklist. */

const listeners = new Set<(event: LiveEvent) => void>();
vi.mock(import('../../../../src/ui/shell/use-live.ts'), () => ({
  useLive: (_interest: object, listener: (event: LiveEvent) => void) => {
    const latest = useEffectEvent(listener);
    useEffect(() => {
      const listen = (event: LiveEvent) => latest(event);
      listeners.add(listen);
      return () => void listeners.delete(listen);
    }, []);
    return true;
  },
}));

const publish = (event: LiveEvent) =>
  act(async () => {
    for (const listener of [...listeners]) listener(event);
    await new Promise(resolve => setTimeout(resolve));
  });

/** Counts the server's operations by name. */
function counted(issue: FakeIssue) {
  const counts = new Map<string, number>();
  const { backend } = issue.bridge;
  issue.bridge.backend = (path, init = {}) => {
    const { operationName } = init.json as { operationName: string };
    counts.set(operationName, (counts.get(operationName) ?? 0) + 1);
    return backend(path, init);
  };
  return (name: string) => counts.get(name) ?? 0;
}

/** A change by another user, and its events. */
async function change(issue: FakeIssue, text: string) {
  issue.write(text);
  await publish({ kind: 'presence', issue: '1', by: ['bob'] });
  await publish({ kind: 'checklist', issue: '1', by: ['bob'], epoch: 'e', seq: issue.stored.seq });
}

test('the frame behind the open editor reads nothing, and once when it closes', async () => {
  const issue = fakeIssue('- a\n');
  let close = (_result: Json): void => undefined;
  issue.bridge.openDialog = () =>
    new Promise(resolve => {
      close = resolve;
    });
  const count = counted(issue);
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Open editor' }));
  const [reads, editors] = [count('getChecklist'), count('getEditors')];
  for (let index = 0; index < 10; index += 1) await change(issue, `- a ${index}\n`);
  expect([count('getChecklist'), count('getEditors')]).toEqual([reads, editors]);
  await act(async () => close({ issueId: '1', seq: issue.stored.seq }));
  expect(await screen.findByText('a 9')).toBeVisible();
  expect(count('getChecklist')).toBe(reads + 1);
  await change(issue, '- b\n');
  expect(await screen.findByText('b')).toBeVisible();
  expect(count('getChecklist')).toBe(reads + 2);
});

test('an editor that closes with what the panel has causes no reading', async () => {
  const issue = fakeIssue('- a\n');
  const count = counted(issue);
  issue.bridge.openDialog = async () => ({ issueId: '1', seq: issue.stored.seq });
  await show(issue, <ChecklistPanel />);
  const reads = count('getChecklist');
  await userEvent.click(await screen.findByRole('button', { name: 'Open editor' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open editor' })).toHaveFocus());
  expect(count('getChecklist')).toBe(reads);
});

test('the open editor reads each change of others once, and the editors at most once a second', async () => {
  const issue = fakeIssue('- a\n');
  const count = counted(issue);
  await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  await screen.findByRole('textbox', { name: /as text/ });
  const [reads, editors, start] = [count('getChecklist'), count('getEditors'), performance.now()];
  for (let index = 0; index < 10; index += 1) await change(issue, `- a ${index}\n`);
  const seconds = (performance.now() - start) / 1_000;
  await waitFor(() => expect(screen.getByRole('textbox', { name: /as text/ })).toHaveTextContent('a 9'));
  expect(count('getChecklist')).toBe(reads + 10);
  expect(count('getEditors') - editors).toBeLessThanOrEqual(seconds + 2);
});

test('events of the own account change nothing about others', async () => {
  const issue = fakeIssue('- a\n');
  const count = counted(issue);
  await show(issue, <ChecklistPanel />);
  const editors = count('getEditors');
  await publish({ kind: 'presence', issue: '1', by: ['ana'] });
  await publish({ kind: 'checklist', issue: '1', by: ['ana'], epoch: 'e', seq: 1 });
  expect(count('getEditors')).toBe(editors);
});
