import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fieldErrors } from '../../../../../src/domain/fields.ts';
import { failures, apiTokens as messages, shell } from '../../../../../src/domain/messages.ts';
import { ApiTokensSection } from '../../../../../src/ui/screens/settings/api-tokens/tokens-section.tsx';
import { LeaveDialog } from '../../../../../src/ui/shell/navigation/dialogs.tsx';
import { storedTexts } from '../../../ended-page.ts';
import { fakeIssue, show } from '../../../issue.tsx';
import { type Answers, answer, refusal } from '../../templates/server.ts';

const token = (id: string, name: string, values: object = {}) => ({
  ...{ id, name, scope: 'READ', projectIds: [], account: 'bo', until: null, used: null },
  ...values,
});
const SECRET = 'scl_secret.site';

async function open(tokens: object[], answers: Answers = {}) {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getApiTokens: () => ({ apiUrl: 'https://addon.example/api/v1', apiTokens: tokens }),
    createApiToken: ({ input }) => {
      const { name, scope, projectIds } = input as { name: string; scope: string; projectIds: string[] };
      const made = token(`new${tokens.length}`, name, { scope, projectIds });
      tokens.push(made);
      return { createApiToken: { secret: SECRET, token: made, errors: [] } };
    },
    ...answers,
  });
  const screens = (
    <>
      <ApiTokensSection />
      <LeaveDialog />
    </>
  );
  await show(issue, screens, { isAdmin: true });
  const made = () => sent.filter(({ name }) => name !== 'getApiTokens');
  return { issue, made };
}

test('tokens are listed with what they can do, and without tokens the section says what belongs there', async () => {
  await open([]);
  expect(await screen.findByText('No tokens yet. Create one for each program.')).toBeVisible();
  expect(screen.getByText('https://addon.example/api/v1')).toBeVisible();
});

test('each token shows access, projects, expiry, last use and creator', async () => {
  const used = new Date(Date.now() - 2 * 3_600_000).toISOString();
  await open([
    token('1', 'Build server', { scope: 'WRITE', used }),
    token('2', 'Report', { until: '2020-01-02T00:00:00.000Z' }),
  ]);
  const list = await screen.findByRole('list', { name: 'API tokens' });
  const [first, second] = within(list).getAllByRole('listitem');
  await waitFor(() =>
    expect(first).toHaveTextContent(
      'Build serverRead and write · all projects · never expires · used 2 hours ago · created by Person bo',
    ),
  );
  expect(second).toHaveTextContent('ReportRead · all projects · expired 2 Jan 2020 · never used');
});

