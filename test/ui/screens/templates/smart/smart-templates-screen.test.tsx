import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { managing, templates as messages, refusals } from '../../../../../src/domain/messages.ts';
import SmartTemplatesScreen from '../../../../../src/ui/screens/templates/smart/smart-templates-screen.tsx';
import { LeaveDialog } from '../../../../../src/ui/shell/navigation/dialogs.tsx';
import { show } from '../../../issue.tsx';
import { type Answers, refusal, template } from '../server.ts';
import {
  changes,
  editor,
  filed,
  line,
  onboarding,
  open,
  project,
  release,
  save,
  textOf,
  tree,
  type,
} from './fixture.ts';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('folders show their templates, and no template is open yet', async () => {
  const { issue } = open();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  expect(await line(/^Whole site/)).toHaveAttribute('aria-expanded', 'true');
  expect(await line(/^Onboarding/)).toHaveTextContent('2 items');
  expect(screen.getByText(/Choose a template to view or edit it, or create a new one/)).toBeVisible();
});

test('without permission to use templates a message shows; a failed load can be retried', async () => {
  const refused = open({ getTemplateTree: () => new Error(refusals.permission) });
  const { unmount } = await show(refused.issue, <SmartTemplatesScreen />, {}, project);
  expect(await screen.findByText(refusals.permission)).toBeVisible();
  expect(screen.queryByRole('tree')).toBeNull();
  unmount();

  const server = { answers: (): object => new Error('Away.') };
  const failing = open({ getTemplateTree: () => server.answers() });
  await show(failing.issue, <SmartTemplatesScreen />, {}, project);
  await screen.findByText(managing.getTemplates);
  server.answers = () => tree(true);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await line(/^Release/)).toBeVisible();
});

