import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { failures, automation as messages, shell } from '../../../../src/domain/messages.ts';
import AutomationScreen from '../../../../src/ui/screens/automation/automation-screen.tsx';
import { LeaveDialog } from '../../../../src/ui/shell/navigation/dialogs.tsx';
import { endPage, storedTexts } from '../../ended-page.ts';
import { fakeIssue, show } from '../../issue.tsx';
import { type Answers, answer, refusal } from '../templates/server.ts';

const webhook = (id: string, name: string, values: object = {}) => ({
  ...{ id, name, direction: 'OUTGOING', url: `https://receiver.example/${id}`, address: null, projectIds: [] },
  ...{ events: ['checklist.completed'], actions: [], withText: false, automated: false, hasToken: false },
  ...{ hasSecret: true, enabled: true, stopped: null },
  ...values,
});
type Hook = ReturnType<typeof webhook>;

/** The screen for the site's webhooks, with a server that stores them. Each secret ends with its number. */
async function open(webhooks: Hook[], answers: Answers = {}) {
  const issue = fakeIssue('');
  let made = 0;
  const changed = (secret: string | null = null) => ({ webhooks, secret, errors: [] });
  const newSecret = () => {
    made += 1;
    return `whs_${made}`;
  };
  const sent = answer(issue, {
    getWebhooks: () => ({ webhooks }),
    createWebhook: ({ input }) => {
      const values = input as Hook;
      webhooks.push(webhook(`new${webhooks.length}`, values.name, { direction: values.direction }));
      return { createWebhook: changed(newSecret()) };
    },
    updateWebhook: ({ input }) => {
      const { newSecret: replaces } = input as { newSecret?: boolean };
      return { updateWebhook: changed(replaces ? newSecret() : null) };
    },
    deleteWebhook: ({ id }) => {
      webhooks.splice(
        webhooks.findIndex(each => each.id === id),
        1,
      );
      return { deleteWebhook: changed() };
    },
    ...answers,
  });
  const screens = (
    <>
      <AutomationScreen />
      <LeaveDialog />
    </>
  );
  await show(issue, screens, { isAdmin: true });
  await screen.findByRole('button', { name: 'Add outgoing webhook' });
  const calls = () => sent.filter(({ name }) => name !== 'getWebhooks');
  return { issue, calls };
}

const button = (name: string) => screen.getByRole('button', { name });
const click = (name: string) => userEvent.click(button(name));
const inEntry = (name: string) => within(screen.getByRole('article', { name }));
const lists = () => screen.getByRole('region', { name: 'Outgoing webhooks' }).parentElement;

async function add(name: string) {
  await click('Add outgoing webhook');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), `${name}{Enter}`);
  return screen.findByRole('textbox', { name: `Secret of ${name}` });
}

async function askForSecret(name: string) {
  await userEvent.click(inEntry(name).getByRole('button', { name: 'Replace secret…' }));
}

test('the secret of a new webhook has the focus until it is done with', async () => {
  await open([]);
  const secret = await add('Board');
  expect(secret).toHaveValue('whs_1');
  expect(secret).toHaveFocus();
  await click('Done');
  expect(screen.queryByDisplayValue('whs_1')).toBeNull();
  expect(screen.queryByText(shell.unsaved)).toBeNull();
  expect(lists()).toHaveFocus();
});

test('a secret that was not copied is not dropped without a question', async () => {
  await open([webhook('1', 'Deploy')]);
  await add('Board');
  for (const name of ['Edit Deploy', 'Delete Deploy', 'Add incoming webhook', 'Back to settings']) {
    await click(name);
    await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
    await click('Stay');
    expect(screen.getByDisplayValue('whs_1')).toBeVisible();
  }
  await click('Edit Deploy');
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(screen.queryByDisplayValue('whs_1')).toBeNull();
  expect(screen.getByRole('form', { name: 'Edit webhook' })).toBeVisible();
});

test('only the secret that was copied is said to be copied', async () => {
  await open([webhook('1', 'Deploy')]);
  await add('Board');
  Object.assign(document, { execCommand: () => true });
  await click('Copy secret');
  expect(await screen.findByText('Copied.')).toBeVisible();
  await askForSecret('Deploy');
  await click('Replace secret');
  expect(await screen.findByRole('textbox', { name: 'Secret of Deploy' })).toHaveValue('whs_2');
  expect(screen.queryByText('Copied.')).toBeNull();
});

