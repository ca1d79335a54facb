import { expect, onTestFinished, test, vi } from 'vitest';
import { noProgress } from '../../../src/server/jobs/progress.ts';
import { runIssues } from '../../../src/server/jobs/run-issues.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import { RetryLater } from '../../../src/server/queue/queue.ts';
import type { Progress } from '../../../src/server/queue/wide-types.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { onStore } from '../support/stores.ts';
import { OURS, wideOf } from '../support/wide.ts';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

onStore(use => {
  const wide = wideOf(use);

  test('a pause requested by the tracker is kept, reported once, and costs no try', async () => {
    const { it, admin, withRival, ended, revisions } = wide;
    await withRival(4);
    let calls = 0;
    it.tracker.faults.push(({ path }) => {
      calls += 1;
      const later = path.includes('permissions') || path.endsWith('/field') || calls % 3 > 0;
      return later ? undefined : new Response('{}', { status: 429, headers: { 'retry-after': '3600' } });
    });
    const { job } = await admin.import();
    for (let round = 0; round < 40; round += 1) {
      await it.background.work({ ...it.jobs, ...it.wideJobs.jobs });
      it.elapse(3_600_000);
    }
    it.tracker.faults.length = 0;
    const end = await ended(job?.id);
    expect(end).toMatchObject({ state: 'DONE', seen: 4, done: 4, failed: 0 });
    // A limit is no failure of the tracker, and the line says until when.
    const waits = end.log.filter(({ message }) => message.includes('This continues'));
    expect(waits.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Jira limits .*\. This continues at \d\d:\d\d UTC\.$/),
    ]);
    expect(await revisions()).toHaveLength(4);
  });

  test('an issue for which the tracker always fails is tried twice, named, and keeps no other one waiting', async () => {
    const { it, admin, withRival, ended, revisions } = wide;
    const [, bad] = await withRival(3);
    it.tracker.faults.push(({ path }) =>
      path.includes(`/issue/${bad?.id}`) ? new Response('{}', { status: 500 }) : undefined,
    );
    const { job } = await admin.import();
    const end = await ended(job?.id);
    expect(end).toMatchObject({ state: 'DONE', seen: 3, done: 2, failed: 1 });
    expect(end.log.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "Jira doesn't answer. This continues when it does.",
        "Jira doesn't answer for this issue, but it does for others.",
      ]),
    );
    expect(await revisions()).toHaveLength(2);
  });

  test('after a kill the job continues page by page, and does nothing twice', async () => {
    const { it, admin, withRival, ended, revisions } = wide;
    it.tracker.page = 3;
    const issues = await withRival(8);
    const { job } = await admin.import({ mode: 'APPEND' });
    const id = job?.id ?? '';
    // A worker that hangs at its sixth issue.
    let reads = 0;
    it.tracker.faults.push(({ method, path }) => {
      if (method !== 'GET' || !/\/issue\/\d+$/.test(path)) return undefined;
      reads += 1;
      return reads > 5 ? 'down' : undefined;
    });
    await it.background.work(it.wideJobs.jobs);
    it.tracker.faults.length = 0;
    expect(await admin.find(id)).toMatchObject({ state: 'RUNNING', seen: 5, done: 5 });
    it.background.lose();

    await use().raw('delete from job where tenant <> $1', [it.tenant.id]);
    // The last issue was changed, but not recorded.
    const last = issues[4]?.id;
    await use().raw('delete from imported where tenant = $1 and issue = $2', [it.tenant.id, last]);
    await use().raw('update job set seen = 4, done = 4, issue_done = $2 where id = $1', [id, issues[3]?.id]);
    await it.wideJobs.recover();
    expect(await ended(id)).toMatchObject({ state: 'DONE', seen: 8, done: 8, failed: 0 });
    expect(await revisions()).toHaveLength(8);
    for (const issue of issues) expect(await issue.read()).toMatchObject({ text: OURS });
  });

  test('when the tracker rejects the page token, the job starts over and does nothing twice', async () => {
    const { it, admin, withRival, ended, revisions } = wide;
    it.tracker.page = 2;
    await withRival(5);
    const { job } = await admin.import({ mode: 'APPEND' });
    const id = job?.id ?? '';
    let pages = 0;
    it.tracker.faults.push(({ path }) => {
      if (!path.endsWith('/search/jql')) return undefined;
      pages += 1;
      return pages === 3 ? new Response('{}', { status: 400 }) : undefined;
    });
    const end = await ended(id);
    expect(end).toMatchObject({ state: 'DONE', seen: 5, done: 1, skipped: 4 });
    expect(end.log.map(({ message }) => message)).toContain(
      "Jira's list of issues was interrupted, so this started again.",
    );
    expect(await revisions()).toHaveLength(5);
  });

  test('a query refused by the tracker ends the job with the reason', async () => {
    const { it, admin, ended } = wide;
    it.tracker.faults.push(({ path }) =>
      path.endsWith('/search/jql') ? new Response('{}', { status: 400 }) : undefined,
    );
    const { job } = await admin.synchronize({ projectId: PROJECT });
    expect(await ended(job?.id)).toMatchObject({
      state: 'FAILED',
      ended: expect.any(String),
      log: [{ message: 'Jira refused the list of issues (error 400).' }],
    });
  });

  test('a cancelled job stops at once and keeps its finished issues', async () => {
    const { it, admin, withRival, ended } = wide;
    const issues = await withRival(4);
    const { job } = await admin.import();
    const id = job?.id ?? '';
    const { permitted } = it.checklists;
    let made = 0;
    vi.spyOn(it.checklists, 'permitted').mockImplementation(caller => ({
      ...permitted(caller),
      async change(request) {
        const outcome = await permitted(caller).change(request);
        made += 1;
        if (made === 2) await admin.cancel(id);
        return outcome;
      },
    }));
    expect(await ended(id)).toMatchObject({ state: 'CANCELLED', seen: 1, done: 1 });
    const stored = await Promise.all(issues.map(issue => issue.stored()));
    expect(stored.map(value => value !== undefined)).toEqual([true, true, false, false]);
    expect((await admin.cancel(id)).job).toMatchObject({ state: 'CANCELLED' });
    expect((await admin.import()).errors).toEqual([]);
  });

  test('the job of an uninstalled tenant ends', async () => {
    const { it, admin, withRival, revisions } = wide;
    await withRival(1);
    const { job } = await admin.import();
    await it.tenants.uninstall(it.tenant.id);
    await it.settled();
    const [row] = await use().raw('select state from job where id = $1', [job?.id]);
    expect(row).toEqual({ state: 'FAILED' });
    expect(await revisions()).toEqual([]);
  });

  test('on the stored queue, processes share a job and no job runs twice at once', async () => {
    const { it, admin, withRival } = wide;
    const { store, second } = use();
    const issues = await withRival(6);
    let [now, most] = [0, 0];
    const handlers: typeof it.wideJobs.jobs = {
      'site-wide': async (data, run) => {
        now += 1;
        most = Math.max(most, now);
        try {
          await it.wideJobs.jobs['site-wide'](data, run);
        } finally {
          now -= 1;
        }
      },
    };
    const errors: unknown[] = [];
    for (const each of [store, (await second?.()) ?? store]) {
      const queue = createQueue({
        store: each,
        metrics: createMetrics(),
        onError: e => errors.push(e),
        poll: 20,
      });
      onTestFinished(() => queue.stop());
      vi.spyOn(it.background, 'add').mockImplementation(queue.add);
      queue.start(handlers);
    }
    const [one, two] = [await admin.import(), await admin.import({ projectId: PROJECT, dryRun: true })];
    await vi.waitFor(
      async () => {
        expect(await admin.find(one.job?.id ?? '')).toMatchObject({ state: 'DONE', done: 6 });
        expect(await admin.find(two.job?.id ?? '')).toMatchObject({ state: 'DONE', seen: 6 });
      },
      { interval: 200 },
    );
    expect(most).toBe(1);
    expect(errors).toEqual([]);
    for (const issue of issues) expect(await issue.read()).toMatchObject({ text: OURS, source: 'PROPERTY' });
  });
});

