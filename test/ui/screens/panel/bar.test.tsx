import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusals, selecting } from '../../../../src/domain/messages.ts';
import { noPermissions } from '../../../../src/domain/permissions.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** The list's toolbar and its foot: search, filters, selection, what is hidden, undo and redo. */

const texts = () =>
  screen.queryAllByRole('listitem').flatMap(item => item.querySelector('.check-text, .check-title')?.textContent ?? []);
const box = (name: string) => screen.getByRole('checkbox', { name: new RegExp(`^(Mandatory: ?)?${name}$`) });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const said = (words: string) => screen.findByText(words, { selector: '[role=status]' });
const stored = (issue: FakeIssue, text: string) => waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));
const input = () => screen.getByRole('textbox', { name: 'Add an item' });
const search = () => screen.findByRole('searchbox', { name: 'Search items' });
const more = async (entry: string) => {
  await userEvent.click(await button('More actions'));
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }));
};

beforeEach(() => sessionStorage.clear());

async function open(text: string) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />);
  return issue;
}

const long = [
  '# Prepare',
  '- Crème brûlée',
  '> For the *whole* team',
  '- Ask the lawyers [~accountid:berta]',
  '# Release',
  ...Array.from({ length: 14 }, (_, i) => `- Step ${i + 1}`),
].join('\n');

const lines = (count: number) => Array.from({ length: count }, (_, i) => `- Row ${i + 1}`).join('\n');

test('a short list has no search, one of 15 rows has', async () => {
  await open(lines(14));
  expect(screen.queryByRole('searchbox')).toBeNull();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add an item' }), 'Row 15{Enter}');
  expect(await search()).toBeVisible();
});

test.each([
  ['creme BRULEE', ['Prepare', 'Crème brûlée']],
  ['whole', ['Prepare', 'Crème brûlée']],
  ['person ber', ['Prepare', 'Ask the lawyers']],
  ['accountid', []],
  ['step 14', ['Release', 'Step 14']],
  ['prep', ['Prepare', 'Crème brûlée', 'Ask the lawyers']],
])('a search for “%s” finds words, details, names and sections', async (words, found) => {
  await open(long);
  await userEvent.type(await search(), words);
  await waitFor(() => expect(texts()).toEqual(found));
  const items = found.length === 0 ? 0 : found.length - 1;
  await said(`${items} of 16 shown`);
});

test('/ searches, and Escape shows all rows and goes back to the row', async () => {
  await open(long);
  box('Step 3').focus();
  await userEvent.keyboard('/');
  await waitFor(async () => expect(await search()).toHaveFocus());
  await userEvent.keyboard('lawyers');
  await said('1 of 16 shown');
  await userEvent.keyboard('{Escape}');
  expect(texts()).toHaveLength(18);
  expect(box('Step 3')).toHaveFocus();
  expect(await search()).toHaveValue('');
});

test('filters are combined, shown as removable, and kept for the session', async () => {
  const text = [
    '- ! a [~accountid:ana]',
    '- ! b [~accountid:berta] 2020-01-01',
    '- ! c',
    '- d [~accountid:berta]',
    '+ e [~accountid:carl]',
  ].join('\n');
  const issue = fakeIssue(text);
  const { unmount } = await show(issue, <ChecklistPanel />);
  await userEvent.click(await button('Filter'));
  const filters = within(screen.getByRole('group', { name: 'Show only' }));
  await filters.findByRole('button', { name: 'Person berta 2' });
  expect(filters.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Assigned to me 1',
    'Unassigned 1',
    'Overdue 1',
    'Mandatory 3',
    'Person berta 2',
    'Person carl 1',
    'To Do 4',
    'Done 1',
  ]);
  await userEvent.click(filters.getByRole('button', { name: 'Mandatory 3' }));
  await userEvent.click(filters.getByRole('button', { name: 'Person berta 2' }));
  await waitFor(() => expect(texts().map(each => each.replace('!Mandatory: ', ''))).toEqual(['b']));
  await userEvent.click(filters.getByRole('button', { name: 'Unassigned 1' }));
  await waitFor(() => expect(texts()).toHaveLength(2));
  await said('2 of 5 shown');
  unmount();
  await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(texts()).toHaveLength(2));
  await userEvent.click(await button('Remove filter Person berta'));
  await waitFor(() => expect(texts()).toHaveLength(1));
  expect(await button('Remove filter Mandatory')).toHaveFocus();
  await userEvent.click(await button('Clear filters'));
  await waitFor(() => expect(texts()).toHaveLength(5));
  expect(await button('Filter')).toHaveFocus();
  expect(Object.keys(sessionStorage).filter(key => key.includes('filter'))).toEqual([]);
});

