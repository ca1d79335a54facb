import { expect, test } from 'vitest';
import type { ChecklistEdit } from '../../../../src/domain/change.ts';
import type { ChecklistView } from '../../../../src/server/checklists/service/types.ts';
import { add, remove, tick, update } from '../../support/checklists.ts';
import { createIssue } from '../../support/history.ts';

const text = '- A\n- B\n- C';

const rowsOf = ({ revisions }: ReturnType<typeof createIssue>) => revisions.map(({ rows }) => rows);

/** Deletes a row that another client then ticks on an unknown base. */
function ticked() {
  const issue = createIssue();
  const { checklist: first } = issue.edit(update(text));
  const { checklist: without } = issue.edit(remove(1, 'B'));
  issue.change(tick(1, 'B'), { epoch: '', seq: 0, hash: 'x', text });
  return { issue, first, without };
}

test('a deleted row restored by a change on an unknown base keeps its id', () => {
  const { issue } = ticked();
  expect(issue.lines()).toEqual(['- A', '+ B', '- C']);
  const [first, , last] = rowsOf(issue);
  expect(last).toEqual(first);
});

test.each([
  ['knows', ({ epoch, seq, hash }: ChecklistView) => ({ epoch, seq, hash })],
  ['does not know', ({ text }: ChecklistView) => ({ epoch: '', seq: 0, hash: 'y', text })],
])('restoring a revision on a base that the server %s keeps one row, ticked', (_, base) => {
  const { issue, first, without } = ticked();
  issue.restore(first.seq, base(without));
  expect(issue.lines()).toEqual(['- A', '+ B', '- C']);
  const rows = rowsOf(issue);
  expect(rows.at(-1)).toEqual(rows[0]);
});

test('a row marked done in a text on an unknown base is done', () => {
  const issue = createIssue();
  issue.edit(update('- A\n- B'));
  issue.change(update('+ A\n- C'), { epoch: '', seq: 0, hash: 'x', text: '' });
  expect(issue.lines()).toEqual(['+ A', '- B', '- C']);
});

test('a change on the base before the deletion updates the restored row', () => {
  const { issue, first } = ticked();
  const target = { index: 1, text: 'B' };
  issue.change({ kind: 'updateChecklistItem', target, values: { text: 'Quite another thing' } }, first);
  expect(issue.lines()).toEqual(['- A', '+ Quite another thing', '- C']);
});

test('restoring a revision on the current text gives that revision with its row ids', () => {
  const { issue, first } = ticked();
  issue.restore(first.seq, issue.read());
  expect(issue.read().text).toBe(text);
  const rows = rowsOf(issue);
  expect(rows.at(-1)).toEqual(rows[0]);
});

test.each([
  ['as a whole text', update(`${text}\n`)],
  ['as items', add(text, 0)],
])('a cleared checklist that is restored %s keeps a concurrent tick, without duplicates', (_, edit) => {
  const issue = createIssue();
  const { checklist: first } = issue.edit(update(text));
  const { checklist: cleared } = issue.edit({ kind: 'clearChecklist' });
  issue.change(tick(1, 'B'), first);
  issue.change(edit, cleared);
  expect(issue.lines()).toEqual(['- A', '+ B', '- C']);
  const rows = rowsOf(issue);
  expect(rows.at(-1)).toEqual(rows[0]);
});

test('an added item equal to an existing row is another row', () => {
  const issue = createIssue();
  const { checklist: first } = issue.edit(update(text));
  issue.edit(add('B'));
  issue.change(tick(1, 'B'), first);
  expect(issue.lines()).toEqual(['- A', '+ B', '- C', '- B']);
});

test('a deleted row that a concurrent change restored stays one row', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- call the customer\n- write the report'));
  issue.change(remove(1, 'write the report'), base);
  issue.change(tick(1, 'write the report', 'in_progress'), base);
  issue.change(tick(1, 'write the report', 'done'), base);
  issue.change(add('new'), base);
  expect(issue.lines().toSorted()).toEqual(['+ write the report', '- call the customer', '- new']);
  const [first, , again, done] = rowsOf(issue);
  expect(again).toEqual(first);
  expect(done).toEqual(first);
});

test('rows restored by two users concurrently appear once', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- call the customer\n- write the report'));
  const { checklist: cleared } = issue.edit({ kind: 'clearChecklist' });
  const { checklist: restored } = issue.restore(base.seq, cleared);
  issue.change(tick(0, 'call the customer'), restored);
  issue.change(add('new'), restored);
  issue.restore(base.seq, cleared);
  expect(issue.lines().toSorted()).toEqual(['+ call the customer', '- new', '- write the report']);
  // For clients that had them before, they are the same rows.
  issue.change(tick(1, 'write the report'), base);
  expect(issue.lines().filter(line => line.includes('write the report'))).toEqual(['+ write the report']);
});

test('restoring on an unknown base applies its changes', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- a\n- b'));
  issue.change(tick(0, 'a'), base);
  const unknown = { epoch: 'before', seq: 9, hash: 'unknown', text: '+ a\n- b\n- theirs' };
  issue.restore(base.seq, unknown);
  expect(issue.lines()).toEqual(['- a', '- b']);
});

test('restoring on an unknown base brings back only those deleted rows that it changes', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- a\n- b'));
  issue.edit({ kind: 'clearChecklist' });
  const unknown = { epoch: '', seq: 0, hash: 'unknown', text: '+ a\n- b' };
  issue.restore(base.seq, unknown);
  expect(issue.lines()).toEqual(['- a']);
});

const change = (words: string, values: { text?: string; details?: string }): ChecklistEdit => ({
  kind: 'updateChecklistItem',
  target: { index: 1, text: words },
  values,
});

test('a deleted row that is changed on an old base comes back with the words and status that it had last', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- buy ink\n- order paper\n- call'));
  issue.edit(change('order paper', { text: 'order blue paper' }));
  issue.edit(tick(1, 'order blue paper'));
  issue.edit(remove(1, 'order blue paper'));
  const { conflicts } = issue.change(change('order paper', { details: 'ten packs' }), base);
  expect(issue.lines()).toEqual(['- buy ink', '+ order blue paper', '> ten packs', '- call']);
  expect(conflicts).toEqual([]);
  expect(issue.read().rowIds).toEqual(base.rowIds);
});

test('two rewordings of a row that was deleted in between are a choice', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('- buy ink\n- order paper'));
  issue.edit(change('order paper', { text: 'order pens' }));
  issue.edit(remove(1, 'order pens'));
  const { conflicts } = issue.change(change('order paper', { text: 'order chalk' }), base);
  expect(issue.lines()).toEqual(['- buy ink', '- order chalk']);
  expect(conflicts).toMatchObject([{ attribute: 'text', mine: 'order chalk', theirs: 'order pens' }]);
});

test('it comes back without the details that went to another row when its line was deleted', () => {
  const issue = createIssue();
  const { checklist: base } = issue.edit(update('# Shop\n- order paper\n- call'));
  issue.edit(change('order paper', { details: 'ten packs\nwhite' }));
  issue.edit(update('# Shop\n> ten packs\n> white\n- call'));
  issue.change(change('order paper', { text: 'order blue paper' }), base);
  expect(issue.lines()).toEqual(['# Shop', '> ten packs', '> white', '- order blue paper', '- call']);
});
