import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../../../src/server/http/metrics.ts';
import { createQueue } from '../../../src/server/jobs/create.ts';
import { CHANNEL } from '../../../src/server/live/announce.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, update } from '../support/checklists.ts';
import { jobsOf } from '../support/jobs.ts';
import { PROJECT } from '../support/making.ts';
import { onBothStores } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

// Each of them works through a whole job.
vi.setConfig({ testTimeout: 30_000 });
const ADMIN = [...EDITOR, 'ADMINISTER'];
const RIVAL = '# Default checklist\n[x] Review\n[] ? Test\n>> also on phones\n--- Release\nTell support';
const OURS = '# Default checklist\n+ Review\n- Test\n> also on phones\n## Release\n- Tell support';

onBothStores(use => {
  let it: TestApp;
  let admin: ReturnType<typeof jobsOf>;

  beforeEach(async () => {
    it = await startApp(use().store);
    admin = jobsOf(it, 'admin');
    it.tracker.granted.set('admin', ADMIN);
    return () => it.app.close();
  });

  const fieldsOf = (id: string) => it.tracker.issues.get(id)?.fields ?? {};

  /** Issues with the rival's text in its field. */
  const withRival = (count: number, text = RIVAL) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const issue = await newIssue(it);
        fieldsOf(issue.id)[RIVAL_FIELD] = text;
        return issue;
      }),
    );

  const ended = async (id = '') => {
    await it.settled();
    return admin.find(id);
  };

  /** Our own; what was there before is a revision too. */
  const revisions = () =>
    use().raw(
      `select issue, seq, client, account, kind, text from revision
       where tenant = $1 and client not like 'foreign %' order by issue, seq`,
      [it.tenant.id],
    );

  test('starts with the words for it, and tells how far it is', async () => {
    await withRival(3);
    const { job, message, errors } = await admin.import();
    expect({ message, errors }).toEqual({ message: 'Import has started successfully.', errors: [] });
    expect(job).toMatchObject({ state: 'QUEUED', kind: 'IMPORT', mode: 'OVERRIDE', account: 'admin', seen: 0 });
    expect(await ended(job?.id)).toMatchObject({
      ...{ state: 'DONE', total: 3, seen: 3, done: 3, skipped: 0, failed: 0 },
      log: [1, 2, 3].map(() => ({ message: '3 items imported.', issue: expect.stringMatching(/^P-/) })),
    });
    const { message: said } = await admin.synchronize();
    expect(said).toBe('Synchronization has started succesfully.');
  });

  test('who may start, watch and cancel what', async () => {
    const issue = await newIssue(it);
    it.tracker.granted.set('editor', EDITOR);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('viewer', ['BROWSE_PROJECTS']);
    const [editor, lead, viewer] = ['editor', 'lead', 'viewer'].map(account => jobsOf(it, account));
    if (!editor || !lead || !viewer) throw new Error();
    const forbidden = (words: string) => [{ code: 'FORBIDDEN', message: expect.stringContaining(words) }];
    const project = { projectId: PROJECT };

    for (const somebody of [editor, lead, jobsOf(it, 'anonymous')]) {
      expect((await somebody.synchronize()).errors).toEqual(forbidden('Contact your Site Administrator'));
      expect((await somebody.import()).errors).toEqual(forbidden('Contact your Site Administrator'));
      await expect(somebody.list()).rejects.toThrow('Contact your Site Administrator');
    }
    expect((await editor.synchronize(project)).errors).toEqual(forbidden('missing Administer Project'));
    expect((await lead.synchronize({ projectId: '10999' })).errors).toEqual(forbidden('missing Administer Project'));
    expect((await lead.synchronize({ projectId: "1' or" })).errors).toEqual(forbidden('missing Administer Project'));
    expect((await viewer.import({ issueId: issue.id })).errors).toEqual(forbidden('Contact'));
    expect((await viewer.import({ issueId: '99999' })).errors).toEqual(forbidden('Contact'));

    expect((await editor.import({ issueId: issue.id })).job).toMatchObject({ issueId: issue.id });
    const { job } = await lead.synchronize(project);
    const id = job?.id ?? '';
    expect(job).toMatchObject({ projectId: PROJECT });
    expect(await lead.list(project)).toMatchObject([{ id }]);
    expect(await lead.find(id)).toMatchObject({ id });
    await expect(viewer.find(id)).rejects.toThrow('missing Administer Project');
    expect((await viewer.cancel(id)).errors).toEqual(forbidden('missing Administer Project'));
    expect((await admin.cancel(id)).job).toMatchObject({ state: 'CANCELLED' });
    for (const unknown of [randomUUID(), 'x', "' or 1"]) {
      await expect(admin.find(unknown)).rejects.toThrow('There is no such job.');
      expect((await admin.cancel(unknown)).errors).toMatchObject([{ code: 'NOT_FOUND' }]);
    }
  });

  test("another tenant's jobs are not there", async () => {
    const { job } = await admin.synchronize();
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', ADMIN);
    await expect(jobsOf(other, 'admin').find(job?.id ?? '')).rejects.toThrow('There is no such job.');
    expect(await jobsOf(other, 'admin').list()).toEqual([]);
    await other.app.close();
  });

  test('a tracker that does not answer, or a queue that fails, starts nothing', async () => {
    it.tracker.faults.push(() => 'down');
    expect((await admin.synchronize()).errors).toEqual([
      { code: 'TRACKER_UNAVAILABLE', message: 'Could not start synchronization.' },
    ]);
    it.tracker.faults.length = 0;
    vi.spyOn(it.background, 'add').mockRejectedValue(new Error('full'));
    expect((await admin.synchronize()).errors).toEqual([
      { code: 'UNKNOWN', message: 'Could not start synchronization.' },
    ]);
    expect(await admin.list()).toEqual([]);
    expect(it.logged.join()).toContain('full');
  });

  test('the same job twice is one job; another of its kind there has to wait', async () => {
    const first = await admin.import({ dryRun: true });
    expect((await admin.import({ dryRun: true })).job?.id).toBe(first.job?.id);
    expect((await admin.import()).errors).toMatchObject([{ code: 'BUSY' }]);
    expect((await admin.import({ projectId: PROJECT })).job).toMatchObject({ projectId: PROJECT });
    expect((await admin.synchronize()).errors).toEqual([]);
    await it.settled();
    expect((await admin.import()).errors).toEqual([]);
  });

  test('import: the checklist is in our notation, in the property, in the history, by whoever started it', async () => {
    const [issue] = await withRival(1);
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({ done: 1 });
    expect(issue?.text()).toBe(OURS);
    expect(fieldsOf(issue?.id ?? '')).toMatchObject({ [RIVAL_FIELD]: RIVAL, [OWN_FIELD]: OURS });
    expect(await revisions()).toMatchObject([{ account: 'admin', kind: 'updateChecklistFromText', text: OURS }]);
  });

  test("import: from the rival's property where there is no field; nothing from others' properties", async () => {
    const [one, two, three] = [await newIssue(it), await newIssue(it), await newIssue(it)];
    Object.assign(it.tracker.issues.get(one.id)?.properties ?? {}, {
      checklist: { items: '[x] Review\nTest', allItems: 2 },
    });
    Object.assign(it.tracker.issues.get(two.id)?.properties ?? {}, { checklist: [{ name: 'Step', checked: true }] });
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({ seen: 3, done: 1, skipped: 2 });
    expect(one.text()).toBe('+ Review\n- Test');
    expect([two.stored(), three.stored()]).toEqual([undefined, undefined]);
  });

  test.each([
    ['OVERRIDE', OURS, OURS],
    ['APPEND', `- Mine\n${OURS}`, OURS],
    ['ONLY_EMPTY', '- Mine', OURS],
  ])('import: %s where there is a checklist, and where there is none', async (mode, there, none) => {
    const [filled, empty] = await withRival(2);
    await filled?.edit(update('- Mine\n'));
    await it.settled();
    const { job } = await admin.import({ mode });
    await ended(job?.id);
    expect(filled?.text().trimEnd()).toBe(there);
    expect(empty?.text()).toBe(none);
  });

  test('import: what people did since is not undone by importing again; what changed at the rival is taken', async () => {
    const [issue] = await withRival(1);
    await admin.import();
    await it.settled();
    await issue?.edit(update(`${OURS}\n- And more`));
    it.tracker.granted.set('other', ADMIN);
    const again = await jobsOf(it, 'other').import();
    expect(await ended(again.job?.id)).toMatchObject({ done: 0, skipped: 1 });
    expect(issue?.text()).toBe(`${OURS}\n- And more`);

    fieldsOf(issue?.id ?? '')[RIVAL_FIELD] = 'New';
    await admin.import({ mode: 'APPEND' });
    await it.settled();
    expect(issue?.text()).toBe(`${OURS}\n- And more\n- New`);
  });

  test('import: a dry run says what would be done, and does nothing', async () => {
    const issues = await withRival(2);
    await newIssue(it);
    const writes = () => it.tracker.calls.filter(({ method, path }) => method === 'PUT' || path.includes('properties'));
    const before = writes().length;
    const { job } = await admin.import({ dryRun: true });
    expect(await ended(job?.id)).toMatchObject({
      ...{ state: 'DONE', dryRun: true, seen: 3, done: 2, skipped: 1 },
      log: issues.map(({ id }) => ({ issue: `P-${id}`, message: '3 items would be imported.' })),
    });
    expect(writes()).toHaveLength(before);
    expect(await revisions()).toEqual([]);
    expect(await use().raw('select 1 from imported where tenant = $1', [it.tenant.id])).toEqual([]);
  });

  test('import: an issue that refuses is told of and left, the others go on', async () => {
    const [one, two, three] = await withRival(3);
    fieldsOf(two?.id ?? '')[RIVAL_FIELD] = 'x'.repeat(33_000);
    it.tracker.faults.push(({ method, path }) =>
      method === 'PUT' && path.includes(`/${three?.id}/properties`) ? new Response('{}', { status: 403 }) : undefined,
    );
    const { job } = await admin.import();
    expect(await ended(job?.id)).toMatchObject({
      ...{ state: 'DONE', done: 1, failed: 2 },
      log: [
        { issue: `P-${one?.id}`, message: '3 items imported.' },
        { issue: `P-${two?.id}`, message: expect.stringContaining('too large') },
        { issue: `P-${three?.id}`, message: expect.stringContaining('permission') },
      ],
    });
  });

  test('nothing of a checklist gets into the job, its queue or the log', async () => {
    await withRival(1, '[x] the secret of the house');
    await admin.import();
    await it.settled();
    const { raw } = use();
    expect(await revisions()).toMatchObject([{ text: '+ the secret of the house' }]);
    const kept = JSON.stringify([await raw('select * from job'), await raw('select * from pgboss.job'), it.logged]);
    expect(kept).not.toContain('secret of the house');
  });

  test('synchronise: takes in what others wrote, adopts what is in one storage only, leaves the rest alone', async () => {
    const [ours, text, field, rival, none] = await Promise.all(Array.from({ length: 5 }, () => newIssue(it)));
    if (!ours || !text || !field || !rival || !none) throw new Error();
    await ours.edit(update('- One'));
    await it.settled();
    fieldsOf(ours.id)[OWN_FIELD] = '- One\n- By hand';
    text.store('- Left there');
    fieldsOf(field.id)[OWN_FIELD] = '- Written by automation';
    fieldsOf(rival.id)[RIVAL_FIELD] = RIVAL;

    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 5, done: 3, skipped: 2, failed: 0 });
    expect(ours.text()).toBe('- One\n- By hand');
    expect([text.text(), fieldsOf(text.id)[OWN_FIELD]]).toEqual(['- Left there', '- Left there']);
    expect([field.text(), fieldsOf(field.id)[OWN_FIELD]]).toEqual([
      '- Written by automation',
      '- Written by automation',
    ]);
    expect([rival.stored(), none.stored()]).toEqual([undefined, undefined]);

    const before = await revisions();
    const again = await admin.synchronize();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 3, failed: 0 });
    expect(await revisions()).toEqual(before);
  });

  test('synchronise: one issue alone, for whoever edits its checklist', async () => {
    const [here, there] = [await newIssue(it), await newIssue(it)];
    for (const { store } of [here, there]) store('- Left there');
    it.tracker.granted.set('seer', ['BROWSE_PROJECTS']);
    it.tracker.granted.set('writer', EDITOR);
    const issueId = here.id;
    expect((await jobsOf(it, 'seer').synchronize({ issueId })).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    const { job, errors } = await jobsOf(it, 'writer').synchronize({ issueId });
    expect(errors).toEqual([]);
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', issueId: here.id, seen: 1, done: 1, failed: 0 });
    expect(fieldsOf(here.id)[OWN_FIELD]).toBe('- Left there');
    expect(there.stored()).toBe('- Left there');
  });

  test('a pause that the tracker asks for is kept, told once, and costs nothing', async () => {
    await withRival(4);
    let calls = 0;
    it.tracker.faults.push(({ path }) => {
      calls += 1;
      const later = path.includes('permissions') || path.endsWith('/field') || calls % 3 > 0;
      return later ? undefined : new Response('{}', { status: 429, headers: { 'retry-after': '3600' } });
    });
    const { job } = await admin.import();
    for (let round = 0; round < 40; round += 1)
      await it.background.work({ ...it.checklists.jobs, ...it.wideJobs.jobs });
    it.tracker.faults.length = 0;
    const end = await ended(job?.id);
    expect(end).toMatchObject({ state: 'DONE', seen: 4, done: 4, failed: 0 });
    expect(end.log.map(({ message }) => message)).toContain(
      'The tracker does not answer. This goes on as soon as it does.',
    );
    expect(await revisions()).toHaveLength(4);
  });

  test('after a kill it goes on where it was, page by page, and does nothing twice', async () => {
    it.tracker.page = 3;
    const issues = await withRival(8);
    const { job } = await admin.import({ mode: 'APPEND' });
    const id = job?.id ?? '';
    // A worker that stops for ever in the middle of its fifth issue, after its write.
    let writes = 0;
    it.tracker.faults.push(({ method, path }) => {
      if (method !== 'PUT' || !path.includes('properties')) return undefined;
      writes += 1;
      return writes > 5 ? 'down' : undefined;
    });
    await it.background.work(it.wideJobs.jobs);
    it.tracker.faults.length = 0;
    expect(await admin.find(id)).toMatchObject({ state: 'RUNNING', seen: 5, done: 5 });
    it.background.lose();

    await use().raw('delete from job where tenant <> $1', [it.tenant.id]);
    // The last issue was written, but that was not noted any more.
    const last = issues[4]?.id;
    await use().raw('delete from imported where tenant = $1 and issue = $2', [it.tenant.id, last]);
    await use().raw('update job set seen = 4, done = 4, issue_done = $2 where id = $1', [id, issues[3]?.id]);
    await it.wideJobs.recover();
    expect(await ended(id)).toMatchObject({ state: 'DONE', seen: 8, done: 8, failed: 0 });
    expect(await revisions()).toHaveLength(8);
    for (const issue of issues) expect(issue.text()).toBe(OURS);
  });

  test('when the tracker loses the place it begins anew, and does nothing twice', async () => {
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
      'The tracker lost the place in its list of issues, so this began anew.',
    );
    expect(await revisions()).toHaveLength(5);
  });

  test('a query that the tracker refuses ends the job with the reason', async () => {
    it.tracker.faults.push(({ path }) =>
      path.endsWith('/search/jql') ? new Response('{}', { status: 400 }) : undefined,
    );
    const { job } = await admin.synchronize({ projectId: PROJECT });
    expect(await ended(job?.id)).toMatchObject({
      state: 'FAILED',
      ended: expect.any(String),
      log: [{ message: 'The tracker refused the list of issues (400).' }],
    });
  });

  test('a job that is cancelled stops at once, and what is done stays', async () => {
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
    expect(issues.map(issue => issue.stored() !== undefined)).toEqual([true, true, false, false]);
    expect((await admin.cancel(id)).job).toMatchObject({ state: 'CANCELLED' });
    expect((await admin.import()).errors).toEqual([]);
  });

  test("an uninstalled tenant's job ends", async () => {
    await withRival(1);
    const { job } = await admin.import();
    await it.tenants.uninstall(it.tenant.id);
    await it.settled();
    const [row] = await use().raw('select state from job where id = $1', [job?.id]);
    expect(row).toEqual({ state: 'FAILED' });
    expect(await revisions()).toEqual([]);
  });

  test('whoever watches is told', async () => {
    const { store } = use();
    const heard: unknown[] = [];
    const stop = await store.listen(
      CHANNEL,
      payload => heard.push(JSON.parse(payload)),
      () => {},
    );
    onTestFinished(() => stop());
    await withRival(1);
    const { job } = await admin.import();
    await it.settled();
    const signs = () => heard.filter(event => JSON.stringify(event).includes(job?.id ?? ''));
    await vi.waitFor(() => expect(signs().length).toBeGreaterThanOrEqual(3));
    expect(signs()[0]).toEqual({ tenant: it.tenant.id, kind: 'job', job: job?.id });
  });

  test('on the real queue: processes share it, nobody works on a job twice at once', { timeout: 60_000 }, async () => {
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
      const queue = await createQueue({
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
      { timeout: 50_000, interval: 200 },
    );
    expect(most).toBe(1);
    expect(errors).toEqual([]);
    for (const issue of issues) expect(issue.text()).toBe(OURS);
  });
});
