import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fieldErrors } from '../../../../../src/domain/fields.ts';
import { managing, refusals, shell, successes, whole } from '../../../../../src/domain/messages.ts';
import { builtInStatuses } from '../../../../../src/domain/statuses.ts';
import ProjectSettingsScreen from '../../../../../src/ui/screens/settings/project/project-settings.tsx';
import SiteSettingsScreen from '../../../../../src/ui/screens/settings/site/site-settings.tsx';
import { StatusesSection } from '../../../../../src/ui/screens/settings/statuses/statuses-section.tsx';
import { LeaveDialog } from '../../../../../src/ui/shell/navigation/dialogs.tsx';
import { endPage, storedTexts } from '../../../ended-page.ts';
import { fakeIssue, show } from '../../../issue.tsx';
import { answer, refusal } from '../../templates/server.ts';

const site = builtInStatuses.map(status => ({ ...status, projectId: null, builtIn: true, going: false }));
const own = (slug: string, name: string, projectId: string | null = null) => ({
  ...{ slug, name, color: 'red', checked: false, projectId, builtIn: false, going: false },
});
const payload = (statuses: readonly object[] | null, errors: readonly object[] = []) => ({
  ...{ statuses, errors, job: null },
});
const entries = (name = 'Statuses') =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(item => item.querySelector('.check-status')?.textContent);

test('a site administrator creates a status', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: site }),
    createStatus: () => ({ createStatus: payload([...site, own('on_hold', 'On hold')]) }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true, canManageTemplates: true });
  await userEvent.click(await screen.findByRole('button', { name: 'New status' }));
  await userEvent.click(screen.getByRole('button', { name: 'Create status' }));
  expect(screen.getByText(fieldErrors.REQUIRED)).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '[[a');
  expect(screen.getByText(/contains no brackets/)).toBeVisible();
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' On hold ');
  await userEvent.click(screen.getByRole('radio', { name: 'red' }));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(entries()).toEqual(['To Do', 'In Progress', 'Done', 'Skipped', 'On hold']));
  expect(sent.at(-1)?.variables).toEqual({
    input: { projectId: null, name: 'On hold', color: 'red', checked: false },
  });
  expect(issue.flags).toEqual([{ title: successes.createStatus, type: 'success' }]);
  expect(screen.getByRole('button', { name: 'New status' })).toHaveFocus();
});

test('a name shows a short error while it is typed, and the full one once it is sent', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, { getStatuses: () => ({ statuses: site }) });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'New status' }));
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(name, 'a');
  await userEvent.clear(name);
  expect(name).toBeValid();
  await userEvent.click(name);
  await userEvent.paste('x'.repeat(51));
  expect(screen.getByText('Too long.')).toBeVisible();
  const before = sent.length;
  await userEvent.keyboard('{Enter}');
  expect(screen.getByText('The name of a status has at most 50 characters.')).toBeVisible();
  expect(sent).toHaveLength(before);
});

test('a taken name shows an error at its field, with the typed text', async () => {
  const issue = fakeIssue('');
  answer(issue, {
    getStatuses: () => ({ statuses: [...site, own('a', 'On hold')] }),
    updateStatus: () => ({ updateStatus: payload(null, refusal('NOT_UNIQUE', 'name', fieldErrors.NOT_UNIQUE)) }),
  });
  const screens = (
    <>
      <SiteSettingsScreen />
      <LeaveDialog />
    </>
  );
  await show(issue, screens, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit On hold' }));
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Done{Enter}');
  expect(await screen.findByText(fieldErrors.NOT_UNIQUE)).toBeVisible();
  expect(name).toHaveValue('Done');
  // Escape, the button, and another form ask before the typed text is lost.
  const leavings = [
    () => userEvent.keyboard('{Escape}'),
    () => userEvent.click(screen.getByRole('button', { name: 'Cancel' })),
    () => userEvent.click(screen.getByRole('button', { name: 'New status' })),
  ];
  for (const leaving of leavings) {
    await leaving();
    await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
    await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Done');
  }
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(screen.getByRole('button', { name: 'Edit On hold' })).toHaveFocus();
});

test('a built-in status can get another name and colour, and keeps its meaning', async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: site }),
    updateStatus: () => ({ updateStatus: payload(site) }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  expect(screen.queryByRole('button', { name: 'Delete Done' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Done' }));
  expect(screen.getByRole('checkbox', { name: 'Completes an item' })).toBeDisabled();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '!{Enter}');
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.updateStatus, type: 'success' }]));
  expect(sent.at(-1)?.variables).toEqual({ input: { slug: 'done', name: 'Done!' } });
});