test('an item added under a filter is said to be hidden, and shows on request', async () => {
  const issue = await open('- ! a\n- b');
  await userEvent.click(await button('Filter'));
  await userEvent.click(await button('Mandatory 1'));
  await userEvent.type(input(), 'c{Enter}');
  await said('Added, hidden by the filter.');
  expect(texts()).toHaveLength(1);
  await userEvent.click(await button('Show'));
  expect(texts()).toEqual(['!Mandatory: a', 'c']);
  expect(box('c')).toHaveFocus();
  expect(screen.queryByText('Added, hidden by the filter.')).toBeNull();
  await stored(issue, '- ! a\n- b\n- c');
  await userEvent.type(input(), '! d{Enter}');
  await stored(issue, '- ! a\n- b\n- c\n- ! d');
  expect(screen.queryByText('Added, hidden by the filter.')).toBeNull();
});

test('an item added to a closed section, or completed and hidden, is said to be there', async () => {
  await open('# One\n- a\n+ b');
  await userEvent.click(screen.getByRole('button', { name: 'Section One' }));
  await userEvent.type(input(), 'c{Enter}');
  await said('Added, in a collapsed section.');
  await userEvent.click(await button('Show'));
  expect(box('c')).toHaveFocus();
  await userEvent.click(await button('Hide completed'));
  await userEvent.type(input(), '+ d{Enter}');
  await said('Added, hidden as completed.');
  await userEvent.click(await button('Show'));
  expect(box('d')).toHaveFocus();
  expect(texts()).toEqual(['One', 'a', 'c', 'd']);
});

test('a row moved under a filter leaves the hidden ones in order', async () => {
  const issue = await open('- ! a\n- b\n- c\n- ! d\n- e');
  await userEvent.click(await button('Filter'));
  await userEvent.click(await button('Mandatory 2'));
  box('d').focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await stored(issue, '- ! d\n- ! a\n- b\n- c\n- e');
});

test('all sections close and open at once', async () => {
  await open('# One\n- a\n# Two\n- b');
  await userEvent.click(await button('Collapse all'));
  expect(texts()).toEqual(['One', 'Two']);
  expect(screen.queryByRole('button', { name: 'Collapse all' })).toBeNull();
  await userEvent.click(await button('Expand all'));
  expect(texts()).toEqual(['One', 'a', 'Two', 'b']);
});

test('a long list shows its first rows; the others by a button, by key, by search and when added', async () => {
  const issue = fakeIssue(lines(130));
  const { unmount } = await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(texts()).toHaveLength(100));
  await userEvent.type(await search(), 'row 130');
  await waitFor(() => expect(texts()).toEqual(['Row 130']));
  await userEvent.clear(await search());
  await waitFor(() => expect(texts()).toHaveLength(100));
  await userEvent.type(input(), 'the last{Enter}');
  await waitFor(() => expect(texts().slice(99)).toEqual(['Row 100', 'the last']));
  await userEvent.click(await button('Show 30 more'));
  expect(texts()).toHaveLength(131);
  expect(box('Row 101')).toHaveFocus();
  unmount();
  const { unmount: leave } = await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(texts()).toHaveLength(131));
  await userEvent.click(await button('Show fewer'));
  expect(texts()).toHaveLength(100);
  leave();
  await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(texts()).toHaveLength(100));
  box('Row 1').focus();
  await userEvent.keyboard('{End}');
  await waitFor(() => expect(box('the last')).toHaveFocus());
});

test('printing shows all rows', async () => {
  await open(lines(130));
  await waitFor(() => expect(texts()).toHaveLength(100));
  await button('Filter');
  window.dispatchEvent(new Event('beforeprint'));
  await waitFor(() => expect(texts()).toHaveLength(130));
  window.dispatchEvent(new Event('afterprint'));
  await waitFor(() => expect(texts()).toHaveLength(100));
});

