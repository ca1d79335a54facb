import { expect, test, vi } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { createPace } from '../../../src/server/jobs/pace.ts';
import { synchronizer } from '../../../src/server/jobs/synchronize.ts';
import { createRegistries } from '../../../src/server/statuses/registries.ts';
import { runHere } from '../../../src/server/text-workers/task.ts';
import { add, EDITOR, newIssue, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD, writeFields } from '../support/tracker.ts';
import { RIVAL, wideOf } from '../support/wide.ts';

const PROPERTY = storageKey('checklist');

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

onStore(use => {
  const wide = wideOf(use);

  test('merges foreign changes, copies what only one storage has, leaves the rest as it is', async () => {
    const { it, admin, fieldsOf, propertiesOf, ended, revisions } = wide;
    const [ours, text, field, rival, none] = await Promise.all(Array.from({ length: 5 }, () => newIssue(it)));
    if (!ours || !text || !field || !rival || !none) throw new Error();
    await ours.edit(update('- One'));
    await it.settled();
    // Their events were lost.
    const held = it.tracker.issues.get(ours.id);
    if (held) writeFields(held, { [OWN_FIELD]: '- One\n- By hand' }, 'mallory');
    propertiesOf(text.id)[PROPERTY] = '- Left there';
    fieldsOf(field.id)[OWN_FIELD] = '- Written by automation';
    fieldsOf(rival.id)[RIVAL_FIELD] = RIVAL;

    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 5, done: 3, skipped: 2, failed: 0 });
    expect(await ours.text()).toBe('- One\n- By hand');
    expect([await text.text(), fieldsOf(text.id)[OWN_FIELD]]).toEqual(['- Left there', '- Left there']);
    expect(await text.stored()).toMatchObject({ v: 1, text: '- Left there' });
    expect([await field.text(), fieldsOf(field.id)[OWN_FIELD]]).toEqual([
      '- Written by automation',
      '- Written by automation',
    ]);
    expect([await rival.stored(), await none.stored()]).toEqual([undefined, undefined]);

    const before = await revisions();
    const again = await admin.synchronize();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 0, skipped: 5, failed: 0 });
    expect(await revisions()).toEqual(before);
  });

  test('an issue that was only viewed gets both copies, with its current text', async () => {
    const { it, admin, fieldsOf, propertiesOf, ended } = wide;
    const [text, field] = [await newIssue(it), await newIssue(it)];
    propertiesOf(text.id)[PROPERTY] = '- Left there';
    fieldsOf(field.id)[OWN_FIELD] = '- Written by automation';
    for (const issue of [text, field]) await issue.read();
    await it.settled();
    expect(fieldsOf(text.id)[OWN_FIELD]).toBe('- Left there');
    // An event that was lost.
    fieldsOf(field.id)[OWN_FIELD] = '- Written by automation\n- And later';

    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, skipped: 1, failed: 0 });
    expect(await text.stored()).toMatchObject({ v: 1, text: '- Left there' });
    expect(fieldsOf(text.id)[OWN_FIELD]).toBe('- Left there');
    expect(await field.text()).toBe('- Written by automation\n- And later');
    expect(fieldsOf(field.id)[OWN_FIELD]).toBe('- Written by automation\n- And later');
  });

  test.each([
    ['a foreign writer', '- Write\n+ Test'],
    ['its first change', '- Write\n+ Test\n- Ship'],
  ])('changes by %s during the adoption are neither undone nor doubled', async (who, expected) => {
    const { it, propertiesOf } = wide;
    const issue = await newIssue(it);
    const stored = '- Write\n- Test';
    propertiesOf(issue.id)[PROPERTY] = stored;
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const checklists = it.checklists.permitted({ tenant, account: 'admin' });
    const read: typeof checklists.read = async id => {
      const found = await checklists.read(id);
      await issue.store('- Write\n+ Test');
      if (who === 'its first change') await issue.edit(add('Ship'));
      return found;
    };
    const { each } = synchronizer(
      {
        ...{ tenant, store: use().store, fields: [], pace: createPace(async () => {}) },
        checklists: { ...checklists, read },
        sync: it.sync.of(tenant),
        registries: () => createRegistries(use().store)(tenant),
        texts: { run: runHere },
      },
      { kind: 'site' },
    );
    const properties = { [PROPERTY]: stored };
    expect(await each({ id: issue.id, key: 'P-1', fields: {}, properties })).toEqual({ outcome: 'done' });
    expect((await issue.text()).trim()).toBe(expected);
  });

  test('a text without room in the property is reported and left as it is', async () => {
    const { it, admin, fieldsOf, ended } = wide;
    const issue = await newIssue(it);
    const text = '- "quoted"\n'.repeat(2_600);
    fieldsOf(issue.id)[OWN_FIELD] = text;
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 0, failed: 1 });
    expect([await issue.stored(), fieldsOf(issue.id)[OWN_FIELD]]).toEqual([undefined, text]);
  });

  test("a foreign text in place of the app's value is a change, not another checklist", async () => {
    const { it, admin, propertiesOf, ended, revisions } = wide;
    const issue = await newIssue(it);
    await issue.edit(update('- One\n- Two\n- Three'));
    await it.settled();
    propertiesOf(issue.id)[PROPERTY] = '- One\n+ Two';
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
    expect(await issue.text()).toBe('- One\n+ Two');
    // One of the two revisions is a foreign change.
    expect(await revisions()).toHaveLength(1);
  });

  test('an issue that the database does not know is adopted, and its copies are made equal', async () => {
    const { it, admin, fieldsOf, propertiesOf, ended } = wide;
    const [known, unknown] = [await newIssue(it), await newIssue(it)];
    await known.edit(update('- One\n- Two'));
    await it.settled();
    // As an issue that was imported into the site, whose field was edited there.
    propertiesOf(unknown.id)[PROPERTY] = structuredClone(propertiesOf(known.id)[PROPERTY]);
    fieldsOf(unknown.id)[OWN_FIELD] = '- One\n- Other';
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, skipped: 1, failed: 0 });
    expect(fieldsOf(unknown.id)[OWN_FIELD]).toBe('- One\n- Two');
    expect(await unknown.text()).toBe('- One\n- Two');
    await unknown.edit(add('Three'));
    expect(await unknown.text()).toBe('- One\n- Two\n- Three');
    expect(fieldsOf(unknown.id)[OWN_FIELD]).toBe('- One\n- Two\n- Three');
  });

  test('only issues whose copies became equal are counted as done, and the others are named with the reason', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const { it, admin, fieldsOf, ended } = wide;
    const [taken, refused, gone] = [await newIssue(it), await newIssue(it), await newIssue(it)];
    for (const issue of [taken, refused, gone]) await issue.edit(update('- One'));
    await it.settled();
    for (const issue of [taken, refused, gone]) await issue.edit(add('Two'));
    it.background.lose();
    it.tracker.faults = [
      ({ method, path }) => {
        if (path.endsWith(`/issue/${gone.id}`)) return new Response('{}', { status: 404 });
        return method === 'PUT' && path.endsWith(`/issue/${refused.id}`)
          ? new Response('{}', { status: 403 })
          : undefined;
      },
    ];
    const { job } = await admin.synchronize();
    const outcome = await ended(job?.id);
    expect(outcome).toMatchObject({ state: 'DONE', seen: 3, done: 1, failed: 2 });
    expect(outcome.log.map(({ issue, message }) => [issue, message])).toEqual([
      [`P-${refused.id}`, storage.fieldRefused],
      [`P-${gone.id}`, storage.issueNotFound],
    ]);
    expect(fieldsOf(taken.id)[OWN_FIELD]).toBe('- One\n- Two');
    it.tracker.faults = [];
    const again = await admin.synchronize();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 2, skipped: 1, failed: 0 });
    for (const issue of [refused, gone]) expect(fieldsOf(issue.id)[OWN_FIELD]).toBe('- One\n- Two');
  });

  test('a foreign change that was taken up is carried on by the next changes of all', async () => {
    const { it, admin, fieldsOf, ended } = wide;
    const issue = await newIssue(it);
    await issue.edit(update('- One'));
    await it.settled();
    const held = it.tracker.issues.get(issue.id);
    if (held) writeFields(held, { [OWN_FIELD]: '- One\n- Theirs' }, 'mallory');
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
    await issue.edit(add('Ours'));
    expect(await issue.text()).toBe('- One\n- Theirs\n- Ours');
    expect(fieldsOf(issue.id)[OWN_FIELD]).toBe('- One\n- Theirs\n- Ours');
    await issue.writeField('- One\n- Ours');
    expect(await issue.text()).toBe('- One\n- Ours');
  });

  /** Issues of a project whose copies are up to date, and one each that lacks its copy and its figures. */
  async function project() {
    const { it, fieldsOf, propertiesOf } = wide;
    const equal = await Promise.all(Array.from({ length: 4 }, () => newIssue(it)));
    for (const issue of equal) await issue.edit(update('- One\n+ Two'));
    const [unopened, figures] = [await newIssue(it), await newIssue(it)];
    await figures.edit(update('- ! One'));
    await it.settled();
    fieldsOf(unopened.id)[OWN_FIELD] = '- Written by automation';
    propertiesOf(figures.id)[PROPERTY] = {
      ...Object(propertiesOf(figures.id)[PROPERTY]),
      progress: {},
      rules: undefined,
    };
    return { equal, unopened, figures };
  }

  const issueCalls = (from: number) =>
    wide.it.tracker.calls
      .slice(from)
      .flatMap(({ method, path }) => {
        const [, id] = /\/issue\/(\d+)/.exec(path) ?? [];
        return id === undefined ? [] : `${method} ${id}`;
      })
      .sort();

  test('in a project, issues whose copies are up to date cost no call besides the list', async () => {
    const { it, admin, fieldsOf, propertiesOf, ended } = wide;
    const { unopened, figures } = await project();
    const { length } = it.tracker.calls;
    const { job } = await admin.synchronize({ projectId: PROJECT });
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 6, done: 2, skipped: 4, failed: 0 });
    expect(propertiesOf(unopened.id)[PROPERTY]).toMatchObject({
      text: '- Written by automation',
      progress: { total: 1, percent: 0 },
      search: { statuses: ['To Do'] },
    });
    expect(propertiesOf(figures.id)[PROPERTY]).toMatchObject({ progress: { mandatoryOpen: 1 }, rules: { total: 1 } });
    expect(fieldsOf(unopened.id)[OWN_FIELD]).toBe('- Written by automation');
    // Each is adopted or read once, and its property is written.
    expect(new Set(issueCalls(length))).toEqual(
      new Set([unopened, figures].flatMap(({ id }) => [`GET ${id}`, `PUT ${id}`])),
    );

    const before = it.tracker.calls.length;
    const again = await admin.synchronize({ projectId: PROJECT });
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', seen: 6, done: 0, skipped: 6, failed: 0 });
    expect(issueCalls(before)).toEqual([]);
    // The permission of the account, the fields, the estimated number of issues, and one page of them.
    expect(it.tracker.calls.length - before).toBeLessThanOrEqual(4);
  });

  test('after a kill, a repair goes on with the next issue, and reads none twice', async () => {
    const { it, admin, ended } = wide;
    const { unopened, figures } = await project();
    const { length } = it.tracker.calls;
    const { job } = await admin.synchronize({ projectId: PROJECT });
    // A worker that hangs at the second issue that it reads.
    const [first, second] = [unopened, figures];
    it.tracker.faults.push(({ path }) => (path.endsWith(`/issue/${second.id}`) ? 'down' : undefined));
    await it.background.work(it.wideJobs.jobs);
    it.tracker.faults.length = 0;
    expect(await admin.find(job?.id ?? '')).toMatchObject({ state: 'RUNNING', seen: 5, done: 1 });
    it.background.lose();
    await use().raw('delete from job where tenant <> $1', [it.tenant.id]);
    const before = it.tracker.calls.length;
    await it.wideJobs.recover();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 6, done: 2, skipped: 4, failed: 0 });
    expect(issueCalls(before).filter(call => call.endsWith(first.id))).toEqual([]);
    expect(issueCalls(length).filter(call => call === `PUT ${first.id}`)).toHaveLength(1);
    expect(await figures.stored()).toMatchObject({ progress: { mandatoryOpen: 1 } });
  });

  test('a field that is not on the issue’s screen makes no repair', async () => {
    provokes({ differences: true });
    const { it, admin, fieldsOf, ended } = wide;
    const issue = await newIssue(it);
    await issue.edit(update('- One'));
    await it.settled();
    delete fieldsOf(issue.id)[OWN_FIELD];
    const { job } = await admin.synchronize();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 0, skipped: 1, failed: 0 });
  });

  test('one issue alone, with permission to edit its checklist', async () => {
    const { it, fieldsOf, propertiesOf, ended } = wide;
    const [here, there] = [await newIssue(it), await newIssue(it)];
    for (const { id } of [here, there]) propertiesOf(id)[PROPERTY] = '- Left there';
    it.tracker.granted.set('seer', ['BROWSE_PROJECTS']);
    it.tracker.granted.set('writer', EDITOR);
    const issueId = here.id;
    expect((await jobsOf(it, 'seer').synchronize({ issueId })).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    const { job, errors } = await jobsOf(it, 'writer').synchronize({ issueId });
    expect(errors).toEqual([]);
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', issueId: here.id, seen: 1, done: 1, failed: 0 });
    expect(fieldsOf(here.id)[OWN_FIELD]).toBe('- Left there');
    expect(await there.stored()).toBe('- Left there');
  });
});
