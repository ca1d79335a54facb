import { afterEach, describe, expect, test } from 'vitest';
import { type IssueWork, tick } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onSync, PROPERTY } from '../support/sync.ts';
import { OWN_FIELD, writeFields } from '../support/tracker.ts';

/** Foreign changes without an event. */
onSync(({ use, it, work }) => {
  afterEach(async () => {
    await use().raw('delete from sync where missing is not null');
    await use().raw('update sync set property_written = null, field_written = null, swept = now()');
  });

  const run = { signal: new AbortController().signal, lastTry: false };
  const sweep = () => it.jobs.sweep({ tenant: it.tenant.id }, run);
  /** Reads of many issues that a sweep makes. */
  async function sweepCalls(): Promise<{ path: string; body: unknown }[]> {
    const before = it.tracker.calls.length;
    await sweep();
    return it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/bulkfetch'));
  }
  const byMallory = (issue: IssueWork, text: string) => writeFields(work.held(issue), { [OWN_FIELD]: text }, 'mallory');

  /** A foreign field change without an event, overwritten by the app. */
  async function overwritten(): Promise<IssueWork> {
    const issue = await work.settledIssue('- a\n- b');
    byMallory(issue, '- a\n- b\n- theirs');
    await issue.edit(tick(0, 'a'));
    await it.settled();
    expect(work.field(issue)).toBe('+ a\n- b');
    return issue;
  }

  test('an overwritten field change is found in the changelog', async () => {
    const issue = await overwritten();
    await sweep();
    await work.quiet(issue, '+ a\n- b\n- theirs');
    expect(await work.history(issue)).toContainEqual(expect.objectContaining({ account: 'mallory' }));
  });

  describe('where the platform denies changelogs of many issues, as to every Connect app', () => {
    afterEach(() => {
      it.tracker.hasBulkChangelogs = true;
    });

    test('an overwritten field change is found, and the sweep ends', async () => {
      it.tracker.hasBulkChangelogs = false;
      const issue = await overwritten();
      const before = it.tracker.calls.length;
      await sweep();
      const logs = it.tracker.calls.slice(before).filter(({ path }) => path.includes('changelog'));
      expect(logs.map(({ path }) => path)).toEqual([
        '/rest/api/3/changelog/bulkfetch',
        `/rest/api/3/issue/${issue.id}/changelog`,
      ]);
      await work.quiet(issue, '+ a\n- b\n- theirs');
      expect(await use().raw('select 1 from sync where issue = $1 and swept is not null', [issue.id])).toHaveLength(1);
    });

    test('an issue whose changelog is denied stops neither the others nor the sweep', async () => {
      it.tracker.hasBulkChangelogs = false;
      const [denied, issue] = [await overwritten(), await overwritten()];
      it.tracker.faults.push(({ path }) =>
        path === `/rest/api/3/issue/${denied.id}/changelog` ? new Response('{}', { status: 403 }) : undefined,
      );
      await sweep();
      await work.quiet(issue, '+ a\n- b\n- theirs');
    });
  });

  test('a property whose text was written without its counts is written again', async () => {
    const issue = await work.settledIssue('- a\n+ b');
    const written = work.held(issue).properties[PROPERTY];
    // An own write that the tracker confirmed, but did not store.
    Object.assign(work.held(issue).properties, { [PROPERTY]: { ...Object(written), progress: { total: 9 } } });
    await use().raw('update sync set property_written = now() where issue = $1', [issue.id]);
    await sweep();
    await it.settled();
    expect(work.held(issue).properties[PROPERTY]).toEqual(written);
    expect(await work.callsOf(sweep)).toEqual([]);
  });

  test('an overwritten field change is found in paged changelogs', async () => {
    const issues = [await overwritten(), await overwritten()];
    it.tracker.page = 1;
    await sweep().finally(() => {
      it.tracker.page = 50;
    });
    for (const issue of issues) await work.quiet(issue, '+ a\n- b\n- theirs');
  });

  test('an overwritten field change is found when the field was written long after the property', async () => {
    const issue = await overwritten();
    await use().raw("update sync set property_written = now() - interval '1 day', swept = now() - interval '1 hour'");
    await sweep();
    await work.quiet(issue, '+ a\n- b\n- theirs');
  });

  describe('of an issue that is no longer visible', () => {
    /** Changes an issue and hides it when its copies are due. `show` makes it visible again. */
    async function hidden(): Promise<{ issue: IssueWork; show(): void }> {
      const issue = await work.settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      const held = work.held(issue);
      it.tracker.issues.delete(issue.id);
      await it.settled();
      return { issue, show: () => it.tracker.issues.set(issue.id, held) };
    }
    const kept = (issue: IssueWork) => use().raw('select 1 from sync where issue = $1', [issue.id]);

    test('where the project denies the app, it is read once, not again and again, and found by a sweep', async () => {
      provokes({ errors: /CopyRefused/ });
      const issue = await work.settledIssue('- a');
      await issue.edit(tick(0, 'a'));
      await work.event(issue);
      const held = work.held(issue);
      it.tracker.faults.push(({ path }) =>
        path.startsWith(`/rest/api/2/issue/${issue.id}`) ? new Response('{}', { status: 403 }) : undefined,
      );
      it.tracker.issues.delete(issue.id);
      const calls = await work.callsOf(async () => {
        expect(await it.background.work(it.jobs)).toEqual([]);
        await sweep();
        expect(await it.background.work(it.jobs)).toEqual([]);
      });
      expect(calls).toEqual(['read issue']);
      expect(it.background.waiting()).toEqual([]);
      // The checklist stays usable.
      expect(await issue.read()).toMatchObject({ text: '+ a' });
      it.tracker.faults = [];
      it.tracker.issues.set(issue.id, held);
      await sweep();
      await work.quiet(issue, '+ a');
    });

    test('the copies are updated when it is visible again', async () => {
      const { issue, show } = await hidden();
      await sweep();
      expect(it.background.waiting()).toEqual([]);
      show();
      await sweep();
      await work.quiet(issue, '+ a');
    });

    test('the state is deleted after a week, and until then read once per sweep', async () => {
      const [first, second] = [await hidden(), await hidden()];
      expect((await sweepCalls()).filter(({ path }) => path === '/rest/api/2/issue/bulkfetch')).toHaveLength(1);
      expect(await kept(first.issue)).toHaveLength(1);
      await use().raw("update sync set missing = now() - interval '8 days' where issue = $1", [first.issue.id]);
      await sweep();
      await it.settled();
      expect(await kept(first.issue)).toEqual([]);
      expect(await kept(second.issue)).toHaveLength(1);
    });
  });

  test('a change still in the field is found', async () => {
    const issue = await work.settledIssue('- a');
    byMallory(issue, '- a\n- theirs');
    await sweep();
    await work.quiet(issue, '- a\n- theirs');
  });

  test('one call reads the changelogs of all active issues, and others are not read', async () => {
    const issues = [await work.settledIssue('- a'), await work.settledIssue('- b')];
    const calls = (await sweepCalls()).filter(({ path }) => path.endsWith('/changelog/bulkfetch'));
    expect(calls).toEqual([
      expect.objectContaining({
        body: expect.objectContaining({ issueIdsOrKeys: issues.map(({ id }) => id), fieldIds: [OWN_FIELD] }),
      }),
    ]);
    // Written long before the last sweep.
    await use().raw("update sync set swept = now() + interval '20 minutes'");
    expect(await sweepCalls()).toEqual([]);
  });

  test('what the tracker refuses keeps nothing else from being found', async () => {
    const issue = await overwritten();
    const [behind, stale] = [await work.settledIssue('- a'), await work.settledIssue('- a')];
    await use().raw("update sync set property_registry = 'stale', property_print = 'stale' where issue = $1", [
      stale.id,
    ]);
    await behind.edit(tick(0, 'a'));
    it.background.lose();
    it.tracker.faults = [
      ({ path }) => (path.endsWith('/issue/bulkfetch') ? new Response('{}', { status: 403 }) : undefined),
    ];
    await expect(sweep()).rejects.toThrow(
      '4 done, 1 refused: foreign copies (The tracker answered 403 to readIssues.)',
    );
    it.tracker.faults = [];
    await it.settled();
    await work.quiet(issue, '+ a\n- b\n- theirs');
    await work.quiet(behind, '+ a');
    expect(
      await use().raw("select from sync where issue = $1 and property_registry <> 'stale'", [stale.id]),
    ).toHaveLength(1);
  });

  test('a failed sweep is repeated over the same issues', async () => {
    const issue = await overwritten();
    it.tracker.faults = [({ path }) => (path.endsWith('/changelog/bulkfetch') ? new Response('{}') : undefined)];
    await expect(sweep()).rejects.toThrow();
    it.tracker.faults = [];
    await sweep();
    await work.quiet(issue, '+ a\n- b\n- theirs');
  });
});
