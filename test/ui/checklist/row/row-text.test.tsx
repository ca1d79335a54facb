import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { flushSync } from 'react-dom';
import { expect, test, vi } from 'vitest';
import { fieldErrors } from '../../../../src/domain/fields.ts';
import { conflicts } from '../../../../src/domain/messages.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { payload } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';
import { answer } from '../../screens/templates/server.ts';
import { box, choose, field, open, stored } from './opened-row.tsx';

test('F2 and Enter edit a row, and the focus returns to it', async () => {
  const issue = await open('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2}');
  const text = await field('Text of one');
  await waitFor(() => expect(text).toHaveFocus());
  await userEvent.keyboard(' more{Enter}');
  await stored(issue, '- one more\n- two');
  expect(screen.queryByRole('textbox', { name: 'Text of one' })).toBeNull();
  await waitFor(() => expect(box('one more')).toHaveFocus());
});

test('the field has the words only, and assignee and due date keep their place at the end', async () => {
  const issue = await open('- Write tests [~accountid:b2] 2199-01-01\n- two\n');
  box('Write tests').focus();
  await userEvent.keyboard('{F2}');
  const text = await field('Text of Write tests');
  await waitFor(() => expect(text).toHaveFocus());
  expect(text.textContent).toBe('Write tests');
  expect(screen.getByRole('button', { name: /^Assignee of Write tests/ })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Due date of Write tests/ })).toBeVisible();
  await userEvent.keyboard(' and run them{Enter}');
  await stored(issue, '- Write tests and run them [~accountid:b2] 2199-01-01\n- two');
});

test('a day typed at the end of the words takes the place of the one beside them', async () => {
  const issue = await open('- Write tests [~accountid:b2] 2199-01-01\n');
  box('Write tests').focus();
  await userEvent.keyboard('{F2}');
  await waitFor(async () => expect(await field('Text of Write tests')).toHaveFocus());
  await userEvent.keyboard(' 2199-02-02 {Enter}');
  await stored(issue, '- Write tests 2199-02-02 [~accountid:b2]');
});

test('a person whom the sentence needs stays in it', async () => {
  await open('- Approved by [~accountid:b2]\n- Write tests [~accountid:b2]\n- Ask [~accountid:b2], then ship\n');
  const [approved, written, asked] = screen.getAllByRole('listitem');
  const wordsOf = (row?: HTMLElement) => row?.querySelector('.check-text')?.textContent;
  await waitFor(() => expect(wordsOf(approved)).toMatch(/^Approved by .*@\S/));
  expect(wordsOf(asked)).toMatch(/^Ask .*@.+, then ship$/);
  expect(wordsOf(written)).toBe('Write tests');
  expect(within(approved ?? document.body).queryByText(/^Assignee of/)).toBeNull();
  expect(within(written ?? document.body).getByText(/^Assignee of/)).toBeInTheDocument();
});

