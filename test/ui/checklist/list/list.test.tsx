import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { HostRequest } from '../../../../src/bridge/bridge.ts';
import { failures, refusals } from '../../../../src/domain/messages.ts';
import { noPermissions } from '../../../../src/domain/permissions.ts';
import { HIDE_COMPLETED } from '../../../../src/domain/storage.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** The list: undo, move, selection and filter. */

const texts = () =>
  screen.queryAllByRole('listitem').flatMap(item => item.querySelector('.check-text, .check-title')?.textContent ?? []);
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const said = (words: string) => screen.findByText(words, { selector: '[role=status]' });
const stored = (issue: FakeIssue, text: string) => waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));

async function open(text: string) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />);
  return issue;
}

test('a tick is undone by the button beside its name, and redone', async () => {
  const issue = await open('- a\n- b\n');
  await userEvent.click(box('b'));
  await said('“b”: Done');
  await userEvent.click(await button('Undo'));
  expect(box('b')).not.toBeChecked();
  await said('Undone: “b”: Done');
  await stored(issue, '- a\n- b');
  await userEvent.click(await button('Redo'));
  expect(box('b')).toBeChecked();
  await stored(issue, '- a\n+ b');
});

test('Ctrl+Z undoes one change after the other, Ctrl+Shift+Z redoes them', async () => {
  const issue = await open('- a\n- b\n- c\n');
  await userEvent.click(box('a'));
  await userEvent.hover(screen.getByText('b'));
  await userEvent.click(await button('Delete b'));
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n- c\n'));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(texts()).toEqual(['a', 'b', 'c']);
  await userEvent.keyboard('{Meta>}z{/Meta}');
  expect(box('a')).not.toBeChecked();
  await stored(issue, '- a\n- b\n- c');
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  expect(box('a')).toBeChecked();
  await userEvent.keyboard('{Control>}y{/Control}');
  await stored(issue, '+ a\n- c');
});

test('rows can be dragged although the pointer came before there were two', async () => {
  await open('- a\n');
  await userEvent.hover(screen.getByText('a'));
  const input = await screen.findByRole('textbox', { name: 'Add an item' });
  act(() => input.focus());
  await userEvent.keyboard('b{Enter}');
  const b = await screen.findByText('b');
  await waitFor(() => {
    // Within the list: it does not enter again.
    fireEvent.pointerOver(screen.getByText('a'), { relatedTarget: b });
    expect(screen.getByText('a').closest('li')).toHaveAttribute('draggable', 'true');
  });
});

test('a text field has its own undo', async () => {
  const issue = await open('- a\n');
  await userEvent.click(box('a'));
  await stored(issue, '+ a');
  await userEvent.type(screen.getByRole('textbox'), 'typed{Control>}z{/Control}');
  expect(box('a')).toBeChecked();
});

test('an added item is undone from the input; text typed next is not changed', async () => {
  const issue = await open('- a\n');
  const input = () => screen.getByRole('textbox', { name: 'Add an item' });
  await userEvent.type(input(), 'b{Enter}');
  await stored(issue, '- a\n- b');
  expect(input()).toHaveFocus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await stored(issue, '- a');
  await userEvent.keyboard('{Control>}y{/Control}');
  await stored(issue, '- a\n- b');
  await userEvent.keyboard('c{Backspace}{Control>}z{/Control}');
  expect(texts()).toEqual(['a', 'b']);
});

test('undo does not change what another user changed meanwhile', async () => {
  const issue = await open('- a\n- b\n');
  await userEvent.click(box('a'));
  await stored(issue, '+ a\n- b');
  issue.write('+ a\n- b\n- from somebody else\n');
  await userEvent.keyboard('{Control>}z{/Control}');
  await stored(issue, '- a\n- b\n- from somebody else');
});

test('undo is offered only with the permission for the inverse change', async () => {
  const may = { ...noPermissions, canViewChecklist: true, canDeleteChecklistItems: true };
  const issue = fakeIssue('- a\n> note\n- b\n');
  const { unmount } = await show(issue, <ChecklistPanel />, may);
  await userEvent.click(await button('Delete a'));
  await said('Deleted “a”');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await stored(issue, '- b');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(await screen.findByRole('alert')).toHaveTextContent(refusals.permission);
  expect(texts()).toEqual(['b']);
  unmount();

  const other = fakeIssue('- a\n> note\n- b\n');
  await show(other, <ChecklistPanel />, { ...may, canAddChecklistItems: true });
  await userEvent.click(await button('Delete a'));
  await stored(other, '- b');
  await userEvent.click(await button('Undo'));
  await stored(other, '- a\n> note\n- b');
  expect(other.operations.at(-1)).toBe('addChecklistItemsFromText');
});

