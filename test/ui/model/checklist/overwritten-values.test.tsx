import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Json } from '../../../../src/bridge/bridge.ts';
import { conflicts as words } from '../../../../src/domain/messages.ts';
import EditorScreen from '../../../../src/ui/screens/editor/editor-screen.tsx';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** What others have overwritten: told with the words, once, also after a reload. */

type Position = { epoch: string; seq: number };
const conflictOf = (row: string, theirs: string, attribute = 'text') => ({ row, attribute, mine: row, theirs });

/** An issue whose server tells of conflicts, and what it was asked for. */
function sharedIssue(text: string) {
  const issue = fakeIssue(text);
  const entries: (Position & { account: string; conflicts: object[] })[] = [];
  const asked: Position[] = [];
  const { backend } = issue.bridge;
  issue.bridge.backend = async (path, init = {}) => {
    const { operationName, variables } = init.json as { operationName: string; variables: { after: Position } };
    if (operationName !== 'getConflicts') return backend(path, init);
    asked.push(variables.after);
    return json({ data: { checklistConflicts: entries.filter(({ seq }) => seq > variables.after.seq) } });
  };
  /** Another user's change, which overwrites a value. */
  const overwrite = (written: string, conflict: object, account = 'bob') => {
    issue.write(written);
    entries.push({ epoch: 'e', seq: issue.stored.seq, account, conflicts: [conflict] });
  };
  return { issue, asked, overwrite };
}

const settle = () => act(async () => new Promise(resolve => setTimeout(resolve, 50)));
const title = () => screen.queryByText(words.overwrittenTitle);

async function rename(issue: FakeIssue, from: string, to: string) {
  await userEvent.click(screen.getByText(from));
  const field = await screen.findByRole('textbox', { name: `Text of ${from}` });
  await userEvent.clear(field);
  await userEvent.type(field, `${to}{Enter}`);
  await waitFor(() => expect(issue.stored.text).toContain(to));
}

/** An issue whose row has another user's value instead of the one that the user saved before a reload. */
async function issueWithChoice(): Promise<FakeIssue> {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  const first = await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  first.unmount();
  overwrite('- theirs\n- b\n', conflictOf('theirs', 'mine'));
  return issue;
}

/** The issue in a frame of its own, which the dialog does not cover. */
const inDialog = (issue: FakeIssue): FakeIssue => ({ ...issue, bridge: { ...issue.bridge } });

test('after a reload the author sees which words were lost, until that is dismissed', async () => {
  const { issue, asked, overwrite } = sharedIssue('- a\n- b\n');
  const first = await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  await settle();
  expect(asked).toEqual([]);
  first.unmount();
  overwrite('- theirs\n- b\n', conflictOf('theirs', 'mine'));
  issue.write('- another\n- b\n');
  const second = await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(words.overwrittenTitle)).toBeVisible();
  const sentence =
    'You wrote “mine”, Person bob wrote “theirs” at the same time. “theirs” was saved, and the history has both.';
  expect(screen.getByText(sentence)).toBeVisible();
  expect(issue.flags).toEqual([]);
  second.unmount();
  const third = await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(sentence)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  third.unmount();
  const fourth = await show(issue, <ChecklistPanel />);
  await settle();
  expect(title()).toBeNull();
  expect(asked).toEqual([{ epoch: 'e', seq: 2 }]);
  fourth.unmount();
});

test('words of the author in a value that others changed later are lost words, too', async () => {
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  const first = await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'a mine');
  first.unmount();
  issue.write('- a mine more\n- b\n');
  overwrite('- theirs\n- b\n', conflictOf('theirs', 'a mine more'));
  issue.write('- another\n- b\n');
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(/“a mine more”/)).toBeVisible();
});

