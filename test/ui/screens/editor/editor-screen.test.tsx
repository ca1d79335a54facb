import { EditorView } from '@codemirror/view';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { refusals, shell, storage, successes, whole } from '../../../../src/domain/messages.ts';
import EditorScreen from '../../../../src/ui/screens/editor/editor-screen.tsx';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';
import { answer } from '../templates/server.ts';

const textbox = () => screen.getByRole('textbox', { name: 'Checklist of ABC-1 as text' });

function view(): EditorView {
  const found = EditorView.findFromDOM(textbox());
  if (!found) throw new Error('No editor here.');
  return found;
}

const doc = () => view().state.doc.toString();
const button = (name: string) => screen.getByRole('button', { name });
const state = () => document.querySelector('.editor-state')?.textContent;

/** Types at the end of the text. */
async function type(keys: string) {
  const editor = view();
  act(() => editor.dispatch({ selection: { anchor: editor.state.doc.length } }));
  editor.focus();
  await userEvent.keyboard(keys);
}

/** Opens an issue's editor. */
async function open(text: string, issue: FakeIssue = fakeIssue(text)) {
  const page = await show(issue, <EditorScreen />);
  await waitFor(() => expect(textbox()).toHaveFocus());
  return { issue, page };
}

test('shows the text, the issue and the figures', async () => {
  await open('# Head\n- a\n+ b\n');
  expect(doc()).toBe('# Head\n- a\n+ b\n');
  expect(screen.getByRole('heading', { name: 'Checklist of ABC-1' })).toBeVisible();
  expect(screen.getByText('1 of 2 done, 50%')).toBeVisible();
  expect(screen.queryByText(/characters left/)).toBeNull();
  expect(state()).toBe('Saved');
  expect(button('Save')).toBeDisabled();
});

test.each([
  ['- a', 'Mandatory', /^No workflow rule checks mandatory items yet.*Set up a workflow rule\./],
  ['# One\n- a', 'Show to customers', /^The portal of this project shows nothing.*Open project settings$/],
])('what is set in the editor says whether the site enforces it, and how: %s', async (text, command, words) => {
  const issue = fakeIssue(text);
  answer(issue, {
    getEnforcement: () => ({ enforcement: { gates: false, mandatory: false, hasPortal: true, portal: 'OFF' } }),
  });
  await show(issue, <EditorScreen />, { canManageTemplates: true });
  await waitFor(() => expect(textbox()).toHaveFocus());
  const note = () => document.querySelector('.check-enforcement');
  expect(note()).toBeNull();
  await userEvent.keyboard('{F1}');
  await userEvent.type(await screen.findByRole('combobox', { name: 'Commands' }), `${command}{Enter}`);
  await waitFor(() => expect(note()).toHaveTextContent(words));
  await userEvent.click(button('Dismiss'));
  expect(note()).toBeNull();
  expect(textbox()).toHaveFocus();
});

test.each([
  [' !before:Done', '# One', /^No workflow rule checks gates yet/],
  ['- ! a{Enter}', '', /^No workflow rule checks mandatory items yet/],
])('what is typed into the text says it too: %s', async (keys, text, words) => {
  const issue = fakeIssue(text);
  answer(issue, {
    getEnforcement: () => ({ enforcement: { gates: false, mandatory: false, hasPortal: true, portal: 'OFF' } }),
  });
  await show(issue, <EditorScreen />);
  await waitFor(() => expect(textbox()).toHaveFocus());
  await type(keys);
  await waitFor(() => expect(document.querySelector('.check-enforcement')).toHaveTextContent(words));
});

test('an empty checklist shows the notation', async () => {
  await open('');
  expect(screen.getByText(/~ In progress/)).toBeVisible();
});