test('deleting a status shows the number of its items and asks for their new status', async () => {
  const jobs: object[] = [{ id: '0', kind: 'STATUSES', total: 1, seen: 1, ended: '2026-11-01T10:00:00.000Z' }];
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: [...site, own('a', 'On hold')] }),
    getStatusUse: () => ({ statusUse: { items: 3, issues: 1, templates: 2 } }),
    deleteStatus: () => {
      jobs.push({ id: '1', kind: 'STATUSES', total: 40, seen: 12, ended: null });
      return { deleteStatus: { ...payload(site), job: { id: '1' } } };
    },
    getStatusJobs: () => ({ jobs }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete On hold' }));
  expect(await screen.findByText('Used on 3 items of 1 issue and in 2 templates.')).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Change its items to' }), 'In Progress');
  await userEvent.click(screen.getByRole('button', { name: 'Delete status' }));
  await waitFor(() => expect(entries()).toEqual(['To Do', 'In Progress', 'Done', 'Skipped']));
  expect(sent.find(({ name }) => name === 'deleteStatus')?.variables).toEqual({
    input: { slug: 'a', moveTo: 'in_progress' },
  });
  expect(await screen.findByText(/are being updated: 12 of about 40 issues checked/)).toBeVisible();
});

test('keys change the order, which is announced, and reverted when refused', async () => {
  const issue = fakeIssue('');
  const server: { refuses: boolean } = { refuses: false };
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: site }),
    reorderStatuses: ({ input }) => {
      const { slugs } = input as { slugs: string[] };
      const statuses = slugs.flatMap(slug => site.find(status => status.slug === slug) ?? []);
      return {
        reorderStatuses: server.refuses
          ? payload(null, refusal('CHANGED_MEANWHILE', 'slugs', managing.orderStatuses))
          : payload(statuses),
      };
    },
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  (await screen.findByRole('button', { name: /^Move Done/ })).focus();
  await userEvent.keyboard('{ArrowUp}');
  expect(entries()).toEqual(['To Do', 'Done', 'In Progress', 'Skipped']);
  expect(screen.getByText('Done moved to position 2 of 4.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /^Move Done/ })).toHaveFocus();
  await waitFor(() => expect(issue.flags).toEqual([{ title: successes.orderStatuses, type: 'success' }]));
  expect(sent.at(-1)?.variables).toEqual({
    input: {
      projectId: null,
      slugs: ['todo', 'done', 'in_progress', 'skipped'],
      seen: ['todo', 'in_progress', 'done', 'skipped'],
    },
  });
  server.refuses = true;
  await userEvent.keyboard('{ArrowUp}');
  await waitFor(() => expect(issue.flags.at(-1)).toEqual({ title: managing.orderStatuses, type: 'error' }));
  await waitFor(() => expect(entries()).toEqual(['To Do', 'In Progress', 'Done', 'Skipped']));
});