test('the message stays until dismissed, and leads to the history', async () => {
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  const first = await show(issue, <ChecklistPanel />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add an item' }), 'mine{Enter}');
  await waitFor(() => expect(issue.stored.text).toContain('mine'));
  first.unmount();
  overwrite('- a\n- b\n- theirs\n', conflictOf('theirs', 'mine'));
  issue.write('- a\n- b\n- another\n');
  await show(issue, <ChecklistPanel />);
  await screen.findByText(words.overwrittenTitle);
  await userEvent.click(screen.getByRole('button', { name: 'Open history' }));
  expect(window.location.pathname).toBe('/history');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(title()).toBeNull();
});

test('where the row still has the other value, the author chooses at the row', async () => {
  const issue = await issueWithChoice();
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByRole('button', { name: 'Keep mine: mine' })).toBeVisible();
  expect(title()).toBeNull();
});

test('a choice at a row that the author has not made is offered again after a reload, and in the editor', async () => {
  const issue = await issueWithChoice();
  const second = await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Keep mine: mine' });
  second.unmount();
  const third = await show(issue, <ChecklistPanel />);
  expect(await screen.findByRole('button', { name: 'Keep mine: mine' })).toBeVisible();
  expect(title()).toBeNull();
  third.unmount();
  await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  expect(await screen.findByRole('button', { name: 'Keep mine: mine' })).toBeVisible();
  expect(title()).toBeNull();
});

test('a choice that was not made is a message once the row has another value', async () => {
  const issue = await issueWithChoice();
  const second = await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Keep mine: mine' });
  second.unmount();
  issue.write('- another\n- b\n');
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(/^You wrote “mine”, Person bob wrote “theirs”/)).toBeVisible();
});

test('a choice that the panel offers becomes a message when the row gets another value', async () => {
  const issue = await issueWithChoice();
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Keep mine: mine' });
  issue.write('- theirs and more\n- b\n');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByText(/^You wrote “mine”, Person bob wrote “theirs”.* was saved/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Keep mine: mine' })).toBeNull();
});

test('the same choice is offered once more after the author has made it', async () => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  const refresh = () => act(async () => window.dispatchEvent(new Event('visibilitychange')));
  for (const _ of ['first', 'second']) {
    overwrite('- theirs\n- b\n', conflictOf('theirs', 'mine'));
    await refresh();
    await userEvent.click(await screen.findByRole('button', { name: 'Keep mine: mine' }));
    await waitFor(() => expect(issue.stored.text).toBe('- mine\n- b\n'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep mine: mine' })).toBeNull());
  }
});

test('a choice that is open when the editor closes is offered by the panel, which has reported before', async () => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  let closeDialog = (_result: Json): void => undefined;
  issue.bridge.openDialog = () =>
    new Promise<Json>(resolve => {
      closeDialog = resolve;
    });
  await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  issue.write('- mine\n- b\n- c\n');
  await userEvent.click(screen.getByRole('button', { name: 'Open editor' }));
  overwrite('- theirs\n- b\n- c\n', conflictOf('theirs', 'mine'));
  const editor = await show(inDialog(issue), <EditorScreen />, {}, { surface: 'dialog' });
  expect(await within(editor.container).findByRole('button', { name: 'Keep mine: mine' })).toBeVisible();
  editor.unmount();
  await act(async () => closeDialog({ issueId: '1', seq: issue.stored.seq }));
  expect(await screen.findByRole('button', { name: 'Keep mine: mine' })).toBeVisible();
});

test('a choice that the user makes in the editor is not offered by the panel when the editor closes', async () => {
  const issue = await issueWithChoice();
  let closeDialog = (_result: Json): void => undefined;
  issue.bridge.openDialog = () =>
    new Promise<Json>(resolve => {
      closeDialog = resolve;
    });
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: 'Keep mine: mine' });
  await userEvent.click(screen.getByRole('button', { name: 'Open editor' }));
  const editor = await show(inDialog(issue), <EditorScreen />, {}, { surface: 'dialog' });
  await userEvent.click(await within(editor.container).findByRole('button', { name: /^Take theirs/ }));
  editor.unmount();
  await act(async () => closeDialog({ issueId: '1', seq: issue.stored.seq }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep mine: mine' })).toBeNull());
  await settle();
  expect(title()).toBeNull();
});

/** Gives the rows of an issue lasting ids. */
function identify(issue: FakeIssue, rowIds: readonly string[]): void {
  const { backend } = issue.bridge;
  const reading = v.object({ data: v.object({ checklist: v.looseObject({ text: v.string() }) }) });
  issue.bridge.backend = async (path, init) => {
    const response = await backend(path, init);
    const read = v.safeParse(reading, JSON.parse(response.text));
    return read.success ? json({ data: { checklist: { ...read.output.data.checklist, rowIds } } }) : response;
  };
}

test('a user with a word that both have in common is not asked about the values of others', async () => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue, asked, overwrite } = sharedIssue('- a\n- Post the letter\n');
  await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'Call the customer');
  overwrite('- Call the customer\n- Emma has words here\n', conflictOf('Emma has words here', 'Send the invoice'));
  await act(async () => window.dispatchEvent(new Event('online')));
  await screen.findByText('Emma has words here', {}, { timeout: 5_000 });
  await waitFor(() => expect(asked).not.toEqual([]));
  await settle();
  expect(screen.queryByRole('button', { name: /^Take theirs/ })).toBeNull();
  expect(title()).toBeNull();
});