test('users with permission to delete and add restore rows at their positions, in one step', async () => {
  const may = { ...noPermissions, canViewChecklist: true, canDeleteChecklistItems: true, canAddChecklistItems: true };
  const text = '- a\n> note\n- b\n+ c\n- d\n- e\n';
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />, may);
  const user = userEvent.setup();
  await user.click(await button('Select'));
  for (const name of ['a', 'c', 'd']) await user.click(screen.getByText(name));
  await user.click(await button('Delete'));
  await stored(issue, '- b\n- e');
  await userEvent.click(await button('Undo'));
  await stored(issue, text.trimEnd());
  await userEvent.click(await button('Redo'));
  await stored(issue, '- b\n- e');
  await userEvent.click(await button('Undo'));
  await stored(issue, text.trimEnd());
  expect(issue.flags).toEqual([]);
});

test('arrow keys move from row to row, and Tab leaves the list', async () => {
  await open('# One\n- a\n- b\n');
  await userEvent.click(box('a'));
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(box('b')).toHaveFocus());
  expect(box('b')).toHaveAttribute('tabindex', '0');
  expect(box('a')).toHaveAttribute('tabindex', '-1');
  await userEvent.keyboard('{Home}');
  const section = screen.getByRole('button', { name: 'Section One' });
  await waitFor(() => expect(section).toHaveFocus());
  await userEvent.keyboard('{End} ');
  await waitFor(() => expect(box('b')).toHaveFocus());
});

test('Alt and an arrow key move a row, announce its position and keep the focus on it', async () => {
  const issue = await open('- a\n# Release\n- b\n- c\n');
  box('c').focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await said('Moved to position 1 of 2, section Release.');
  expect(texts()).toEqual(['a', 'Release', 'c', 'b']);
  expect(box('c')).toHaveFocus();
  await stored(issue, '- a\n# Release\n- c\n- b');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await said('Moved to position 2 of 2.');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(texts()).toEqual(['a', 'Release', 'c', 'b']);
});

test('a row that was moved up and then deleted passes the focus to the row at its new position', async () => {
  await open('- a\n- b\n- c\n- d\n');
  await screen.findByRole('textbox', { name: 'Add an item' });
  box('c').focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await said('Moved to position 2 of 4.');
  await userEvent.keyboard('{Delete}');
  await waitFor(() => expect(texts()).toEqual(['a', 'b', 'd']));
  expect(box('b')).toHaveFocus();
});

test('a header moves with its section', async () => {
  const issue = await open('# One\n- a\n# Two\n- b\n- c\n');
  screen.getByRole('button', { name: 'Section Two' }).focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await said('Moved to section 1 of 2.');
  expect(texts()).toEqual(['Two', 'b', 'c', 'One', 'a']);
  await stored(issue, '# Two\n- b\n- c\n# One\n- a');
  expect(screen.getByRole('button', { name: 'Section Two' })).toHaveFocus();
});