test('a new token is shown once, and copied', async () => {
  const { made, issue } = await open([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Create API token' }));
  const name = screen.getByRole('textbox', { name: 'Name' });
  expect(name).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText(fieldErrors.REQUIRED)).toBeVisible();
  expect(made()).toEqual([]);
  await userEvent.type(name, 'Build server');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Access' }), 'Read and write');
  expect(screen.getByText(/can also change checklists/)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), 'Never');
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  const secret = await screen.findByDisplayValue(SECRET);
  expect(secret).toHaveFocus();
  expect(storedTexts()).not.toMatch(new RegExp(`Build server|${SECRET}`));
  expect(made()).toEqual([
    {
      name: 'createApiToken',
      variables: { input: { name: 'Build server', scope: 'WRITE', projectIds: [], until: null } },
    },
  ]);
  expect(issue.flags).toEqual([{ title: messages.created, type: 'success' }]);
  const copy = vi.fn(() => true);
  Object.assign(document, { execCommand: copy });
  await userEvent.click(screen.getByRole('button', { name: 'Copy token' }));
  expect(await screen.findByText('Copied.')).toBeVisible();
  copy.mockReturnValue(false);
  Object.assign(navigator, { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
  await userEvent.click(screen.getByRole('button', { name: 'Copy token' }));
  expect(await screen.findByText(/We couldn't copy it/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
  expect(screen.getByRole('button', { name: 'Create API token' })).toHaveFocus();
  expect(await screen.findByRole('button', { name: 'Revoke Build server' })).toBeVisible();
});

test('a new token that was not copied is not dropped without a question', async () => {
  await open([token('1', 'Report')]);
  const create = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Create API token' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), `${name}{Enter}`);
    await screen.findByDisplayValue(SECRET);
  };
  await create('Build server');
  for (const name of ['Revoke Report', 'Create API token']) {
    await userEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
    await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
    expect(screen.getByDisplayValue(SECRET)).toBeVisible();
  }
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Report' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
  expect(screen.getByRole('alertdialog', { name: 'Revoke Report?' })).toBeVisible();
  // A copied one is safe.
  await create('Import');
  Object.assign(document, { execCommand: () => true });
  await userEvent.click(screen.getByRole('button', { name: 'Copy token' }));
  await screen.findByText('Copied.');
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Report' }));
  expect(screen.getByRole('alertdialog', { name: 'Revoke Report?' })).toBeVisible();
});

test('an error says what to do', async () => {
  const { issue } = await open([], { createApiToken: () => new Error('no') });
  await userEvent.click(await screen.findByRole('button', { name: 'Create API token' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Build server{Enter}');
  await waitFor(() =>
    expect(issue.flags).toEqual([{ title: "We couldn't create the API token. Try again.", type: 'error' }]),
  );
});

test('a refused name shows its reason at the field, and keeps what was entered', async () => {
  const { issue } = await open([], {
    createApiToken: () => ({
      createApiToken: { secret: null, token: null, errors: refusal('NOT_UNIQUE', 'name', fieldErrors.NOT_UNIQUE) },
    }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Create API token' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Build server{Enter}');
  expect(await screen.findByText(fieldErrors.NOT_UNIQUE)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Build server');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  expect(issue.flags.at(-1)?.type).toBe('error');
});

test('a token is revoked after a confirmation, which Escape cancels', async () => {
  const tokens = [token('1', 'Build server'), token('2', 'Report')];
  const { made, issue } = await open(tokens, {
    revokeApiToken: ({ id }) => ({ revokeApiToken: { tokens: tokens.filter(each => each.id !== id), errors: [] } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Report' }));
  expect(screen.getByRole('alertdialog', { name: 'Revoke Report?' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Revoke Report' })).toHaveFocus();
  expect(made()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Report' }));
  await userEvent.click(screen.getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke Report' })).toBeNull());
  expect(made()).toEqual([{ name: 'revokeApiToken', variables: { id: '2' } }]);
  expect(issue.flags).toEqual([{ title: messages.revoked, type: 'success' }]);
  expect(screen.getByRole('button', { name: 'Create API token' })).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Revoke Build server' })).toBeVisible();
});

test('why a token was not revoked stays with the question until the next try', async () => {
  const tokens = [token('1', 'Report')];
  const server: { isDown: boolean } = { isDown: true };
  await open(tokens, {
    revokeApiToken: () => (server.isDown ? new Error('') : { revokeApiToken: { tokens: [], errors: [] } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Report' }));
  const question = screen.getByRole('alertdialog', { name: 'Revoke Report?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(within(question).getByRole('alert')).toHaveTextContent(messages.revoke));
  server.isDown = false;
  await userEvent.click(within(question).getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(question).not.toBeInTheDocument());
});

test('what could not be loaded can be tried again', async () => {
  const server: { isDown: boolean } = { isDown: true };
  await open([], {
    getApiTokens: () =>
      server.isDown ? new Error(failures.unknown) : { apiUrl: 'https://addon.example/api/v1', apiTokens: [] },
  });
  const retry = await screen.findByRole('button', { name: 'Retry' }, { timeout: 10_000 });
  server.isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByText(/^No tokens yet/)).toBeVisible();
});
