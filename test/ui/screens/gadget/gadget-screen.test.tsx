import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { GadgetFrame, HostResponse } from '../../../../src/bridge/bridge.ts';
import { encodeRegistry } from '../../../../src/domain/registry.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import GadgetScreen from '../../../../src/ui/screens/gadget/gadget-screen.tsx';
import { gadgetQuery, newGadget } from '../../../../src/ui/screens/gadget/gadget-view.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

const checklist = (text: string, progress?: object) => ({ v: 1, epoch: 'e', seq: 1, name: 'C', text, progress });
const found = [
  {
    key: 'WEB-1',
    fields: { summary: 'Checkout', project: { id: '9' } },
    properties: {
      [storageKey('checklist')]: checklist(
        '- ! Load test [~accountid:ana] 2020-01-02\n+ Approved [~accountid:ana]\n- Announce',
        { total: 3, checked: 1, percent: 33, mandatoryOpen: 1 },
      ),
    },
  },
  // Another app wrote these; a text without figures is counted here.
  { key: 'WEB-2', properties: { [storageKey('checklist')]: { items: [1] } } },
  { key: 'WEB-3', fields: { summary: 'Search' }, properties: { [storageKey('checklist')]: '+ done\n- open' } },
];

/** The statuses that a project's property holds. */
const statuses = [
  { slug: 'on_hold', name: 'On hold', color: 'red', checked: false, going: false, former: [] },
  { slug: 'released', name: 'Released', color: 'green', checked: true, going: false, former: [] },
] as const;

const ana = { accountId: 'ana', displayName: 'Ana Lima', avatarUrls: {} };

interface Options {
  answer?: (jql: string) => HostResponse | Promise<HostResponse>;
  people?: HostResponse;
}

/** Shows a gadget; resolves with what was asked and saved, and the host's wishes. */
async function open(frame: Partial<GadgetFrame>, options: Options = {}) {
  const { answer = () => json({ issues: found }), people = json({ values: [ana] }) } = options;
  const issue = fakeIssue('');
  const asked: string[] = [];
  const saved: unknown[] = [];
  const listeners = { edit: () => {}, refresh: () => {} };
  const gadget = async (): Promise<GadgetFrame> => ({
    isEdit: false,
    save: async config => saved.push(config) > 0,
    on: (event, listener) => {
      listeners[event] = listener;
      return () => undefined;
    },
    ...frame,
  });
  issue.bridge.modules = async () => ({ gadget, rule: () => Promise.reject(new Error('no rule')) });
  issue.bridge.request = async (path, init) => {
    if (path.includes('/user/bulk')) {
      return people;
    }
    if (path.endsWith('/project/9'))
      return json({
        id: '9',
        key: 'WEB',
        name: 'Shop',
        properties: { [storageKey('statuses')]: encodeRegistry(statuses) },
      });
    if (!path.includes('/search/jql')) return json({});
    const jql = String(init?.query?.jql);
    asked.push(jql);
    return answer(jql);
  };
  await show(issue, <GadgetScreen />);
  return { asked, saved, listeners };
}

const rows = async () => {
  const [, ...all] = await screen.findAllByRole('row');
  return all.map(row => [...row.children].map(cell => cell.textContent));
};

test('shows progress by issue, and leaves out what is no checklist', async () => {
  const { asked } = await open({ config: { ...newGadget, jql: 'status != Done OR priority = High' } });
  expect(await rows()).toEqual([
    ['WEB-1 Checkout', '1/3', '1'],
    ['WEB-3 Search', '1/2', '0'],
  ]);
  expect(screen.getByRole('progressbar', { name: '1 of 3 done' })).toHaveAttribute('max', '3');
  expect(new Set(asked)).toEqual(
    new Set(['(status != Done OR priority = High) AND checklistItems > 0 ORDER BY created DESC']),
  );
});

test('shows progress by person, and overdue items with their issue', async () => {
  await open({ config: { ...newGadget, group: 'person' } });
  await screen.findByText('Ana Lima');
  expect(await rows()).toEqual([['Ana Lima', '1/2', '1']]);
});

test.each([
  ['fails to name people, they are not called unknown', json({}, 500), '…'],
  ['has no such account, the person is unknown', json({ values: [] }), 'Unknown person'],
])('where the tracker %s', async (_what, people, name) => {
  await open({ config: { ...newGadget, group: 'person' } }, { people });
  await waitFor(async () => expect(await rows()).toEqual([[name, '1/2', '1']]));
});

test('custom statuses of the project count as they are, whatever mark their items have', async () => {
  const text = '- [Released] a [~accountid:ana]\n+ [On hold] b [~accountid:ana] 2020-01-02\n+ c [~accountid:ana]';
  const [first] = found;
  const issue = { ...first, properties: { [storageKey('checklist')]: checklist(text) } };
  await open({ config: { ...newGadget, group: 'person' } }, { answer: () => json({ issues: [issue] }) });
  await screen.findByText('Ana Lima');
  expect(await rows()).toEqual([['Ana Lima', '2/3', '1']]);
});

