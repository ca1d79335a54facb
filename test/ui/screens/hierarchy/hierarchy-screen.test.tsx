import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hierarchy, refusals, selecting, storage } from '../../../../src/domain/messages.ts';
import HierarchyScreen from '../../../../src/ui/screens/hierarchy/hierarchy-screen.tsx';
import { type FakeTreeIssue, treeSite } from '../../../client/hierarchy/site.ts';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

const may = {
  canAddChecklistItems: true,
  canChangeItemStatuses: true,
  canDeleteChecklistItems: true,
  canEditChecklist: true,
  canImportTemplate: true,
};
const ISSUES: FakeTreeIssue[] = [
  { id: '1' },
  { id: '2', parent: '1', links: [['9', 'blocks']] },
  { id: '3', parent: '1' },
  { id: '4', parent: '2', subtask: true },
  {
    id: '9',
    links: [
      ['2', 'is blocked by'],
      ['3', 'blocks'],
    ],
  },
  { id: '11', parent: '9' },
];
const COUNTS: Record<string, [total: number, checked: number, mandatoryOpen: number]> = {
  1: [4, 1, 1],
  2: [2, 1, 0],
  3: [0, 0, 0],
  4: [3, 3, 0],
  9: [1, 0, 1],
  11: [0, 0, 0],
};

/** A tracker with a tree of issues, which share one checklist. */
function site({ permissions = may, text = '- a\n+ b\n' } = {}) {
  const issue = fakeIssue(text);
  const tree = treeSite(ISSUES);
  const state = {
    summaries: 'fine' as 'fine' | 'broken',
    unseen: new Set<string>(),
    applied: [] as string[],
    refused: new Set<string>(),
    /** Delays the application of a template. */
    before: async () => {},
  };
  const { request, backend } = issue.bridge;
  issue.bridge.request = async (path, init) => {
    const answer = tree.request(path, init);
    return answer.status === 404 ? request(path, init) : answer;
  };
  issue.bridge.backend = async (path, init = {}) => {
    const { operationName, variables } = init.json as {
      operationName: string;
      variables: { issueIds: string[]; issueId: string; input?: { issueId: string; clientId: string } };
    };
    if (operationName === 'checklistSummaries') {
      if (state.summaries === 'broken') return json({}, 500);
      const checklistSummaries = variables.issueIds.flatMap(issueId => {
        const [total, checked, mandatoryOpen] = COUNTS[issueId] ?? [0, 0, 0];
        return state.unseen.has(issueId) ? [] : { issueId, total, checked, mandatoryOpen, permissions };
      });
      return json({ data: { checklistSummaries } });
    }
    if (operationName === 'getTemplates') {
      const template = { id: 't1', projectId: null, name: 'Release', text: '- x\n- y\n', itemCount: 2 };
      const templates = [{ ...template, isDefault: false, isGettingStarted: false, updated: '' }];
      const room = { count: 1, most: null };
      return json({ data: { templates: { total: 1, templates, globalRoom: room, projectRoom: null } } });
    }
    if (operationName === 'applyTemplateToChecklist') {
      const id = variables.input?.issueId ?? '';
      await state.before();
      if (state.refused.has(id)) {
        const errors = [{ code: 'FORBIDDEN', field: null, message: refusals.permission }];
        return json({ data: { changeChecklist: { checklist: null, conflicts: [], notices: [], errors } } });
      }
      state.applied.push(id);
    }
    return backend(path, init);
  };
  return { issue, tree, state };
}

const showTree = (given: ReturnType<typeof site>, key = 'T-1') =>
  show(given.issue, <HierarchyScreen />, {}, { surface: 'page', issueKey: key });
const rows = () => screen.queryAllByRole('row').filter(row => row.dataset.path !== undefined);
const keys = () => rows().map(row => within(row).getByRole('link').textContent);
const row = (key: string) => {
  const found = rows().find(each => within(each).queryByRole('link', { name: key }));
  if (!found) throw new Error(`There is no row ${key}.`);
  return found;
};
/** The button that opens the checklist of an issue. */
const toggle = (key: string) => within(row(key)).getByRole('button', { name: new RegExp(`checklist of ${key}$`) });
const ready = () => screen.findByText(/items done/);

