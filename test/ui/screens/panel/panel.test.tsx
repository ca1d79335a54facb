import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { failures, limitReached, refusals, storage, unreachable, whole } from '../../../../src/domain/messages.ts';
import { noPermissions } from '../../../../src/domain/permissions.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

const texts = () =>
  screen.getAllByRole('listitem').map(item => item.querySelector('.check-text, .check-title')?.textContent);
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
/** Deletes a row by the button that shows while it is hovered. */
async function remove(name: string) {
  await userEvent.hover(screen.getByText(name));
  await userEvent.click(await screen.findByRole('button', { name: `Delete ${name}` }));
}
const input = () => screen.getByRole('textbox', { name: 'Add an item' });

test("shows the tracker's checklist", async () => {
  await show(fakeIssue('# Ground\n- a\n+ b\n~ c\nx d\n> note\n- ! e\n'), <ChecklistPanel />);
  expect(texts()).toEqual(['Ground', 'a', 'b', 'c', 'd', '!Mandatory: e']);
  expect(screen.getByText('2/5 · 1 mandatory')).toBeVisible();
  const words = '2 of 5 done, 1 mandatory open, 1 Done, 1 Skipped, 1 In Progress';
  expect(screen.getByRole('progressbar', { name: words })).toBeVisible();
  expect(box('a')).not.toBeChecked();
  expect(box('b')).toBeChecked();
  expect(box('c')).toBePartiallyChecked();
  expect(box('d')).toBeChecked();
  expect(box('d')).toHaveAccessibleDescription('Skipped');
  expect(screen.queryByText('Skipped')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Ground' })).toBeVisible();
});

test('a tick shows at once, and is stored', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  const go = issue.hold();
  await userEvent.click(box('b'));
  expect(box('b')).toBeChecked();
  expect(screen.getByText('Saving…')).toBeInTheDocument();
  expect(issue.stored.text).toBe('- a\n- b\n');
  await act(async () => go());
  await waitFor(() => expect(screen.queryByText('Saving…')).toBeNull());
  expect(issue.stored.text).toBe('- a\n+ b\n');
  expect(box('b')).toBeChecked();
});

test('a tick that cannot be stored is reverted, with the message', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  await userEvent.click(box('a'));
  await waitFor(() => expect(box('a')).not.toBeChecked());
  expect(issue.flags).toEqual([{ title: refusals.permission, type: 'error' }]);
});

test('a tick that does not reach the server is shown as not saved yet until it is stored', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = 'broken';
  await userEvent.click(box('a'));
  const message = await screen.findByText(`Not saved yet. ${unreachable.broken} Retrying automatically.`);
  expect(message).toHaveAttribute('role', 'status');
  expect(box('a')).toBeChecked();
  expect(issue.flags).toEqual([]);
  issue.refuse = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(screen.queryByText(/^Not saved yet/)).toBeNull());
  expect(issue.stored.text).toBe('+ a\n- b\n');
});

test('an unsaved change shows when the panel is loaded again, and is saved then', async () => {
  const issue = fakeIssue('- a\n');
  const page = await show(issue, <ChecklistPanel />);
  issue.refuse = 'broken';
  await userEvent.click(box('a'));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add an item' }), 'b{Enter}');
  await screen.findByText(/^Not saved yet/);
  page.unmount();
  await show(issue, <ChecklistPanel />);
  expect(box('a')).toBeChecked();
  expect(texts()).toEqual(['a', 'b']);
  await screen.findByText(/^Not saved yet/);
  issue.refuse = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('+ a\n- b'));
  await waitFor(() => expect(screen.queryByText(/^Not saved yet/)).toBeNull());
});

test('without storage in the browser, leaving warns while a change is unsaved', async () => {
  const keep = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  const warns = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = 'broken';
  expect(warns()).toBe(false);
  await userEvent.click(box('a'));
  await screen.findByText(`Not saved yet. ${unreachable.broken} Keep this page open. Retrying automatically.`);
  expect(warns()).toBe(true);
  issue.refuse = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(screen.queryByText(/^Not saved yet/)).toBeNull());
  expect(warns()).toBe(false);
  keep.mockRestore();
});

