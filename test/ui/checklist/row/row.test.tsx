import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fieldErrors } from '../../../../src/domain/fields.ts';
import { isoDay } from '../../../../src/ui/model/today.ts';
import ChecklistPanel from '../../../../src/ui/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** One row of the inline list and its commands. */

const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const stored = (issue: FakeIssue, text: string) => waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));
const item = (name: string) => screen.findByRole('menuitem', { name });
const field = (name: string) => screen.findByRole('textbox', { name });

async function open(
  text: string,
  ...may: Parameters<typeof show> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />, ...may);
  return issue;
}

async function menu(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  return screen.findByRole('menu', { name: `Actions for ${name}` });
}

async function choose(name: string, entry: string) {
  await menu(name);
  await userEvent.click(await item(entry));
}

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
  await act(async () => window.dispatchEvent(new Event('focus')));
  await screen.findByText('Someone else changed this item to “Write tests later”.');
  const choice = screen.getByRole('group', { name: 'You and someone else changed the text' });
  await userEvent.click(within(choice).getByRole('button', { name: 'Take theirs: Write tests later' }));
  expect(text.textContent).toBe('Write tests later');
  expect(screen.queryByRole('group', { name: /changed the text/ })).toBeNull();
  expect(text).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(issue.stored.text).toBe('- Write tests later\n- two\n');
});

test('a double click edits, Escape discards the edit', async () => {
  const issue = await open('- one\n');
  const outside = vi.fn();
  document.addEventListener('keydown', outside);
  await userEvent.dblClick(screen.getByText('one'));
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  outside.mockClear();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text of one' })).toBeNull());
  expect(outside).not.toHaveBeenCalled();
  document.removeEventListener('keydown', outside);
  expect(issue.stored.text).toBe('- one\n');
  expect(box('one')).toHaveFocus();
});

test('losing the focus saves the text, several pasted lines as one', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Edit');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' and');
  await act(async () => box('two').focus());
  await stored(issue, '- one and\n- two');
  expect(box('two')).toHaveFocus();
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
  await act(async () => window.dispatchEvent(new Event('focus')));
  await screen.findByText('three');
  expect(text).toHaveFocus();
  expect(text).toHaveTextContent('one mine');
  await userEvent.keyboard('{Enter}');
  await stored(issue, '+ one mine [~accountid:b2]\n- two\n- three');
});