test('another rewording of the edited row is shown in its field, and the choice is the user’s', async () => {
  const issue = await open('- Write tests\n- two\n');
  box('Write tests').focus();
  await userEvent.keyboard('{F2}');
  const text = await field('Text of Write tests');
  await waitFor(() => expect(text).toHaveFocus());
  await userEvent.keyboard(' now');
  issue.write('- Write tests later\n- two\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await screen.findByText('Someone else changed this item to “Write tests later”.');
  const choice = screen.getByRole('group', { name: 'You and someone else changed the text' });
  await userEvent.click(within(choice).getByRole('button', { name: 'Take theirs: Write tests later' }));
  expect(text.textContent).toBe('Write tests later');
  expect(screen.queryByRole('group', { name: /changed the text/ })).toBeNull();
  expect(text).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(issue.stored.text).toBe('- Write tests later\n- two\n');
});

test('a rewording that was merged names the colleague whose words it replaced', async () => {
  const issue = fakeIssue('- Write tests\n- two\n');
  issue.conflicts = [
    { row: 'Write tests now', attribute: 'text', mine: 'Write tests now', theirs: 'Review tests', rowId: 'r1' },
  ];
  const before = { epoch: 'e', created: '2026-11-01T10:00:00.000Z', kind: 'updateChecklistItem', name: 'Checklists' };
  const about = { ...before, previousName: null, previous: null, changeCount: 1, conflicts: [] };
  const entries = [
    ['Write tests now', payload.sub],
    ['Review tests', 'b2'],
  ].map(([to, account], index) => {
    const change = { kind: 'REWORDED', index: 0, row: to, rowId: 'r1', header: false, from: 'Write tests', to };
    return { ...about, account, seq: 2 - index, changes: [change] };
  });
  const sent = answer(issue, { getHistory: () => ({ checklistHistory: { next: null, entries } }) });
  await show(issue, <ChecklistPanel />);
  (await screen.findByRole('checkbox', { name: 'Write tests' })).focus();
  await userEvent.keyboard('{F2}');
  await waitFor(async () => expect(await field('Text of Write tests')).toHaveFocus());
  await userEvent.keyboard(' now{Enter}');
  const choice = await screen.findByRole('group', { name: 'You and Person b2 changed the text' });
  expect(within(choice).getByText('Review tests')).toBeVisible();
  await waitFor(() =>
    expect(
      screen.getByText('Person b2 changed the text of “Write tests now”, too. Choose below the item.'),
    ).toHaveAttribute('role', 'status'),
  );
  expect(sent.map(({ variables }) => variables.filter)).toEqual([{ rowId: 'r1' }]);
});

test('a row that another user moves into a folded section opens that section, and its field stays', async () => {
  const issue = await open('- one\n# Later\n- two\n');
  await userEvent.click(screen.getByRole('button', { name: 'Section Later' }));
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' more');
  issue.write('# Later\n- one\n- two\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(box('two')).toBeVisible(), { timeout: 5_000 });
  await waitFor(async () => expect(await field('Text of one more')).toHaveFocus(), { timeout: 5_000 });
  await userEvent.keyboard(' words{Enter}');
  await stored(issue, '# Later\n- one more words\n- two');
});

test('a double click edits, Escape discards the edit', async () => {
  const issue = await open('- one\n');
  const outside = vi.fn();
  document.addEventListener('keydown', outside);
  await userEvent.click(screen.getByText('one'));
  // The second click is on the field.
  await userEvent.click(await field('Text of one'));
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  outside.mockClear();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text of one' })).toBeNull());
  expect(outside).not.toHaveBeenCalled();
  document.removeEventListener('keydown', outside);
  expect(issue.stored.text).toBe('- one\n');
  expect(box('one')).toHaveFocus();
});

test('losing the focus saves the text', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' and');
  await act(async () => box('two').focus());
  await stored(issue, '- one and\n- two');
  expect(box('two')).toHaveFocus();
});

test('of several pasted lines the first is text of the field, and the others are items below', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' and ');
  await userEvent.paste('a half\n* [x] ticked\n  - sub\n* [ ] open');
  await stored(issue, '- one\n+ ticked\n- sub\n- open\n- two');
  expect(await field('Text of one')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one and a half\n+ ticked\n- sub\n- open\n- two');
});

test('pasted items with a status of their own all go below the row', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.paste('* [x] ticked\n* [ ] open');
  await stored(issue, '- one\n+ ticked\n- open\n- two');
  expect((await field('Text of one')).textContent).toBe('one');
});

test('lines pasted into a field are read in another notation in their place, by keyboard', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(': ');
  await userEvent.paste('* half\n* (/) ticked\n* {{open}}');
  await stored(issue, '- one\n+ ticked\n- `open`\n- two');
  await waitFor(async () => expect((await field('Text of one')).textContent).toBe('one: half'));
  await waitFor(() => expect(screen.getByText('Pasted as Wiki.')).toBeVisible());
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one\n- (/) ticked\n- {{open}}\n- two');
  await waitFor(() => expect(screen.getByText('Pasted as Text.')).toBeVisible());
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await waitFor(async () => expect((await field('Text of one')).textContent).toBe('one: half'));
  await userEvent.keyboard('!');
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Read as:' })).toBeNull());
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one: half!\n- (/) ticked\n- {{open}}\n- two');
});

