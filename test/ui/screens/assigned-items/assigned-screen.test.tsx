import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { failures, refusals, shell, storage } from '../../../../src/domain/messages.ts';
import { isoDay } from '../../../../src/ui/model/today.ts';
import AssignedScreen from '../../../../src/ui/screens/assigned-items/assigned-screen.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

const may = {
  canAddChecklistItems: true,
  canChangeItemStatuses: true,
  canDeleteChecklistItems: true,
  canEditChecklist: true,
};
const none = { ...may, canChangeItemStatuses: false, canDeleteChecklistItems: false, canEditChecklist: false };
const statuses = {
  todo: { slug: 'todo', name: 'To Do', color: 'gray', checked: false },
  done: { slug: 'done', name: 'Done', color: 'green', checked: true },
};
const TEXT = '- a [~accountid:ana]\n- b [~accountid:ana] 2020-01-01\n- not hers\n';

/**
 * An issue with a server that lists its items from the tracker's current text. `asked`: the filters of each request.
 */
function listed(text = TEXT, permissions = may) {
  const issue = fakeIssue(text);
  const { backend } = issue.bridge;
  const asked: object[] = [];
  const state: Record<'broken' | 'seen' | 'paged' | 'barred' | 'partial', boolean> = {
    ...{ broken: false, seen: true, paged: false, barred: false, partial: false },
  };
  issue.bridge.backend = async (path, init = {}) => {
    const { operationName, variables } = init.json as {
      operationName?: string;
      variables: { who: object; filter: { checked: boolean | null; text: string | null }; after?: string | null };
    };
    if (operationName === 'getChecklist' && !state.seen) return json({ data: null, errors: [{ message: 'gone' }] });
    if (operationName !== 'getAssignedItems' && operationName !== 'getAssignedCounts') return backend(path, init);
    if (state.broken) return json({}, 500);
    const { who, filter, after } = variables;
    const lines = state.seen ? issue.stored.text.split('\n') : [];
    let section: string | null = null;
    const items = lines.flatMap((line, index) => {
      if (line.startsWith('# ')) section = line.slice(2);
      if (!line.includes('[~accountid:ana]')) return [];
      const status = line.startsWith('+') ? statuses.done : statuses.todo;
      if (filter.checked !== null && status.checked !== filter.checked) return [];
      if (filter.text !== null && !line.includes(filter.text)) return [];
      const dueDate = /\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? null;
      const [key = ''] = /^\w\d*/.exec(line.replace(/^[-+] /, '')) ?? [];
      return { id: key, issueId: '1', index, section, text: line.slice(2), mandatory: false, dueDate, status };
    });
    if (operationName === 'getAssignedCounts') {
      const overdue = items.filter(({ dueDate }) => dueDate !== null && dueDate < isoDay(new Date())).length;
      const due = { past: overdue, today: 0, week: 0, later: 0, none: items.length - overdue };
      const all = {
        partial: state.partial,
        all: items.length,
        overdue,
        due,
        projects: [{ id: '9', count: items.length }],
      };
      return json({ data: { assignedCounts: { ...all, statuses: [{ ...statuses.done, count: 1 }] } } });
    }
    asked.push({ who, ...filter });
    const line = { id: '1', permissions, count: items.length };
    const at = Number(after ?? 0);
    const page = state.paged ? items.slice(at, at + 1) : items;
    const next = state.paged && at + 1 < items.length ? String(at + 1) : null;
    return json({ data: { assignedItems: { next, items: page, issues: items.length > 0 ? [line] : [] } } });
  };
  const { request } = issue.bridge;
  issue.bridge.request = (path, init) => {
    if (path.endsWith('/permissions/check')) {
      const held = state.barred || permissions === none ? ['BROWSE_PROJECTS'] : ['BROWSE_PROJECTS', 'EDIT_ISSUES'];
      const projectPermissions = held.map(permission => ({ permission, issues: state.seen ? [1] : [] }));
      return Promise.resolve(json({ globalPermissions: [], projectPermissions }));
    }
    if (path.endsWith('/project/9')) return Promise.resolve(json({ id: '9', key: 'ABC', name: 'Shop' }));
    return path.endsWith('/bulkfetch') ? Promise.resolve(json({ issues: [read] })) : request(path, init);
  };
  return { issue, asked, state };
}

