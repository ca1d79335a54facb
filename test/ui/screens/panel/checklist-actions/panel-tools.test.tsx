import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fieldErrors } from '../../../../../src/domain/fields.ts';
import { failures, managing, refusals, shell, successes } from '../../../../../src/domain/messages.ts';
import { noPermissions } from '../../../../../src/domain/permissions.ts';
import ChecklistPanel from '../../../../../src/ui/screens/panel/panel.tsx';
import { endPage, storedTexts } from '../../../ended-page.ts';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer } from '../../templates/server.ts';
import { choose, entries } from './menu.ts';

const everything = { canImportTemplate: true, canSaveTemplate: true, canManageTemplates: true };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const rows = () => screen.queryAllByRole('listitem').map(item => item.querySelector('.check-text')?.textContent);

test('a user with all permissions gets all entries', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />, everything);
  expect(await entries()).toEqual([
    'Apply template…',
    'Save as template…',
    'Add demo checklist',
    'Copy as Markdown',
    'Export as CSV',
    'Print',
    'History',
    'Assigned items',
    'Mute notifications',
    'Notification settings',
    'Manage templates',
    'Manage statuses',
    'Repair copies',
    'Import from Issue Checklist…',
    'Help and what’s new',
    'Commands…',
    'Keyboard shortcuts',
    'Rename checklist…',
    'Clear checklist…',
  ]);
});

test('a user with read-only permission gets entries that change nothing', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />, { ...noPermissions, canViewChecklist: true });
  expect(await entries()).toEqual([
    'Copy as Markdown',
    'Export as CSV',
    'Print',
    'History',
    'Assigned items',
    'Mute notifications',
    'Notification settings',
    'Help and what’s new',
    'Commands…',
    'Keyboard shortcuts',
  ]);
});

test('an empty checklist has no entries to copy, save, rename or clear it', async () => {
  await show(fakeIssue(''), <ChecklistPanel />, everything);
  expect(await entries()).toEqual([
    'Apply template…',
    'Add demo checklist',
    'History',
    'Assigned items',
    'Mute notifications',
    'Notification settings',
    'Manage templates',
    'Manage statuses',
    'Repair copies',
    'Import from Issue Checklist',
    'Help and what’s new',
    'Commands…',
  ]);
});

test('clearing asks, shows a message, and can be undone', async () => {
  const issue = fakeIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  await choose('Clear checklist…');
  const question = screen.getByRole('alertdialog', { name: 'Clear the checklist? This deletes all 2 items.' });
  expect(question).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(question).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Checklist actions' })).toHaveFocus();
  await choose('Clear checklist…');
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(rows()).toEqual([]);
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.clearChecklist, type: 'success' }]));
  expect(issue.stored.text).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toBe('- a\n- b\n'));
  expect(rows()).toEqual(['a', 'b']);
});

test('a refused clearing is reverted with its message', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  issue.refuse = { code: 'UNKNOWN', message: failures.clearChecklist };
  await choose('Clear checklist…');
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(issue.flags).toEqual([{ title: failures.clearChecklist, type: 'error' }]));
  expect(rows()).toEqual(['a']);
});

test('jobs start for this issue, and show a success message or the reason for a refusal', async () => {
  const issue = fakeIssue('- a\n');
  issue.jobs = { synchronizeStorages: successes.synchronize, importFromIssueChecklist: undefined };
  await show(issue, <ChecklistPanel />);
  await choose('Repair copies');
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.synchronize, type: 'success' }]));
  await choose('Import from Issue Checklist…');
  await userEvent.click(screen.getByRole('button', { name: 'Import below' }));
  await waitFor(() => expect(issue.flags.at(-1)).toEqual({ title: refusals.permission, type: 'error' }));
});

test.each([
  ['Repair copies', managing.synchronize, {}],
  ['Mute notifications', failures.unknown, {}],
  ['Add demo checklist', `“Added the demo checklist” was not saved. ${refusals.permission}`, {}],
])('a failed "%s" is said in the panel until the next command', async (name, words) => {
  const issue = fakeIssue('- a\n');
  answer(issue, { synchronizeStorages: () => 503, muteNotifications: () => 503 });
  await show(issue, <ChecklistPanel />, everything);
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  await choose(name);
  expect(await screen.findByText(words)).toHaveAttribute('role', 'alert');
  expect(issue.flags).toHaveLength(1);
  issue.refuse = undefined;
  answer(issue, {
    synchronizeStorages: () => new Promise(() => undefined),
    muteNotifications: () => new Promise(() => undefined),
  });
  await choose(name);
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
});