test('what lines pasted into a field lost is said below it', async () => {
  const issue = await open('- one\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.paste('* (/) see !plan.png!\n* b');
  await stored(issue, '- one\n+ see\n- b');
  expect(await screen.findByText("Pasted as Wiki. An image isn't kept. “plan.png”")).toBeVisible();
  expect(issue.flags).toEqual([]);
});

test('who may not delete items is not offered another notation, which takes the pasted ones back', async () => {
  const issue = await open('- one\n', { canDeleteChecklistItems: false });
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.paste('* (/) a\n* {{b}}');
  await stored(issue, '- one\n+ a\n- `b`');
  expect(await screen.findByText('Pasted as Wiki.')).toBeVisible();
  expect(screen.queryByRole('group', { name: 'Read as:' })).toBeNull();
});

test('an empty text is not saved', async () => {
  const issue = await open('- one\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard('{Control>}a{/Control}{Backspace}{Enter}');
  expect(await screen.findByText(fieldErrors.REQUIRED)).toBeVisible();
  expect(issue.operations).toEqual([]);
});

test('a foreign change keeps a half-typed text and its focus, and both are saved', async () => {
  const issue = await open('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2}');
  const text = await field('Text of one');
  await waitFor(() => expect(text).toHaveFocus());
  await userEvent.keyboard(' mine');
  issue.write('+ one [~accountid:b2]\n- two\n- three\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await screen.findByText('three');
  expect(text).toHaveFocus();
  expect(text).toHaveTextContent('one mine');
  await userEvent.keyboard('{Enter}');
  await stored(issue, '+ one mine [~accountid:b2]\n- two\n- three');
});

test('words that others add to the end of a row stand before those that are typed at the end of its field', async () => {
  const issue = await open('- one \n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2}');
  const text = await field('Text of one');
  await waitFor(() => expect(text).toHaveFocus());
  await userEvent.keyboard('{End}');
  issue.write('- one theirs\n- two\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(text).toHaveTextContent('one theirs'));
  await userEvent.keyboard(' mine{Enter}');
  await stored(issue, '- one theirs mine\n- two');
});

/** Starts editing an item, types, and has another user store a text. */
async function replaced(issue: Awaited<ReturnType<typeof open>>, name: string, typed: string, text: string) {
  box(name).focus();
  await userEvent.keyboard('{F2}');
  const before = await field(`Text of ${name}`);
  await waitFor(() => expect(before).toHaveFocus());
  if (typed !== '') await userEvent.keyboard(typed);
  issue.write(text);
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(before).not.toBeInTheDocument());
}

test('a half-typed text is a row again when another user deletes its row; the user sees why, and types on', async () => {
  const issue = await open('- one\n- two\n');
  await replaced(issue, 'one', ' mine', '- two\n');
  await stored(issue, '- one mine\n- two');
  const item = screen.getAllByRole('listitem')[0];
  expect(item).toHaveTextContent(conflicts.deletedMeanwhile('Someone else', 'one', true));
  await waitFor(async () => expect(await field('Text of one mine')).toHaveFocus());
  await userEvent.keyboard(' too{Enter}');
  await stored(issue, '- one mine too\n- two');
  expect(box('two')).not.toBeChecked();
  // Until the user goes on elsewhere.
  expect(screen.getByText(/deleted this item/, { selector: '.check-lost' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(box('two')).toHaveFocus());
  await waitFor(() => expect(screen.queryByText(/deleted this item/, { selector: '.check-lost' })).toBeNull());
});

test('a half-typed text is edited on in the detail that others have made of its row', async () => {
  const issue = await open('- one alpha\n- two beta\n- three');
  await replaced(issue, 'two beta', ' my', '- one alpha\n> two beta\n- three');
  await stored(issue, '- one alpha\n> two beta my\n- three');
  await waitFor(async () => expect(await field('Details of one alpha')).toHaveFocus());
  await userEvent.keyboard('self{Control>}{Enter}{/Control}');
  await stored(issue, '- one alpha\n> two beta myself\n- three');
});

test('half-typed details come back with the deleted row', async () => {
  const issue = await open('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('>');
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  await userEvent.keyboard('why');
  issue.write('- two\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await stored(issue, '- one\n> why\n- two');
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  expect(screen.getByText(/deleted this item/, { selector: '.check-lost' })).toBeVisible();
});

test('a row that is deleted with its field open and nothing typed stays deleted, and the user sees why', async () => {
  const issue = await open('- one\n- two\n- three');
  await replaced(issue, 'two', '', '- one\n- three');
  const words = conflicts.deletedMeanwhile('Someone else', 'two', false);
  await waitFor(() => expect(screen.getAllByRole('listitem')[0]).toHaveTextContent(words));
  // No key is a command at the row that is in its place.
  await userEvent.keyboard(' e{Delete}');
  expect(issue.stored.text).toBe('- one\n- three');
  expect(screen.queryByRole('textbox', { name: /^Text of/ })).toBeNull();
  await userEvent.click(box('three'));
  expect(screen.queryByText(words, { selector: '.check-lost' })).toBeNull();
});

test('a notice of a deleted row shows when no other is left', async () => {
  const issue = await open('- one');
  await replaced(issue, 'one', '', '');
  const words = conflicts.deletedMeanwhile('Someone else', 'one', false);
  expect(await screen.findByText(words, { selector: '.check-lost' })).toBeVisible();
});

test('a row that is completed by another user while it is edited stays open though completed items are hidden', async () => {
  const issue = await open('- one\n- two\n+ three');
  await userEvent.click(await screen.findByRole('button', { name: 'Hide completed' }));
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'three' })).toBeNull());
  await replaced(issue, 'one', ' mine', '+ one\n- two\n+ three');
  await stored(issue, '+ one mine\n- two\n+ three');
  await waitFor(async () => expect(await field('Text of one mine')).toHaveFocus());
  expect(box('one mine')).toBeChecked();
  expect(screen.queryByText(/deleted/)).toBeNull();
});

test('a refused text stays in its input, with the message', async () => {
  const issue = await open('- one\n');
  issue.refuse = { code: 'FORBIDDEN', message: 'Not today.' };
  box('one').focus();
  await userEvent.keyboard('{F2}');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' more{Enter}');
  const again = await field('Text of one');
  expect(again).toHaveTextContent('one more');
  expect(within(screen.getByRole('list')).getByText('Not today.')).toBeVisible();
  expect(screen.queryByText(/^Not saved/)).toBeNull();
  issue.refuse = undefined;
  await userEvent.click(again);
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one more');
});

test('details are saved and cancelled by buttons, for those without the keys', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Add details');
  await field('Details of one');
  await userEvent.keyboard('by hand');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await stored(issue, '- one\n> by hand\n- two');
  await choose('one', 'Edit details');
  await field('Details of one');
  await userEvent.keyboard(' or not');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Details of one' })).toBeNull());
  await stored(issue, '- one\n> by hand\n- two');
});

test('details are written below the row, and edited', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Add details');
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  await userEvent.keyboard('first{Enter}second{Control>}{Enter}{/Control}');
  await stored(issue, '- one\n> first\n> second\n- two');
  await choose('one', 'Edit details');
  expect(await field('Details of one')).toHaveTextContent('firstsecond');
});

const press = (to: HTMLElement, key: string) =>
  flushSync(() => void to.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));

test('a key that is pressed while a menu or a popup loads is no other command', async () => {
  await open('- one\n- two\n');
  const main = box('one');
  act(() => main.focus());
  await act(async () => {
    press(main, 's');
    press(main, 'e');
  });
  expect(await screen.findByRole('menu', { name: 'Status' })).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Text of one' })).toBeNull();
});

test('on a keyboard of another script keys mean the letters of a Latin one, but not what AltGr types', async () => {
  await open('- one\n');
  const press = (init: KeyboardEventInit) => fireEvent.keyDown(box('one'), init);
  expect(press({ key: 'ę', code: 'KeyE', modifierAltGraph: true })).toBe(true);
  expect(screen.queryByRole('textbox', { name: 'Text of one' })).toBeNull();
  expect(press({ key: 'у', code: 'KeyE' })).toBe(false);
  expect(await field('Text of one')).toBeVisible();
});
