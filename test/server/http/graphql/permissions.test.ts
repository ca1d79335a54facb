import { randomUUID } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { anonymous } from '../../../../src/domain/user.ts';
import { hashText } from '../../../../src/server/text-workers/hash.ts';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, newIssue, own, update } from '../../support/checklists.ts';
import { onStore } from '../../support/stores.ts';
import { nameOf } from '../../support/sync.ts';

const REPORT = `mutation report($issue: ID!, $field: String, $lacking: [String!]) {
  reportSeen(issueId: $issue, field: $field, lacking: $lacking)
}`;
onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  /** The current flags on the issues whose checklists the account can view. */
  const ask = async (account: string, ids: readonly string[]) => {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const held = await it.checklists.of({ tenant, account }).flagsNow(ids);
    return [...held].flatMap(([issueId, { canViewChecklist, canChangeItemStatuses, canEditChecklist }]) =>
      canViewChecklist ? { issueId, permissions: { canChangeItemStatuses, canEditChecklist } } : [],
    );
  };
  const all = { canChangeItemStatuses: true, canEditChecklist: true };
  const none = { canChangeItemStatuses: false, canEditChecklist: false };

  test('permission flags of several issues are current, by one request', async () => {
    const account = randomUUID();
    const [first, second] = [await newIssue(it, EDITOR, account), await newIssue(it, EDITOR, account)];
    const ids = [first.id, second.id];
    const before = it.tracker.calls.length;
    expect(await ask(account, ids)).toEqual(ids.map(issueId => ({ issueId, permissions: all })));
    expect(it.tracker.calls).toHaveLength(before + 1);
    it.tracker.granted.set(account, ['BROWSE_PROJECTS']);
    expect(await ask(account, ids)).toEqual(ids.map(issueId => ({ issueId, permissions: none })));
    it.tracker.hidden.add(first.id);
    expect(await ask(account, ids)).toEqual([{ issueId: second.id, permissions: none }]);
    it.tracker.issues.delete(second.id);
    expect(await ask(account, [...ids, 'nonsense'])).toEqual([]);
  });

  test('an issue without permission to view its checklist is left out', async () => {
    const account = randomUUID();
    const { id } = await newIssue(it, ['BROWSE_PROJECTS'], account);
    const restrict = (on: boolean) =>
      use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, it.tenant.id]);
    await restrict(true);
    expect(await ask(account, [id])).toEqual([]);
    it.tracker.granted.set(account, ['BROWSE_PROJECTS', own('view')]);
    expect(await ask(account, [id])).toEqual([{ issueId: id, permissions: none }]);
    await restrict(false);
  });

  const report = async (account: string, issue: string, seen: object) => {
    const answer = await it.graphql(account, REPORT, { issue, ...seen });
    expect(answer).toMatchObject({ data: { reportSeen: true } });
  };

  test('a permission that the page reports as missing is refused at once, without a request where none was granted', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    await issue.edit(update('- a'));
    it.tracker.granted.set(account, ['BROWSE_PROJECTS']);
    const before = it.tracker.calls.length;
    await report(account, issue.id, { lacking: ['isAdmin', 'nonsense'] });
    await issue.edit(update('- b'));
    await report(account, issue.id, { lacking: ['canEditChecklist'] });
    expect(it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/permissions/check'))).toEqual([]);
    await expect(issue.edit(update('- c'))).rejects.toThrow();
    expect((await issue.read()).text).toBe('- b');
  });

  test('a field text reported by the page causes a read, unless it is the known one', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    await issue.edit(update('- a'));
    await it.settled();
    await issue.edit(update('- a\n- b'));
    const reads = async (text: string) => {
      const before = it.tracker.calls.length;
      await report(account, issue.id, { field: hashText(text) });
      await it.settled();
      return it.tracker.calls.slice(before).filter(call => nameOf(call) === 'read issue').length;
    };
    expect([await reads('- a'), await reads('- a\n- b'), await reads('- theirs')]).toEqual([0, 0, 1]);
  });

  const checks = (from: number) =>
    it.tracker.calls.slice(from).filter(({ path }) => path.endsWith('/permissions/check')).length;
  const refuse = (isRefused: (body: unknown) => boolean) => {
    it.tracker.faults.push(({ path, body }) =>
      path.endsWith('/permissions/check') && isRefused(body) ? new Response('{}', { status: 400 }) : undefined,
    );
    onTestFinished(() => {
      it.tracker.faults.length = 0;
    });
  };
  const thousand = Array.from({ length: 1_000 }, (_, index) => String(900_000 + index));

  test('an account that the tracker refuses costs a few calls, however many issues it names', async () => {
    refuse(() => true);
    const before = it.tracker.calls.length;
    expect(await ask(randomUUID(), thousand)).toEqual([]);
    expect(checks(before)).toBeLessThan(6);
  });

  test('ids that fail a check cost a limited number of calls, and few of them hide no others', async () => {
    const account = randomUUID();
    const { id } = await newIssue(it, EDITOR, account);
    const issuesOf = (body: unknown): number[] => Object(body).projectPermissions?.[0]?.issues ?? [];
    refuse(body => issuesOf(body).some(issue => issue >= 900_000));
    let before = it.tracker.calls.length;
    expect(await ask(account, ['900000', id])).toEqual([{ issueId: id, permissions: all }]);
    expect(checks(before)).toBeLessThan(6);
    before = it.tracker.calls.length;
    expect(await ask(account, thousand)).toEqual([]);
    expect(checks(before)).toBeLessThan(70);
  });

  test('without an account there are no permissions', async () => {
    const { id } = await newIssue(it);
    expect(await ask(anonymous.id, [id])).toEqual([]);
  });
});