/** The issue as the tracker has it. */
const read = {
  ...{ id: '1', key: 'ABC-1' },
  fields: {
    summary: 'A plan',
    status: { name: 'Open', statusCategory: { colorName: 'green' } },
    issuetype: { name: 'Task', iconUrl: 'https://site.example/task.svg' },
    project: { id: '9', name: 'Shop' },
  },
};

const page = { surface: 'page' } as const;
const showList = (issue: FakeIssue) => show(issue, <AssignedScreen />, {}, page);
const box = (name: RegExp) => screen.findByRole('checkbox', { name });

test('items are grouped by issue, with a count', async () => {
  await showList(listed().issue);
  await box(/^a/);
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('ABC-1 A plan');
  expect(within(screen.getByRole('region', { name: 'ABC-1' })).getAllByRole('checkbox')).toHaveLength(2);
  expect(await screen.findByText('2 open items, 1 overdue')).toBeVisible();
});

test('a tick shows at once, is stored and keeps its position', async () => {
  const { issue } = listed();
  await showList(issue);
  fireEvent.click(await box(/^a/));
  expect(await box(/^a/)).toBeChecked();
  await waitFor(() => expect(issue.stored.text).toContain('+ a'));
  await screen.findByText('1 open item, 1 overdue');
  expect(await box(/^a/)).toBeChecked();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toContain('- a'));
  await waitFor(async () => expect(await box(/^a/)).not.toBeChecked());
});

test('a refused tick is reverted with a message', async () => {
  const { issue } = listed();
  await showList(issue);
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  fireEvent.click(await box(/^a/));
  await waitFor(() => expect(issue.flags.map(({ title }) => title)).toContain(refusals.permission));
  await waitFor(async () => expect(await box(/^a/)).not.toBeChecked());
  expect(issue.stored.text).toBe(TEXT);
});

test('a tick whose checklist could not be opened says so at its row', async () => {
  const { issue } = listed();
  await showList(issue);
  const ticked = await box(/^a/);
  issue.bridge.request = () => Promise.resolve(json({}, 503));
  issue.bridge.backend = () => Promise.resolve(json({}, 503));
  fireEvent.click(ticked);
  const said = await screen.findByText(failures.unknown, {}, { timeout: 10_000 });
  expect(said).toHaveAttribute('role', 'alert');
  expect(said.closest('li')).toContainElement(await box(/^a/));
  expect(await box(/^a/)).not.toBeChecked();
});

/** Hides the issue from the user from now on. */
function hideIssue({ issue, state }: ReturnType<typeof listed>) {
  state.seen = false;
  issue.refuse = { code: 'NOT_FOUND', message: storage.issueNotFound };
  const { request } = issue.bridge;
  issue.bridge.request = (path, init) =>
    path.includes('/issue/') ? Promise.resolve(json({}, 404)) : request(path, init);
}

