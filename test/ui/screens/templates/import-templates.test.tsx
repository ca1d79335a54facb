import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { HostContext } from '../../../../src/bridge/bridge.ts';
import { managing, refusals } from '../../../../src/domain/messages.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import { starters } from '../../../../src/domain/templates/starters.ts';
import { encodeDefaultTemplate, encodeTemplateIndex, encodeTemplateTexts } from '../../../../src/domain/templates.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import TemplatesScreen from '../../../../src/ui/screens/templates/templates-screen.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';
import { answer, page, template } from './server.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

const dialog: Partial<HostContext> = {
  surface: 'dialog',
  projectId: '10',
  dialogData: { issueId: '1', issueKey: 'ABC-1', purpose: 'import' },
};
const may = { canImportTemplate: true };
const two = [
  template('1', 'Rollout', { text: '# Release\n- Tag it\n' }),
  template('2', 'Welcome', { text: '- Say hello\n', isDefault: true }),
];
const rows = () =>
  [...screen.getByRole('region', { name: 'Preview' }).querySelectorAll('.check-text, .check-title')].map(
    ({ textContent }) => textContent,
  );
const names = async () =>
  within(await screen.findByRole('list', { name: 'Templates' }))
    .getAllByRole('checkbox')
    .map(box => box.closest('label')?.textContent);

test('several templates are chosen, previewed, and handed to the panel in their order', async () => {
  const issue = fakeIssue('# Head\n- a\n');
  answer(issue, { getTemplates: () => page(two) });
  await show(issue, <TemplatesScreen />, may, dialog);
  expect(await names()).toEqual(['Welcome', 'Rollout']);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Rollout' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Welcome' }));
  expect(rows()).toEqual(['Release', 'Tag it', 'Say hello']);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Position' }), 'Under “Head”');
  await userEvent.click(screen.getByRole('button', { name: 'Apply 2 templates' }));
  expect(issue.closed).toEqual([
    { templateIds: ['1', '2'], names: ['Rollout', 'Welcome'], mode: 'APPEND', section: { index: 0, text: 'Head' } },
  ]);
});

test('starter templates are offered as in the panel, and found by the same search', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: ({ search }) => page(search === '' ? two : []) });
  await show(issue, <TemplatesScreen />, may, dialog);
  await screen.findByRole('checkbox', { name: 'Rollout' });
  const list = screen.getByRole('list', { name: 'Starter templates' });
  expect(within(list).getAllByRole('checkbox').length).toBeGreaterThan(3);
  await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'bug');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Bug' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Templates' })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Apply template' }));
  expect(issue.closed).toMatchObject([{ templateIds: [starters.find(({ name }) => name === 'Bug')?.id] }]);
});

test('replacing shows the number of deleted rows; without permission to delete it is not offered', async () => {
  const issue = fakeIssue('- a\n- b\n');
  answer(issue, { getTemplates: () => page(two) });
  const { unmount } = await show(issue, <TemplatesScreen />, may, dialog);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Rollout' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Position' }), 'Replace the checklist');
  expect(screen.getByText('This deletes 2 items of this checklist.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Apply template' }));
  expect(issue.closed).toMatchObject([{ mode: 'REPLACE' }]);
  unmount();
  await show(issue, <TemplatesScreen />, { ...may, canDeleteChecklistItems: false }, dialog);
  await screen.findByRole('checkbox', { name: 'Rollout' });
  expect(screen.queryByRole('option', { name: 'Replace the checklist' })).toBeNull();
});

test("the tracker's copy is offered while the server is unavailable", async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => new Error('away') });
  const { request } = issue.bridge;
  const held = [
    { id: '1', name: 'Rollout', global: false, items: 1, text: '- Tag it\n' },
    { id: '2', name: 'Audit', global: true, items: 1, text: '- Look\n' },
  ];
  issue.bridge.request = async (path, init) =>
    path.includes('/project/')
      ? json({
          ...{ id: '10', key: 'ABC', name: 'Abc' },
          properties: {
            [storageKey('template-index')]: encodeTemplateIndex(held),
            [storageKey('templates')]: encodeTemplateTexts(held),
            [storageKey('default-template')]: encodeDefaultTemplate('2'),
          },
        })
      : request(path, init);
  await show(issue, <TemplatesScreen />, may, dialog);
  expect(await names()).toEqual(['Audit', 'Rollout']);
  expect(await screen.findByText(managing.getTemplates)).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'roll');
  await waitFor(async () => expect(await names()).toEqual(['Rollout']));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Rollout' }));
  expect(rows()).toEqual(['Tag it']);
});

test('closing chooses no template', async () => {
  const issue = fakeIssue('');
  answer(issue, { getTemplates: () => page([]) });
  await show(issue, <TemplatesScreen />, may, dialog);
  expect(await screen.findByText('No templates yet.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(issue.closed).toEqual([undefined]);
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue(''), <TemplatesScreen />, {}, dialog);
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});

test('chosen templates are added to the list in one step, which can be undone', async () => {
  const issue = fakeIssue('- a\n');
  issue.bridge.openDialog = async (_name, data) => {
    issue.opened.push(data);
    return { templateIds: ['1'], names: ['Release'], mode: 'APPEND' };
  };
  await show(issue, <ChecklistPanel />, may);
  await userEvent.click(await screen.findByRole('button', { name: 'Checklist actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Apply template…' }));
  await userEvent.click(await screen.findByRole('button', { name: 'More options…' }));
  expect(await screen.findByText('from a template')).toBeVisible();
  expect(issue.opened).toEqual([{ issueId: '1', issueKey: 'ABC-1', purpose: 'import' }]);
  expect(await screen.findByText('Applied “Release”')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toBe('- a\n'));
});
