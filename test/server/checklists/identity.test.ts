import { beforeAll, expect, test } from 'vitest';
import type { ChecklistView } from '../../../src/server/checklists/service/types.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, remove, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const text = '- A\n- B\n- C';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const rowsOf = async ({ id }: IssueWork) =>
    (await use().raw('select rows from revision where issue = $1 order by seq', [id])).map(({ rows }) => rows);
  const linesOf = async (issue: IssueWork) => (await issue.text()).trim().split('\n');

  /** Deletes a row that another client then ticks on an unknown base. */
  async function ticked() {
    const issue = await newIssue(it);
    const { checklist: first } = await issue.edit(update(text));
    const { checklist: without } = await issue.edit(remove(1, 'B'));
    await issue.change(tick(1, 'B'), { epoch: '', seq: 0, hash: 'x', text });
    return { issue, first, without };
  }

  test('a deleted row restored by a change on an unknown base keeps its id', async () => {
    const { issue } = await ticked();
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
    const [first, , last] = await rowsOf(issue);
    expect(last).toEqual(first);
  });

  test.each([
    ['knows', ({ epoch, seq, hash }: ChecklistView) => ({ epoch, seq, hash })],
    ['does not know', ({ text }: ChecklistView) => ({ epoch: '', seq: 0, hash: 'y', text })],
  ])('restoring a revision on a base that the server %s keeps one row, ticked', async (_, base) => {
    const { issue, first, without } = await ticked();
    const { epoch, seq } = first;
    await issue.change({ kind: 'restoreChecklistRevision', epoch, seq }, base(without));
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
    const rows = await rowsOf(issue);
    expect(rows.at(-1)).toEqual(rows[0]);
  });

  test('a row marked done in a text on an unknown base is done', async () => {
    const issue = await newIssue(it);
    await issue.store('- A\n- B');
    await issue.change(update('+ A\n- C'), { epoch: '', seq: 0, hash: 'x', text: '' });
    expect(await linesOf(issue)).toEqual(['+ A', '- B', '- C']);
  });

  test('a change on the base before the deletion updates the restored row', async () => {
    const { issue, first } = await ticked();
    const target = { index: 1, text: 'B' };
    await issue.change({ kind: 'updateChecklistItem', target, values: { text: 'Quite another thing' } }, first);
    expect(await linesOf(issue)).toEqual(['- A', '+ Quite another thing', '- C']);
  });

  test('restoring a revision on the current text gives that revision with its row ids', async () => {
    const { issue, first } = await ticked();
    const { epoch, seq } = first;
    await issue.change({ kind: 'restoreChecklistRevision', epoch, seq }, await issue.read());
    expect(await issue.text()).toBe(text);
    const rows = await rowsOf(issue);
    expect(rows.at(-1)).toEqual(rows[0]);
  });

  test.each([
    ['as a whole text', update(`${text}\n`)],
    ['as items', add(text, 0)],
  ])('a cleared checklist that is restored %s keeps a concurrent tick, without duplicates', async (_, edit) => {
    const issue = await newIssue(it);
    const { checklist: first } = await issue.edit(update(text));
    const { checklist: cleared } = await issue.edit({ kind: 'clearChecklist' });
    await issue.change(tick(1, 'B'), first);
    await issue.change(edit, cleared);
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
    const rows = await rowsOf(issue);
    expect(rows.at(-1)).toEqual(rows[0]);
  });

  test('an added item equal to an existing row is another row', async () => {
    const issue = await newIssue(it);
    const { checklist: first } = await issue.edit(update(text));
    await issue.edit(add('B'));
    await issue.change(tick(1, 'B'), first);
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C', '- B']);
  });
});
