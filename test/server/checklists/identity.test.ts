import { beforeAll, expect, test } from 'vitest';
import type { ChecklistView } from '../../../src/server/checklists/types.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, remove, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const text = '- A\n- B\n- C';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const rowsOf = async ({ id }: IssueWork) =>
    (await use().raw('select rows from revision where issue = $1 order by seq', [id])).map(({ rows }) => rows);
  const linesOf = async (issue: IssueWork) => (await issue.text()).trim().split('\n');

  /** A row is deleted, and another client, whose text the server does not know by its mark, ticks it. */
  async function ticked() {
    const issue = await newIssue(it);
    const { checklist: first } = await issue.edit(update(text));
    const { checklist: without } = await issue.edit(remove(1, 'B'));
    await issue.change(tick(1, 'B'), { epoch: '', seq: 0, hash: 'x', text });
    return { issue, first, without };
  }

  test('a deleted row that comes back through a base that the server does not know keeps its id', async () => {
    const { issue } = await ticked();
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
    const [first, , last] = await rowsOf(issue);
    expect(last).toEqual(first);
  });

  test.each([
    ['knows', ({ epoch, seq, hash }: ChecklistView) => ({ epoch, seq, hash })],
    ['does not know', ({ text }: ChecklistView) => ({ epoch: '', seq: 0, hash: 'y', text })],
  ])('restored then on the text without it, which the server %s, it is one row and stays ticked', async (_, base) => {
    const { issue, first, without } = await ticked();
    const { epoch, seq } = first;
    await issue.change({ kind: 'restoreChecklistRevision', epoch, seq }, base(without));
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
    const rows = await rowsOf(issue);
    expect(rows.at(-1)).toEqual(rows[0]);
  });

  test('a row that a text sets done, made of nothing that the server knows, is done', async () => {
    const issue = await newIssue(it);
    await issue.store('- A\n- B');
    await issue.change(update('+ A\n- C'), { epoch: '', seq: 0, hash: 'x', text: '' });
    expect(await linesOf(issue)).toEqual(['+ A', '- B', '- C']);
  });

  test('it is one row, too, for whoever says something else there on the text from before', async () => {
    const { issue, first } = await ticked();
    const target = { index: 1, text: 'B' };
    await issue.change({ kind: 'updateChecklistItem', target, values: { text: 'Quite another thing' } }, first);
    expect(await linesOf(issue)).toEqual(['- A', '+ Quite another thing', '- C']);
  });

  test('what restores a version on what stands there gives that version, its rows being those that they were', async () => {
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
  ])(
    'a cleared checklist that is put back %s, before somebody’s tick of a row is seen, has it once',
    async (_, edit) => {
      const issue = await newIssue(it);
      const { checklist: first } = await issue.edit(update(text));
      const { checklist: cleared } = await issue.edit({ kind: 'clearChecklist' });
      await issue.change(tick(1, 'B'), first);
      await issue.change(edit, cleared);
      expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C']);
      const rows = await rowsOf(issue);
      expect(rows.at(-1)).toEqual(rows[0]);
    },
  );

  test('an item that says what a row says that is still there is a row of its own', async () => {
    const issue = await newIssue(it);
    const { checklist: first } = await issue.edit(update(text));
    await issue.edit(add('B'));
    await issue.change(tick(1, 'B'), first);
    expect(await linesOf(issue)).toEqual(['- A', '+ B', '- C', '- B']);
  });
});