test('two quick key presses move a status twice', async () => {
  const issue = fakeIssue('');
  const orders: string[][] = [];
  answer(issue, {
    getStatuses: () => ({ statuses: site }),
    reorderStatuses: ({ input }) => {
      const { slugs } = input as { slugs: string[] };
      orders.push(slugs);
      return { reorderStatuses: payload(slugs.flatMap(slug => site.find(status => status.slug === slug) ?? [])) };
    },
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  const handle = await screen.findByRole('button', { name: /^Move Done/ });
  handle.focus();
  // Without testing-library's `act`, which renders at once: only microtasks pass between the presses.
  const press = () => handle.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
  press();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  press();
  await waitFor(() => expect(orders.at(-1)).toEqual(['done', 'todo', 'in_progress', 'skipped']));
  await waitFor(() => expect(entries()).toEqual(['Done', 'To Do', 'In Progress', 'Skipped']));
});

test("a project shows the site's statuses and changes its own", async () => {
  const issue = fakeIssue('');
  answer(issue, { getStatuses: () => ({ statuses: [...site, own('a', 'QA', '10')] }) });
  await show(issue, <ProjectSettingsScreen />, { canManageTemplates: true }, { projectId: '10' });
  await waitFor(() => expect(entries('Project statuses')).toEqual(['QA']));
  expect(entries('Site statuses')).toEqual(['To Do', 'In Progress', 'Done', 'Skipped']);
  expect(screen.queryByRole('button', { name: 'Edit Done' })).toBeNull();
});

test('a failed load can be retried', async () => {
  const issue = fakeIssue('');
  const server: { answers: boolean } = { answers: false };
  answer(issue, { getStatuses: () => (server.answers ? { statuses: site } : new Error('no')) });
  await show(issue, <StatusesSection projectId={undefined} />);
  expect(await screen.findByText(managing.getStatuses)).toBeVisible();
  server.answers = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(entries()).toHaveLength(4));
});

test('a user without permission gets a message', async () => {
  await show(fakeIssue(''), <SiteSettingsScreen />, {});
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});

test('a user without permission in a project gets a message', async () => {
  await show(fakeIssue(''), <ProjectSettingsScreen />, {}, { projectId: '10' });
  expect(await screen.findByText(refusals.projectAdmin)).toBeVisible();
});

test('the typed text of a status that another user deletes meanwhile can be saved as a new status', async () => {
  const issue = fakeIssue('');
  const there: { deleted: boolean } = { deleted: false };
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: there.deleted ? site : [...site, own('on_hold', 'On hold')] }),
    updateStatus: () => {
      there.deleted = true;
      return { updateStatus: payload(null, refusal('NOT_FOUND', 'slug', 'This status no longer exists.')) };
    },
    createStatus: () => ({ createStatus: payload([...site, own('waits', 'Waits')]) }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit On hold' }));
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.click(screen.getByRole('radio', { name: 'blue' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Waits{Enter}');
  expect(await screen.findByText(/Someone else has deleted/)).toHaveTextContent('“On hold”');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Waits');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Create status' }));
  await waitFor(() => expect(entries()).toContain('Waits'));
  expect(sent.at(-1)?.variables).toEqual({
    input: { projectId: null, name: 'Waits', color: 'blue', checked: false },
  });
});

test('the dialog about a status closes when another user deletes that status meanwhile', async () => {
  const issue = fakeIssue('');
  const there: { deleted: boolean } = { deleted: false };
  answer(issue, {
    getStatuses: () => ({ statuses: there.deleted ? site : [...site, own('on_hold', 'On hold')] }),
    getStatusUse: () => ({ statusUse: { items: 0, issues: 0, templates: 0 } }),
    deleteStatus: () => {
      there.deleted = true;
      return { deleteStatus: payload(null, refusal('NOT_FOUND', 'slug', 'This status no longer exists.')) };
    },
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete On hold' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete status' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'New status' })).toHaveFocus());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Move Done: arrow up or down' })).toBeVisible();
});

