import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** Gates of sections in the panel. */

const stored = (issue: FakeIssue, text: string) => waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));

type May = Parameters<typeof show> extends [unknown, unknown, ...infer Rest] ? Rest : never;

interface Site {
  /** Statuses that the issue can get now; `undefined`: the tracker fails. */
  targets?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  /** Changes the fakes before the panel opens. */
  prepare?(issue: FakeIssue): void;
}

async function open(text: string, { targets, statuses, prepare }: Site = {}, ...may: May) {
  const issue = fakeIssue(text);
  const { request } = issue.bridge;
  const asked: string[] = [];
  issue.bridge.request = async (path, init) => {
    asked.push(path);
    if (path.endsWith('/transitions'))
      return targets ? json({ transitions: targets.map(name => ({ to: { name } })) }) : json({}, 500);
    if (path.endsWith('/statuses'))
      return statuses
        ? json([{ id: '1', name: 'Task', statuses: statuses.map((name, id) => ({ id: String(id), name })) }])
        : json({}, 500);
    if (/\/issue\/[^/]+$/.test(path) && init?.query?.fields === 'project')
      return json({ fields: { project: { id: '10' } } });
    return request(path, init);
  };
  prepare?.(issue);
  await show(issue, <ChecklistPanel />, ...may);
  return { issue, asked };
}

const text = '# Build !before:Done\n- one\n+ two\n## Tests\n- three\n# Other !before:Done\n+ four\n';

test("a section's gate shows what is open, and each item leads to its row", async () => {
  await open(text);
  const chip = await screen.findByRole('button', { name: 'Build: Before Done: 2 open' });
  expect(screen.getByRole('heading', { name: 'Build' })).toBeVisible();
  expect(await screen.findByText('Before Done', { selector: '.check-mark-complete *' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Section Tests' }));
  chip.focus();
  await userEvent.keyboard('{Enter}');
  const popup = await screen.findByRole('dialog', { name: 'Open items of Build' });
  const [first, ...others] = within(popup).getAllByRole('button');
  expect([first, ...others].map(button => button?.textContent)).toEqual(['one', 'three']);
  await waitFor(() => expect(first).toHaveFocus());
  await userEvent.click(within(popup).getByRole('button', { name: 'three' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  // Its section was closed.
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'three' })).toHaveFocus());
});

test('Escape closes the open items, and the focus returns', async () => {
  await open(text);
  await userEvent.click(await screen.findByRole('button', { name: 'Build: Before Done: 2 open' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'one' })).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Build: Before Done: 2 open' })).toHaveFocus());
});

test('a ticked item changes the gate', async () => {
  await open('# Build !before:Done\n- one\n');
  await screen.findByRole('button', { name: 'Build: Before Done: 1 open' });
  await userEvent.click(screen.getByRole('checkbox', { name: 'one' }));
  expect(await screen.findByText('Before Done', { selector: '.check-mark-complete *' })).toBeVisible();
});

test('statuses that the issue can get are warned of as long as their sections are open', async () => {
  const { asked } = await open(text, { targets: ['In Progress', 'DONE'] });
  const warning = await screen.findByText('Not ready for DONE: 2 items are open in Build.');
  expect(screen.queryByText(/Not ready for In Progress/)).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'one' }));
  expect(await screen.findByText('Not ready for DONE: 1 item is open in Build.')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'three' }));
  await waitFor(() => expect(warning).not.toBeInTheDocument());
  expect(asked.filter(path => path.endsWith('/transitions'))).toHaveLength(1);
});

const viewer = { canEditChecklist: false, canChangeItemStatuses: false, canAddChecklistItems: false };
const twoGates = `${text}# Later !before:[In Progress]\n- five\n`;

test.each([
  [
    'TO DO',
    'new',
    ['Not ready for Done: 2 items are open in Build.', 'Not ready for In Progress: 1 item is open in Later.'],
  ],
  ['IN PROGRESS', 'indeterminate', ['Not ready for Done: 2 items are open in Build.']],
  ['Shipped', 'done', []],
])('a user who may not move the issue is warned of its gates: in %s', async (name, key, warnings) => {
  const { asked } = await open(
    twoGates,
    {
      targets: [],
      prepare: ({ bridge }) => {
        const { request } = bridge;
        bridge.request = async (path, init) =>
          init?.query?.fields === 'status'
            ? json({ fields: { status: { name, statusCategory: { key } } } })
            : request(path, init);
      },
    },
    viewer,
  );
  await waitFor(() => expect(transitions(asked)).toHaveLength(1));
  await waitFor(() =>
    expect(screen.queryAllByText(/^Not ready/).map(each => each.textContent?.trim())).toEqual(warnings),
  );
});

const transitions = (asked: readonly string[]) => asked.filter(path => path.endsWith('/transitions'));

/** Opens a checklist with one warning; its issue then gets other statuses. */
async function openAndMove(prepare: (issue: FakeIssue) => void = () => {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const targets = ['Done'];
  const { asked } = await open(text, { targets, prepare });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText(/Not ready for Done/)).toBeVisible();
  const before = transitions(asked).length;
  targets[0] = 'In Progress';
  return { reads: () => transitions(asked).length - before };
}
const advance = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

