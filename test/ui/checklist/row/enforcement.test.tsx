import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { PermissionFlags } from '../../../../src/domain/permissions.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';
import { answer } from '../../screens/templates/server.ts';

/** What the panel says of gates, mandatory items and sections for customers: whether the site enforces them. */

const unknown = { gates: null, mandatory: null, hasPortal: null, portal: 'OFF' };
const administrator = { canManageTemplates: true };

async function open(text: string, enforcement: object, may: Partial<PermissionFlags> = {}) {
  const issue = fakeIssue(text);
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    path.endsWith('/transitions') ? json({ transitions: [{ to: { name: 'Done' } }] }) : request(path, init);
  const sent = answer(issue, { getEnforcement: () => ({ enforcement: { ...unknown, ...enforcement } }) });
  await show(issue, <ChecklistPanel />, may, { projectId: '10', projectKey: 'ABC' });
  return { issue, asked: () => sent.length };
}

async function choose(row: string, action: string | RegExp) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${row}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

test.each([
  [{ mandatory: false }, administrator, /^No workflow rule checks mandatory items yet, so nothing is blocked\. Set up/],
  [{ mandatory: false }, {}, /nothing is blocked\. Ask an administrator to set up a workflow rule\.$/],
  [
    { mandatory: true },
    {},
    "A workflow rule of this project checks mandatory items. Transitions without the rule aren't blocked.",
  ],
  [{}, {}, /^Only a workflow rule can block the issue\. We couldn't find out/],
] as const)('an item that is made mandatory says whether that is enforced: %j', async (known, may, words) => {
  const { asked } = await open('- one\n', known, may);
  await screen.findByRole('button', { name: 'More actions for one' });
  // A panel that is only viewed asks nothing.
  expect(asked()).toBe(0);
  await choose('one', 'Make mandatory');
  const note = await waitFor(() => {
    const found = document.querySelector('.check-undo .check-enforcement');
    expect(found).toHaveTextContent(words);
    return found;
  });
  expect(note).toHaveAttribute('role', 'status');
  if (may === administrator && note instanceof HTMLElement)
    expect(within(note).getByRole('link', { name: 'Set up a workflow rule' })).toHaveAttribute(
      'href',
      expect.stringContaining('/plugins/servlet/project-config/ABC/workflows'),
    );
  await choose('one', 'Make optional');
  await waitFor(() => expect(document.querySelector('.check-enforcement')).toBeNull());
});

test.each([
  ['! two', /^No workflow rule checks mandatory items yet/],
  ['# Build !before:Done', /^No workflow rule checks gates yet/],
])('typing it into a new row says so too, and once: %s', async (typed, words) => {
  await open('- one\n', { gates: false, mandatory: false });
  const input = await screen.findByRole('textbox', { name: 'Add an item' });
  await userEvent.type(input, `${typed}{Escape}{Enter}`);
  await waitFor(() => expect(document.querySelector('.check-undo .check-enforcement')).toHaveTextContent(words));
  expect(document.querySelectorAll('.check-enforcement')).toHaveLength(1);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add an item' }), 'three{Enter}');
  await waitFor(() => expect(document.querySelector('.check-undo .check-enforcement')).toBeNull());
});

test('the warning of an open gate says whether something enforces it, as does the list of open items', async () => {
  await open('# Build !before:Done\n- one\n', { gates: false });
  await screen.findByText(/^Not ready for Done/);
  await waitFor(() =>
    expect(document.querySelector('.check-gates .check-enforcement')).toHaveTextContent(
      /^No workflow rule checks gates yet/,
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Build: Before Done: 1 open' }));
  const popup = await screen.findByRole('dialog', { name: 'Open items of Build' });
  expect(await within(popup).findByText(/^No workflow rule checks gates yet/)).toBeVisible();
});

test('the gates of a section say that no workflow rule checks them', async () => {
  await open('# Build\n- one\n', { gates: false });
  await choose('Build', /^Gate before a status/);
  const popup = await screen.findByRole('dialog', { name: 'Gates of Build' });
  expect(await within(popup).findByText(/^No workflow rule checks gates yet/)).toBeVisible();
});

test('without a portal, a section is not offered to customers', async () => {
  await open('# Build\n- one\n', { hasPortal: false });
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Build' }));
  await screen.findByRole('menuitem', { name: /^Gate before/ });
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Show to customers' })).toBeNull());
});

test('a section for customers says if the portal shows nothing, with the way to change that', async () => {
  await open('# Build\n- one\n', { hasPortal: true }, administrator);
  await choose('Build', 'Show to customers');
  expect(await screen.findByText('The portal of this project shows nothing of checklists to customers.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Open project settings' })).toBeVisible();
});
