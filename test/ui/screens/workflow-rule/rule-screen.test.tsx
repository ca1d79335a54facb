import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { RuleFrame } from '../../../../src/bridge/bridge.ts';
import { parseAs } from '../../../../src/domain/shape.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import { compileRule } from '../../../../src/domain/workflow/compile.ts';
import { newRule, readRule } from '../../../../src/domain/workflow/options.ts';
import { ruleWords } from '../../../../src/domain/workflow/words.ts';
import RuleScreen from '../../../../src/ui/screens/workflow-rule/rule-screen.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

const found = {
  v: 1,
  ...{ epoch: 'e', seq: 1, name: 'Checklists', text: '# **Release**\n- a\n# Build\n- b\n# release\n- c' },
  search: { statuses: ['ON HOLD'] },
  rules: { statuses: { '!in review': 1 } },
};

const requestShape = v.object({ operationName: v.string() });

/** Shows the screen in the frame of a rule. Resolves with what the host does when the user saves. */
async function open(frame: Partial<RuleFrame>, onSave?: RuleFrame['onSave'], operations: string[] = []) {
  const issue = fakeIssue('');
  issue.bridge.backend = async (_path, init) => {
    operations.push(parseAs(requestShape, init?.json).operationName);
    return json({ data: { workflowRulesEdited: { noted: true, message: null, errors: [] } } });
  };
  let read: () => string | undefined = () => 'nothing';
  const rule = async (): Promise<RuleFrame> => ({
    kind: 'validator',
    entry: 'create',
    onSave:
      onSave ??
      (async reader => {
        read = reader;
      }),
    ...frame,
  });
  issue.bridge.modules = async () => ({ rule, gadget: () => Promise.reject(new Error('no gadget')) });
  issue.bridge.request = async () => json({ issues: [{ properties: { [storageKey('checklist')]: found } }] });
  await show(issue, <RuleScreen />);
  return () => {
    const saved = read();
    return saved === undefined ? undefined : readRule(saved);
  };
}

const box = (name: string | RegExp) => screen.getByRole('checkbox', { name });
const field = (name: string | RegExp) => screen.getByRole('combobox', { name });
const preview = () => within(screen.getByRole('region', { name: 'Preview' }));

test('a new rule asks for mandatory items and gates, and says so in words', async () => {
  const save = await open({});
  expect(await screen.findByRole('checkbox', { name: 'All mandatory items are done' })).toBeChecked();
  expect(box('Sections with a gate before the target status are done')).toBeChecked();
  expect(
    preview().getByText(
      'The transition is allowed when all mandatory items are done and all items of sections with a gate before the target status are done.',
    ),
  ).toBeVisible();
  expect(save()).toEqual(newRule);
});

test('the saved configuration has the expression and the words of what was chosen', async () => {
  const saved: string[] = [];
  await open({}, async reader => {
    saved.push('');
    queueMicrotask(() => saved.push(reader() ?? ''));
  });
  await screen.findByRole('form', { name: 'Workflow rule' });
  const { expression, summary, ...options } = JSON.parse(saved.at(-1) ?? '{}');
  expect(options).toEqual(newRule);
  expect(expression).toBe(compileRule(newRule, 'validator'));
  expect(summary).toBe(ruleWords(newRule, 'validator').join(' '));
});

test('names are added by button and by Enter, once each, as the suggestions write them', async () => {
  const save = await open({ kind: 'condition' });
  await waitFor(() => expect(document.querySelector('datalist option[value=Build]')).not.toBeNull());
  const sections = field('All items of these sections are done');
  await userEvent.type(sections, ' RELEASE {Enter}');
  await userEvent.type(sections, 'release');
  expect(screen.getByText('This is already taken.')).toBeVisible();
  await userEvent.clear(sections);
  await userEvent.type(sections, 'Nowhere');
  await userEvent.click(screen.getByRole('button', { name: 'Add section' }));
  expect(screen.getByText('No recent checklist has a section “Nowhere”. Check the name.')).toBeVisible();
  await userEvent.type(field('No item has any of these statuses'), 'on hold{Enter}');
  expect(save()).toMatchObject({ sections: ['Release', 'Nowhere'], statuses: ['ON HOLD'] });
  await userEvent.click(screen.getByRole('button', { name: 'Remove Nowhere' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /no such section/ }), 'Allow the transition');
  expect(save()).toMatchObject({ sections: ['Release'], gone: 'pass' });
  expect(preview().getByText(/the section “Release” are done/)).toBeVisible();
});