test('the selection stays for several commands, each one change', async () => {
  const issue = await open('# One\n- a\n- ! b\n- c\n# Two\n- d');
  box('a').focus();
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await said('3 selected');
  await userEvent.click(await button('Due date'));
  await userEvent.click(await button('Today'));
  const day = await waitFor(() => {
    const found = /^- a (\S+)$/m.exec(issue.stored.text)?.[1];
    expect(found).toBeDefined();
    return found;
  });
  await waitFor(async () => expect(await button('Due date')).toHaveFocus());
  await more('Make mandatory');
  await stored(issue, `# One\n- ! a ${day}\n- ! b ${day}\n- ! c ${day}\n# Two\n- d`);
  await said('Made 2 items mandatory');
  await userEvent.click(await button('Move to section'));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Two' }));
  await stored(issue, `# One\n# Two\n- d\n- ! a ${day}\n- ! b ${day}\n- ! c ${day}`);
  await said('Moved 3 items to Two');
  expect(issue.operations).toEqual(['changeChecklistItems', 'changeChecklistItems', 'moveChecklistItem']);
  await userEvent.click(await button('Undo'));
  await stored(issue, `# One\n- ! a ${day}\n- ! b ${day}\n- ! c ${day}\n# Two\n- d`);
  await said('3 selected');
  await userEvent.click(await button('Clear selection'));
  expect(screen.queryByText('3 selected')).toBeNull();
  expect(box('a')).toHaveFocus();
});

test('selected rows are copied as text and as Markdown, also by users who only read', async () => {
  const copied: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (text: string) => void copied.push(text) },
  });
  const issue = fakeIssue('# One\n- ! a [~accountid:berta]\n> note\n+ b\n- c');
  await show(issue, <ChecklistPanel />, { ...noPermissions, canViewChecklist: true });
  await screen.findAllByText('Person berta');
  await userEvent.click(await button('Select'));
  await userEvent.click(screen.getByText('a', { exact: false, selector: '.check-text' }));
  await userEvent.click(screen.getByText('b', { selector: '.check-text' }));
  expect(
    within(screen.getByRole('toolbar'))
      .getAllByRole('button')
      .map(({ ariaLabel }) => ariaLabel),
  ).toEqual(['More actions', 'Clear selection']);
  await more('Copy as Markdown');
  await waitFor(() => expect(copied[0]).toContain('- [x] b'));
  expect(copied[0]).toContain('@Person berta');
  expect(copied[0]).not.toContain('One');
  await more('Copy as text');
  await waitFor(() => expect(copied[1]).toContain('☑ b'));
  expect(issue.flags).toEqual([
    { title: '2 items copied.', type: 'success' },
    { title: '2 items copied.', type: 'success' },
  ]);
  vi.unstubAllGlobals();
});

