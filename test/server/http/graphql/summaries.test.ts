import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { failures, storage } from '../../../../src/domain/messages.ts';
import { anonymous } from '../../../../src/domain/user.ts';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, type IssueWork, newIssue, own, tick, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../../support/tracker.ts';

const SUMMARIES = `query summaries($ids: [ID!]!) {
  checklistSummaries(issueIds: $ids) {
    issueId total checked mandatoryOpen
    permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist canImportTemplate }
  }
}`;
const answerShape = v.object({
  checklistSummaries: v.array(
    v.object({
      issueId: v.string(),
      total: v.number(),
      checked: v.number(),
      mandatoryOpen: v.number(),
      permissions: v.record(v.string(), v.boolean()),
    }),
  ),
});

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const ask = async (account: string, ids: readonly string[]) => {
    const { data, errors } = await it.graphql(account, SUMMARIES, { ids });
    if (errors) throw new Error(errors[0]?.message);
    return v.parse(answerShape, data).checklistSummaries;
  };
  const reader = (granted = EDITOR) => {
    const account = randomUUID();
    it.tracker.granted.set(account, granted);
    return account;
  };
  const counts = async (...issues: IssueWork[]) => {
    const found = await ask(
      reader(),
      issues.map(({ id }) => id),
    );
    return issues.map(({ id }) => {
      const summary = found.find(each => each.issueId === id);
      return summary && [summary.checked, summary.total, summary.mandatoryOpen];
    });
  };

  test('progress and permission flags of several checklists', async () => {
    const [first, second] = [await newIssue(it), await newIssue(it)];
    await first.edit(update('# H\n- ! a\n+ b\nx c\n- d'));
    const found = await ask(reader(), [second.id, first.id, first.id]);
    const all = {
      canAddChecklistItems: true,
      canChangeItemStatuses: true,
      canDeleteChecklistItems: true,
      canEditChecklist: true,
      canImportTemplate: true,
    };
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ issueId: first.id, total: 4, checked: 2, mandatoryOpen: 1, permissions: all });
    expect(found).toContainEqual({ issueId: second.id, total: 0, checked: 0, mandatoryOpen: 0, permissions: all });
  });

  test('a hundred issues take two calls, whatever their content', async () => {
    const issues = await Promise.all(Array.from({ length: 100 }, () => newIssue(it)));
    const ids = issues.map(({ id }) => id);
    await ask(reader(), ids.slice(0, 1));
    const before = it.tracker.calls.length;
    expect(await ask(reader(), ids)).toHaveLength(100);
    expect(it.tracker.calls.slice(before).map(({ path }) => path)).toEqual([
      '/rest/api/3/permissions/check',
      '/rest/api/2/issue/bulkfetch',
    ]);
    await expect(ask(reader(), [...ids, '1'])).rejects.toThrow(failures.unknown);
  });

  test('an item has the flag that its status has now', async () => {
    provokes({ differences: true });
    const issue = await newIssue(it);
    await issue.edit(update('- [Waived] a\n- b'));
    expect(await counts(issue)).toEqual([[0, 2, 0]]);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    const { errors } = await it.graphql(
      'admin',
      'mutation { createStatus(input: { name: "Waived", color: red, checked: true }) { errors { code } } }',
    );
    expect(errors).toBeUndefined();
    expect(await counts(issue)).toEqual([[1, 2, 0]]);
  });

  test('stored counts need no turn; large texts that may name the site’s statuses are read in one each', async () => {
    const issues = await Promise.all(Array.from({ length: 3 }, () => newIssue(it)));
    const write = async (line: string) => {
      for (const issue of issues)
        await issue.edit(update(Array.from({ length: 900 }, (_, n) => `- row ${n} of a long ${line}`).join('\n')));
    };
    const account = reader();
    const ids = issues.map(({ id }) => id);
    await write('list');
    it.turns.length = 0;
    const counted = await ask(account, ids);
    expect(it.turns).toEqual([]);
    await write('[list]');
    it.turns.length = 0;
    expect(await ask(account, ids)).toEqual(counted);
    expect(it.turns).toEqual([account, account, account]);
  });

  test('foreign values of property and field count as the panel shows them', async () => {
    const issues = await Promise.all(Array.from({ length: 4 }, () => newIssue(it)));
    const [text, rival, field, foreign] = issues as [IssueWork, IssueWork, IssueWork, IssueWork];
    await text.store('- a\n+ b');
    const fieldsOf = ({ id }: IssueWork) => it.tracker.issues.get(id)?.fields ?? {};
    fieldsOf(rival)[RIVAL_FIELD] = '- a';
    Object.assign(fieldsOf(field), { [OWN_FIELD]: '- ! a\n- b\n- c', [RIVAL_FIELD]: '- a' });
    await foreign.store({ list: ['a'] });
    expect(await counts(...issues)).toEqual([
      [1, 2, 0],
      [0, 1, 0],
      [0, 3, 1],
      [0, 0, 0],
    ]);
  });

  test('a deleted property is not an empty checklist', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    await issue.edit(tick(0, 'a'));
    const held = it.tracker.issues.get(issue.id);
    if (held) Object.assign(held, { properties: {}, fields: { ...held.fields, [OWN_FIELD]: null } });
    expect(await counts(issue)).toEqual([[1, 2, 0]]);
  });

  test('hidden, deleted and invalid issues are left out', async () => {
    const [open, hidden] = [await newIssue(it), await newIssue(it)];
    it.tracker.hidden.add(hidden.id);
    const found = await ask(reader(), [open.id, hidden.id, '99999999', 'ABC-1', '1; drop']);
    expect(found.map(({ issueId }) => issueId)).toEqual([open.id]);
    it.tracker.issues.delete(open.id);
    expect(await ask(reader(), [open.id])).toEqual([]);
    expect(await ask(reader(), [])).toEqual([]);
  });

  test('without an account or permission to view, no figures are returned', async () => {
    const issue = await newIssue(it);
    expect(await ask(anonymous.id, [issue.id])).toEqual([]);
    expect(await ask(reader([]), [issue.id])).toEqual([]);
    const looking = reader(['BROWSE_PROJECTS']);
    const [summary] = await ask(looking, [issue.id]);
    expect(Object.values(summary?.permissions ?? { none: true })).toEqual(Array(5).fill(false));
    const restrict = (on: boolean) =>
      use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, it.tenant.id]);
    await restrict(true);
    try {
      expect(await ask(reader(['BROWSE_PROJECTS']), [issue.id])).toEqual([]);
      expect(await ask(reader(['BROWSE_PROJECTS', own('view')]), [issue.id])).toHaveLength(1);
    } finally {
      await restrict(false);
    }
  });

  test('an unavailable tracker is an error, and no figures are returned', async () => {
    const issue = await newIssue(it);
    const account = reader();
    it.tracker.faults.push(({ path }) => (path.endsWith('/bulkfetch') ? 'down' : undefined));
    try {
      await expect(ask(account, [issue.id])).rejects.toThrow(storage.trackerUnavailable);
    } finally {
      it.tracker.faults.length = 0;
    }
  });
});