test('shows the issue, its ancestors, descendants and links, each with its figures', async () => {
  await showTree(site(), 'T-2');
  await ready();
  expect(keys()).toEqual(['T-1', 'T-2', 'T-4', 'T-9', 'T-3']);
  expect(screen.getByRole('treegrid', { name: 'Issues' })).toHaveAttribute('aria-rowcount', '6');
  expect(row('T-2')).toHaveAttribute('aria-level', '2');
  expect(row('T-2')).toHaveAttribute('aria-current', 'true');
  expect(row('T-9')).toHaveTextContent('blocks');
  expect(within(row('T-9')).getByRole('img', { name: 'Priority: High' })).toBeInTheDocument();
  expect(within(row('T-3')).queryByRole('img', { name: /Priority/ })).toBeNull();
  expect(screen.getByText('4 issues, 5 of 9 items done, 1 mandatory open')).toBeVisible();
  expect(toggle('T-4')).toHaveAccessibleName('3/3 done, checklist of T-4');
  expect(toggle('T-3')).toHaveAccessibleName('– No items, checklist of T-3');
  expect(row('T-2')).toHaveTextContent('With all below it: 4/5');
  expect(row('T-1')).toHaveTextContent('With all below it: 5/9');
});

test('a checklist opens in the tree and can be edited there; the figures follow at once', async () => {
  const given = site();
  await showTree(given, 'T-1');
  await ready();
  fireEvent.click(toggle('T-1'));
  const list = await screen.findByRole('region', { name: 'Checklist of T-1' });
  fireEvent.click(await within(list).findByRole('checkbox', { name: /^a/ }));
  await waitFor(() => expect(given.issue.stored.text).toBe('+ a\n+ b\n'));
  await waitFor(() => expect(toggle('T-1')).toHaveAccessibleName('2/2 done, checklist of T-1'));
  expect(row('T-1')).toHaveTextContent('With all below it: 6/7');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(given.issue.stored.text).toBe('- a\n+ b\n'));
});

test('rows that are selected in a checklist of the tree are counted there, until Escape', async () => {
  await showTree(site(), 'T-1');
  await ready();
  fireEvent.click(toggle('T-1'));
  const list = await screen.findByRole('region', { name: 'Checklist of T-1' });
  for (const name of ['a', 'b']) fireEvent.click(await within(list).findByText(name), { ctrlKey: true });
  expect(screen.getByText(selecting.selected(2))).toHaveAttribute('role', 'status');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByText(selecting.selected(2))).toBeNull();
  expect(document.querySelector('.check-selected')).toBeNull();
});

