import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { upgrade } from '../../../../src/domain/links.ts';
import { limitReached, whole } from '../../../../src/domain/messages.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

vi.mock('../../../../src/domain/edition.ts', async load => {
  const { editionOf, ...rest } = await load<typeof import('../../../../src/domain/edition.ts')>();
  const limits = { itemsPerChecklist: 2 };
  const edition = editionOf({ edition: 'free', version: '1.0.0', platform: 'cloud', development: false, limits });
  return { ...rest, editionOf, edition };
});

const input = () => screen.queryByRole('textbox', { name: 'Add an item' });

test('a full checklist shows a message instead of an input', async () => {
  await show(fakeIssue('- a\n# no item\n- b\n'), <ChecklistPanel />);
  expect(await screen.findByText(limitReached.items)).toBeVisible();
  expect(input()).toBeNull();
  expect(screen.getByRole('link', { name: 'Upgrade for more' })).toHaveAttribute('href', upgrade);
});

test('what is typed behind the last item that fits stays in the input, which says so, until it is taken away', async () => {
  const issue = fakeIssue('- a\n# no item\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add an item' }), 'b{Enter}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(limitReached.items));
  expect(screen.getByRole('alert')).not.toHaveTextContent(whole.notAdded);
  expect(input()).toHaveFocus();
  await userEvent.keyboard('and c{Enter}');
  expect(input()).toHaveValue('and c');
  expect(screen.getByRole('alert')).toHaveTextContent(`${limitReached.items}. ${whole.notAdded} Upgrade for more`);
  await userEvent.click(screen.getByRole('checkbox', { name: 'a' }));
  expect(input()).toHaveValue('and c');
  expect(issue.stored.text).toBe('+ a\n# no item\n- b\n');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Add an item' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'a' }));
  expect(input()).toBeNull();
  expect(screen.getByText(limitReached.items)).toBeVisible();
});

test('too many pasted items are refused before they are sent, and stay in the input', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('textbox', { name: 'Add an item' }));
  await userEvent.paste('b\nc');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(limitReached.items));
  expect(input()).toHaveValue('- b\n- c');
  expect(issue.operations).toEqual([]);
});

test('a paste that is read again needs room for what it adds beyond the first reading', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('textbox', { name: 'Add an item' }));
  await userEvent.paste('h2. Plan\n* (/) order {{food}}');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('## Plan\n+ order `food`'));
  await userEvent.click(await screen.findByRole('button', { name: 'Text' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- h2. Plan\n- (/) order {{food}}'));
});

test('ticking and deleting work above the limit', async () => {
  const issue = fakeIssue('- a\n- b\n- c\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(screen.getByRole('checkbox', { name: 'a' }));
  await userEvent.hover(screen.getByText('c'));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete c' }));
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n- b\n'));
});

test('the remaining number of items shows before the limit is reached', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  expect(await screen.findByText(/^There is room for one more item in the Free version\./)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Upgrade for more' })).toBeVisible();
});
