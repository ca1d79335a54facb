import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { failures } from '../../../../src/domain/messages.ts';
import { isoDay } from '../../../../src/ui/model/today.ts';
import { json } from '../../fakes.ts';
import { answer } from '../../screens/templates/server.ts';
import { box, choose, field, item, menu, open, stored } from './opened-row.tsx';

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
  await waitFor(() => expect(within(popup).getByLabelText('Issue type')).toHaveDisplayValue('Sub-task'));
  return within(popup);
}

test('a refused conversion shows its reason in the popup, and another type can be chosen', async () => {
  const issue = await open('- one\n');
  issue.refuse = { code: 'ISSUE_REFUSED', message: 'Component/s is required.' };
  const popup = await openConvert('one');
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  expect(await popup.findByText('Component/s is required.')).toBeVisible();
  expect(issue.flags).toEqual([]);
  issue.refuse = undefined;
  await userEvent.selectOptions(popup.getByLabelText('Issue type'), 'Bug');
  await userEvent.click(popup.getByRole('button', { name: 'Convert' }));
  await stored(issue, '- ABC-2');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [{ id: '5', name: 'Sub-task', subtask: true, hierarchyLevel: -1 }, 'Sub-task'],
  [{ id: '9', name: 'Epic', subtask: false, hierarchyLevel: 1 }, 'Task'],
])('the type that a conversion begins with fits below %j', async (issuetype, usual) => {
  const issue = await open('- one\n');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    init?.query?.fields === 'project,issuetype'
      ? json({ id: '1', fields: { project: { id: '10', key: 'ABC', name: 'Alpha' }, issuetype } })
      : request(path, init);
  await choose('one', 'Convert to issue…');
  await waitFor(async () => expect(await screen.findByLabelText('Issue type')).toHaveDisplayValue(usual));
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

test('whether an item follows its issue, if that could not be changed, is said in the menu', async () => {
  const issue = await open('- ABC-2\n');
  answer(issue, {
    getConvertedIssues: () => ({ convertedIssues: [{ issueKey: 'ABC-2', follows: true }] }),
    setFollowing: () => 503,
  });
  await menu('ABC-2');
  const entry = await screen.findByRole('menuitemcheckbox', { name: 'Complete when ABC-2 is done' });
  await userEvent.click(entry);
  expect(await screen.findByText(failures.updateChecklist)).toHaveAttribute('role', 'alert');
  expect(entry).toBeChecked();
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