test('Ctrl+S saves the text', async () => {
  const { issue } = await open('- a');
  await type('{Enter}b');
  expect(doc()).toBe('- a\n- b');
  expect(state()).toBe('Unsaved changes');
  await waitFor(() => expect(screen.getByText('0 of 2 done, 0%')).toBeVisible());
  const go = issue.hold();
  await userEvent.keyboard('{Control>}s{/Control}');
  expect(state()).toBe('Saving…');
  await act(async () => go());
  await waitFor(() => expect(state()).toBe('Saved'));
  expect(issue.stored.text).toBe('- a\n- b');
  expect(issue.flags).toEqual([{ title: successes.updateChecklist, type: 'success' }]);
});

test('saving merges foreign changes, and undo keeps them', async () => {
  const { issue } = await open('- a\n- b');
  issue.write('+ a\n- b');
  await type('!');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(doc()).toBe('+ a\n- b!'));
  expect(issue.stored.text).toBe('+ a\n- b!');
  expect(view().state.selection.main.head).toBe(8);
  view().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(doc()).toBe('+ a\n- b');
});

test('foreign changes appear automatically', async () => {
  const { issue } = await open('- a\n- b');
  issue.write('+ a\n- b');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(doc()).toBe('+ a\n- b'));
  expect(state()).toBe('Saved');
});

test('values that two users changed are explained in a message', async () => {
  const { issue } = await open('- a');
  issue.conflicts = [{ row: 'a', attribute: 'text', mine: 'a!', theirs: 'a?' }];
  await type('!');
  await userEvent.click(button('Save'));
  expect(
    await screen.findByText('“a”: you and someone else changed the text. Your value, “a!”, is kept. Theirs was “a?”.'),
  ).toBeVisible();
  await userEvent.click(button('Dismiss'));
  expect(screen.queryByText(/somebody else/)).toBeNull();
});

test('a refused text stays, with the reason', async () => {
  const { issue } = await open('- a');
  issue.refuse = { code: 'TOO_LARGE', message: storage.tooLarge(40_000, 32_768) };
  await type('!');
  await userEvent.click(button('Save'));
  expect(within(await screen.findByRole('alert')).getByText(storage.tooLarge(40_000, 32_768))).toBeVisible();
  expect(state()).toBe('Unsaved changes');
  expect(doc()).toBe('- a!');
});

test('a text that did not reach the server is not saved yet', async () => {
  const { issue } = await open('- a');
  issue.refuse = 'broken';
  await type('!');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toMatch(/^Not saved yet/));
  issue.refuse = undefined;
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toBe('Saved'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an unsaved text is restored when the editor opens again, on top of foreign changes', async () => {
  const { issue, page } = await open('- a\n- b');
  await type('!');
  page.unmount();
  issue.write('+ a\n- b');
  await open('', issue);
  expect(doc()).toBe('+ a\n- b!');
  expect(screen.getByText('Your unsaved changes have been restored.')).toBeVisible();
  expect(state()).toBe('Unsaved changes');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(issue.stored.text).toBe('+ a\n- b!'));
  await waitFor(() => expect(screen.queryByText('Your unsaved changes have been restored.')).toBeNull());
});

test('a full storage, which cannot keep an unsaved text, is said, and the text is saved', async () => {
  const { issue } = await open('- a\n');
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  try {
    await type('- b');
    expect(await screen.findByText(whole.draftNotKept)).toBeVisible();
    await userEvent.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(issue.stored.text).toBe('- a\n- b'));
  } finally {
    full.mockRestore();
  }
});

test('closes at once while the text is pending, and the next editor opens with that text', async () => {
  const { issue, page } = await open('- a');
  issue.refuse = 'broken';
  await type('!');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toMatch(/^Not saved yet/));
  await userEvent.click(button('Close'));
  expect(issue.closed).toHaveLength(1);
  page.unmount();
  await open('', issue);
  expect(doc()).toBe('- a!');
  expect(state()).not.toBe('Saved');
  issue.refuse = undefined;
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toBe('Saved'));
  expect(issue.stored.text).toBe('- a!');
});