test('a choice that the user has made in another tab is gone', async () => {
  const issue = await issueWithChoice();
  await show(issue, <ChecklistPanel />);
  await screen.findByRole('button', { name: /^Take theirs/ });
  const key = Object.keys(localStorage).find(each => each.includes('saved-values')) ?? '';
  const record = JSON.parse(localStorage.getItem(key) ?? '{}');
  localStorage.setItem(key, JSON.stringify({ ...record, conflicts: [] }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  expect(screen.queryByRole('button', { name: /^Take theirs/ })).toBeNull();
});

test('the message goes when the row gets the value of the user', async () => {
  const { issue, overwrite } = sharedIssue('- a\n- b\n');
  identify(issue, ['r1', 'r2']);
  const first = await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  first.unmount();
  overwrite('- another\n- b\n', { ...conflictOf('theirs', 'mine'), rowId: 'r1' });
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByText(words.overwrittenTitle)).toBeVisible();
  issue.write('- mine\n- b\n');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(title()).toBeNull(), { timeout: 5_000 });
});

test('the author whose value was kept is offered the choice again by the next editor and the panel', async () => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue } = sharedIssue('- a');
  identify(issue, ['r1']);
  issue.conflicts = [{ row: 'a!', attribute: 'text', mine: 'a!', theirs: 'a?', rowId: 'r1' }];
  const first = await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  const textbox = await screen.findByRole('textbox', { name: /as text/ });
  await waitFor(() => expect(textbox).toHaveFocus());
  await userEvent.keyboard('{End}!{Control>}s{/Control}');
  await screen.findByRole('button', { name: 'Take theirs: a?' });
  first.unmount();
  const second = await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  expect(await screen.findByRole('button', { name: 'Take theirs: a?' })).toBeVisible();
  second.unmount();
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByRole('button', { name: 'Take theirs: a?' })).toBeVisible();
  expect(title()).toBeNull();
  issue.write('- a?');
  await act(async () => window.dispatchEvent(new Event('online')));
  const outcome = words.ownReplaced(undefined, '“a!”', 'Someone else', '“a?”');
  expect(await screen.findByText(outcome, {}, { timeout: 5_000 })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Take theirs: a?' })).toBeNull();
});

/** The author of all that the history of an issue's rows has. */
function historyBy(issue: FakeIssue, account: string, to: string): void {
  const { backend } = issue.bridge;
  const entries = [{ epoch: 'e', seq: 1, account, changes: [{ kind: 'REWORDED', rowId: 'r1', to }] }];
  issue.bridge.backend = async (path, init = {}) => {
    const { operationName } = init.json as { operationName: string };
    return operationName === 'getHistory'
      ? json({ data: { checklistHistory: { next: null, entries } } })
      : backend(path, init);
  };
}