test('text typed in a checklist stays while the checklist is collapsed or its issue is filtered out', async () => {
  await showTree(site(), 'T-2');
  await ready();
  fireEvent.click(toggle('T-2'));
  const input = await screen.findByRole('textbox', { name: 'Add an item to T-2' });
  fireEvent.change(input, { target: { value: 'new' } });
  fireEvent.click(toggle('T-2'));
  expect(screen.queryByRole('region', { name: 'Checklist of T-2' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Collapse T-1' }));
  expect(keys()).toEqual(['T-1']);
  fireEvent.click(screen.getByRole('button', { name: 'Expand T-1' }));
  fireEvent.click(toggle('T-2'));
  expect(screen.getByRole('textbox', { name: 'Add an item to T-2' })).toHaveValue('new');
});

test('read-only permission disables checklists and templates', async () => {
  const none = Object.fromEntries(Object.keys(may).map(key => [key, false])) as typeof may;
  await showTree(site({ permissions: none }), 'T-2');
  await ready();
  fireEvent.click(toggle('T-2'));
  const list = await screen.findByRole('region', { name: 'Checklist of T-2' });
  expect(await within(list).findByRole('checkbox', { name: /^a/ })).toBeDisabled();
  expect(within(list).queryByRole('textbox')).toBeNull();
  expect(within(list).queryByRole('button', { name: 'Open editor' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
});

test('a checklist without the permission to view shows no figures and does not open', async () => {
  const given = site();
  given.state.unseen.add('4');
  await showTree(given, 'T-2');
  await ready();
  expect(row('T-4')).toHaveTextContent('Not visible');
  row('T-4').focus();
  fireEvent.keyDown(row('T-4'), { key: 'Enter' });
  expect(given.issue.flags.map(({ title }) => title)).toEqual([hierarchy.hidden]);
  expect(screen.queryByRole('region', { name: 'Checklist of T-4' })).toBeNull();
});

test('keys move through the tree, expand it and find by letters; one row is the Tab stop', async () => {
  await showTree(site(), 'T-2');
  await ready();
  const press = (key: string) =>
    act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
  row('T-2').focus();
  await press('ArrowDown');
  expect(row('T-4')).toHaveFocus();
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toEqual([row('T-4')]);
  await press('ArrowLeft');
  expect(row('T-2')).toHaveFocus();
  await press('ArrowLeft');
  expect(row('T-2')).toHaveAttribute('aria-expanded', 'false');
  expect(keys()).toEqual(['T-1', 'T-2', 'T-3']);
  await press('ArrowRight');
  await press('End');
  expect(row('T-3')).toHaveFocus();
  await press('Enter');
  expect(await screen.findByRole('region', { name: 'Checklist of T-3' })).toBeVisible();
  expect(row('T-3')).toHaveFocus();
});

test('children of a linked issue load when it is expanded; an issue that the tree has already is linked to', async () => {
  const given = site();
  await showTree(given, 'T-2');
  await ready();
  expect(given.tree.asked).not.toContain('children 9');
  fireEvent.click(screen.getByRole('button', { name: 'Expand T-9' }));
  await waitFor(() => expect(keys()).toEqual(['T-1', 'T-2', 'T-4', 'T-9', 'T-11', 'T-3', 'T-3']));
  fireEvent.click(screen.getByRole('button', { name: 'In this tree: show' }));
  const [, home] = rows().filter(each => within(each).queryByRole('link', { name: 'T-3' }));
  expect(home).toHaveFocus();
});

test('children of a linked issue that cannot be loaded show a message and can be retried', async () => {
  const given = site();
  await showTree(given, 'T-2');
  await ready();
  given.tree.faults.push(asked => (asked === 'children 9' ? { status: 500, text: 'Down.' } : undefined));
  fireEvent.click(screen.getByRole('button', { name: 'Expand T-9' }));
  await screen.findByText(hierarchy.branch);
  expect(keys()).toEqual(['T-1', 'T-2', 'T-4', 'T-9', 'T-3', 'T-3']);
  given.tree.faults.length = 0;
  screen.getByRole('button', { name: 'Retry' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(keys()).toContain('T-11'));
  await waitFor(() => expect(screen.queryByText(hierarchy.branch)).toBeNull());
  // The button has gone.
  await waitFor(() => expect(row('T-2')).toHaveFocus());
});

test('typed text stays available when an issue disappears with its checklist open', async () => {
  const given = site();
  await showTree(given, 'T-2');
  await ready();
  fireEvent.click(toggle('T-3'));
  const input = await screen.findByRole('textbox', { name: 'Add an item to T-3' });
  fireEvent.change(input, { target: { value: 'new' } });
  given.tree.issues.delete('3');
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText(hierarchy.gone);
  expect(keys()).toEqual(['T-1', 'T-2', 'T-4', 'T-9']);
  expect(screen.getByRole('textbox', { name: 'Add an item to T-3' })).toHaveValue('new');
});

test('typed text stays available when the permission to view is removed', async () => {
  const given = site();
  await showTree(given, 'T-2');
  await ready();
  fireEvent.click(toggle('T-3'));
  const input = await screen.findByRole('textbox', { name: 'Add an item to T-3' });
  fireEvent.change(input, { target: { value: 'new' } });
  given.state.unseen.add('2').add('3');
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(row('T-2')).toHaveTextContent('Not visible'));
  expect(screen.getByRole('textbox', { name: 'Add an item to T-3' })).toHaveValue('new');
});

test('the focus stays in the tree when the focused issue disappears', async () => {
  const given = site();
  await showTree(given, 'T-2');
  await ready();
  row('T-3').focus();
  given.tree.issues.delete('3');
  // A refetch without user interaction.
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(keys()).not.toContain('T-3'));
  expect(row('T-2')).toHaveFocus();
});

test('filters show matches and their ancestors, and can be cleared', async () => {
  await showTree(site(), 'T-2');
  await ready();
  fireEvent.change(screen.getByRole('textbox', { name: 'Search' }), { target: { value: 'T-4' } });
  await waitFor(() => expect(keys()).toEqual(['T-1', 'T-2', 'T-4']));
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'open' } });
  await screen.findByText(/No issues match/);
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(keys()).toHaveLength(5));
  expect(row('T-1')).toHaveFocus();
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'mandatory' } });
  expect(keys()).toEqual(['T-1', 'T-2', 'T-9']);
  fireEvent.click(screen.getByRole('button', { name: 'Linked issues' }));
  expect(keys()).toEqual(['T-1']);
});