test('save and close closes while the server is unavailable, with the text typed meanwhile', async () => {
  const { issue } = await open('- a');
  issue.refuse = 'broken';
  await type('!');
  await userEvent.click(button('Save'));
  await type('!');
  await userEvent.click(button('Close'));
  await userEvent.click(button('Save and close'));
  await waitFor(() => expect(issue.closed).toHaveLength(1));
  issue.refuse = undefined;
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(issue.stored.text).toBe('- a!!'));
});

test('a text that is refused after its editor has closed shows in the next editor', async () => {
  const { issue, page } = await open('- a');
  issue.refuse = 'broken';
  await type('!');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toMatch(/^Not saved yet/));
  page.unmount();
  localStorage.removeItem(Object.keys(localStorage).find(key => key.includes('.draft')) ?? '');
  issue.refuse = { code: 'TOO_LARGE', message: storage.tooLarge(40_000, 32_768) };
  const panel = await show(issue, <ChecklistPanel />);
  expect(await screen.findByText('Not saved: your text from the editor')).toBeVisible();
  panel.unmount();
  issue.refuse = undefined;
  await open('', issue);
  expect(doc()).toBe('- a!');
  expect(screen.getByText('Your unsaved changes have been restored.')).toBeVisible();
  expect(state()).toBe('Unsaved changes');
});

test('closes at once when everything is saved', async () => {
  const { issue } = await open('- a');
  await userEvent.click(button('Close'));
  expect(issue.closed).toHaveLength(1);
});

test('closing with unsaved edits asks; editing can be continued', async () => {
  const { issue } = await open('- a');
  await type('!');
  await userEvent.click(button('Close'));
  expect(screen.getByRole('dialog')).toHaveTextContent(shell.unsaved);
  await userEvent.click(button('Keep editing'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(issue.closed).toEqual([]);
  expect(doc()).toBe('- a!');
});

/** An editor whose saved text has a choice that the user has not made. */
async function openWithChoice(): Promise<FakeIssue> {
  const { issue } = await open('- a');
  issue.conflicts = [{ row: 'a!', attribute: 'text', mine: 'a!', theirs: 'a?' }];
  await type('!');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(state()).toBe('Saved'));
  await screen.findByRole('button', { name: 'Take theirs: a?' });
  return issue;
}

test('closing names open choices when everything is saved', async () => {
  const issue = await openWithChoice();
  expect(screen.getByText(/^Two people changed the same value. Until you choose, yours is saved/)).toBeVisible();
  await userEvent.click(button('Close'));
  const dialog = screen.getByRole('dialog');
  expect(dialog).toHaveTextContent('1 choice is open: keep mine, take theirs.');
  expect(dialog).toHaveTextContent('If you close without a choice, yours stays saved.');
  expect(dialog).not.toHaveTextContent(shell.unsaved);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Go to choice' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(issue.closed).toEqual([]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Keep mine: a!' })).toHaveFocus());
  await userEvent.click(button('Close'));
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
  expect(issue.closed).toHaveLength(1);
});

test('closes at once when the choices are made', async () => {
  const issue = await openWithChoice();
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine: a!' }));
  await userEvent.click(button('Close'));
  expect(issue.closed).toHaveLength(1);
});

test('discarding closes and deletes the edits', async () => {
  const { issue, page } = await open('- a');
  await type('!');
  await userEvent.click(button('Close'));
  await userEvent.click(button('Discard'));
  expect(issue.closed).toHaveLength(1);
  page.unmount();
  await open('', issue);
  expect(doc()).toBe('- a');
  expect(issue.stored.text).toBe('- a');
});

test('save and close closes when the text is stored', async () => {
  const { issue } = await open('- a');
  await type('!');
  await userEvent.click(button('Close'));
  await userEvent.click(button('Save and close'));
  await waitFor(() => expect(issue.closed).toHaveLength(1));
  expect(issue.stored.text).toBe('- a!');
});