test('a replaced secret is shown although the webhook is turned off meanwhile', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const hooks = [webhook('1', 'Deploy')];
  await open(hooks, {
    updateWebhook: async ({ input }) => {
      const { newSecret } = input as { newSecret?: boolean };
      if (newSecret) await released;
      return { updateWebhook: { webhooks: hooks, secret: newSecret ? 'whs_late' : null, errors: [] } };
    },
  });
  await askForSecret('Deploy');
  await click('Replace secret');
  await userEvent.click(screen.getByRole('checkbox', { name: /^On/ }));
  // It is shown once, with the answer.
  await click('Back to settings');
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  await click('Stay');
  release();
  expect(await screen.findByDisplayValue('whs_late')).toHaveFocus();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('what was entered for a webhook that another user deletes meanwhile can be saved as a new one', async () => {
  const hooks = [webhook('1', 'Deploy', { withText: true })];
  const { calls } = await open(hooks, {
    updateWebhook: () => {
      hooks.pop();
      return {
        updateWebhook: { webhooks: null, secret: null, errors: refusal('NOT_FOUND', 'id', messages.notFound) },
      };
    },
  });
  await click('Edit Deploy');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'ment{Enter}');
  expect(await screen.findByText(/Someone else has deleted/)).toHaveTextContent('“Deploy”');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Deployment');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await click('Create webhook');
  expect(await screen.findByRole('textbox', { name: 'Secret of Deployment' })).toBeVisible();
  expect(calls().at(-1)).toMatchObject({
    name: 'createWebhook',
    variables: {
      input: { direction: 'OUTGOING', name: 'Deployment', url: 'https://receiver.example/1', withText: true },
    },
  });
});

test.each([
  ['Delete Deploy', 'Delete webhook?'],
  ['Replace secret…', 'Replace secret?'],
])('“%s” asks first; Escape and Cancel return to it', async (opener, question) => {
  const { calls } = await open([webhook('1', 'Deploy')]);
  const cancels = [() => userEvent.keyboard('{Escape}'), () => click('Cancel')];
  for (const cancel of cancels) {
    button(opener).focus();
    // The second press does not confirm.
    await userEvent.keyboard('{Enter}{Enter}');
    expect(screen.getByRole('alertdialog', { name: question })).toContainElement(
      document.activeElement as HTMLElement | null,
    );
    await cancel();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(button(opener)).toHaveFocus();
  }
  expect(calls()).toEqual([]);
});

test('a deleted webhook disappears, and a failed deletion can be tried again', async () => {
  const server: { isDown: boolean } = { isDown: true };
  const hooks = [webhook('1', 'Deploy')];
  const { issue } = await open(hooks, {
    deleteWebhook: () => {
      if (server.isDown) return new Error('no');
      hooks.pop();
      return { deleteWebhook: { webhooks: hooks, secret: null, errors: [] } };
    },
  });
  await click('Delete Deploy');
  await click('Delete webhook');
  await waitFor(() => expect(issue.flags).toEqual([{ title: failures.unknown, type: 'error' }]));
  const question = screen.getByRole('alertdialog', { name: 'Delete webhook?' });
  expect(question).toContainElement(document.activeElement as HTMLElement | null);
  server.isDown = false;
  await waitFor(async () => {
    if (screen.queryByRole('button', { name: 'Delete webhook' })) await click('Delete webhook');
    expect(screen.queryByRole('article', { name: 'Deploy' })).toBeNull();
  });
  expect(button('Add outgoing webhook')).toHaveFocus();
});

test('a form in which only the saved token is removed asks before it closes', async () => {
  await open([webhook('1', 'Deploy', { hasToken: true })]);
  await click('Edit Deploy');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Remove the saved token' }));
  await click('Cancel');
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
});

