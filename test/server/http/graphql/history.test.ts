import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { appOf, startApp } from '../../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, own, remove, tick, update, workOn } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const HISTORY = `query history($issueId: ID!, $before: PositionInput, $first: Int, $filter: HistoryFilterInput) {
  checklistHistory(issueId: $issueId, before: $before, first: $first, filter: $filter) {
    next { epoch seq }
    entries {
      epoch seq created account kind name previousName changeCount
      previous { epoch seq }
      changes { kind index row rowId header from to }
      conflicts { row attribute mine theirs }
    }
  }
}`;
const REVISION = `query revision($issueId: ID!, $epoch: String!, $seq: Int!) {
  checklistRevision(issueId: $issueId, epoch: $epoch, seq: $seq) { epoch seq account kind name text }
}`;

const entry = v.object({
  epoch: v.string(),
  seq: v.number(),
  created: v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z')),
  account: v.string(),
  kind: v.string(),
  name: v.string(),
  previousName: v.nullable(v.string()),
  changeCount: v.number(),
  previous: v.nullable(v.object({ epoch: v.string(), seq: v.number() })),
  changes: v.nullable(v.array(v.looseObject({ rowId: v.nullable(v.string()) }))),
  conflicts: v.array(v.unknown()),
});
const position = v.object({ epoch: v.string(), seq: v.number() });
const answer = v.object({ checklistHistory: v.object({ next: v.nullable(position), entries: v.array(entry) }) });
const TOUCHES = `query touches($issueId: ID!) {
  checklistTouches(issueId: $issueId) { rowId kind epoch seq created account }
}`;

const CONFLICTS = `query conflicts($issueId: ID!, $after: PositionInput!) {
  checklistConflicts(issueId: $issueId, after: $after) {
    epoch seq created account conflicts { row attribute mine theirs }
  }
}`;
const conflictsAnswer = v.object({
  checklistConflicts: v.array(v.looseObject({ seq: v.number(), conflicts: v.array(v.unknown()) })),
});

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  async function history(account: string, issueId: string, page: object = {}) {
    const { data } = await it.graphql(account, HISTORY, { issueId, ...page });
    return v.parse(answer, data).checklistHistory;
  }

  async function conflicts(account: string, issueId: string, { epoch, seq }: v.InferOutput<typeof position>) {
    const { data } = await it.graphql(account, CONFLICTS, { issueId, after: { epoch, seq } });
    return v.parse(conflictsAnswer, data).checklistConflicts;
  }

  const issueOf = async (granted = EDITOR): Promise<IssueWork & { account: string }> => {
    const account = randomUUID();
    return { ...(await newIssue(it, granted, account)), account };
  };

  test('entries name actor, action and row, newest first', async () => {
    const issue = await issueOf();
    it.tracker.granted.set('bob', EDITOR);
    const bob = await workOn(it, issue.id, 'bob');
    await issue.edit(update('# Release\n- a\n- b'));
    await bob.edit(tick(1, 'a'));
    await issue.edit(remove(2, 'b'));
    const { entries, next } = await history(issue.account, issue.id);
    expect(next).toBeNull();
    expect(entries).toMatchObject([
      {
        seq: 3,
        account: issue.account,
        kind: 'deleteChecklistItem',
        changeCount: 1,
        changes: [{ kind: 'DELETED', index: 2, row: 'b', header: false, from: null, to: null }],
      },
      {
        seq: 2,
        account: 'bob',
        kind: 'setItemStatus',
        changes: [{ kind: 'STATUS', index: 1, row: 'a', from: 'todo', to: 'done' }],
      },
      {
        seq: 1,
        account: issue.account,
        kind: 'updateChecklistFromText',
        name: 'Checklists',
        changes: [
          { kind: 'ADDED', row: 'Release', header: true },
          { kind: 'ADDED', row: 'a' },
          { kind: 'ADDED', row: 'b' },
        ],
      },
    ]);
    expect(Date.now() - Date.parse(entries[0]?.created ?? '')).toBeLessThan(60_000);
  });

  test('an undone change is called that, and only that', async () => {
    const issue = await issueOf();
    await issue.edit(update('- a\n- b'));
    await issue.edit(remove(1, 'b'));
    await issue.edit({ ...add('- b', 1), log: 'undo:deleteChecklistItem' });
    const { entries } = await history(issue.account, issue.id, { first: 1 });
    expect(entries).toMatchObject([{ kind: 'undo:deleteChecklistItem', changes: [{ kind: 'ADDED', row: 'b' }] }]);
  });

  test('each kind of change has its values before and after', async () => {
    const issue = await issueOf();
    await issue.edit(update('# One\n- write tests\n- b\n- c [~accountid:x]\n# Two\n- d'));
    await issue.edit(update('## One\n- ! write all tests\n- c [~accountid:y] 2026-01-01\n# Two\n- d\n> why\n- b'));
    const { entries } = await history(issue.account, issue.id, { first: 1 });
    expect(entries[0]?.changes?.map(({ rowId: _, ...change }) => change)).toEqual([
      { kind: 'RETYPED', index: 0, row: 'One', header: true, from: '#', to: '##' },
      { kind: 'MANDATORY', index: 1, row: 'write all tests', header: false, from: 'false', to: 'true' },
      { kind: 'REWORDED', index: 1, row: 'write all tests', header: false, from: 'write tests', to: 'write all tests' },
      { kind: 'ASSIGNEE', index: 2, row: 'c [~accountid:y] 2026-01-01', header: false, from: 'x', to: 'y' },
      { kind: 'DUE_DATE', index: 2, row: 'c [~accountid:y] 2026-01-01', header: false, from: null, to: '2026-01-01' },
      { kind: 'DETAILS', index: 4, row: 'd', header: false, from: '', to: 'why' },
      { kind: 'MOVED', index: 5, row: 'b', header: false, from: 'One', to: 'Two' },
    ]);
  });

  test('conflicts have both values', async () => {
    const issue = await issueOf();
    const { checklist } = await issue.edit(update('- a'));
    await issue.change(tick(0, 'a', 'skipped'), checklist);
    await issue.change(tick(0, 'a', 'in_progress'), checklist);
    const { entries } = await history(issue.account, issue.id, { first: 1 });
    expect(entries[0]?.conflicts).toEqual([{ row: 'a', attribute: 'status', mine: 'In Progress', theirs: 'Skipped' }]);
  });

  test('pages join without a gap', async () => {
    const issue = await issueOf();
    for (let index = 0; index < 7; index++) await issue.edit(add(`item ${index}`));
    const seen: number[] = [];
    let before: v.InferOutput<typeof position> | null = null;
    do {
      const page: v.InferOutput<typeof answer>['checklistHistory'] = await history(issue.account, issue.id, {
        before,
        first: 3,
      });
      seen.push(...page.entries.map(({ seq }) => seq));
      expect(page.entries.every(({ changeCount }) => changeCount === 1)).toBe(true);
      expect(page.entries.map(({ previous }) => previous?.seq)).toEqual(
        page.entries.map(({ seq }) => (seq === 1 ? undefined : seq - 1)),
      );
      before = page.next;
    } while (before);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await history(issue.account, issue.id, { first: -5 })).entries).toHaveLength(1);
    expect((await history(issue.account, issue.id, { first: 1_000_000 })).entries).toHaveLength(7);
    for (const epoch of ['none', '\u0000']) {
      const none = await history(issue.account, issue.id, { before: { epoch, seq: 3 } });
      expect(none).toEqual({ entries: [], next: null });
    }
  });

  test('filters by account, kind and row', async () => {
    const issue = await issueOf();
    it.tracker.granted.set('bob', EDITOR);
    const bob = await workOn(it, issue.id, 'bob');
    await issue.edit(update('- a\n- write tests'));
    await bob.edit(tick(0, 'a'));
    for (let index = 0; index < 120; index++) await issue.edit(tick(1, 'write tests', index % 2 ? 'todo' : 'done'));
    await issue.edit(update('- write all tests\n+ a'));
    const seqs = async (filter: object, first = 3) => {
      const page = await history(issue.account, issue.id, { filter, first });
      return page.entries.map(({ seq, changeCount }) => [seq, changeCount]);
    };
    expect(await seqs({ account: 'bob' })).toEqual([[2, 1]]);
    expect(await seqs({ kind: 'ADDED' })).toEqual([[1, 2]]);
    expect(await seqs({ account: 'bob', kind: 'ADDED' })).toEqual([]);
    expect(await seqs({ account: issue.account, kind: 'STATUS' })).toEqual([
      [122, 1],
      [121, 1],
      [120, 1],
    ]);
    const [last] = (await history(issue.account, issue.id, { first: 1 })).entries;
    expect(last?.changes?.map(({ kind, row }) => [kind, row])).toEqual([
      ['REWORDED', 'write all tests'],
      ['MOVED', 'a'],
    ]);
    const written = last?.changes?.[0]?.rowId;
    expect((await seqs({ rowId: written }))[0]).toEqual([123, 1]);
    expect(await seqs({ rowId: written, kind: 'STATUS' }, 100)).toHaveLength(100);
    const [ticked] = (await history(issue.account, issue.id, { filter: { account: 'bob' } })).entries;
    expect(await seqs({ rowId: ticked?.changes?.[0]?.rowId })).toEqual([
      [123, 1],
      [2, 1],
      [1, 1],
    ]);
    expect(await seqs({ rowId: '\u0000' })).toEqual([]);
  });

  test('each row has its last actor', async () => {
    const issue = await issueOf();
    it.tracker.granted.set('bob', EDITOR);
    const bob = await workOn(it, issue.id, 'bob');
    const touches = async () => {
      const { data } = await it.graphql(issue.account, TOUCHES, { issueId: issue.id });
      return v.parse(v.object({ checklistTouches: v.array(v.looseObject({ rowId: v.string() })) }), data)
        .checklistTouches;
    };
    expect(await touches()).toEqual([]);
    await issue.edit(update('# Release\n- a\n- b'));
    await bob.edit(tick(1, 'a'));
    await issue.edit(remove(2, 'b'));
    const [header, item] = await touches();
    expect(header).toMatchObject({ kind: 'ADDED', seq: 1, account: issue.account });
    expect(item).toMatchObject({ kind: 'STATUS', seq: 2, account: 'bob' });
    expect(await touches()).toHaveLength(2);
  });

  test('a revision whose predecessor is deleted has no changes', async () => {
    const issue = await issueOf();
    await issue.edit(update('- a'));
    await issue.edit(add('b'));
    await use().raw('delete from revision where issue = $1 and seq = 1', [issue.id]);
    expect(await history(issue.account, issue.id)).toMatchObject({
      next: null,
      entries: [{ seq: 2, changes: null, changeCount: 0 }],
    });
  });

  test('a page of large checklists ends early, with at most a hundred changes per revision', async () => {
    provokes({ differences: true });
    const issue = await issueOf();
    const rows = (word: string) => Array.from({ length: 2_500 }, (_, index) => `- ${word}${index}`).join('\n');
    for (const word of ['a', 'b', 'c']) await issue.edit(update(rows(word)));
    const long = `\n- ${'x'.repeat(600_000)}`;
    await use().raw('update revision set text = text || $1 where issue = $2', [long, issue.id]);
    const { entries, next } = await history(issue.account, issue.id);
    expect(entries).toHaveLength(1);
    expect(next).toMatchObject({ seq: 3 });
    expect(entries[0]?.changes).toHaveLength(100);
    expect(entries[0]?.changeCount).toBe(5_000);
  });

  test('a revision is returned with its text', async () => {
    const issue = await issueOf();
    const { checklist } = await issue.edit(update('- a', 'Release'));
    await issue.edit(update('- b'));
    const ask = (account: string, more: object = {}) => {
      const { epoch, seq } = checklist;
      return it.graphql(account, REVISION, { issueId: issue.id, epoch, seq, ...more });
    };
    expect((await ask(issue.account)).data).toEqual({
      checklistRevision: {
        epoch: checklist.epoch,
        seq: 1,
        account: issue.account,
        kind: 'updateChecklistFromText',
        name: 'Release',
        text: '- a',
      },
    });
    for (const more of [{ seq: 9 }, { epoch: 'other' }, { epoch: '\u0000' }]) {
      const { data, errors } = await ask(issue.account, more);
      expect(data).toBeNull();
      expect(errors).toMatchObject([
        { message: expect.stringContaining('no longer available'), extensions: { code: 'NOT_FOUND' } },
      ]);
    }
  });

  test('an entry says that it renamed the checklist', async () => {
    const issue = await issueOf();
    await issue.edit(update('- a'));
    await issue.edit({ kind: 'updateChecklistFromText', text: '- a', name: 'Release' });
    await issue.edit({ kind: 'updateChecklistFromText', text: '- a\n- b', name: 'Launch' });
    await issue.edit(update('- a\n- b\n- c'));
    const { entries } = await history(issue.account, issue.id);
    const renamed = entries.map(({ name, previousName, changeCount }) => ({ name, previousName, changeCount }));
    expect(renamed).toEqual([
      { name: 'Launch', previousName: null, changeCount: 1 },
      { name: 'Launch', previousName: 'Release', changeCount: 1 },
      { name: 'Release', previousName: 'Checklists', changeCount: 0 },
      { name: 'Checklists', previousName: null, changeCount: 1 },
    ]);
  });

  test('the conflicts after a version: oldest first, with the replaced value, and no other versions', async () => {
    const issue = await issueOf();
    it.tracker.granted.set('bob', EDITOR);
    const bob = await workOn(it, issue.id, 'bob');
    const { checklist: first } = await issue.edit(update('- Write the tests\n- b'));
    await issue.change(update('- Draft the tests\n- b'), first);
    await bob.change(update('- Review the tests\n- b'), first);
    await issue.change(tick(1, 'b'), first);
    await bob.change(tick(1, 'b', 'skipped'), first);
    const [text, status] = [
      { row: 'Review the tests', attribute: 'text', mine: 'Review the tests', theirs: 'Draft the tests' },
      { row: 'b', attribute: 'status', mine: 'Skipped', theirs: 'Done' },
    ];
    expect(await conflicts(issue.account, issue.id, first)).toMatchObject([
      { seq: 3, account: 'bob', conflicts: [text] },
      { seq: 5, account: 'bob', conflicts: [status] },
    ]);
    expect(await conflicts(issue.account, issue.id, { ...first, seq: 3 })).toMatchObject([{ seq: 5 }]);
    expect(await conflicts(issue.account, issue.id, { ...first, seq: 5 })).toEqual([]);
    expect(await issue.read()).toMatchObject({ conflictSeq: 5 });
    // Nothing is known of these versions: each conflict may be news.
    for (const unknown of [
      { epoch: '', seq: 0 },
      { epoch: 'other', seq: 9 },
      { epoch: 'é', seq: 1 },
    ])
      expect(await conflicts(issue.account, issue.id, unknown)).toHaveLength(2);
  });

  test('the conflicts are for users who may view the checklist, of their site, and fifty at once', async () => {
    await use().raw('update tenant set view_permissions = true where tenant = $1', [it.tenant.id]);
    const issue = await issueOf([...EDITOR, own('view')]);
    const { checklist: first } = await issue.edit(update('- a'));
    it.tracker.granted.set('passer-by', ['BROWSE_PROJECTS']);
    const variables = { issueId: issue.id, after: { epoch: '', seq: 0 } };
    const forbidden = await it.graphql('passer-by', CONFLICTS, variables);
    expect(forbidden.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    await use().raw('update tenant set view_permissions = false where tenant = $1', [it.tenant.id]);
    for (let seq = 2; seq <= 53; seq += 1) await issue.change(tick(0, 'a', seq % 2 === 0 ? 'done' : 'skipped'), first);
    const found = await conflicts(issue.account, issue.id, first);
    expect(found).toHaveLength(50);
    expect(found.at(-1)).toMatchObject({ seq: 52 });

    const other = await startApp(use().store);
    other.tracker.issues.set(issue.id, { properties: {}, fields: {} });
    other.tracker.granted.set(issue.account, EDITOR);
    const { data } = await other.graphql(issue.account, CONFLICTS, variables);
    expect(data).toEqual({ checklistConflicts: [] });
    await other.app.close();
  });

  test('the history requires permission to view the checklist, and the same site', async () => {
    await use().raw('update tenant set view_permissions = true where tenant = $1', [it.tenant.id]);
    const issue = await issueOf([...EDITOR, own('view')]);
    await issue.edit(update('- a'));
    it.tracker.granted.set('passer-by', ['BROWSE_PROJECTS']);
    const forbidden = await it.graphql('passer-by', HISTORY, { issueId: issue.id });
    expect(forbidden.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect((await it.graphql('stranger', HISTORY, { issueId: issue.id })).data).toBeNull();
    await use().raw('update tenant set view_permissions = false where tenant = $1', [it.tenant.id]);

    const other = await startApp(use().store);
    other.tracker.issues.set(issue.id, { properties: {}, fields: {} });
    other.tracker.granted.set(issue.account, EDITOR);
    const { data } = await other.graphql(issue.account, HISTORY, { issueId: issue.id });
    expect(data).toEqual({ checklistHistory: { next: null, entries: [] } });
    await other.app.close();
  });
});