test('an empty list shows a message', async () => {
  const { issue } = open({
    getTemplateTree: () => ({
      templateTree: { folders: [{ projectId: null, mayChange: true, templates: [] }], next: null },
    }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true });
  expect(await screen.findByText('No templates yet.')).toBeVisible();
});

test('arrow keys move through the tree, Enter opens, a search leaves the matches', async () => {
  const { issue } = open();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  const search = await screen.findByRole('textbox', { name: 'Search templates' });
  await userEvent.type(search, 'onb');
  await waitFor(() => expect(screen.getAllByRole('treeitem')).toHaveLength(2));
  await userEvent.keyboard('{ArrowDown}');
  expect(await line(/^Onboarding/)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await editor('Onboarding');
  await userEvent.keyboard('{ArrowLeft}');
  expect(await line(/^Whole site/)).toHaveFocus();
  await userEvent.clear(search);
  await waitFor(() => expect(screen.getAllByRole('treeitem')).toHaveLength(4));
  (await line(/^Whole site/)).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await waitFor(() => expect(screen.getAllByRole('treeitem')).toHaveLength(3));
  await userEvent.keyboard('{ArrowRight}{End}');
  expect(await line(/^Release/)).toHaveFocus();
  fireEvent.keyDown(document.activeElement as Element, { key: 'F6' });
  expect(document.activeElement).toHaveClass('cm-content');
  fireEvent.keyDown(document.activeElement as Element, { key: 'F6' });
  expect(screen.getByRole('tab', { name: 'Preview' })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(screen.getByRole('tab', { name: 'Versions' })).toHaveFocus();
});

test('a new template has the focus in its name before the server has listed or sent it', async () => {
  const incident = template('3', 'Incident');
  const { issue } = open({
    getTemplate: () => new Promise(() => undefined),
    createTemplateFromText: () => ({ createTemplateFromText: { template: incident, errors: [] } }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await screen.findByRole('button', { name: 'New template' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  const another = screen.getByRole('button', { name: 'New template' });
  expect(another).toHaveFocus();
  await userEvent.click(another);
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Folder' }),
    await screen.findByRole('option', { name: 'Alpha' }),
  );
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Incident');
  type(await textOf('Template text'), '- Say who leads');
  const focused = new Set<Element | null>();
  const note = new MutationObserver(() => focused.add(document.activeElement));
  note.observe(document.body, { childList: true, subtree: true });
  await userEvent.click(screen.getByRole('button', { name: 'Create template' }));
  await editor('Incident');
  note.disconnect();
  const name = screen.getByRole('textbox', { name: 'Name' });
  expect(name).toHaveFocus();
  expect(name).toHaveValue('Incident');
  expect(focused).not.toContain(document.body);
});

test('text and name are saved with their base', async () => {
  const { issue, sent } = open();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  expect(await line(/Not saved/)).toHaveTextContent('Release');
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Re');
  await save();
  expect(changes(sent)).toEqual([]);
  expect(name).toHaveFocus();
  await userEvent.type(name, 'lease train');
  await save();
  const input = { id: '1', text: '- new\n- a\n- b\n', baseText: '- a\n- b\n', name: 'Release train' };
  await waitFor(() => expect(changes(sent)).toEqual([{ name: 'updateTemplate', variables: { input } }]));
  await screen.findByText('Saved');
  await userEvent.type(name, '!');
  await save();
  await waitFor(() => expect(changes(sent).at(-1)?.variables).toEqual({ input: { id: '1', name: 'Release train!' } }));
});

test('a taken name shows an error at its field, and the typed text stays', async () => {
  const { issue } = open({
    updateTemplate: () => ({
      updateTemplate: { template: null, errors: refusal('NOT_UNIQUE', 'name', 'This is already taken.') },
    }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
  await save();
  expect((await screen.findAllByText('This is already taken.'))[0]).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Release 2');
});

test('an unsaved text is restored when the template is opened again', async () => {
  const { issue } = open();
  const { unmount } = await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' 2');
  await userEvent.click(await line(/^Onboarding/));
  await editor('Onboarding');
  await userEvent.click(await line(/^Release/));
  expect((await editor()).state.doc.toString()).toContain('- new');
  unmount();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  expect((await editor()).state.doc.toString()).toContain('- new');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Release 2');
  expect(screen.getByText('Your unsaved changes have been restored.')).toBeVisible();
});

test('the editor says when the browser cannot keep an unsaved template', async () => {
  const { issue } = open();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  const view = await editor();
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  try {
    type(view, '- new\n');
    expect(await screen.findByText(/^This browser can't keep unsaved changes/)).toBeVisible();
    expect(view.state.doc.toString()).toContain('- new');
  } finally {
    full.mockRestore();
  }
});

test("a conflict with another user's change of the same row shows at that row, and the typed text stays", async () => {
  const theirs = '- Tell support tomorrow\n';
  const answers: Answers = {
    updateTemplate: ({ input }) => {
      const { baseText, text } = input as Record<string, string>;
      if (baseText === stored.text) {
        Object.assign(stored, { text });
        return { updateTemplate: { template: { ...stored }, errors: [] } };
      }
      return { updateTemplate: { template: null, errors: refusal('CHANGED_MEANWHILE', 'text', messages.sameLines) } };
    },
  };
  const { issue, stored } = open(answers, { ...release, text: '- Tell support today\n' });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  const view = await editor();
  act(() => view.dispatch({ changes: { from: 2, to: view.state.doc.length, insert: 'Tell support on Monday\n' } }));
  Object.assign(stored, { text: theirs, updated: '2026-11-01T11:00:00.000Z' });
  await save();
  expect(await screen.findByText(messages.sameLines)).toBeVisible();
  expect(view.state.doc.toString()).toContain('on Monday');
  expect(await screen.findByRole('group', { name: /You and someone else changed/ })).toBeVisible();
  await save();
  await waitFor(() => expect(stored.text).toContain('on Monday'));
});

test('a version shows its changes, and is restored into the editor in one step', async () => {
  const { issue, sent } = open();
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  const view = await editor();
  await userEvent.click(screen.getByRole('tab', { name: 'Versions' }));
  const [, first] = await within(await screen.findByRole('tabpanel')).findAllByRole('listitem');
  if (!first) throw new Error('There is no first version.');
  expect(first).toHaveTextContent('Updated automatically');
  expect(screen.getByText(/Renamed from “/)).toHaveTextContent('Renamed from “First” to “Release”');
  await userEvent.click(within(first).getByRole('button', { name: 'Difference' }));
  expect(await screen.findByRole('textbox', { name: 'Difference' })).toHaveTextContent('- a');
  await userEvent.click(within(first).getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(view.state.doc.toString()).toBe('- a'));
  expect(screen.getByText(/is now in the editor/)).toBeVisible();
  await save();
  await waitFor(() =>
    expect(changes(sent).at(-1)?.variables).toEqual({ input: { id: '1', text: '- a', baseText: '- a\n- b\n' } }),
  );
});

test('a template that becomes a site template while a user edits it stays open', async () => {
  const stored: ReturnType<typeof template> = { ...release };
  const server: { moved: boolean } = { moved: false };
  const folders = () => [
    { projectId: null, mayChange: true, templates: [onboarding, ...(server.moved ? [release] : [])].map(filed) },
    { projectId: '10', mayChange: true, templates: (server.moved ? [] : [release]).map(filed) },
    { projectId: '1', mayChange: true, templates: [] },
  ];
  const answers: Answers = {
    getTemplateTree: () => ({ templateTree: { folders: folders(), next: null } }),
    updateTemplate: ({ input }) => {
      server.moved = true;
      Object.assign(stored, input, { projectId: null });
      return { updateTemplate: { template: { ...stored }, errors: [] } };
    },
  };
  const { issue, sent } = open(answers, stored);
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, { surface: 'page' });
  await userEvent.click(await line(/^Release/));
  const view = await editor();
  type(view, '- new\n');
  await save();
  // A site template is used in a project, which is another one now.
  const asked = () => sent.flatMap(({ name, variables }) => (name === 'getTemplate' ? variables.projectId : []));
  await waitFor(() => expect(asked()).toContain('1'));
  type(view, '- more\n');
  expect(await editor()).toBe(view);
  expect(view.state.doc.toString()).toContain('- more');
});

test('more templates than one answer holds are loaded page by page', async () => {
  const pages: Record<string, unknown> = {
    first: {
      folders: [
        { projectId: null, mayChange: true, templates: [filed(onboarding)] },
        { projectId: '10', mayChange: true, templates: [] },
      ],
      next: '2',
    },
    '2': {
      folders: [
        { projectId: null, mayChange: true, templates: [filed(template('3', 'Yearly', { projectId: null }))] },
        { projectId: '10', mayChange: true, templates: [filed(release)] },
      ],
      next: null,
    },
  };
  const { issue } = open({ getTemplateTree: ({ after }) => ({ templateTree: pages[String(after ?? 'first')] }) });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  for (const name of [/^Onboarding/, /^Yearly/, /^Release/]) expect(await line(name)).toBeVisible();
  expect(await line(/^Whole site/)).toHaveTextContent('2');
});

test('collaborators of a template show to users with permission to change it', async () => {
  const { issue, sent } = open({
    getEditors: () => ({ editors: [{ account: 'mia', row: null, mark: null }] }),
    getTemplateTree: () => ({
      templateTree: {
        folders: [
          { projectId: null, mayChange: false, templates: [filed(onboarding)] },
          { projectId: '10', mayChange: true, templates: [filed(release)] },
        ],
        next: null,
      },
    }),
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await editor();
  expect(await screen.findByText(/is also editing$/)).toBeVisible();
  const asked = () =>
    new Set(sent.flatMap(({ name, variables }) => (name === 'getEditors' ? variables.subjectId : [])));
  await userEvent.click(await line(/^Onboarding/));
  await editor('Onboarding');
  expect(screen.queryByText(/is also editing$/)).toBeNull();
  expect(asked()).toEqual(new Set(['template:1']));
});

test.each([
  [messages.versionNotFound, 'The previous version is no longer available.'],
  [messages.versionHidden, "You don't have permission to see the previous version. It belonged to a project."],
  ['The server is on fire.', 'The server is on fire.'],
])('the reason for a missing comparison shows: %s', async (message, words) => {
  const { issue } = open({
    getTemplateVersion: ({ version }) =>
      version === 1 ? new Error(message) : { templateVersion: { name: 'Release', text: '- a' } },
  });
  await show(issue, <SmartTemplatesScreen />, { isAdmin: true }, project);
  await userEvent.click(await line(/^Release/));
  await userEvent.click(await screen.findByRole('tab', { name: 'Versions' }));
  const [difference] = await screen.findAllByRole('button', { name: 'Difference' });
  if (difference) await userEvent.click(difference);
  expect(await screen.findByText(words)).toBeVisible();
});

test('Escape, and Close, ask before a dialog with unsaved text closes', async () => {
  const { issue } = open();
  const closeDialog = vi.fn();
  issue.bridge.closeDialog = closeDialog;
  const screens = (
    <>
      <SmartTemplatesScreen />
      <LeaveDialog />
    </>
  );
  await show(issue, screens, { isAdmin: true }, { ...project, surface: 'dialog' });
  await userEvent.click(await line(/^Release/));
  type(await editor(), '- new\n');
  (await screen.findByRole('textbox', { name: 'Name' })).focus();
  const host = vi.fn();
  window.addEventListener('keydown', host);
  for (const close of [() => userEvent.keyboard('{Escape}'), () => userEvent.click(screen.getByText('Close'))]) {
    await close();
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  }
  window.removeEventListener('keydown', host);
  expect(host).not.toHaveBeenCalled();
  expect(closeDialog).not.toHaveBeenCalled();
  expect((await editor()).state.doc.toString()).toBe('- new\n- a\n- b\n');
});

test('a template without permission to change it is read-only, and its versions cannot be restored', async () => {
  const { issue } = open({
    getTemplateTree: () => tree(false),
    getTemplateUsage: () => ({ templateUsage: { issueCount: 3, rules: null } }),
  });
  await show(issue, <SmartTemplatesScreen />, { canImportTemplate: true }, project);
  await userEvent.click(await line(/^Onboarding/));
  expect((await editor('Onboarding')).state.readOnly).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Usage' }));
  await waitFor(() => expect(screen.getByRole('tabpanel')).toHaveTextContent('Used on 3 issues.'));
  expect(screen.queryByText('Rules that add it')).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Versions' }));
  await within(screen.getByRole('tabpanel')).findAllByRole('button', { name: 'Difference' });
  expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
});
