import { randomUUID } from 'node:crypto';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { add, type IssueWork, newIssue } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { asObject, onSync, PROPERTY } from '../support/sync.ts';
import { RIVAL_FIELD } from '../support/tracker.ts';

/** Points per hour, and of a read of a hundred issues. */
const POINTS = 65_000;
const READ = 101;

/** Properties that were made with other statuses. */
onSync(({ use, it, work }) => {
  const run = { signal: new AbortController().signal, lastTry: false };
  const sweep = () => it.jobs.sweep({ tenant: it.tenant.id }, run);
  afterEach(() => use().raw('update sync set property_wanted = false, property_refused = null, pending_seq = null'));

  const held = (issue: IssueWork) => work.held(issue).properties[PROPERTY];

  /** An issue with a stale property, without `rules`. */
  async function stale(text = '- a\n- b') {
    const issue = await work.settledIssue(text);
    const { rules, ...value } = { rules: undefined, ...asObject(held(issue)) };
    expect(rules).toBeDefined();
    work.place(issue, value);
    await use().raw(
      `update sync set property_registry = 'stale', property_print = 'stale', verdict = 'stale', swept = now()
       where issue = $1`,
      [issue.id],
    );
    return issue;
  }

  test('are written once more, with one call each, and no others', async () => {
    const current = await work.settledIssue('- a');
    const [first, second] = [await stale(), await stale()];
    const before = it.tracker.calls.length;
    await sweep();
    await it.settled();
    const writes = it.tracker.calls.slice(before).filter(({ method }) => method === 'PUT');
    expect(writes.map(({ path }) => path)).toEqual(
      [first, second].map(({ id }) => expect.stringContaining(`/issue/${id}/properties/`)),
    );
    for (const issue of [first, second]) expect(await issue.stored()).toMatchObject({ rules: { total: 2 } });
    expect(await work.callsOf(async () => sweep().then(it.settled))).toEqual([]);
    expect(await current.stored()).toMatchObject({ rules: { total: 1 } });
  });

  test('come due one after the other', async () => {
    for (let count = 0; count < 3; count += 1) await stale();
    const added = vi.spyOn(it.background, 'add');
    onTestFinished(() => added.mockRestore());
    await sweep();
    const [one = 0, two = 0, three = 0] = added.mock.calls.flatMap(([name, , options]) =>
      name === 'write-property' ? (options?.after ?? 0) : [],
    );
    expect([two - one, three - two]).toEqual([7_000, 7_000]);
    await it.settled();
  });

  test('are left where the tracker refused the write, and a checklist that is never written is left, too', async () => {
    provokes({ differences: true });
    const refused = await stale();
    await use().raw(
      `update sync set property_refused = 'forbidden', property_wanted = true, property_retry = now() + interval '6 hours'
        where issue = $1`,
      [refused.id],
    );
    const shown = await newIssue(it);
    work.held(shown).fields[RIVAL_FIELD] = '- a';
    await shown.read();
    expect(await work.callsOf(async () => sweep().then(it.settled))).toEqual([]);
  });

  test('wait with jobs beyond 70 % of the hour’s points, but not where they changed', async () => {
    provokes({ differences: true });
    const [waiting, changed] = [await stale(), await stale()];
    const issueIdsOrKeys = Array.from({ length: READ - 1 }, randomUUID);
    const call = { name: 'readIssues', method: 'POST', path: '/bulkfetch', json: { issueIdsOrKeys } } as const;
    await sweep();
    for (let spent = 0; spent < 0.75 * POINTS; spent += READ)
      it.quota.ask(it.tenant.id, call, { work: 'person', account: null });
    await it.background.work(it.jobs);
    for (const issue of [waiting, changed]) expect(held(issue)).not.toHaveProperty('rules');
    await changed.edit(add('c'));
    await it.background.work(it.jobs);
    expect(held(changed)).toMatchObject({ rules: { total: 3 } });
    expect(held(waiting)).not.toHaveProperty('rules');
  });
});