test('the status menu has the four statuses, and returns the focus', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Status of a: To Do' }));
  const menu = await screen.findByRole('menu');
  const choices = within(menu).getAllByRole('menuitemradio');
  expect(choices.map(({ textContent }) => textContent)).toEqual(['To Do', 'In Progress', 'Done', 'Skipped']);
  expect(choices[0]).toBeChecked();
  await userEvent.click(within(menu).getByRole('menuitemradio', { name: 'Skipped' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Status of a: Skipped' })).toHaveFocus());
  expect(screen.queryByRole('menu')).toBeNull();
  await waitFor(() => expect(issue.stored.text).toBe('x a\n'));
});

test('the status menu closes with Escape and changes nothing', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  (await screen.findByRole('button', { name: 'Status of a: To Do' })).focus();
  await userEvent.keyboard('{ArrowDown}');
  await screen.findByRole('menu');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(screen.getByRole('button', { name: 'Status of a: To Do' })).toHaveFocus();
  expect(issue.operations).toEqual([]);
});

test('Enter adds an item, and the input is ready for the next', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  expect(screen.getByText(/No items yet/)).toBeVisible();
  await userEvent.type(input(), 'first{Enter}+ second{Enter}');
  expect(texts()).toEqual(['first', 'second']);
  expect(input()).toHaveFocus();
  expect(input()).toHaveValue('');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first\n+ second'));
});

test('several pasted lines become several items', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(input());
  await userEvent.paste('one\r\n\r\n# two\nthree');
  await waitFor(() => expect(texts()).toEqual(['one', 'two', 'three']));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- one\n# two\n- three'));
});

test('a single pasted line becomes text of the input', async () => {
  await show(fakeIssue(''), <ChecklistPanel />);
  await userEvent.click(input());
  await userEvent.paste('one\n');
  expect(input()).toHaveValue('one');
});

test('Enter in the empty input does nothing', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(input(), '  {Enter}');
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  expect(issue.operations).toEqual([]);
});

test('an item without words shows a message below the input', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(input(), '>{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('This is required.');
  expect(input()).toHaveAccessibleDescription('This is required.');
  expect(issue.operations).toEqual([]);
  await userEvent.type(input(), 'b');
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test('items that could not be added are restored into the input, line for line', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = { code: 'LIMIT_REACHED', message: limitReached.items };
  await userEvent.click(input());
  await userEvent.paste('one\ntwo');
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
  expect(input()).toHaveValue('- one\n- two');
  expect(texts()).toEqual(['a']);
  expect(screen.getByRole('alert')).toHaveTextContent(limitReached.items);
  expect(screen.queryByText(/^Not saved/)).toBeNull();
  issue.refuse = undefined;
  await userEvent.type(input(), '{Enter}');
  await waitFor(() => expect(texts()).toEqual(['a', 'one', 'two']));
});

test('a refused text does not overwrite newly typed text: it is offered', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  const go = issue.hold();
  issue.refuse = { code: 'LIMIT_REACHED', message: limitReached.items };
  await userEvent.type(input(), 'first{Enter}second');
  await act(async () => go());
  expect(await screen.findByText('Not saved: “first”')).toBeVisible();
  expect(screen.getByText(limitReached.items)).toBeVisible();
  expect(input()).toHaveValue('second');
  issue.refuse = undefined;
  await userEvent.click(screen.getByText('Retry'));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first'));
  expect(screen.queryByText(/^Not saved/)).toBeNull();
  expect(input()).toHaveValue('second');
});

test('a row without text has an accessible name', async () => {
  await show(fakeIssue('-'), <ChecklistPanel />);
  expect(box('empty item')).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Status of empty item: To Do' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Delete empty item' })).toBeInTheDocument();
});

test('deleting moves the focus to the row that takes the position', async () => {
  const issue = fakeIssue('- a\n- b\n- c\n');
  await show(issue, <ChecklistPanel />);
  await remove('b');
  expect(texts()).toEqual(['a', 'c']);
  expect(box('c')).toHaveFocus();
  await remove('c');
  expect(box('a')).toHaveFocus();
  await remove('a');
  expect(input()).toHaveFocus();
  await waitFor(() => expect(issue.stored.text.trim()).toBe(''));
});

test('a failed deletion restores the row, with the message', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  await remove('a');
  await waitFor(() => expect(texts()).toEqual(['a', 'b']));
  expect(issue.flags).toEqual([{ title: refusals.permission, type: 'error' }]);
});

