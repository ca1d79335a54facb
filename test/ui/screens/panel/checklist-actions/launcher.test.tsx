import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { limitReached, managing } from '../../../../../src/domain/messages.ts';
import { storageKey } from '../../../../../src/domain/storage.ts';
import { encodeDefaultTemplate, encodeTemplateIndex } from '../../../../../src/domain/templates.ts';
import ChecklistPanel from '../../../../../src/ui/screens/panel/panel.tsx';
import { json, sessions } from '../../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../../issue.tsx';
import { answer, page, template } from '../../templates/server.ts';

const may = { canImportTemplate: true };
const where = { projectId: '10' };

beforeEach(() => localStorage.clear());

/** Gives the project two templates, of which the second is the default. */
function mirrored(issue: FakeIssue) {
  const { request } = issue.bridge;
  const held = [
    { id: '1', name: 'Ship it', global: false, items: 2, text: '- a\n- b\n' },
    { id: '2', name: 'Audit', global: true, items: 1, text: '- Look\n' },
  ];
  issue.bridge.request = async (path, init) =>
    path.includes('/project/')
      ? json({
          ...{ id: '10', key: 'ABC', name: 'Abc' },
          properties: {
            [storageKey('template-index')]: encodeTemplateIndex(held),
            [storageKey('default-template')]: encodeDefaultTemplate('2'),
          },
        })
      : request(path, init);
}

const open = async (issue: FakeIssue, permissions = {}) =>
  show(issue, <ChecklistPanel />, { ...may, ...permissions }, where);

const launched = async () => within(await screen.findByRole('region', { name: 'Start the checklist' }));

test('an empty checklist offers the default template, which one click applies, and then the recent one', async () => {
  const issue = fakeIssue('');
  mirrored(issue);
  const sent = answer(issue, {});
  await open(issue);
  const launcher = await launched();
  await userEvent.click(await launcher.findByRole('button', { name: 'Audit Default, 1 item' }));
  expect(await screen.findByText('from a template')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Start the checklist' })).toBeNull();
  expect(await screen.findByText('Applied “Audit”')).toBeVisible();
  // The server was not asked for templates.
  expect(sent).toEqual([]);
});

test('a template is found, previewed and applied in the popup, by keyboard', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, { getTemplates: () => page([template('1', 'Ship it', { isDefault: true })]) });
  await open(issue);
  const button = await screen.findByRole('button', { name: 'Apply template' });
  await userEvent.click(button);
  const find = await screen.findByRole('combobox', { name: 'Find a template' });
  await waitFor(() => expect(find).toHaveFocus());
  await screen.findByRole('option', { name: 'Ship it Default, 2 items', selected: true });
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('option', { name: /^Definition of done/, selected: true })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Preview of Definition of done' })).toHaveTextContent('Code is reviewed');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
  await userEvent.click(button);
  await userEvent.type(await screen.findByRole('combobox', { name: 'Find a template' }), 'incid{Enter}');
  expect(await screen.findByText('from a template')).toBeVisible();
  expect(await screen.findByText('Applied “Incident”')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toBe('- a\n'));
});

test('starter templates that administrators hide are not offered', async () => {
  const { ok } = sessions;
  Object.assign(ok.payload.settings, { starters_hidden: true });
  try {
    const issue = fakeIssue('');
    answer(issue, { getTemplates: () => page([]) });
    await open(issue);
    await userEvent.click(await (await launched()).findByRole('button', { name: 'Browse templates' }));
    expect(await screen.findByText('No templates yet.')).toBeVisible();
    expect(screen.queryByRole('option')).toBeNull();
  } finally {
    Object.assign(ok.payload.settings, { starters_hidden: false });
  }
});

test('without the server the popup says so and still offers the starters', async () => {
  const issue = fakeIssue('- a\n');
  answer(issue, { getTemplates: () => new Error('away') });
  await open(issue);
  await userEvent.click(await screen.findByRole('button', { name: 'Apply template' }));
  expect(await screen.findByText(managing.getTemplates)).toBeVisible();
  expect(screen.getByRole('option', { name: /^Release/ })).toBeVisible();
});

test('what a user has no permission for is not offered', async () => {
  await open(fakeIssue(''), { canImportTemplate: false });
  const launcher = await launched();
  expect(launcher.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Start from text']);
});

test('a failed change leaves the launcher, with a message', async () => {
  const issue = fakeIssue('');
  mirrored(issue);
  issue.refuse = { code: 'LIMIT', message: limitReached.items };
  await open(issue);
  await userEvent.click(await (await launched()).findByRole('button', { name: /^Audit/ }));
  await waitFor(() => expect(issue.flags).toEqual([{ title: limitReached.items, type: 'error' }]));
  expect((await launched()).getByRole('button', { name: /^Audit/ })).toBeVisible();
});