test("unchanged values of a status keep another user's changes", async () => {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: [...site, own('a', 'On hold')] }),
    updateStatus: () => ({ updateStatus: payload([...site, own('a', 'Waits')]) }),
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit On hold' }));
  await userEvent.click(screen.getByRole('radio', { name: 'blue' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save status' }));
  await waitFor(() => expect(entries()).toContain('Waits'));
  expect(sent.at(-1)?.variables).toEqual({ input: { slug: 'a', color: 'blue' } });
});

test('items do not move to a status that another user deletes meanwhile', async () => {
  const issue = fakeIssue('');
  const both = [own('a', 'On hold'), own('b', 'Blocked')];
  const there: { deleted: boolean } = { deleted: false };
  const sent = answer(issue, {
    getStatuses: () => ({ statuses: [...site, ...(there.deleted ? both.slice(0, 1) : both)] }),
    getStatusUse: () => ({ statusUse: { items: 1, issues: 1, templates: 0 } }),
    deleteStatus: ({ input }) => {
      there.deleted = true;
      const gone = (input as { moveTo: string }).moveTo === 'b';
      return { deleteStatus: gone ? payload(null, refusal('UNKNOWN_STATUS', 'moveTo', 'gone')) : payload(site) };
    },
  });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete On hold' }));
  const target = screen.getByRole('combobox', { name: 'Change its items to' });
  await userEvent.selectOptions(target, 'Blocked');
  await userEvent.click(screen.getByRole('button', { name: 'Delete status' }));
  await waitFor(() => expect(target).toHaveDisplayValue('To Do'));
  await userEvent.click(screen.getByRole('button', { name: 'Delete status' }));
  await waitFor(() => expect(entries()).not.toContain('On hold'));
  expect(sent.at(-1)?.variables).toEqual({ input: { slug: 'a', moveTo: 'todo' } });
});

const withQuestion = (
  <>
    <SiteSettingsScreen />
    <LeaveDialog />
  </>
);

test('what was entered for a new status is there again after a reload, until it is saved', async () => {
  const begin = async () => {
    const issue = fakeIssue('');
    const sent = answer(issue, {
      getStatuses: () => ({ statuses: site }),
      createStatus: () => ({ createStatus: payload([...site, own('waits', 'Waits for others')]) }),
    });
    await show(issue, withQuestion, { isAdmin: true });
    await userEvent.click(await screen.findByRole('button', { name: 'New status' }));
    return sent;
  };
  await begin();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Waits for others');
  await userEvent.click(screen.getByRole('radio', { name: 'red' }));
  await waitFor(() => expect(storedTexts()).toMatch(/Waits for others.*red/));
  await endPage();
  const sent = await begin();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Waits for others');
  expect(screen.getByRole('radio', { name: 'red' })).toBeChecked();
  expect(screen.getByText('Your unsaved changes have been restored. Cancel discards them.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create status' }));
  await waitFor(() => expect(entries()).toContain('Waits for others'));
  expect(sent.at(-1)?.variables).toEqual({
    input: { projectId: null, name: 'Waits for others', color: 'red', checked: false },
  });
  expect(storedTexts()).not.toContain('Waits for others');
  await userEvent.click(screen.getByRole('button', { name: 'New status' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('');
});

test('an edited status keeps what was entered, and what another user changed meanwhile', async () => {
  const begin = async (color: string) => {
    const issue = fakeIssue('');
    answer(issue, { getStatuses: () => ({ statuses: [...site, { ...own('hold', 'On hold'), color }] }) });
    await show(issue, withQuestion, { isAdmin: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit On hold' }));
  };
  await begin('red');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' for now');
  await waitFor(() => expect(storedTexts()).toContain('On hold for now'));
  await endPage();
  await begin('blue');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('On hold for now');
  expect(screen.getByRole('radio', { name: 'blue' })).toBeChecked();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(storedTexts()).not.toContain('for now');
  await userEvent.click(screen.getByRole('button', { name: 'Edit On hold' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('On hold');
});

test('a form says when the browser cannot keep what is entered', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
  const issue = fakeIssue('');
  answer(issue, { getStatuses: () => ({ statuses: site }) });
  await show(issue, <SiteSettingsScreen />, { isAdmin: true });
  await userEvent.click(await screen.findByRole('button', { name: 'New status' }));
  expect(screen.queryByText(whole.draftNotKept)).toBeNull();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'On');
  expect(await screen.findByText(whole.draftNotKept)).toBeVisible();
});
