import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHANNEL } from '../../../src/server/store/live-events.ts';
import { startApp } from '../support/app.ts';
import { EDITOR, newIssue } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { ADMIN, wideOf } from '../support/wide.ts';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

onStore(use => {
  const wide = wideOf(use);

  test('starting returns a message, and the job reports its progress', async () => {
    const { admin, withRival, ended } = wide;
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

  test('permissions to start, watch and cancel each kind of job', async () => {
    const { it, admin } = wide;
    const issue = await newIssue(it);
    it.tracker.granted.set('editor', EDITOR);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('viewer', ['BROWSE_PROJECTS']);
    const [editor, lead, viewer] = ['editor', 'lead', 'viewer'].map(account => jobsOf(it, account));
    if (!editor || !lead || !viewer) throw new Error();
    const forbidden = (words: string) => [{ code: 'FORBIDDEN', message: expect.stringContaining(words) }];
    const project = { projectId: PROJECT };

    for (const jobs of [editor, lead, jobsOf(it, 'anonymous')]) {
      expect((await jobs.synchronize()).errors).toEqual(forbidden('Contact your Site Administrator'));
      expect((await jobs.import()).errors).toEqual(forbidden('Contact your Site Administrator'));
      await expect(jobs.list()).rejects.toThrow('Contact your Site Administrator');
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
      await expect(admin.find(unknown)).rejects.toThrow("This job doesn't exist.");
      expect((await admin.cancel(unknown)).errors).toMatchObject([{ code: 'NOT_FOUND' }]);
    }
  });

  test('an account that lost the permission reads the outcome of its job, without names of issues', async () => {
    const { it, admin, withRival, ended } = wide;
    await withRival(2);
    const { job } = await admin.import();
    const { log } = await ended(job?.id);
    expect(log.map(({ issue }) => issue)).toEqual([expect.stringMatching(/^P-/), expect.stringMatching(/^P-/)]);
    it.tracker.granted.set('admin', []);
    expect(await admin.find(job?.id ?? '')).toMatchObject({
      ...{ state: 'DONE', done: 2 },
      log: [1, 2].map(() => ({ issue: null, message: '3 items imported.' })),
    });
  });

  test('jobs of other tenants are not found', async () => {
    const { admin } = wide;
    const { job } = await admin.synchronize();
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', ADMIN);
    await expect(jobsOf(other, 'admin').find(job?.id ?? '')).rejects.toThrow("This job doesn't exist.");
    expect(await jobsOf(other, 'admin').list()).toEqual([]);
    await other.app.close();
  });

  test('an unavailable tracker or a failing queue starts no job', async () => {
    provokes({ errors: /full/ });
    const { it, admin } = wide;
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

  test('an equal job is the same job; another of its kind has to wait', async () => {
    const { it, admin } = wide;
    const first = await admin.import({ dryRun: true });
    expect((await admin.import({ dryRun: true })).job?.id).toBe(first.job?.id);
    expect((await admin.import()).errors).toMatchObject([{ code: 'BUSY' }]);
    expect((await admin.import({ projectId: PROJECT })).job).toMatchObject({ projectId: PROJECT });
    expect((await admin.synchronize()).errors).toEqual([]);
    await it.settled();
    expect((await admin.import()).errors).toEqual([]);
  });

  test('a job of a later version, which was taken back, keeps no other one waiting', async () => {
    const { it, admin, ended } = wide;
    const { job: later } = await admin.check();
    await use().raw(`update job set kind = 'LATER', state = 'WAITING' where id = $1`, [later?.id]);
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE' });
    expect((await admin.list()).map(({ kind }) => kind)).toEqual(['SYNCHRONIZE']);
    await use().raw('delete from job where tenant = $1', [it.tenant.id]);
  });

  test('an import whose options cannot be read changes nothing, and keeps no other job waiting', async () => {
    const { admin, withRival, ended } = wide;
    const [issue] = await withRival(1);
    const { job: unreadable } = await admin.import();
    await use().raw(`update job set options = '"all"' where id = $1`, [unreadable?.id]);
    const { job } = await admin.check();
    expect(await ended(unreadable?.id)).toMatchObject({ kind: 'IMPORT', state: 'DONE', dryRun: true });
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE' });
    expect(await issue?.stored()).toBeUndefined();
  });

  test('no checklist text is in the job, its queue or the log', async () => {
    const { it, admin, withRival, revisions } = wide;
    await withRival(1, '[x] the secret of the house');
    await admin.import();
    await it.settled();
    const { raw } = use();
    expect(await revisions()).toMatchObject([{ text: '+ the secret of the house' }]);
    const kept = JSON.stringify([await raw('select * from job'), await raw('select * from queue'), it.logged]);
    expect(kept).not.toContain('secret of the house');
  });

  test('subscribers receive events of the job', async () => {
    const { it, admin, withRival } = wide;
    const { store } = use();
    const events: unknown[] = [];
    const stop = await store.listen(
      CHANNEL,
      payload => events.push(JSON.parse(payload)),
      () => {},
    );
    onTestFinished(() => stop());
    await withRival(1);
    const { job } = await admin.import();
    await it.settled();
    const received = () => events.filter(event => JSON.stringify(event).includes(job?.id ?? ''));
    await vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(3));
    expect(received()[0]).toEqual({ tenant: it.tenant.id, kind: 'job', job: job?.id });
  });
});