test('shows overdue items, the oldest first', async () => {
  await open({ config: { ...newGadget, group: 'overdue' } });
  await screen.findByText('Ana Lima');
  expect(await rows()).toEqual([['Thu 2 Jan 2020', 'Load test', 'WEB-1', 'Ana Lima']]);
});

test.each([
  ['issue', 'No matching issue has a checklist. Change the filter, or add items to an issue.'],
  ['person', 'No items on matching issues are assigned. Assign items, or change the filter.'],
  ['overdue', 'No items on matching issues are overdue.'],
] as const)('without anything to show, says so: %s', async (group, words) => {
  await open({ config: { ...newGadget, group } }, { answer: () => json({ issues: [] }) });
  expect(await screen.findByText(words)).toBeVisible();
});

test('says why the filter was refused, and tries again', async () => {
  let isBroken: boolean = true;
  await open(
    { config: newGadget },
    {
      answer: () =>
        isBroken ? json({ errorMessages: ["The value 'x' does not exist."] }, 400) : json({ issues: found }),
    },
  );
  expect(await screen.findByText("The value 'x' does not exist.")).toBeVisible();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await rows()).toHaveLength(2);
});

test('reads all pages, up to the most that it shows', async () => {
  let page = 0;
  await open(
    { config: newGadget },
    {
      answer: () => {
        page += 1;
        const issues = Array.from({ length: 100 }, (_, i) => ({ ...found[0], key: `WEB-${page}${i}` }));
        return json({ issues, nextPageToken: `next ${page}` });
      },
    },
  );
  expect(
    await screen.findByText('Only the newest 300 issues are counted. Narrow the filter to count others.'),
  ).toBeVisible();
  // Development renders twice, and reads twice then.
  expect(page % 3).toBe(0);
  expect(await rows()).toHaveLength(300);
});

test('a new gadget begins with its form, and shows what was saved', async () => {
  const { saved, asked } = await open({ isEdit: true });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Filter' }), ' status = Open ');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Overdue items');
  await userEvent.click(screen.getByRole('button', { name: 'Save gadget' }));
  expect(await rows()).toHaveLength(1);
  expect(saved).toEqual([{ ...newGadget, jql: ' status = Open ', group: 'overdue' }]);
  expect(new Set(asked)).toEqual(new Set([gadgetQuery({ ...newGadget, jql: ' status = Open ' })]));
});

test("the host's wishes: refresh, and configure", async () => {
  const { asked, listeners } = await open({ config: newGadget });
  await rows();
  const before = asked.length;
  listeners.refresh();
  await expect.poll(() => asked.length).toBe(before + 1);
  listeners.edit();
  expect(await screen.findByRole('form', { name: 'Gadget' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await rows()).toHaveLength(2);
});

test('a configuration of another shape has a warning and the form', async () => {
  await open({ config: { v: 9 } });
  expect(await screen.findByText(/We couldn’t read the settings/)).toBeVisible();
  expect(screen.getByRole('form', { name: 'Gadget' })).toBeVisible();
});

test('a failed save is said, and nothing is lost', async () => {
  await open({ isEdit: true, save: () => Promise.reject(new Error('no')) });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Filter' }), 'mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save gadget' }));
  expect(await screen.findByText("We couldn't save the gadget. Try again.")).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Filter' })).toHaveValue('mine');
});

test('a user who cannot edit the dashboard reads who can', async () => {
  await open({ isEdit: true, save: async () => false });
  await userEvent.click(await screen.findByRole('button', { name: 'Save gadget' }));
  expect(await screen.findByText('Only people who can edit this dashboard can configure the gadget.')).toBeVisible();
  expect(screen.queryByText(/Try again/)).toBeNull();
});

test('Enter in the filter saves, and the focus stays in the gadget', async () => {
  const { saved } = await open({ isEdit: true });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Filter' }), 'status = Open{Enter}');
  expect(await rows()).toHaveLength(2);
  expect(saved).toEqual([{ ...newGadget, jql: 'status = Open' }]);
  expect(screen.getByRole('main')).toHaveFocus();
});

test('all projects again: the focus goes to the field of the project', async () => {
  const { saved } = await open({ isEdit: true, config: { ...newGadget, project: { id: '9', name: 'Shop' } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Show all projects' }));
  expect(screen.getByRole('combobox', { name: 'Project' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await rows()).toHaveLength(2);
  expect(screen.getByRole('main')).toHaveFocus();
  expect(saved).toEqual([]);
});

test('a failed refresh is said above the last figures, and Retry reads again', async () => {
  let isBroken: boolean = false;
  const { listeners } = await open(
    { config: newGadget },
    { answer: () => (isBroken ? json({ errorMessages: ['no'] }, 400) : json({ issues: found })) },
  );
  await rows();
  isBroken = true;
  listeners.refresh();
  const message = await screen.findByText('We couldn’t refresh the issues. You see their last figures.');
  expect(await rows()).toHaveLength(2);
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(message).not.toBeInTheDocument());
  expect(screen.getByRole('main')).toHaveFocus();
});