test('selected items become issues of their own, and how many is announced', async () => {
  const issue = await open('- a\n- b\n- c');
  box('a').focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await said('3 selected');
  await more('Convert to issues…');
  const dialog = await screen.findByRole('dialog', { name: 'Convert 3 items to issues' });
  await waitFor(() => expect(within(dialog).getByLabelText('Issue type')).toHaveDisplayValue('Sub-task'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Convert' }));
  await waitFor(() => expect(issue.flags).toEqual([{ title: '3 issues created.', type: 'success' }]));
  expect(issue.operations).toEqual(Array(3).fill('convertItemToIssue'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

/** The texts of the selected rows. */
const selectedRows = () =>
  [...document.querySelectorAll('.check-selected')].map(row => row.querySelector('.check-text')?.textContent);

test('in select mode boxes and rows select, and nothing is ticked; Escape leaves', async () => {
  const issue = await open('- a\n- b\n- c');
  await userEvent.click(await button('Select'));
  await said(`${selecting.none} ${selecting.hint}`);
  await userEvent.click(box('a'));
  await userEvent.click(screen.getByText('c'));
  await said('2 selected');
  await said(selecting.hint);
  expect(selectedRows()).toEqual(['a', 'c']);
  await userEvent.keyboard('{Escape}');
  expect(selectedRows()).toEqual([]);
  expect(screen.queryByText(selecting.hint)).toBeNull();
  expect(await button('Select')).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(await button('Select'));
  box('b').focus();
  await userEvent.keyboard(' ');
  expect(selectedRows()).toEqual(['b']);
  await userEvent.keyboard(' {Escape}');
  expect(box('b')).toHaveFocus();
  expect(issue.operations).toEqual([]);
  await userEvent.click(box('b'));
  await stored(issue, '- a\n+ b\n- c');
});

test('Ctrl, Cmd and Shift select with boxes and rows alike, without the mode', async () => {
  const issue = await open('- a\n- b\n- c\n- d');
  const user = userEvent.setup();
  await user.keyboard('{Control>}');
  await user.click(box('a'));
  await user.keyboard('{/Control}{Meta>}');
  await user.click(screen.getByText('d'));
  await user.keyboard('{/Meta}');
  expect(selectedRows()).toEqual(['a', 'd']);
  await user.keyboard('{Shift>}');
  await user.click(box('b'));
  await user.keyboard('{/Shift}');
  expect(selectedRows()).toEqual(['b', 'c', 'd']);
  expect(screen.queryByText(selecting.hint)).toBeNull();
  (await button('Assign')).focus();
  await user.keyboard('{Escape}');
  expect(selectedRows()).toEqual([]);
  expect(document.body).not.toHaveFocus();
  expect(issue.operations).toEqual([]);
});

test('a bulk action is said once the server has made it; a refused one never is, and its reason stays', async () => {
  const issue = await open('- a\n- b\n- c');
  await userEvent.click(await button('Select'));
  for (const name of ['a', 'b']) await userEvent.click(box(name));
  const answer = issue.hold();
  await userEvent.click(await button('Assign'));
  await userEvent.click(await screen.findByRole('option', { name: 'Assign to me' }));
  expect(screen.queryByText('Assigned 2 items to you')).toBeNull();
  expect(await button('Undo')).toBeVisible();
  answer();
  await said('Assigned 2 items to you');
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  await userEvent.click(await button('Assign'));
  await userEvent.click(await screen.findByRole('option', { name: 'Unassigned' }));
  expect((await screen.findAllByText(new RegExp(refusals.permission))).length).toBeGreaterThan(0);
  expect(screen.queryByText('Unassigned 2 items')).toBeNull();
});

test('a selected row that a filter hides is not changed with the others', async () => {
  const issue = await open('- ! a\n- b');
  await userEvent.click(await button('Select'));
  await userEvent.click(screen.getByText('b', { selector: '.check-text' }));
  await userEvent.click(box('a').closest('li') ?? document.body);
  await said('2 selected');
  await userEvent.click(await button('Clear selection'));
  await userEvent.click(await button('Filter'));
  await userEvent.click(await button('Mandatory 1'));
  box('a').focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await said('1 selected');
  await userEvent.click(await button('Delete'));
  await stored(issue, '- b');
});

test.each([
  ['# One\ntwo\nthree', 'Added 2 items'],
  ['# One\ntwo', 'Added 1 item'],
  ['# One\n# Two', 'Added 2 headers'],
])('headers do not count as items: %j', async (pasted, words) => {
  await open('- a');
  await userEvent.click(input());
  await userEvent.paste(pasted);
  await said(words);
});

test('Undo and Redo are both below the list, and name people and days', async () => {
  const issue = await open('- a [~accountid:berta]\n- b');
  await screen.findByText('Person berta');
  await userEvent.type(input(), 'ask [[~accountid:berta] twice{Enter}');
  await said('Added “ask @Person berta twice”');
  await userEvent.click(box('b'));
  expect(await button('Redo')).toHaveAttribute('aria-disabled', 'true');
  const undo = await button('Undo');
  expect(undo).toHaveAccessibleDescription('Undo: “b”: Done');
  await userEvent.click(undo);
  await stored(issue, '- a [~accountid:berta]\n- b\n- ask [~accountid:berta] twice');
  expect(await button('Redo')).toHaveAccessibleDescription('Redo: “b”: Done');
  expect(await button('Undo')).toHaveFocus();
  await userEvent.click(undo);
  await stored(issue, '- a [~accountid:berta]\n- b');
  expect(undo).toHaveAttribute('aria-disabled', 'true');
  expect(undo).toHaveFocus();
  await userEvent.click(await button('Redo'));
  await userEvent.click(await button('Redo'));
  await waitFor(() => expect(issue.stored.text).toContain('+ b'));
});