test('a refused move is reverted with its message', async () => {
  const issue = await open('- a\n- b\n');
  issue.refuse = { code: 'FORBIDDEN', message: '' };
  box('b').focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(issue.flags).toEqual([{ title: failures.moveItem, type: 'error' }]));
  expect(texts()).toEqual(['a', 'b']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('selected rows are moved, changed and deleted together, each in one step', async () => {
  const issue = await open('- a\n- b\n- c\n- d\n');
  box('b').focus();
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await said('2 selected');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(texts()).toEqual(['b', 'c', 'a', 'd']));
  await userEvent.click(await button('Set status'));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Skipped' }));
  await stored(issue, 'x b\nx c\n- a\n- d');
  await userEvent.keyboard('{Control>}z{/Control}');
  await stored(issue, '- b\n- c\n- a\n- d');
  await userEvent.keyboard('{Control>}z{/Control}');
  await stored(issue, '- a\n- b\n- c\n- d');
  expect(issue.operations).toEqual([
    'moveChecklistItem',
    'changeChecklistItems',
    'changeChecklistItems',
    'updateChecklistFromText',
  ]);
});

test('rows are selected by clicks with Ctrl and Shift, assigned and deleted', async () => {
  const issue = await open('- a\n- b\n- c\n- d\n');
  const user = userEvent.setup();
  await user.keyboard('{Control>}');
  await user.click(screen.getByText('a'));
  await user.keyboard('{/Control}{Shift>}');
  await user.click(screen.getByText('c'));
  await user.keyboard('{/Shift}');
  await said('3 selected');
  await user.click(await button('Assign'));
  await user.click(await screen.findByRole('option', { name: 'Assign to me' }));
  await stored(issue, '- a [~accountid:ana]\n- b [~accountid:ana]\n- c [~accountid:ana]\n- d');
  await user.keyboard('{Control>}z{/Control}');
  await stored(issue, '- a\n- b\n- c\n- d');
  await user.click(await button('Clear selection'));
  await user.click(await button('Select'));
  await user.click(screen.getByText('b'));
  await user.click(screen.getByText('d'));
  await user.click(await button('Delete'));
  await stored(issue, '- a\n- c');
  await user.keyboard('{Control>}z{/Control}');
  await stored(issue, '- a\n- b\n- c\n- d');
});

test('N opens an input below the row, which moves down with each added item; Escape closes it', async () => {
  const issue = await open('- a\n- b\n');
  box('a').focus();
  await userEvent.keyboard('n');
  const input = await screen.findByRole('textbox', { name: 'New item below a' });
  await waitFor(() => expect(input).toHaveFocus());
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two{Enter}');
  expect(texts()).toEqual(['a', 'one', 'two', 'b']);
  await userEvent.keyboard('three{Enter}');
  expect(texts()).toEqual(['a', 'one', 'two', 'three', 'b']);
  await stored(issue, '- a\n- one\n- two\n- three\n- b');
  await userEvent.keyboard('{Escape}');
  expect(screen.getAllByRole('textbox')).toHaveLength(1);
  expect(box('three')).toHaveFocus();
});

test('text typed below a row stays when another user deletes that row', async () => {
  const issue = await open('- a\n- b\n- c\n');
  box('b').focus();
  await userEvent.keyboard('n');
  await screen.findByRole('textbox', { name: 'New item below b' });
  await userEvent.keyboard('typed');
  issue.write('- a\n- c\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(texts()).toEqual(['a', 'c']));
  expect(screen.getByDisplayValue('typed')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(issue.stored.text).toContain('- typed'));
});

test('a header adds at the end of its own section', async () => {
  const issue = await open('# One\n- a\n# Two\n- b\n');
  await userEvent.click(await button('Add an item in section One'));
  await screen.findByRole('textbox', { name: 'New item below a' });
  await userEvent.keyboard('new{Enter}');
  await stored(issue, '# One\n- a\n- new\n# Two\n- b');
});

test('text pasted from other tools becomes items', async () => {
  const issue = await open('- a\n');
  await userEvent.click(await screen.findByRole('textbox'));
  await userEvent.paste('* [ ] open\n* [x] closed');
  await stored(issue, '- a\n- open\n+ closed');
});

test('a list pasted between rows is read in another notation in its place, by keyboard', async () => {
  const issue = await open('- a\n- b\n');
  box('a').focus();
  await userEvent.keyboard('n');
  await screen.findByRole('textbox', { name: 'New item below a' });
  await userEvent.paste('* (/) book room\n* order {{food}}');
  await stored(issue, '- a\n+ book room\n- order `food`\n- b');
  await said('Pasted as Wiki.');
  // Rows that another user adds above move it down.
  issue.write('- zero\n- a\n+ book room\n- order `food`\n- b\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await screen.findByText('zero');
  screen.getByRole('textbox', { name: /^New item below/ }).focus();
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'Text' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- zero\n- a\n- (/) book room\n- order {{food}}\n- b');
  await said('Pasted as Text.');
  await waitFor(() => expect(screen.getByRole('textbox', { name: /^New item below/ })).toHaveFocus());
  await userEvent.keyboard('next{Enter}');
  await stored(issue, '- zero\n- a\n- (/) book room\n- order {{food}}\n- next\n- b');
});

test('sections collapse and expand, and keep that state', async () => {
  const issue = fakeIssue('# One\n- a\n# Two\n- b\n');
  const page = await show(issue, <ChecklistPanel />);
  const section = screen.getByRole('button', { name: 'Section One' });
  expect(section).toHaveAttribute('aria-expanded', 'true');
  await userEvent.click(section);
  expect(texts()).toEqual(['One', 'Two', 'b']);
  page.unmount();
  await show(issue, <ChecklistPanel />);
  expect(texts()).toEqual(['One', 'Two', 'b']);
  screen.getByRole('button', { name: 'Section One' }).focus();
  await userEvent.keyboard('{ArrowRight}');
  await waitFor(() => expect(texts()).toEqual(['One', 'a', 'Two', 'b']));
});

test('the head counts each status alone', async () => {
  const issue = fakeIssue('+ a\nx b\n~ c\n- [On hold] d\n- ! e\n+ [Approved] f\n~ g\n');
  issue.statuses = [
    { slug: 'hold', name: 'On hold', checked: false, color: 'red', former: [], going: false },
    { slug: 'approved', name: 'Approved', checked: true, color: 'green', former: [], going: false },
  ];
  await show(issue, <ChecklistPanel />);
  const words = '3 of 7 done, 1 mandatory open, 1 Done, 1 Skipped, 1 Approved, 2 In Progress, 1 On hold';
  const bar = await screen.findByRole('progressbar', { name: words });
  expect(bar.children).toHaveLength(5);
  expect(screen.getByText('3/7 · 1 mandatory').parentElement).toHaveTextContent(
    '3/7 · 1 mandatory 1 Skipped 1 Approved 2 In Progress 1 On hold',
  );
});

test('completed items stay hidden for the user in another browser', async () => {
  const issue = fakeIssue('- a\n+ b\nx c\n');
  const written: HostRequest[] = [];
  const { request } = issue.bridge;
  issue.bridge.request = (path, init = {}) => {
    if (!path.includes('/user/properties')) return request(path, init);
    if (init.method === 'PUT') written.push(init);
    return Promise.resolve(json({ keys: written.length > 0 ? [{ key: HIDE_COMPLETED }] : [], value: 'true' }));
  };
  const page = await show(issue, <ChecklistPanel />);
  await userEvent.click(await button('Hide completed'));
  expect(texts()).toEqual(['a']);
  expect(await button('2 completed hidden')).toHaveAttribute('aria-pressed', 'true');
  expect(written).toEqual([{ method: 'PUT', query: { accountId: 'ana' }, json: 'true' }]);
  await userEvent.click(box('a'));
  expect(await screen.findByText(/^All items are completed/)).toBeVisible();
  await stored(issue, '+ a\n+ b\nx c');
  page.unmount();
  localStorage.clear();
  await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(texts()).toEqual([]));
  await userEvent.click(await button('Show completed items'));
  expect(texts()).toEqual(['a', 'b', 'c']);
});

test('a filter shows matching rows with their sections, and can be cleared', async () => {
  await open('# One\n- a [~accountid:ana]\n~ b\n# Two\n- c 2020-01-01\n');
  await userEvent.click(await button('Filter'));
  const filters = screen.getByRole('group', { name: 'Show only' });
  expect(
    within(filters)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Assigned to me 1', 'Unassigned 2', 'Overdue 1', 'To Do 2', 'In Progress 1']);
  await userEvent.click(await button('Overdue 1'));
  expect(texts()).toEqual(['Two', 'c']);
  await userEvent.click(await button('Assigned to me 1'));
  expect(await screen.findByText(/^No items match/)).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'Overdue 1' }));
  expect(texts()[0]).toBe('One');
  expect(texts()).toHaveLength(2);
  await userEvent.click(await button('Clear filters'));
  expect(texts()).toHaveLength(5);
});