test('figures that cannot be loaded show a message, and can be retried', async () => {
  const given = site();
  given.state.summaries = 'broken';
  await showTree(given, 'T-2');
  await screen.findByText(hierarchy.partial);
  expect(keys()).toEqual(['T-1', 'T-2', 'T-4', 'T-9', 'T-3']);
  given.state.summaries = 'fine';
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('4 issues, 5 of 9 items done, 1 mandatory open');
  await waitFor(() => expect(screen.queryByText(hierarchy.partial)).toBeNull());
});

test('a rate-limited tracker is not queried until its delay has passed, with a message', async () => {
  const given = site();
  const limited = (after: string) => ({ status: 429, text: 'Rate limited.', headers: { 'retry-after': after } });
  given.tree.faults.push(asked => (asked.startsWith('children') ? limited('1') : undefined));
  await showTree(given, 'T-2');
  await screen.findByText(hierarchy.waiting(1));
  given.tree.faults.length = 0;
  await ready();
  expect(screen.queryByText(hierarchy.waiting(1))).toBeNull();
});

test('a tracker that stays unavailable shows a message with a retry', async () => {
  const given = site();
  given.tree.faults.push(() => ({ status: 429, text: 'Rate limited.', headers: { 'Retry-After': '1700' } }));
  await showTree(given, 'T-2');
  await screen.findByText(hierarchy.tooMany(29));
  const retry = screen.getByRole('button', { name: 'Retry' });
  retry.focus();
  fireEvent.click(retry);
  await screen.findByText(hierarchy.tooMany(29));
  expect(retry).toHaveFocus();
  given.tree.faults.length = 0;
  fireEvent.click(retry);
  await ready();
  await waitFor(() => expect(row('T-2')).toHaveFocus());
});

test('an issue that is not visible has no hierarchy', async () => {
  await showTree(site(), 'T-77');
  await screen.findByText(storage.issueNotFound);
  expect(screen.queryByRole('treegrid')).toBeNull();
});

test('a template is applied to a branch: the dialog shows how many issues, and then which failed', async () => {
  const given = site({ text: '' });
  given.state.unseen.add('4');
  given.state.refused.add('3');
  await showTree(given, 'T-1');
  await ready();
  fireEvent.click(within(row('T-1')).getByRole('button', { name: /a template below T-1$/ }));
  const box = await screen.findByRole('region', { name: 'Apply a template below T-1' });
  await within(box).findByText(
    "1 issue gets it. Left out: 2 have items already, 1 you don't have permission to change.",
  );
  fireEvent.click(within(box).getByRole('checkbox', { name: 'Only issues without items' }));
  await within(box).findByText("3 issues get it. Left out: 1 you don't have permission to change.");
  fireEvent.click(within(box).getByRole('checkbox', { name: 'Include T-1' }));
  const apply = within(box).getByRole('button', { name: 'Apply to 2 issues' });
  apply.focus();
  fireEvent.click(apply);
  await within(box).findByText('The template was applied to 1 issue. 1 failed.');
  // The pressed button has gone.
  expect(box).toHaveFocus();
  expect(given.state.applied).toEqual(['2']);
  expect(within(box).getByRole('listitem')).toHaveTextContent(`T-3 ${refusals.permission}`);
  given.state.refused.clear();
  fireEvent.click(within(box).getByRole('button', { name: 'Retry the rest' }));
  await within(box).findByText('The template was applied to 2 issues.');
  expect(given.state.applied).toEqual(['2', '3']);
  fireEvent.click(within(box).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('region', { name: /^Apply/ })).toBeNull();
});

test('another branch resets the dialog, but not while a template is being applied', async () => {
  const given = site({ text: '' });
  await showTree(given, 'T-1');
  await ready();
  const ask = (key: string) =>
    fireEvent.click(within(row(key)).getByRole('button', { name: new RegExp(`a template below ${key}$`) }));
  ask('T-1');
  let box = await screen.findByRole('region', { name: 'Apply a template below T-1' });
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  given.state.before = () => held;
  fireEvent.click(await within(box).findByRole('button', { name: 'Apply to 1 issue' }));
  await within(box).findByRole('button', { name: 'Stop' });
  ask('T-2');
  expect(given.issue.flags.map(({ title }) => title)).toEqual([hierarchy.applying]);
  release();
  await within(box).findByText('The template was applied to 1 issue.');
  ask('T-2');
  box = await screen.findByRole('region', { name: 'Apply a template below T-2' });
  await within(box).findByRole('button', { name: /^Apply to/ });
  expect(within(box).queryByText(/was applied/)).toBeNull();
});