test('an issue that is no longer visible disappears with its items, with a message', async () => {
  const it = listed();
  await showList(it.issue);
  await box(/^a/);
  hideIssue(it);
  fireEvent.click(await box(/^a/));
  await screen.findByText(/No items are assigned to you|are done/);
  expect(screen.queryByText('A plan')).toBeNull();
  expect(screen.getByText(/^ABC-1 no longer exists, or you don't have permission to see it/)).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/^ABC-1 no longer exists/)).toBeNull();
});

test('text typed at an item of such an issue is offered for copying', async () => {
  const it = listed();
  await showList(it.issue);
  const row = (await box(/^a/)).closest('li');
  if (!row) throw new Error('No row.');
  fireEvent.focus(await box(/^a/));
  fireEvent.click(within(row).getByText(/^a/));
  const field = await screen.findByRole('textbox', { name: /^Text of a/ });
  const view = EditorView.findFromDOM(field);
  act(() => view?.dispatch({ changes: { from: 0, insert: 'Typed ' } }));
  hideIssue(it);
  fireEvent.click(await box(/^b/));
  await screen.findByText(/^ABC-1 no longer exists/);
  const offer = await screen.findByText(/^Not saved: “Typed a/);
  expect(offer).toBeVisible();
  const copied: string[] = [];
  document.execCommand = () =>
    copied.push(document.querySelector<HTMLTextAreaElement>('body > textarea')?.value ?? '') > 0;
  fireEvent.click(await screen.findByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(it.issue.flags.map(({ title }) => title)).toContain('Copied.'));
  expect(copied).toEqual(['Typed a [~accountid:ana]']);
});

test('items become read-only when the permission is removed', async () => {
  const { issue, state } = listed();
  await showList(issue);
  await box(/^a/);
  state.barred = true;
  issue.refuse = { code: 'FORBIDDEN', message: refusals.permission };
  fireEvent.click(await box(/^a/));
  await waitFor(async () => expect(await box(/^b/)).toBeDisabled());
  expect(await box(/^a/)).not.toBeChecked();
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
});

test('a user with read-only permission cannot tick', async () => {
  await showList(listed(TEXT, none).issue);
  expect(await box(/^a/)).toBeDisabled();
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
});

test('a changed filter queries the server, and ticked items no longer stay', async () => {
  const { issue, asked } = listed();
  await showList(issue);
  fireEvent.click(await box(/^a/));
  await waitFor(() => expect(issue.stored.text).toContain('+ a'));
  fireEvent.change(screen.getByRole('textbox', { name: 'Search' }), { target: { value: 'b' } });
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ text: 'b', checked: false }));
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /^a/ })).toBeNull());
  fireEvent.change(screen.getByRole('combobox', { name: 'Status' }), { target: { value: 'checked' } });
  await screen.findByText(/No items match/);
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await box(/^b/);
});

test('the next page loads when the last intersection entry says that it is visible', async () => {
  const callbacks: IntersectionObserverCallback[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        callbacks.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
  const { issue, state } = listed();
  state.paged = true;
  await show(issue, <AssignedScreen />);
  await screen.findByText('a');
  expect(screen.queryByText(/^b/)).toBeNull();
  const entry = (isIntersecting: boolean) =>
    ({ isIntersecting, boundingClientRect: new DOMRect() }) as IntersectionObserverEntry;
  await act(async () => {
    for (const callback of callbacks) callback([entry(false), entry(true)], {} as IntersectionObserver);
  });
  await screen.findByText(/^b/);
  vi.unstubAllGlobals();
});

test('a list of many pages offers a refresh after a change instead of refreshing automatically', async () => {
  const lines = 'abcdefghijklmn'.split('').map(name => `- ${name} [~accountid:ana]\n`);
  const { issue, asked, state } = listed(lines.join(''));
  state.paged = true;
  await showList(issue);
  for (const name of 'bcdefghijkl') {
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await box(new RegExp(`^${name}`));
  }
  const before = asked.length;
  fireEvent.click(await box(/^a/));
  await screen.findByText(/This list has changed/);
  expect(asked).toHaveLength(before);
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(screen.queryByText(/This list has changed/)).toBeNull());
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /^d/ })).toBeNull());
  await box(/^b/);
});

test('grouped by due date, each item with its issue', async () => {
  await showList(listed().issue);
  await box(/^a/);
  fireEvent.change(screen.getByRole('combobox', { name: 'Group' }), { target: { value: 'DUE' } });
  await screen.findByRole('heading', { name: 'Overdue' });
  expect(screen.getAllByRole('link', { name: 'ABC-1' })).toHaveLength(2);
});