test('a value that two users changed shows a message', async () => {
  const issue = fakeIssue('- a\n');
  // Values as the server merges them: statuses by name, people by id.
  const row = 'a [~accountid:ana]';
  issue.conflicts = [
    { row: 'a', attribute: 'status', mine: 'Done', theirs: 'ON HOLD' },
    { row, attribute: 'assignee', mine: '[~accountid:ana]', theirs: '[~accountid:pavel]' },
    { row, attribute: 'dueDate', mine: '2027-01-31', theirs: '' },
    { row: 'a', attribute: 'details', mine: '> one\n> two', theirs: '> three' },
    { row: 'a', attribute: 'kind', mine: '~ !', theirs: '##' },
  ];
  await show(issue, <ChecklistPanel />);
  await userEvent.click(box('a'));
  await waitFor(() =>
    expect(issue.flags.map(({ title, type }) => `${type}: ${title}`)).toEqual([
      'warning: “a”: you and someone else changed the status. Your value, “Done”, is kept. Theirs was “ON HOLD”.',
      'warning: “a @Person ana”: you and someone else changed the assignee. Your value, “@Person ana”, is kept. Theirs was “@Person pavel”.',
      'warning: “a @Person ana”: you and someone else changed the due date. Your value, “2027-01-31”, is kept. Theirs was nothing.',
      'warning: “a”: you and someone else changed the details. Your value, “one\ntwo”, is kept. Theirs was “three”.',
      'warning: “a”: you and someone else changed the item type. Your value, an item, is kept. Theirs was a level 2 header.',
    ]),
  );
});

test('only permitted commands are offered', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />, { ...noPermissions, canViewChecklist: true });
  expect(box('a')).toBeDisabled();
  expect(box('a')).toHaveAccessibleDescription('To Do');
  // The remaining controls change only the user's view.
  expect(screen.queryAllByRole('button').map(button => button.ariaLabel ?? button.textContent)).toEqual([
    'Checklist actions',
    'Filter',
    'Select',
    'Keyboard shortcuts',
    'More actions for a',
  ]);
  expect(await screen.findByText('Read-only')).toBeVisible();
  expect(screen.getByText(whole.readOnly(false))).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('without a license the panel says why it is read-only', async () => {
  const issue = fakeIssue('- a\n');
  issue.licensed = false;
  await show(issue, <ChecklistPanel />, { ...noPermissions, canViewChecklist: true });
  expect(await screen.findByText(refusals.unlicensed)).toBeVisible();
  expect(screen.queryByText(refusals.permission)).toBeNull();
});

test('without the permission to view, a message shows instead', async () => {
  await show(fakeIssue('- secret\n'), <ChecklistPanel />, noPermissions);
  expect(await screen.findByText(refusals.permission)).toBeVisible();
  expect(screen.queryByText('secret')).toBeNull();
});

test('the editor opens for this issue, and its changes show when it closes', async () => {
  const issue = fakeIssue('- a\n');
  issue.bridge.openDialog = async (_name, data) => {
    issue.opened.push(data);
    // The focus moves into the dialog with it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    issue.write('- a\n- from the editor\n');
    return undefined;
  };
  await show(issue, <ChecklistPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Open editor' }));
  expect(issue.opened).toEqual([{ issueId: '1', issueKey: 'ABC-1' }]);
  await waitFor(() => expect(texts()).toEqual(['a', 'from the editor']));
  expect(screen.getByRole('button', { name: 'Open editor' })).toHaveFocus();
});

test('an issue that cannot be read shows a message and can be retried', async () => {
  const issue = fakeIssue('- a\n');
  const { request, backend } = issue.bridge;
  issue.bridge.request = () => Promise.resolve({ status: 500, text: 'Oops' });
  issue.bridge.backend = () => Promise.resolve({ status: 500, text: '{}' });
  await show(issue, <ChecklistPanel />);
  expect(screen.getByRole('status', { name: 'Loading checklist' })).toBeVisible();
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByText(failures.unknown)).toBeVisible();
  Object.assign(issue.bridge, { request, backend });
  await userEvent.click(retry);
  expect(await screen.findByText('a')).toBeVisible();
});

test("if the tracker cannot be read, the server's checklist shows", async () => {
  const issue = fakeIssue('- a\n');
  issue.bridge.request = () => Promise.resolve({ status: 500, text: 'Oops' });
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByText('a')).toBeVisible();
});

test('a pending copy shows beside the progress, not as an error', async () => {
  const issue = fakeIssue('- a\n');
  issue.copyNotice = storage.copyPending;
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(storage.copyPending)).toBeVisible();
});

test("items use the project's own statuses once those have loaded", async () => {
  const issue = fakeIssue('- [On hold] a\n- b\n');
  const hold = { slug: 'hold', name: 'On hold', checked: false, color: 'red' as const, former: [], going: false };
  issue.statuses = [hold];
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByRole('button', { name: /^Status of a:\s*On hold$/ })).toBeVisible();
  expect(texts()).toEqual(['a', 'b']);
});