test('another address says that it drops the token and the secret, and shows the new secret', async () => {
  const { calls } = await open([webhook('1', 'Deploy', { hasToken: true })], {
    updateWebhook: () => ({ updateWebhook: { webhooks: [], secret: 'whs_new', errors: [] } }),
  });
  await click('Edit Deploy');
  const address = screen.getByRole('textbox', { name: 'Address' });
  await userEvent.clear(address);
  await userEvent.type(address, 'https://receiver.example/other');
  expect(screen.queryByText(messages.otherReceiver)).toBeNull();
  await userEvent.clear(address);
  await userEvent.type(address, 'https://other.example/x');
  expect(address).toHaveAccessibleDescription(expect.stringContaining(messages.otherReceiver));
  expect(screen.queryByRole('checkbox', { name: 'Remove the saved token' })).toBeNull();
  await click('Save webhook');
  expect(await screen.findByRole('textbox', { name: 'Secret of Deploy' })).toHaveValue('whs_new');
  expect(calls()).toMatchObject([{ variables: { input: { id: '1', url: 'https://other.example/x' } } }]);
});

test('a webhook whose secret has ended says so, and shows its new secret when it is turned on', async () => {
  await open([webhook('1', 'Deploy', { hasSecret: false, enabled: false })], {
    updateWebhook: () => ({ updateWebhook: { webhooks: [], secret: 'whs_new', errors: [] } }),
  });
  expect(screen.getByText(messages.noSecret)).toBeVisible();
  await userEvent.click(inEntry('Deploy').getByRole('checkbox', { name: 'On: Deploy' }));
  expect(await screen.findByRole('textbox', { name: 'Secret of Deploy' })).toHaveValue('whs_new');
});

test.each([
  ['url', 'textbox', 'Address'],
  ['events', 'checkbox', 'Item completed'],
  ['projectIds', 'combobox', 'Add a project'],
])('a refusal of “%s” focuses its field', async (field, role, name) => {
  await open([], {
    createWebhook: () => ({
      createWebhook: { webhooks: null, secret: null, errors: refusal('REQUIRED', field, 'Wrong.') },
    }),
  });
  await click('Add outgoing webhook');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Deploy');
  await click('Create webhook');
  expect(await screen.findByText('Wrong.')).toBeVisible();
  expect(screen.getByRole(role, { name })).toHaveFocus();
});

test('a webhook for a project that is deleted or hidden says so', async () => {
  await open([webhook('1', 'Deploy', { projectIds: ['10', '99'] })]);
  expect(await screen.findByText('Alpha, another project · Checklist completed')).toBeVisible();
});

test('what was entered for a webhook is there again after a reload, without its token', async () => {
  const fill = async (label: string, text: string) =>
    userEvent.type(await screen.findByRole('textbox', { name: label }), text);
  await open([]);
  await click('Add outgoing webhook');
  await fill('Name', 'Board of the team');
  await fill('Address', 'https://board.example');
  await fill('Token for Jira automation', 'secret token');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Item completed' }));
  await waitFor(() => expect(storedTexts()).toMatch(/Board of the team.*item\.completed/));
  expect(storedTexts()).not.toContain('secret');
  await endPage();
  const { calls } = await open([]);
  await click('Add incoming webhook');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('');
  await click('Add outgoing webhook');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Board of the team');
  expect(screen.getByRole('textbox', { name: 'Address' })).toHaveValue('https://board.example');
  expect(screen.getByRole('textbox', { name: 'Token for Jira automation' })).toHaveValue('');
  expect(screen.getByRole('checkbox', { name: 'Item completed' })).toBeChecked();
  await click('Create webhook');
  expect(await screen.findByRole('textbox', { name: 'Secret of Board of the team' })).toHaveValue('whs_1');
  expect(calls().at(-1)?.variables.input).toMatchObject({ name: 'Board of the team', token: '' });
  expect(storedTexts()).not.toMatch(/Board of the team|whs_1/);
});

test.each([
  { opener: 'Delete Build', button: 'Delete webhook', failing: 'deleteWebhook' },
  { opener: 'Replace secret…', button: 'Replace secret', failing: 'updateWebhook' },
])('a failed answer to “$button” is said in the app’s words', async ({ opener, button: name, failing }) => {
  await open([webhook('1', 'Build')], { [failing]: () => 503 });
  await userEvent.click(button(opener));
  await userEvent.click(button(name));
  expect(await screen.findByText(failures.unknown)).toBeVisible();
  expect(screen.queryByText(/Reason Phrase/)).toBeNull();
});
