import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { add, type IssueWork, tick } from '../support/checklists.ts';
import { onSync } from '../support/sync.ts';
import { type Fault, isPropertyWrite } from '../support/tracker.ts';

/** Points per hour, and of a read of a hundred issues. */
const POINTS = 65_000;
const READ = 101;
const MINUTE = 60_000;

/** Property writes that change the verdict of workflow rules, with 92 % of the hour's points used. */
onSync(({ use, it, work }) => {
  let issues: IssueWork[];
  beforeAll(async () => {
    issues = [];
    for (let count = 0; count < 5; count += 1) {
      const issue = await work.settledIssue('- a\n- b');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      issues.push(issue);
    }
    const issueIdsOrKeys = Array.from({ length: READ - 1 }, randomUUID);
    const call = { name: 'readIssues', method: 'POST', path: '/bulkfetch', json: { issueIdsOrKeys } } as const;
    for (let spent = 0; spent < 0.92 * POINTS; spent += READ)
      it.quota.ask(it.tenant.id, call, { work: 'person', account: null });
  });

  function next(): IssueWork {
    const issue = issues.pop();
    if (!issue) throw new Error('No issue is left.');
    return issue;
  }
  const writes = async () =>
    (await work.callsOf(() => it.background.work(it.jobs))).filter(name => name.endsWith('property'));
  const tickWith = async (issue: IssueWork, fault: Fault) => {
    await issue.edit(tick(1, 'b'));
    it.tracker.faults = [fault];
    await it.background.work(it.jobs);
    it.tracker.faults = [];
    it.elapse(MINUTE / 2);
  };
  const textOf = (issue: IssueWork) => work.held(issue).properties;

  test('are made, while writes without a changed verdict wait', async () => {
    const issue = next();
    await issue.edit(add('c'));
    expect(await writes()).toEqual([]);
    await issue.edit(tick(1, 'b'));
    await issue.edit(tick(2, 'c'));
    expect(await writes()).toEqual(['write property']);
    expect(JSON.stringify(textOf(issue))).toContain('+ c');
  });

  test('are made also where the property has to be read before', async () => {
    const issue = next();
    await use().raw("update sync set watch = 'before a deployment' where issue = $1", [issue.id]);
    await issue.edit(tick(1, 'b'));
    expect(await writes()).toEqual(['write property']);
  });

  test('are retried after a limit of the issue', async () => {
    const issue = next();
    const headers = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': '20' };
    await tickWith(issue, call => (isPropertyWrite(call) ? new Response('{}', { status: 429, headers }) : undefined));
    const calls = await work.callsOf(() => it.background.work(it.jobs));
    // The refused write had no effect: nothing is read again.
    expect(calls).toEqual(['write property']);
  });

  test('are retried after a write without an answer', async () => {
    const issue = next();
    await tickWith(issue, call => (isPropertyWrite(call) ? 'down' : undefined));
    expect(await work.callsOf(() => it.background.work(it.jobs))).toEqual(['read issue', 'write property']);
  });
});