test('? shows the keys', async () => {
  await open('- a\n');
  box('a').focus();
  await userEvent.keyboard('?');
  const help = await screen.findByRole('region', { name: 'Keyboard shortcuts' });
  expect(help).toHaveTextContent('Move item or section up');
  await waitFor(() => expect(help).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Keyboard shortcuts' })).toBeNull();
  expect(box('a')).toHaveFocus();
});

test.each([
  [
    'while rows are selected',
    async (user: UserEvent) => {
      await user.keyboard('{Control>}');
      await user.click(screen.getByText('a'));
      await user.keyboard('{/Control}');
    },
  ],
  ['in the mode of selecting', async (user: UserEvent) => user.click(await button('Select'))],
])('%s, a click in a row’s popup or open field is for that', async (_, select) => {
  const issue = await open('- a\n- b\n');
  const user = userEvent.setup();
  await select(user);
  box('b').focus();
  await user.keyboard('a');
  await user.click(await screen.findByRole('option', { name: 'Assign to me' }));
  await stored(issue, '- a\n- b [~accountid:ana]');
  box('b').focus();
  await user.keyboard('e');
  const field = await screen.findByRole('textbox', { name: /^Text of b/ });
  const selected = () => document.querySelectorAll('li.check-selected').length;
  const before = selected();
  await user.click(field);
  await user.keyboard('{Shift>}');
  await user.click(field);
  await user.keyboard('{/Shift}');
  expect(selected()).toBe(before);
  await user.keyboard('{Escape}');
});