test('save and close stays when the text is not stored', async () => {
  const { issue } = await open('- a');
  await type('!');
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  await userEvent.click(button('Close'));
  await userEvent.click(button('Save and close'));
  expect(await screen.findByText(refusals.permission)).toBeVisible();
  expect(issue.closed).toEqual([]);
});

test('read-only without the permission to edit, with the reason', async () => {
  const issue = fakeIssue('- a');
  await show(issue, <EditorScreen />, { canEditChecklist: false });
  const text = await screen.findByRole('textbox', { name: 'Checklist of ABC-1 as text' });
  expect(text).toHaveAttribute('aria-readonly', 'true');
  expect(text).toHaveAttribute('contenteditable', 'false');
  expect(screen.getByText(refusals.permission)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await userEvent.click(button('Close'));
  expect(issue.closed).toHaveLength(1);
});

/** Gives Tab its number, by which CodeMirror knows it; the events of user-event have none. */
const numberTab = (event: KeyboardEvent) =>
  event.key === 'Tab' && Object.defineProperty(event, 'keyCode', { value: 9 });

test('Escape, then Tab, leaves the text', async () => {
  await open('- a');
  window.addEventListener('keydown', numberTab, true);
  onTestFinished(() => window.removeEventListener('keydown', numberTab, true));
  await userEvent.keyboard('{Escape}');
  await userEvent.tab({ shift: true });
  expect(textbox()).not.toHaveFocus();
  expect(doc()).toBe('- a');
});

const empty = () => act(() => view().dispatch({ changes: { from: 0, to: view().state.doc.length } }));

test('saving an emptied text offers to clear the checklist', async () => {
  const { issue } = await open('- a\n- b');
  empty();
  await userEvent.click(button('Save'));
  const dialog = await screen.findByRole('dialog', { name: 'Clear checklist?' });
  expect(within(dialog).getByText('Saving an empty text deletes all 2 items.')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Clear checklist' })).toHaveFocus();
  expect(state()).toBe('Unsaved changes');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Clear checklist' }));
  await waitFor(() => expect(state()).toBe('Saved'));
  expect(issue.stored.text).toBe('');
  expect(issue.flags).toEqual([{ title: successes.clearChecklist, type: 'success' }]);
  await waitFor(() => expect(textbox()).toHaveFocus());
});

test('an emptied text that is not to clear the checklist stays unsaved', async () => {
  const { issue } = await open('- a');
  empty();
  await userEvent.keyboard('{Control>}s{/Control}');
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Clear checklist?' })).getByRole('button', { name: 'Cancel' }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent("Checklist can't be empty.");
  expect(state()).toBe('Unsaved changes');
  expect(issue.stored.text).toBe('- a');
  await waitFor(() => expect(textbox()).toHaveFocus());
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(doc()).toBe('- a');
});

test('a copy in the tracker that is behind the server at the start is nothing that others have changed', async () => {
  const issue = fakeIssue('- a\n');
  const { request, backend } = issue.bridge;
  const copy = await request('/rest/api/2/issue/1');
  issue.bridge.request = async (path, init) => (path.includes('/issue/') ? copy : request(path, init));
  let answerNow = (): void => undefined;
  const isAnswering = new Promise<void>(resolve => {
    answerNow = resolve;
  });
  issue.bridge.backend = (path, init) => isAnswering.then(() => backend(path, init));
  await open('', issue);
  expect(doc()).toBe('- a\n');
  issue.write('- a\n- b\n- c\n');
  await act(async () => answerNow());
  await waitFor(() => expect(doc()).toBe('- a\n- b\n- c\n'));
  expect(screen.queryByText(/changed/)).toBeNull();
  issue.write('- a\n- b\n- c\n- d\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('1 item was changed elsewhere')).toBeVisible();
});