test('the arrow keys move from row to row', async () => {
  await showList(listed().issue);
  const first = await box(/^a/);
  act(() => first.focus());
  fireEvent.keyDown(first, { key: 'ArrowDown' });
  expect(await box(/^b/)).toHaveFocus();
  fireEvent.keyDown(await box(/^b/), { key: 'Home' });
  expect(first).toHaveFocus();
});

test('of a long list only rows near the visible ones are mounted; Home and End reach its ends', async () => {
  const lines = Array.from({ length: 250 }, (_, index) => `- r${index} [~accountid:ana]`);
  await showList(listed(lines.join('\n')).issue);
  const first = await waitFor(
    () => document.querySelector<HTMLElement>('[data-key="0"] input') ?? expect.unreachable(),
  );
  expect(screen.queryByText('r249')).toBeNull();
  act(() => first.focus());
  fireEvent.keyDown(first, { key: 'End' });
  expect(document.activeElement).toHaveAccessibleName('r249');
  fireEvent.keyDown(document.activeElement ?? first, { key: 'Home' });
  expect(document.activeElement).toHaveAccessibleName('r0');
  expect(screen.queryByText('r249')).toBeNull();
});

test('an empty list, and a failing server', async () => {
  const { issue, state } = listed('- not hers\n');
  state.broken = true;
  await showList(issue);
  await screen.findByText(failures.unknown);
  state.broken = false;
  fireEvent.click(screen.getByRole('button', { name: shell.retry }));
  await screen.findByText(/All items assigned to you are done/);
});

test('an anonymous user has no items', async () => {
  const { issue, asked } = listed();
  await show(issue, <AssignedScreen />, { isAnonymous: true } as object);
  expect(screen.getByText(refusals.permission)).toBeVisible();
  expect(asked).toEqual([]);
});

test('sections show above their first item, and beside the issue where items are grouped by due date', async () => {
  const { issue } = listed(
    '- first [~accountid:ana]\n# Before the *party*\n- a [~accountid:ana]\n- b [~accountid:ana]\n',
  );
  await showList(issue);
  await box(/^a/);
  expect(screen.getAllByText('Section:')).toHaveLength(1);
  expect(screen.getByText('Section:').closest('p')).toHaveTextContent('Section: Before the party');
  fireEvent.change(screen.getByRole('combobox', { name: 'Group' }), { target: { value: 'DUE' } });
  await waitFor(() => expect(screen.getAllByText(/Section:/)).toHaveLength(2));
});

test('items assigned by the user, of a project, and of a person who is searched', async () => {
  const { issue, asked } = listed();
  await showList(issue);
  await box(/^a/);
  expect(asked.at(-1)).toMatchObject({ who: { kind: 'ME' } });
  const who = screen.getByRole('combobox', { name: 'Show' });
  await userEvent.selectOptions(who, 'Assigned by me');
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ who: { kind: 'BY_ME' } }));
  await userEvent.selectOptions(who, 'Everyone in my projects');
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ who: { kind: 'MY_PROJECTS' } }));
  await userEvent.selectOptions(who, 'One person');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    path.endsWith('/user/picker')
      ? json({ users: [{ accountId: 'zoe', displayName: 'Zoe Adams' }] })
      : request(path, init);
  await userEvent.type(screen.getByRole('combobox', { name: 'Person' }), 'zo');
  await userEvent.click(await screen.findByRole('option', { name: /Zoe Adams/ }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ who: { kind: 'PERSON', id: 'zoe' } }));
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveValue('Zoe Adams');
});

test("on a project's page everyone's items of it are shown", async () => {
  const { issue, asked, state } = listed();
  state.partial = true;
  await show(issue, <AssignedScreen />, {}, { surface: 'page', projectId: '9' });
  await box(/^a/);
  expect(asked.at(-1)).toMatchObject({ who: { kind: 'PROJECT', id: '9' }, projectId: '9' });
  expect(screen.queryByRole('combobox', { name: 'Project' })).toBeNull();
  expect(await screen.findByText('2+ open items, 1+ overdue')).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Assigned to me');
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ who: { kind: 'ME' }, projectId: '9' }));
});