test('an import into a checklist with rows asks for the position', async () => {
  const issue = fakeIssue('- a\n- b\n');
  issue.jobs = { importFromIssueChecklist: successes.startImport };
  await show(issue, <ChecklistPanel />);
  await choose('Import from Issue Checklist…');
  expect(screen.getByRole('alertdialog', { name: /^There are 2 items already\./ })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Checklist actions' })).toHaveFocus();
  expect(issue.operations).toEqual([]);
  await choose('Import from Issue Checklist…');
  await userEvent.click(screen.getByRole('button', { name: 'Replace all' }));
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.startImport, type: 'success' }]));
  expect(issue.jobInputs).toEqual([{ issueId: '1', mode: 'OVERRIDE', dryRun: false }]);
});

test('an import into an empty checklist starts at once', async () => {
  const issue = fakeIssue('');
  issue.jobs = { importFromIssueChecklist: successes.startImport };
  await show(issue, <ChecklistPanel />);
  await choose('Import from Issue Checklist');
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.startImport, type: 'success' }]));
});

test('a checklist gets a name of its own, which then shows', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveClass('check-hidden');
  await choose('Rename checklist…');
  await screen.findByRole('form', { name: 'Rename checklist' });
  const name = await screen.findByRole('textbox', { name: 'Checklist name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'ab');
  expect(screen.getByText('Too short.')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(screen.getByText(fieldErrors.TOO_SHORT)).toBeVisible();
  await userEvent.type(name, ' go-live{Enter}');
  expect(screen.getByRole('heading', { level: 1, name: 'ab go-live' })).not.toHaveClass('check-hidden');
  expect(screen.getByRole('button', { name: /^Checklist actions/ })).toHaveFocus();
  await waitFor(() => expect(issue.operations).toHaveLength(1));
  expect(screen.getByText('Renamed to “ab go-live”')).toBeInTheDocument();
});

test('a name that was not saved is there again after a reload, until it is saved', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  await choose('Rename checklist…');
  await screen.findByRole('form', { name: 'Rename checklist' });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Checklist name' }), ' of the go-live');
  await waitFor(() => expect(storedTexts()).toContain('of the go-live'));
  await endPage();
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  await choose('Rename checklist…');
  await screen.findByRole('form', { name: 'Rename checklist' });
  expect(await screen.findByRole('textbox', { name: 'Checklist name' })).toHaveValue('Checklists of the go-live');
  expect(screen.getByText('Your unsaved changes have been restored. Cancel discards them.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Save name' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Checklists of the go-live' })).not.toHaveClass('check-hidden');
  await waitFor(() => expect(storedTexts()).not.toMatch(/"field":"name"/));
});

test('a new name is undone and made again, and the text that changed since stays', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await choose('Rename checklist…');
  await screen.findByRole('form', { name: 'Rename checklist' });
  const name = await screen.findByRole('textbox', { name: 'Checklist name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Go-live{Enter}');
  const heading = () => screen.getByRole('heading', { level: 1 });
  expect(heading()).toHaveTextContent('Go-live');
  await userEvent.click(screen.getByRole('checkbox', { name: 'a' }));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(heading()).toHaveClass('check-hidden');
  expect(heading()).not.toHaveTextContent('Go-live');
  await userEvent.click(screen.getByRole('button', { name: 'Redo' }));
  expect(heading()).toHaveTextContent('Go-live');
  await userEvent.click(screen.getByRole('button', { name: 'Redo' }));
  expect(heading()).toHaveTextContent('Go-live');
  expect(screen.getByRole('checkbox', { name: 'a' })).toBeChecked();
});

test('the result of a job shows after its start', async () => {
  const issue = fakeIssue('');
  issue.jobs = { importFromIssueChecklist: successes.startImport };
  const ended = { state: 'DONE', done: 1, failed: 0, log: [{ message: '12 items imported.' }] };
  issue.job = [{ ...ended, state: 'RUNNING', log: [] }, ended];
  await show(issue, <ChecklistPanel />);
  await choose('Import from Issue Checklist');
  await waitFor(() => expect(issue.flags.at(-1)).toEqual({ title: '12 items imported.', type: 'success' }), {
    timeout: 4_000,
  });
  expect(issue.flags[0]).toEqual({ title: successes.startImport, type: 'success' });
  issue.job = [{ ...ended, failed: 1, done: 0, log: [{ message: 'Too large.' }] }];
  await choose('Import from Issue Checklist');
  await waitFor(() => expect(issue.flags.at(-1)).toEqual({ title: 'Too large.', type: 'error' }), { timeout: 4_000 });
});

test('the demo checklist is added by the server, and can be undone', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />, everything);
  await choose('Add demo checklist');
  await waitFor(() => expect(rows()).toContain('This one is done'));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toBe('- a\n'));
  expect(rows()).toEqual(['a']);
});