test('a half-typed text is saved as a row when another user deletes its row', async () => {
  const issue = await open('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2}');
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  await userEvent.keyboard(' mine');
  issue.write('- two\n');
  await waitFor(() => expect(issue.stored.text).toContain('- one mine'));
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

test('details are written below the row, and edited', async () => {
  const issue = await open('- one\n- two\n');
  await choose('one', 'Add details');
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  await userEvent.keyboard('first{Enter}second{Control>}{Enter}{/Control}');
  await stored(issue, '- one\n> first\n> second\n- two');
  await choose('one', 'Edit details');
  expect(await field('Details of one')).toHaveTextContent('firstsecond');
});

test('an item is made mandatory and optional from its menu', async () => {
  const issue = await open('- one\n');
  await choose('one', 'Make mandatory');
  await stored(issue, '- ! one');
  await choose('one', 'Make optional');
  await stored(issue, '- one');
});

test('an item is assigned to the user, to a person found by name, and unassigned', async () => {
  const issue = await open('- one\n');
  const { request } = issue.bridge;
  const queries: unknown[] = [];
  issue.bridge.request = async (path, init) => {
    if (!path.endsWith('/user/picker')) return request(path, init);
    queries.push(init?.query?.query);
    return json({ users: [{ accountId: 'b2', displayName: '<i>Berta</i>', avatarUrl: '' }] });
  };
  await choose('one', 'Assign…');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Find a person' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(issue.stored.text).toMatch(/^- one \[~accountid:/));
  await userEvent.click(await screen.findByRole('button', { name: /^Assignee of one/ }));
  const search = await screen.findByRole('combobox');
  // In one task: on a slow machine the pause between keys may exceed the search's debounce.
  for (const value of ['b', 'be', 'ber']) fireEvent.change(search, { target: { value } });
  const option = await screen.findByRole('option', { name: '<i>Berta</i>' });
  expect(queries).toEqual(['ber']);
  await userEvent.click(option);
  await stored(issue, '- one [~accountid:b2]');
  expect(await screen.findByText('Assigned “one” to <i>Berta</i>')).toBeVisible();
  const control = await screen.findByRole('button', { name: /^Assignee of one.*<i>Berta<\/i>$/ });
  await waitFor(() => expect(control).toHaveFocus());
  await userEvent.click(control);
  await userEvent.click(await screen.findByRole('option', { name: 'Unassigned' }));
  await stored(issue, '- one');
});

test("the people finder begins with the assignee, the user, the issue's people and recent ones", async () => {
  const issue = await open('- one [~accountid:b2]\n- two\n');
  const { request } = issue.bridge;
  const user = (accountId: string, accountType = 'atlassian') => ({
    ...{ accountId, accountType, displayName: `Person ${accountId}`, avatarUrls: {} },
  });
  issue.bridge.request = (path, init) =>
    init?.query?.fields === 'reporter,assignee'
      ? Promise.resolve(json({ fields: { reporter: user('r1'), assignee: user('app', 'app') } }))
      : request(path, init);
  await userEvent.click(await screen.findByRole('button', { name: /^Assignee of one.*Person b2$/ }));
  await screen.findByRole('option', { name: 'Person r1 Reporter' });
  for (const [index, name] of ['Person b2 Assigned', 'Assign to me', 'Unassigned', 'Person r1 Reporter'].entries())
    expect(screen.getAllByRole('option')[index]).toHaveAccessibleName(name);
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Person b2');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await stored(issue, '- one [~accountid:r1]\n- two');
  await choose('two', 'Assign…');
  await userEvent.type(await screen.findByRole('combobox'), '{Escape}');
  await choose('two', 'Assign…');
  await userEvent.click(await screen.findByRole('option', { name: 'Person b2' }));
  await stored(issue, '- one [~accountid:r1]\n- two [~accountid:b2]');
  await userEvent.click(await screen.findByRole('button', { name: /^Assignee of one/ }));
  expect(await screen.findByRole('option', { name: 'Person b2 Recent' })).toBeVisible();
});

test('the people finder closes with Escape, and shows empty and failed searches', async () => {
  const issue = await open('- one\n');
  const { request } = issue.bridge;
  const answers = [json({ users: [] }), json({}, 500)];
  issue.bridge.request = async (path, init) =>
    path.endsWith('/user/picker') ? (answers.shift() ?? json({})) : request(path, init);
  await choose('one', 'Assign…');
  await userEvent.type(await screen.findByRole('combobox'), 'zz');
  expect(await screen.findByText('No people match “zz”.')).toBeVisible();
  await userEvent.keyboard('z');
  expect(await screen.findByText("We couldn't search for people.")).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(issue.operations).toEqual([]);
});

test('a due date is set by a shortcut and by the calendar, and cleared', async () => {
  const issue = await open('- one\n');
  await choose('one', 'Due date…');
  await userEvent.click(await screen.findByRole('button', { name: 'Today' }));
  const today = isoDay(new Date());
  await stored(issue, `- one ${today}`);
  await userEvent.click(await screen.findByRole('button', { name: /^Due date of one.*today$/ }));
  await userEvent.click(await within(await screen.findByRole('dialog')).findByText('15'));
  await waitFor(() => expect(issue.stored.text).toMatch(/^- one \d{4}-\d\d-15/));
  await userEvent.click(await screen.findByRole('button', { name: /^Due date of one/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Clear' }));
  await stored(issue, '- one');
});

test('a due date in words shows its day before Enter sets it; other words are refused', async () => {
  const issue = await open('- one\n');
  await choose('one', 'Due date…');
  const words = await screen.findByRole('textbox', { name: 'Date' });
  expect(words).toHaveFocus();
  await userEvent.type(words, '12/03/2031');
  expect(await screen.findByRole('button', { name: 'Wed 12 March 2031' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'March 2031' })).toBeVisible();
  await userEvent.type(words, '1{Enter}');
  expect(await screen.findByText("“12/03/20311” isn't a date.")).toBeVisible();
  await waitFor(() => expect(words).toBeInvalid());
  await userEvent.keyboard('{Backspace}');
  expect(words).toBeValid();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one 2031-03-12');
  await userEvent.click(await screen.findByRole('button', { name: /^Due date of one/ }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Date' }), 'tom{Enter}');
  await waitFor(() => expect(issue.stored.text).not.toContain('2031'));
  expect(issue.stored.text).toMatch(/^- one \d{4}-\d\d-\d\d/);
});

test('a row moves to the top, to the end, and to a section', async () => {
  const issue = await open('- a\n- b\n# One\n- c\n# Two\n- d\n');
  await choose('b', 'Move to top');
  await stored(issue, '- b\n- a\n# One\n- c\n# Two\n- d');
  await choose('b', 'Move to section…');
  await userEvent.click(await item('One'));
  await stored(issue, '- a\n# One\n- c\n- b\n# Two\n- d');
  await choose('a', 'Move to bottom');
  await stored(issue, '# One\n- c\n- b\n# Two\n- d\n- a');
});

async function openConvert(name: string) {
  await choose(name, 'Convert to issue…');
  const popup = await screen.findByRole('dialog', { name: `Convert ${name} to an issue` });
  await waitFor(() => expect(within(popup).getByLabelText('Issue type')).toHaveDisplayValue('Task'));
  return within(popup);
}

test('a refused conversion shows its reason in the popup, and another type can be chosen', async () => {
  const issue = await open('- one\n');
  issue.refuse = { code: 'ISSUE_REFUSED', message: 'Component/s is required.' };
  const popup = await openConvert('one');
  await userEvent.selectOptions(popup.getByLabelText('Issue type'), 'Sub-task');
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  expect(await popup.findByText('Component/s is required.')).toBeVisible();
  expect(issue.flags).toEqual([]);
  issue.refuse = undefined;
  await userEvent.selectOptions(popup.getByLabelText('Issue type'), 'Bug');
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  await stored(issue, '- ABC-2');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a conversion names project, type and whether the item follows', async () => {
  const issue = await open('- one\n');
  const sent: unknown[] = [];
  const { backend } = issue.bridge;
  issue.bridge.backend = (path, init) => {
    const { variables } = (init?.json ?? {}) as { variables?: { input?: { change: unknown } } };
    if (variables?.input) sent.push(variables.input.change);
    return backend(path, init);
  };
  const popup = await openConvert('one');
  await userEvent.click(popup.getByRole('combobox', { name: 'Project' }));
  await userEvent.keyboard('bet');
  await popup.findByRole('option', { name: 'Beta (BET)' });
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(popup.getByRole('combobox', { name: 'Project' })).toHaveValue('Beta (BET)'));
  await waitFor(() => expect(popup.getByLabelText('Issue type')).toHaveDisplayValue('Bug'));
  expect(popup.queryByRole('option', { name: 'Sub-task' })).toBeNull();
  await userEvent.click(popup.getByRole('checkbox'));
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  const target = { index: 0, text: 'one' };
  const chosen = { to: 'LINKED_ISSUE', project: '20', issueType: '2', replaces: true };
  await waitFor(() => expect(sent).toEqual([{ kind: 'convertItemToIssue', target, ...chosen }]));
});

test("the row's menu shows whether the item follows its issue, and changes it", async () => {
  const issue = await open('- ABC-2\n- ABC-3\n');
  const sent: unknown[] = [];
  const { backend } = issue.bridge;
  const issues = [{ issueKey: 'ABC-2', follows: true }];
  issue.bridge.backend = async (path, init) => {
    const { operationName, variables } = (init?.json ?? {}) as { operationName?: string; variables?: object };
    const answer = (data: object) => ({ status: 200, statusText: '', text: JSON.stringify({ data }) });
    if (operationName === 'getConvertedIssues') return answer({ convertedIssues: issues });
    if (operationName !== 'setFollowing') return backend(path, init);
    sent.push(variables);
    return answer({ setFollowing: { issues: [{ issueKey: 'ABC-2', follows: false }], errors: [] } });
  };
  await menu('ABC-2');
  const entry = await screen.findByRole('menuitemcheckbox', { name: 'Complete when ABC-2 is done', checked: true });
  await userEvent.click(entry);
  expect(sent).toEqual([{ issueId: '1', issueKey: 'ABC-2', follows: false }]);
  await waitFor(() => expect(issue.flags.at(-1)?.title).toBe('The item is no longer completed with ABC-2.'));
  await menu('ABC-3');
  expect(screen.queryByRole('menuitemcheckbox')).toBeNull();
});

test('converting to an issue shows a message and can be undone; earlier changes stay', async () => {
  const issue = await open('- one\n- two\n');
  await userEvent.click(box('two'));
  await waitFor(() => expect(issue.stored.text).toBe('- one\n+ two\n'));
  const popup = await openConvert('one');
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  expect(await screen.findByText('Converted “one” to an issue')).toBeVisible();
  expect(issue.stored.text).toBe('- ABC-2\n+ two\n');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone: Converted “one” to an issue')).toBeVisible();
  await waitFor(() => expect(issue.stored.text).toBe('- one\n+ two\n'));
});

test('the menu offers only permitted commands', async () => {
  const none = { canEditChecklist: false, canDeleteChecklistItems: false, canAddChecklistItems: false };
  await open('- one [~accountid:a1]\n', { ...none, canChangeItemStatuses: false });
  const entries = within(await menu('one')).getAllByRole('menuitem');
  expect(entries.map(({ textContent }) => textContent)).toEqual(['Copy link']);
  expect(screen.queryByRole('button', { name: /^Assignee/ })).toBeNull();
  box(/one/).focus();
  await userEvent.keyboard('{Escape}{F2}');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('the context key opens the menu, a letter finds an entry, and Escape returns the focus', async () => {
  await open('- one\n');
  box('one').focus();
  await userEvent.keyboard('{ContextMenu}');
  await screen.findByRole('menu', { name: 'Actions for one' });
  await waitFor(async () => expect(await item('Edit')).toHaveFocus());
  await userEvent.keyboard('d');
  await waitFor(async () => expect(await item('Due date…')).toHaveFocus());
  await userEvent.keyboard('d');
  await waitFor(async () => expect(await item('Delete')).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(box('one')).toHaveFocus();
});

test('statuses are found by their first letter; users with permission get a link to manage them', async () => {
  const issue = await open('- one\n', { canManageTemplates: true });
  const settings = vi.fn();
  issue.bridge.openSettings = settings;
  await userEvent.click(screen.getByRole('button', { name: 'Status of one: To Do' }));
  await waitFor(async () => expect(await screen.findByRole('menuitemradio', { name: 'To Do' })).toHaveFocus());
  await userEvent.keyboard('s{Enter}');
  await stored(issue, 'x one');
});

test('script and markup show as text in every position', async () => {
  const bad = '<img src=x onerror=alert(1)><script>alert(1)</script>';
  await open(`- ${bad} [~accountid:a1]\n> ${bad}\n# ${bad}\n`);
  expect(document.querySelector('img[src=x], .check-panel script')).toBeNull();
  expect(screen.getAllByText(bad).length).toBeGreaterThan(1);
});

test('a row of 10,000 characters and one in right-to-left script show completely and can be edited', async () => {
  const long = 'word '.repeat(2000).trim();
  const issue = await open(`- ${long}\n- שלום עולם :tada:\n`);
  expect(screen.getByText(long)).toBeVisible();
  await choose('שלום עולם :tada:', 'Edit');
  await waitFor(async () => expect(await field('Text of שלום עולם :tada:')).toHaveFocus());
  await userEvent.keyboard('!{Enter}');
  await waitFor(() => expect(issue.stored.text).toContain('- שלום עולם :tada:!'));
});
