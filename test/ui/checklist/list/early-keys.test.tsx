import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

/** Keys pressed before the list's commands are loaded act in order, each where the one before has led to. */

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

/** Shows a checklist and presses keys at its item `a`, all of them before any has an effect. */
async function press(text: string, ...keys: readonly (string | KeyboardEventInit)[]) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />);
  box('a').focus();
  await act(async () => {
    for (const key of keys) fireEvent.keyDown(box('a'), typeof key === 'string' ? { key } : key);
    expect(box('a')).toHaveFocus();
  });
  return issue;
}

const stored = (issue: Awaited<ReturnType<typeof press>>, text: string) =>
  waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));

test('arrows go on from row to row', async () => {
  await press('- a\n- b\n- c\n- d', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown');
  await waitFor(() => expect(box('c')).toHaveFocus());
});

test('Shift+arrows select on', async () => {
  const down = { key: 'ArrowDown', shiftKey: true };
  await press('- a\n- b\n- c\n- d', down, down);
  expect(await screen.findByText('3 selected')).toBeVisible();
});

test('Space ticks the row that an arrow led to', async () => {
  const issue = await press('- a\n- b\n- c', 'ArrowDown', ' ', 'ArrowDown');
  await stored(issue, '- a\n+ b\n- c');
  expect(box('c')).toHaveFocus();
});

test.each([
  ['is loading', () => undefined],
  ['is there', () => import('../../../../src/ui/checklist/row/row-layers.tsx')],
])(
  'a letter opens a part of the row that an arrow led to; what follows is typed into the field that %s',
  async (_, load) => {
    await load();
    const issue = await press('- a\n- b', 'ArrowDown', 'e', 'd', 'N', 'Delete');
    const field = await screen.findByRole('textbox', { name: 'Text of b' });
    await waitFor(() => expect(field).toHaveTextContent('bdN'));
    // Else the next case begins with its draft.
    fireEvent.keyDown(field, { key: 'Escape' });
    await waitFor(() => expect(field).not.toBeInTheDocument());
    expect(issue.operations).toEqual([]);
  },
);

test('a letter opens a popup; what follows is typed into its input', async () => {
  await import('../../../../src/ui/checklist/row/row-layers.tsx');
  const issue = await press('- a\n- b', 'ArrowDown', 'd', '2', 'Delete');
  const input = await screen.findByRole<HTMLInputElement>('textbox', { name: /date/i });
  await waitFor(() => expect(input.value).toBe('2'));
  expect(issue.operations).toEqual([]);
});

test('Delete deletes one row after the other', async () => {
  const issue = await press('- a\n- b\n- c', 'Delete', 'Delete');
  await stored(issue, '- c');
});

test('what follows the key that opens an input is no command', async () => {
  const issue = await press('- a\n- b', 'N', 'd', 'Delete');
  expect(await screen.findByRole('textbox', { name: 'New item below a' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(issue.operations).toEqual([]);
});

test('a row is moved twice', async () => {
  const down = { key: 'ArrowDown', altKey: true };
  const issue = await press('- a\n- b\n- c', down, down);
  await stored(issue, '- b\n- c\n- a');
});
