import { afterEach, expect, test, vi } from 'vitest';
import type { IssueSummary } from '../../../src/domain/issue.ts';
import { statuses as registry } from '../../../src/editor/checklist.ts';
import { emoji } from '../../../src/editor/complete/emoji.ts';
import { issues } from '../../../src/editor/complete/issues.ts';
import { lineMarks } from '../../../src/editor/complete/marks.ts';
import { statuses } from '../../../src/editor/complete/status-labels.ts';
import { statusRegistry } from '../../../src/text/status-registry.ts';
import { chosen, fakeProvider, labels, offered, pictureOf, refusals } from './offers.ts';

afterEach(() => vi.useRealTimers());

const issue = (key: string, name = `About ${key}`): IssueSummary => ({
  id: key,
  key,
  link: `/browse/${key}`,
  name,
  assignee: undefined,
  priority: undefined,
  status: { title: 'In Progress', color: 'yellow', lozenge: 'inprogress', icon: 'https://t.example/task.svg' },
});
const asking = (found: readonly IssueSummary[]) => {
  const findIssues = vi.fn(async () => found);
  return { findIssues, provider: fakeProvider({ findIssues }) };
};

test('issues come after a project key and a hyphen, with summary and status', async () => {
  const { findIssues, provider } = asking([issue('WEB-1'), issue('WEB-12'), issue('APP-1')]);
  const result = await offered(issues, '- See (WEB-1|', { provider });
  expect(result?.options).toMatchObject([
    { label: 'WEB-1', detail: 'About WEB-1', lozenge: { text: 'In Progress', look: 'inprogress' } },
    { label: 'WEB-12' },
  ]);
  expect(findIssues.mock.calls).toMatchObject([['WEB-1', expect.any(AbortSignal)]]);
  expect(await chosen(issues, '- See WEB-|', 'WEB-12', { provider })).toBe('- See WEB-12 |');
});

test.each([
  ...refusals('WEB-1'),
  '- web-1|',
  '- WEB-01|',
  '- A-1|',
  '- https://a.example/browse/WEB-1|',
  '- a/WEB-1|',
  '- WEB|',
])('no issue is looked for in %j', async text => {
  const { findIssues, provider } = asking([issue('WEB-1')]);
  expect(await offered(issues, text, { provider })).toBeNull();
  expect(findIssues).not.toHaveBeenCalled();
});

test('a key that is whole already needs no list, unless it is asked for', async () => {
  const { provider } = asking([issue('WEB-12')]);
  expect(await offered(issues, '- WEB-12|', { provider })).toBeNull();
  expect(labels(await offered(issues, '- WEB-12|', { provider, explicit: true }))).toEqual(['WEB-12']);
});

test('issues that cannot be asked for are none', async () => {
  const provider = fakeProvider({ findIssues: () => Promise.reject(new Error('Oh.')) });
  expect(await offered(issues, '- WEB-|', { provider })).toBeNull();
});

test('emoji come after a colon and what there is of a name, the best match first and with its glyph', async () => {
  const result = await offered(emoji, '- party :tad|');
  expect(labels(result)[0]).toBe(':tada:');
  expect(pictureOf(result?.options[0])).toEqual({ kind: 'glyph', text: '🎉' });
  expect(await chosen(emoji, '- party :tad|', ':tada:')).toBe('- party :tada: |');
});

test.each([...refusals(':tad'), '- 10:30|', '- word:|', '- :)|', '- a::ta|', '- :qqqqqq|', '- : tad|'])(
  'no emoji is offered in %j',
  async text => expect(await offered(emoji, text)).toBeNull(),
);

test('after a bare colon those used before come first, then frequent ones', async () => {
  const provider = fakeProvider({ recent: () => ['smirk', 'no_such'] });
  const found = labels(await offered(emoji, '- done :|', { provider }));
  expect(found.slice(0, 2)).toEqual([':smirk:', ':white_check_mark:']);
  expect(found.length).toBeGreaterThan(15);
  expect(await chosen(emoji, '- done :|', ':smirk:', { provider })).toBe('- done :smirk: |');
});

test('emoji used before come first, but for one of exactly that name', async () => {
  const provider = fakeProvider({ recent: () => ['smirk', 'smile_cat'] });
  expect(labels(await offered(emoji, ':smi|', { provider })).slice(0, 2)).toEqual([':smirk:', ':smile_cat:']);
  expect(labels(await offered(emoji, ':smile|', { provider })).slice(0, 2)).toEqual([':smile:', ':smile_cat:']);
  const used = vi.fn();
  await chosen(emoji, ':tad|', ':tada:', { provider: fakeProvider({ used }) });
  expect(used).toHaveBeenCalledWith('emoji', 'tada');
});

const known = registry.of(
  statusRegistry([
    { slug: 'on_hold', name: 'ON HOLD', checked: false, color: 'purple' },
    { slug: 'qa', name: 'QA Failed', checked: true, color: 'red' },
  ]),
);

test('a bracket behind a mark offers statuses with their colours', async () => {
  const result = await offered(statuses, '- [|', { extensions: known });
  expect(labels(result)).toEqual(['ON HOLD', 'QA Failed', 'To Do', 'In Progress', 'Done', 'Skipped']);
  expect(pictureOf(result?.options[0])).toEqual({ kind: 'dot', color: 'purple' });
  expect(labels(await offered(statuses, '+ ! [hol|', { extensions: known }))).toEqual(['ON HOLD']);
});

test.each([
  ['- [qa|', 'QA Failed', '+ [QA Failed] |'],
  ['+ [on| text', 'ON HOLD', '- [ON HOLD] |text'],
  ['  - ! [on|] text', 'ON HOLD', '  - ! [ON HOLD] |text'],
  ['- [|] text', 'In Progress', '~ |text'],
  ['- [done|', 'Done', '+ |'],
])('in %j the choice of %s writes name and sign', async (text, label, after) => {
  expect(await chosen(statuses, text, label, { extensions: known })).toBe(after);
});

test.each(['[|', 'a [|', '- a [|', '~ [|', '- [~|', '- [nothing|', '-[|', '# [|', '- [a](|', '- [on hold] |'])(
  'no status is offered in %j',
  async text => expect(await offered(statuses, text, { extensions: known })).toBeNull(),
);

test('hashes at the line start offer headers', async () => {
  expect(labels(await offered(lineMarks, '#|'))[0]).toBe('Section');
  expect(labels(await offered(lineMarks, '- a\n  ##|'))[0]).toBe('Subsection');
  expect(await chosen(lineMarks, '#|', 'Section')).toBe('# |');
  expect(await chosen(lineMarks, '#|text', 'Subsection', { explicit: true }).catch(() => 'none')).toBe('none');
  expect(await chosen(lineMarks, '#| text', 'Subsection')).toBe('## |text');
});

test('all marks are offered to those who ask, at the line start alone', async () => {
  expect(await offered(lineMarks, '|')).toBeNull();
  expect(labels(await offered(lineMarks, '|', { explicit: true }))).toHaveLength(12);
  expect(labels(await offered(lineMarks, '-|', { explicit: true }))).toEqual(['To do', 'Mandatory item']);
  expect(await offered(lineMarks, '- a|', { explicit: true })).toBeNull();
  expect(await offered(lineMarks, '- #|')).toBeNull();
  expect(await offered(lineMarks, '####### |')).toBeNull();
  expect(await chosen(lineMarks, '|', 'Done', { explicit: true })).toBe('+ |');
});