test.each([
  ['another user', 'bob', 'You and Person bob changed the text'],
  ['the user in another tab', 'ana', 'You changed the text here and in another tab'],
])('editor and panel name the author of the other value by the history: %s', async (_, account, choice) => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const { issue } = sharedIssue('- a');
  identify(issue, ['r1']);
  historyBy(issue, account, 'a?');
  issue.conflicts = [{ row: 'a!', attribute: 'text', mine: 'a!', theirs: 'a?', rowId: 'r1' }];
  const first = await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  const textbox = await screen.findByRole('textbox', { name: /as text/ });
  await waitFor(() => expect(textbox).toHaveFocus());
  await userEvent.keyboard('{End}!{Control>}s{/Control}');
  expect(await screen.findByRole('group', { name: choice })).toBeVisible();
  first.unmount();
  await show(issue, <ChecklistPanel />);
  expect(await screen.findByRole('group', { name: choice })).toBeVisible();
  issue.write('- a?');
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByRole('group', { name: choice })).toBeNull(), { timeout: 5_000 });
  await settle();
  const outcome = words.ownReplaced(undefined, '“a!”', 'Person bob', '“a?”');
  // Of an own choice in another tab nothing is said.
  expect(screen.queryByText(outcome) !== null).toBe(account === 'bob');
  expect(title() !== null).toBe(account === 'bob');
});

test('the author whose value was kept is not notified of their own choice', async () => {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  const issue = fakeIssue('- a');
  issue.conflicts = [{ row: 'a!', attribute: 'text', mine: 'a!', theirs: 'a?' }];
  await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  const textbox = await screen.findByRole('textbox', { name: /as text/ });
  await waitFor(() => expect(textbox).toHaveFocus());
  await userEvent.keyboard('{End}!{Control>}s{/Control}');
  issue.conflicts = [];
  await userEvent.click(await screen.findByRole('button', { name: 'Take theirs: a?' }));
  await userEvent.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(issue.stored.text).toContain('a?'));
  await settle();
  expect(title()).toBeNull();
});

test('a choice at a row that the author has made is gone after a reload', async () => {
  const issue = await issueWithChoice();
  const second = await show(issue, <ChecklistPanel />);
  await userEvent.click(await screen.findByRole('button', { name: /^Take theirs/ }));
  second.unmount();
  await show(issue, <ChecklistPanel />);
  await settle();
  expect(title()).toBeNull();
});

test('the editor tells of what the panel has saved', async () => {
  const { issue, asked, overwrite } = sharedIssue('- a\n- b\n');
  const first = await show(issue, <ChecklistPanel />);
  await rename(issue, 'a', 'mine');
  first.unmount();
  overwrite('- theirs\n- b\n', conflictOf('theirs', 'mine'));
  await show(issue, <EditorScreen />, {}, { surface: 'dialog' });
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(document.body.textContent).toContain('mine'));
});

test('nothing is asked without a record; values of others and own changes are not told', async () => {
  const { issue, asked, overwrite } = sharedIssue('- a\n- b\n');
  overwrite('- x\n- b\n', conflictOf('x', 'y'));
  const first = await show(issue, <ChecklistPanel />);
  await settle();
  expect(asked).toEqual([]);
  await rename(issue, 'x', 'mine');
  first.unmount();
  overwrite('- mine\n- z\n', conflictOf('z', 'someone else’s'));
  overwrite('- mine 2\n- z\n', conflictOf('mine 2', 'mine'), 'ana');
  await show(issue, <ChecklistPanel />);
  await waitFor(() => expect(asked).toHaveLength(1));
  await settle();
  expect(title()).toBeNull();
  expect(issue.flags).toEqual([]);
});