test('a focus soon after the last reading is made up for', async () => {
  const { reads } = await openAndMove();
  window.dispatchEvent(new Event('focus'));
  await advance(20_000);
  window.dispatchEvent(new Event('focus'));
  expect(screen.getByText(/Not ready for Done/)).toBeVisible();
  await advance(10_000);
  expect(screen.queryByText(/Not ready for Done/)).toBeNull();
  await advance(60_000);
  expect(reads()).toBe(1);
});

test('a change of the issue in the tracker is read at once, and several soon after together', async () => {
  const listeners = new Set<(issueId: string) => void>();
  const { reads } = await openAndMove(({ bridge }) => {
    bridge.onIssueChanged = listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
  });
  const notify = (issueId: string) => {
    for (const listener of listeners) listener(issueId);
  };
  await advance(6_000);
  notify('2');
  await advance(0);
  expect(reads()).toBe(0);
  window.dispatchEvent(new Event('focus'));
  notify('1');
  await advance(0);
  expect(screen.queryByText(/Not ready for Done/)).toBeNull();
  notify('1');
  notify('1');
  await advance(6_000);
  expect(reads()).toBe(2);
});

test('without a gate the tracker is not asked, and its failure is no message', async () => {
  const { asked } = await open('# Build\n- one\n');
  await screen.findByRole('button', { name: 'Filter' });
  expect(asked.filter(path => path.endsWith('/transitions'))).toEqual([]);
  const failing = await open(text);
  await screen.findAllByRole('button', { name: 'Build: Before Done: 2 open' });
  await waitFor(() => expect(failing.asked.some(path => path.endsWith('/transitions'))).toBe(true));
  expect(screen.queryByText(/Not ready/)).toBeNull();
});

const choose = async (name: string, entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }));
};

test('gates are set and cleared without writing text', async () => {
  const { issue } = await open('# Build !before:Gone\n- one\n', { statuses: ['To Do', 'In Review', 'Done'] });
  await choose('Build', 'Gate before a status…');
  const popup = await screen.findByRole('dialog', { name: 'Gates of Build' });
  const done = await within(popup).findByRole('checkbox', { name: 'Done' });
  expect(within(popup).getAllByRole('checkbox')).toHaveLength(4);
  expect(within(popup).getByRole('checkbox', { name: 'Gone (not a status of this project)' })).toBeChecked();
  await userEvent.click(done);
  await stored(issue, '# Build !before:Gone !before:Done\n- one');
  await userEvent.click(within(popup).getByRole('checkbox', { name: 'In Review' }));
  await stored(issue, '# Build !before:Gone !before:Done !before:[In Review]\n- one');
  await userEvent.click(within(popup).getByRole('checkbox', { name: /^Gone/ }));
  await stored(issue, '# Build !before:Done !before:[In Review]\n- one');
  within(popup).getByRole('button', { name: 'Remove gates' }).focus();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '# Build\n- one');
  expect(within(popup).queryByRole('button', { name: 'Remove gates' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await choose('Build', 'Gate before a status…');
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{Control>}z{/Control}');
  await stored(issue, '# Build !before:Done !before:[In Review]\n- one');
});

test('statuses that cannot be read leave the gates that are there', async () => {
  const { issue } = await open('# Build !before:Done\n- one\n');
  await choose('Build', 'Gate before a status…');
  const popup = await screen.findByRole('dialog', { name: 'Gates of Build' });
  expect(await within(popup).findByRole('alert')).toHaveTextContent("We couldn't load the statuses of this project.");
  await userEvent.click(within(popup).getByRole('checkbox', { name: 'Done' }));
  await stored(issue, '# Build\n- one');
});

test('a section is shown to customers and hidden again', async () => {
  const { issue } = await open('# Build\n- one\n');
  await choose('Build', 'Show to customers');
  await stored(issue, '# Build !customers\n- one');
  expect(await screen.findByText('Visible to customers')).toBeVisible();
  await choose('Build', 'Hide from customers');
  await stored(issue, '# Build\n- one');
});

test('a refused gate is said', async () => {
  const { issue } = await open('# Build\n- one\n', { statuses: ['Done'] });
  issue.refuse = { code: 'PERMISSION_DENIED', message: "You don't have permission to do this." };
  await choose('Build', 'Gate before a status…');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Done' }));
  const said = "“Gate set before Done: “Build”” was not saved. You don't have permission to do this.";
  expect(await screen.findByText(said)).toHaveRole('alert');
});

test('a renamed header keeps its marks', async () => {
  const { issue } = await open('# Build !before:Done !customers\n- one\n');
  await choose('Build', 'Edit');
  const field = await screen.findByRole('textbox', { name: 'Text of Build' });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field.textContent).toBe('Build');
  await userEvent.keyboard(' it{Enter}');
  await stored(issue, '# Build it !before:Done !customers\n- one');
});

test('users who cannot edit see gates, and no commands for them', async () => {
  await open(text, {}, { canEditChecklist: false });
  expect(await screen.findByRole('button', { name: 'Build: Before Done: 2 open' })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Build' }));
  await screen.findByRole('menuitem', { name: 'Copy link' });
  expect(screen.queryByRole('menuitem', { name: /Gate/ })).toBeNull();
});
