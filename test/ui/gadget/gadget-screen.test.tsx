import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { GadgetFrame, HostResponse } from '../../../src/bridge/bridge.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import GadgetScreen from '../../../src/ui/gadget/gadget-screen.tsx';
import { gadgetQuery, newGadget } from '../../../src/ui/gadget/gadget-view.tsx';
import { json } from '../fakes.ts';
import { fakeIssue, show } from '../issue.tsx';

const checklist = (text: string, progress?: object) => ({ v: 1, epoch: 'e', seq: 1, name: 'C', text, progress });
const found = [
  {
    key: 'WEB-1',
    fields: { summary: 'Checkout' },
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

interface Options {
  answer?: (jql: string) => HostResponse | Promise<HostResponse>;
}

/** Shows a gadget; resolves with what was asked and saved, and the host's wishes. */
async function open(frame: Partial<GadgetFrame>, { answer = () => json({ issues: found }) }: Options = {}) {
  const issue = fakeIssue('');
  const asked: string[] = [];
  const saved: unknown[] = [];
  const listeners = { edit: () => {}, refresh: () => {} };
  const gadget = async (): Promise<GadgetFrame> => ({
    isEdit: false,
    save: async config => void saved.push(config),
    on: (event, listener) => {
      listeners[event] = listener;
      return () => undefined;
    },
    ...frame,
  });
  issue.bridge.modules = async () => ({ gadget, rule: () => Promise.reject(new Error('no rule')) });
  issue.bridge.request = async (path, init) => {
    if (path.includes('/user/bulk')) {
      return json({ values: [{ accountId: 'ana', displayName: 'Ana Lima', avatarUrls: {} }] });
    }
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