test.each([
  ['Apply template…', 'templates'],
  ['Manage templates', 'templates'],
  ['Open editor', 'editor'],
])('a dialog that does not open shows a message: %s', async (entry, name) => {
  const issue = fakeIssue('- a\n');
  const asked: string[] = [];
  issue.bridge.openDialog = (name, _data, missing) => {
    asked.push(name);
    if (asked.length > 1) return Promise.reject(new Error('No such module.'));
    missing?.();
    return new Promise(() => undefined);
  };
  await show(issue, <ChecklistPanel />, everything);
  const ask = () =>
    entry === 'Open editor' ? userEvent.click(screen.getByRole('button', { name: entry })) : choose(entry);
  const flag = { title: shell.noDialog, type: 'error' };
  await ask();
  await waitFor(() => expect(issue.flags).toEqual([flag]));
  await ask();
  await waitFor(() => expect(issue.flags).toEqual([flag, flag]));
  expect(asked).toEqual([name, name]);
});

test('other screens of the checklist open from the menu', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />, everything);
  await choose('Manage templates');
  await choose('Apply template…');
  await waitFor(() => expect(issue.opened).toHaveLength(2));
  expect(issue.opened).toEqual([
    { issueId: '1', issueKey: 'ABC-1', purpose: 'manage' },
    { issueId: '1', issueKey: 'ABC-1', purpose: 'import' },
  ]);
  await choose('History');
  expect(window.location.pathname).toBe('/history');
  const opened = vi.spyOn(issue.bridge, 'openAssigned');
  await choose('Assigned items');
  expect(opened).toHaveBeenCalled();
  await choose('Save as template…');
  expect(window.location.pathname).toBe('/save-template');
});

test('copying uses the names of people, and shows whether it succeeded', async () => {
  const written: string[] = [];
  const issue = fakeIssue('# Head\n+ a [~accountid:bo]\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByText('Person bo');
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => written.push(text) } });
  await choose('Copy as Markdown');
  await waitFor(() => expect(written).toEqual(['# Head\n\n- [x] a @Person bo']));
  expect(issue.flags).toEqual([{ title: 'Copied as Markdown.', type: 'success' }]);
});

test('copying happens during the click, with the line breaks of the text', async () => {
  await show(fakeIssue('- a\n- b\n'), <ChecklistPanel />);
  const seen: unknown[] = [];
  document.execCommand = command => {
    const box = document.querySelector<HTMLTextAreaElement>('textarea.check-hidden');
    const text = box ? [box.value, box.style.whiteSpace] : [];
    return seen.push(command, window.event?.type, ...text) > 0;
  };
  await choose('Copy as Markdown');
  expect(seen).toEqual(['copy', 'click', '- [ ] a\n- [ ] b', 'pre']);
});

test("the CSV file has the issue's key in its name", async () => {
  const files: { name: string; text: Promise<string> }[] = [];
  const urls = new Map<string, Blob>();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        urls.set('blob:file', blob);
        return 'blob:file';
      },
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, text: urls.get(this.href)?.text() ?? Promise.resolve('') });
  });
  await show(fakeIssue('- =1+1\n'), <ChecklistPanel />);
  await choose('Export as CSV');
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toBe('ABC-1.csv');
  // A spreadsheet must not read it as a formula.
  expect(await files[0]?.text).toContain("'=1+1");
});

test('the print is light in every theme', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Checklist actions' });
  document.documentElement.dataset.colorMode = 'dark';
  window.dispatchEvent(new Event('beforeprint'));
  expect(document.documentElement.dataset.colorMode).toBe('light');
  window.dispatchEvent(new Event('afterprint'));
  expect(document.documentElement.dataset.colorMode).toBe('dark');
  delete document.documentElement.dataset.colorMode;
});

test('the keys also show from the menu', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  await choose('Keyboard shortcuts');
  await act(async () => undefined);
  const help = await screen.findByRole('region', { name: 'Keyboard shortcuts' });
  await waitFor(() => expect(help).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.body).not.toHaveFocus());
});