test('a name that stands in the field when it is left is part of the rule, as it was written', async () => {
  const save = await open({});
  await waitFor(() => expect(document.querySelector('datalist option[value=Release]')).not.toBeNull());
  await userEvent.type(field('All items of these sections are done'), 'release');
  await userEvent.type(field('No item has any of these statuses'), 'In Review');
  act(() => field('No item has any of these statuses').blur());
  expect(save()).toMatchObject({ sections: ['Release'], statuses: ['In Review'] });
  expect(screen.queryByText(/No recent checklist/)).toBeNull();
});

test('a rule without a condition, with a wrong percentage, or too long is not saved, and says why', async () => {
  const save = await open({});
  await userEvent.click(await screen.findByRole('checkbox', { name: 'All mandatory items are done' }));
  await userEvent.click(box('Sections with a gate before the target status are done'));
  expect(save()).toBeUndefined();
  expect(await screen.findByText('Choose at least one condition.')).toHaveFocus();
  await userEvent.click(box('A percentage of the items is done'));
  const percent = screen.getByRole('textbox', { name: 'Minimum percentage' });
  await userEvent.clear(percent);
  await userEvent.type(percent, '0');
  expect(save()).toBeUndefined();
  expect((await screen.findAllByText('Enter a percentage from 1 to 100.'))[0]).toBeVisible();
  await waitFor(() => expect(percent).toHaveFocus());
  await userEvent.click(box('All mandatory items are done'));
  await userEvent.click(box('All mandatory items are done'));
  // Only a try to save moves the focus.
  expect(box('All mandatory items are done')).toHaveFocus();
  await userEvent.clear(percent);
  await userEvent.type(percent, '75');
  expect(save()).toMatchObject({ percent: 75, mandatory: false });
  const sections = field('All items of these sections are done');
  for (const number of [1, 2, 3, 4, 5, 6])
    await userEvent.type(sections, `A section with a rather long name, number ${number} of them all{Enter}`);
  expect(save()).toBeUndefined();
  expect(await screen.findByText(/too long for Jira/)).toBeVisible();
});

test('an existing rule is shown as it was saved', async () => {
  const config = { ...newRule, overdue: true, percent: 60, skippedDone: false, without: 'refuse' };
  const save = await open({ entry: 'edit', config: JSON.stringify(config) });
  expect(await screen.findByRole('checkbox', { name: 'No open item is overdue' })).toBeChecked();
  expect(screen.getByRole('textbox', { name: 'Minimum percentage' })).toHaveValue('60');
  expect(screen.getByRole('combobox', { name: 'Skipped items' })).toHaveDisplayValue('Count as open');
  expect(save()).toEqual(config);
});

test('skipped items that count as open: the checklist still shows them as done', async () => {
  await open({});
  const skipped = await screen.findByRole('combobox', { name: 'Skipped items' });
  expect(skipped).not.toHaveAccessibleDescription(/skipped/);
  await userEvent.selectOptions(skipped, 'Count as open');
  expect(skipped).toHaveAccessibleDescription(/Checklists still show skipped items as done\./);
});

test('the summary has words only', async () => {
  await open({ entry: 'view', config: { ...newRule, all: true, gates: false } });
  expect(
    await screen.findByText('The transition is allowed when all mandatory items are done and all items are done.'),
  ).toBeVisible();
  expect(screen.getByText("If the checklist can't be read, the transition is blocked.")).toBeVisible();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test.each([
  ['edit', '{"v":2}'],
  ['edit', 'no JSON'],
  ['view', { sections: [''] }],
] as const)('a configuration that cannot be read has a warning: %s %s', async (entry, config) => {
  await open({ entry, config });
  expect(await screen.findByText(/We couldn't read the settings of this rule/)).toBeVisible();
});

test('a host that takes no configuration has an error', async () => {
  await open({}, () => Promise.reject(new Error('no')));
  expect(await screen.findByText(/Jira doesn’t accept changes here/)).toBeVisible();
});

test('the server is notified of a saved rule once, and of none that is refused', async () => {
  const operations: string[] = [];
  const save = await open({}, undefined, operations);
  const mandatory = await screen.findByRole('checkbox', { name: 'All mandatory items are done' });
  const gates = box('Sections with a gate before the target status are done');
  await userEvent.click(mandatory);
  await userEvent.click(gates);
  expect(save()).toBeUndefined();
  await userEvent.click(gates);
  expect(operations).toEqual([]);
  // A host reads it to check it, and again to keep it.
  expect(save()).toMatchObject({ gates: true });
  expect(save()).toMatchObject({ gates: true });
  await waitFor(() => expect(operations).toEqual(['workflowRulesEdited']));
});
