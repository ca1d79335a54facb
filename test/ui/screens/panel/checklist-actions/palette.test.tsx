import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noPermissions } from '../../../../../src/domain/permissions.ts';
import ChecklistPanel from '../../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../../issue.tsx';
import { choose } from './menu.ts';

const palette = () => screen.findByRole('combobox', { name: 'Commands' });
const found = () => screen.getAllByRole('option').map(option => option.firstChild?.textContent);
const box = (name: string) => screen.getByRole('checkbox', { name });

test('F1 searches what the user may do, runs it for the focused row, and the row has the focus again', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('b').focus());
  await userEvent.keyboard('{F1}');
  const search = await palette();
  await waitFor(() => expect(search).toHaveFocus());
  await userEvent.keyboard('mandatory');
  const [first] = screen.getAllByRole('option');
  expect(first).toHaveTextContent('Make mandatory!');
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('combobox', { name: 'Commands' })).toBeNull();
  await waitFor(() => expect(issue.stored.text).toBe('- a\n- ! b\n'));
  expect(screen.getByRole('checkbox', { name: /b$/ })).toHaveFocus();
  await userEvent.keyboard('{Control>}{Shift>}p{/Shift}{/Control}');
  await palette();
  await userEvent.keyboard('undo{Enter}');
  await waitFor(() => expect(issue.stored.text).toBe('- a\n- b\n'));
  await userEvent.keyboard('{F1}');
  await palette();
  await userEvent.keyboard('set status{Enter}');
  expect(await screen.findByRole('menu', { name: /status/i })).toBeVisible();
});

test('a row moves to a section and becomes an issue from the palette, and by keys of their own', async () => {
  const issue = fakeIssue('- a\n- b\n# Later\n- c\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('b').focus());
  await userEvent.keyboard('{F1}');
  await palette();
  await userEvent.keyboard('to section{Enter}');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Later' }));
  await waitFor(() => expect(issue.stored.text).toBe('- a\n# Later\n- c\n- b\n'));
  act(() => box('a').focus());
  await userEvent.keyboard('m');
  expect(await screen.findByRole('menu', { name: 'Move a to a section' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(box('a')).toHaveFocus());
  await userEvent.keyboard('c');
  expect(await screen.findByRole('dialog', { name: 'Convert a to an issue' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(box('a')).toHaveFocus());
  await userEvent.keyboard('{F1}');
  await palette();
  await userEvent.keyboard('convert{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Convert a to an issue' })).toBeVisible();
});

test('a section gets a gate and is shown to customers from the palette', async () => {
  const issue = fakeIssue('- a\n# Later\n- c\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('a').focus());
  await userEvent.keyboard('{F1}');
  await palette();
  expect(found()).not.toContain('Gate before a status…');
  expect(found()).not.toContain('Show to customers');
  await userEvent.keyboard('{Escape}');
  const header = () => screen.getByRole('button', { name: /section Later|Later/, expanded: true });
  act(() => header().focus());
  await userEvent.keyboard('{F1}');
  await palette();
  expect(found()).not.toContain('Hide from customers');
  await userEvent.keyboard('show to customers{Enter}');
  await waitFor(() => expect(issue.stored.text).toBe('- a\n# Later !customers\n- c\n'));
  act(() => header().focus());
  await userEvent.keyboard('{F1}');
  await palette();
  expect(found()).not.toContain('Show to customers');
  await userEvent.keyboard('gate before{Enter}');
  expect(await screen.findByRole('dialog', { name: /Later/ })).toBeVisible();
});

test('without a section, no row offers to move to one', async () => {
  await show(fakeIssue('- a\n- b\n'), <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('b').focus());
  await userEvent.keyboard('m');
  expect(screen.queryByRole('menu')).toBeNull();
  await userEvent.keyboard('{F1}');
  await palette();
  expect(found()).not.toContain('Move to section…');
});

test('Escape closes the palette, and the row has the focus again', async () => {
  await show(fakeIssue('- a\n- b\n'), <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('b').focus());
  await userEvent.keyboard('{F1}');
  const search = await palette();
  await waitFor(() => expect(search).toHaveFocus());
  await userEvent.keyboard('no such command');
  expect(screen.getByText('Nothing found')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(search).not.toBeInTheDocument();
  expect(box('b')).toHaveFocus();
});

test('commands of the palette apply to the selected rows', async () => {
  const issue = fakeIssue('- a\n- b\n- c\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  act(() => box('a').focus());
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await screen.findByText('2 selected');
  await userEvent.keyboard('{F1}');
  await palette();
  expect(found()).toContain('Selected items: set status…');
  await userEvent.keyboard('make mandatory{Enter}');
  await waitFor(() => expect(issue.stored.text).toBe('- ! a\n- ! b\n- c\n'));
});

test('without a permission, the palette has only what changes nothing', async () => {
  await show(fakeIssue('- a\n- b\n'), <ChecklistPanel />, { ...noPermissions, canViewChecklist: true });
  await choose('Commands…');
  await palette();
  expect(found()).toEqual([
    'Filter',
    'Select',
    'Copy as Markdown',
    'Export as CSV',
    'Print',
    'History',
    'Assigned items',
    'Mute notifications',
    'Notification settings',
    'Help and what’s new',
    'Keyboard shortcuts',
  ]);
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Checklist actions' })).toHaveFocus();
});