test('a run without time left does one issue, so that the job ends eventually', async () => {
  const pages: Record<string, { issues: { id: string; key: string }[]; nextPageToken?: string }> = {
    '': { issues: ['1', '2'].map(id => ({ id, key: `A-${id}` })), nextPageToken: 'second' },
    second: { issues: [{ id: '3', key: 'A-3' }] },
  };
  const worked: string[] = [];
  let progress: Progress = noProgress;
  let state: string | undefined;
  const turn = () =>
    runIssues({
      job: {
        ...{ id: 'job', task: { kind: 'SYNCHRONIZE' }, scope: { kind: 'site' }, state: 'RUNNING', account: '' },
        ...{ created: new Date(), updated: new Date(), ended: null, progress },
      },
      tracker: async ({ query }) => ({ status: 200, body: pages[String(query?.nextPageToken ?? '')] }),
      begin: async () => ({
        ...{ fields: [], properties: [] },
        each: async ({ id }) => {
          worked.push(id);
          return { outcome: id === '3' ? 'done' : 'skipped' };
        },
      }),
      save: async next => {
        progress = next;
        return true;
      },
      end: async (ended, last) => {
        [state, progress] = [ended, last];
      },
      over: () => true,
      onError: expect.unreachable,
    });
  for (const _issue of ['1', '2', '3']) await expect(turn()).rejects.toBeInstanceOf(RetryLater);
  await turn();
  expect(worked).toEqual(['1', '2', '3']);
  expect({ state, ...progress }).toMatchObject({ state: 'DONE', seen: 3, done: 1, skipped: 2 });
});
