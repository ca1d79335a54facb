import { describe, expect, test, vi } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { askAs } from '../support/ask.ts';
import { add, EDITOR, type IssueWork, newIssue, update } from '../support/checklists.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD } from '../support/tracker.ts';
import { wideOf } from '../support/wide.ts';

const PROPERTY = storageKey('checklist');
const TEXT = '# H\n- ! a [~accountid:ann]\n+ [On hold] b (2026-12-24)\n- c';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

/** The check of all stored things, which repairs what differs. */
onStore(use => {
  const wide = wideOf(use);

  const check = async (input: { projectId?: string; issueId?: string } = {}) => {
    const { job } = await wide.admin.check(input);
    return wide.ended(job?.id);
  };

  async function settledIssue() {
    const issue = await newIssue(wide.it);
    await issue.edit(update(TEXT));
    await wide.it.settled();
    return issue;
  }

  test('finds nothing where all is as a fresh reading, and reads fifty issues by one call', async () => {
    // One after the other: jobs of a test queue that two drains run at a time may be overdue.
    const issues = [await settledIssue(), await settledIssue(), await settledIssue()];
    const before = wide.it.tracker.calls.length;
    expect(await check()).toMatchObject({ state: 'DONE', seen: 3, done: 0, skipped: 3, failed: 0, log: [] });
    const calls = wide.it.tracker.calls.slice(before).filter(({ path }) => path.includes('/issue'));
    expect(calls.map(({ path }) => path)).toEqual(['/rest/api/2/issue/bulkfetch']);
    expect(issues).toHaveLength(3);
  });

  test('brings back nothing of a deleted issue, and neither does a change of statuses', async () => {
    const { it, admin } = wide;
    const issue = await settledIssue();
    it.tracker.issues.delete(issue.id);
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    await it.sync.noticed({ tenant, account: 'mallory' }, issue.id, { kind: 'deleted', mayHide: false });
    await it.settled();
    await askAs(it, 'admin').mutate('createStatus', { name: 'On hold', color: 'red', checked: false });
    await it.settled();
    expect(await check()).toMatchObject({ state: 'DONE', seen: 0, log: [] });
    expect((await admin.list()).find(({ kind }) => kind === 'REFRESH')).toMatchObject({ state: 'DONE', seen: 0 });
    for (const table of ['assigned_item', 'status_use', 'sync'])
      expect(await use().raw(`select issue from ${table} where issue = $1`, [issue.id]), table).toEqual([]);
  });

  const damages: [string, string, string | ((issue: IssueWork) => void)][] = [
    ['assigned items', 'assigned items', "update assigned_item set text = 'x' where issue = $1"],
    ['lost assigned items', 'assigned items', 'delete from assigned_item where issue = $1'],
    ['counts', 'counts of items', 'update checklist set open = 9 where issue = $1'],
    [
      'uses of statuses',
      'the use of statuses',
      "insert into status_use select tenant, issue, 'x', 3 from checklist where issue = $1",
    ],
    [
      'uses of templates that are deleted for good',
      'the use of templates',
      "insert into template_use (tenant, issue, template) select tenant, issue, 'x' from checklist where issue = $1",
    ],
    ['the verdict', 'what workflow rules read', "update sync set verdict = 'x' where issue = $1"],
    [
      'ids of rows',
      'a stored value, the issue property, assigned items',
      `update revision set rows = '{"a": 1}' where issue = $1`,
    ],
    ['the newest version', 'a stored value, the issue property', 'update checklist set seq = seq + 5 where issue = $1'],
    ['the property', 'the issue property', issue => void delete held(issue).properties[PROPERTY]],
    [
      "the property's sentences",
      'the issue property',
      issue => {
        const { rules: _, ...value } = held(issue).properties[PROPERTY] as Record<string, unknown>;
        held(issue).properties[PROPERTY] = value;
      },
    ],
  ];
  const held = (issue: IssueWork) => {
    const found = wide.it.tracker.issues.get(issue.id);
    if (!found) throw new Error('No issue.');
    return found;
  };

  const derived = async (issue: IssueWork) => ({
    uses: await use().raw('select template from template_use where issue = $1', [issue.id]),
    verdict: await use().raw('select verdict from sync where issue = $1', [issue.id]),
  });

  describe.each(damages)('repairs %s', (damaged, words, damage) => {
    test('and says so', async () => {
      const [issue, other] = [await settledIssue(), await settledIssue()];
      const value = structuredClone(held(issue).properties[PROPERTY]);
      const before = await derived(issue);
      if (typeof damage === 'string') await use().raw(damage, [issue.id]);
      else damage(issue);
      const done = await check();
      expect(done).toMatchObject({ state: 'DONE', seen: 2, done: 1, failed: 0 });
      expect(done.log.map(({ issue: key, message }) => [key, message])).toEqual([
        [`PR-${issue.id}`, `Repaired: ${words}.`],
      ]);
      // Rows without known ids get new ones with their next change.
      const expected = damaged === 'ids of rows' ? { ...Object(value), rows: undefined } : value;
      expect(held(issue).properties[PROPERTY]).toEqual(expected);
      expect(await derived(issue)).toEqual(before);
      expect((await check()).log).toEqual([]);
      await issue.edit(add('more'));
      expect(await issue.text()).toBe(`${TEXT}\n- more`);
      expect(await other.text()).toBe(TEXT);
    });
  });

  test('a copy that lost its job is written', async () => {
    const issue = await settledIssue();
    await issue.edit(add('more'));
    wide.it.background.lose();
    expect((await check()).log.map(({ message }) => message)).toEqual(['Repaired: lost work.']);
    expect(held(issue).fields[OWN_FIELD]).toBe(`${TEXT}\n- more`);
  });

  test('the copies of an issue that counted as missing are written once the tracker shows it, without a sweep', async () => {
    const issue = await settledIssue();
    await issue.edit(add('more'));
    wide.it.background.lose();
    await use().raw("update sync set missing = now() - interval '1 hour' where issue = $1", [issue.id]);
    expect((await check()).log.map(({ message }) => message)).toEqual([
      'Repaired: the issue property, the Checklist Text field, lost work.',
    ]);
    expect(held(issue).fields[OWN_FIELD]).toBe(`${TEXT}\n- more`);
    expect((await check()).log).toEqual([]);
  });

  test('a copy that is still refused is named with the reason, and counted', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const issue = await settledIssue();
    wide.it.tracker.faults = [
      ({ method, path }) =>
        method === 'PUT' && path.endsWith(`/issue/${issue.id}`) ? new Response('{}', { status: 403 }) : undefined,
    ];
    await issue.edit(add('more'));
    await wide.it.settled();
    // The queue of these tests is in memory.
    await use().raw(
      `insert into queue (tenant, key, name, data, due) values ($1, $2, 'sync', '{}', now() + interval '2 minutes')`,
      [wide.it.tenant.id, issue.id],
    );
    expect(await askAs(wide.it, 'admin').ask('{ storedData { stale refused { copy reason issues } } }')).toEqual({
      stale: 0,
      refused: [{ copy: 'field', reason: 'forbidden', issues: 1 }],
    });
    expect(await check()).toMatchObject({ state: 'DONE', done: 0, failed: 1 });
    wide.it.tracker.faults = [];
    expect((await check()).log.map(({ message }) => message)).toEqual(['Jira took the copies.']);
    expect(held(issue).fields[OWN_FIELD]).toBe(`${TEXT}\n- more`);
  });

  test('is for administrators of the site or the project, and for editors of an issue', async () => {
    const issue = await settledIssue();
    wide.it.tracker.granted.set('editor', EDITOR);
    await expect(askAs(wide.it, 'editor').ask('{ storedData { stale } }')).rejects.toThrow('permission');
    expect((await jobsOf(wide.it, 'editor').check()).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await jobsOf(wide.it, 'editor').check({ issueId: issue.id })).errors).toEqual([]);
  });
});
