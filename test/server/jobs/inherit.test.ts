import { expect, test, vi } from 'vitest';
import { editionKey } from '../../../src/domain/edition.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { add, EDITOR, newIssue, update } from '../support/checklists.ts';
import { jobsOf } from '../support/jobs.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { type Fault, isPropertyWrite, OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';
import { wideOf } from '../support/wide.ts';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

const FREE = editionKey('free', true);
const free = (thing: Parameters<typeof storageKey>[0]) => storageKey(thing, FREE);

/** A checklist as the Free edition stores it. */
const stored = (text: string, name = 'Checklists') => ({
  ...{ v: 1, epoch: 'of-free', seq: 7, name, text },
  progress: { total: 1, checked: 0, percent: 0, mandatoryOpen: 0 },
});

/** Makes the tracker refuse reads of the issue. */
const notRead =
  (issue: string): Fault =>
  ({ method, path }) =>
    method === 'GET' && path === `/rest/api/2/issue/${issue}` ? new Response('{}', { status: 403 }) : undefined;

onStore(use => {
  const wide = wideOf(use);

  const issueWith = async (value: unknown) => {
    const issue = await newIssue(wide.it);
    const properties = wide.it.tracker.issues.get(issue.id)?.properties ?? {};
    if (value !== undefined) properties[free('checklist')] = value;
    const setFree = (later: unknown) => {
      properties[free('checklist')] = later;
    };
    return { ...issue, setFree, free: () => properties[free('checklist')] };
  };

  test('checklists of the Free edition are taken over once, where this edition has none', async () => {
    const { it, admin, ended, fieldsOf, propertiesOf } = wide;
    const kept = () => use().raw('select * from revision where tenant = $1 order by issue, seq', [it.tenant.id]);
    const ours = await issueWith(stored('# Release\n+ Tag it\n- [ON HOLD] Tell support', 'Release list'));
    const text = await issueWith('- A plain text');
    const seen = await issueWith(stored('- Shown by its field too'));
    fieldsOf(seen.id)[RIVAL_FIELD] = '- Shown by its field too';
    const begun = await issueWith(stored('- Of Free'));
    await begun.edit(update('- Of Pro'));
    const cleared = await issueWith(stored('- Of Free'));
    await cleared.edit({ kind: 'clearChecklist' });
    const field = await issueWith(stored('- Of Free'));
    fieldsOf(field.id)[OWN_FIELD] = '- Written into our field';
    const earlier = await issueWith(stored('- Of Free'));
    propertiesOf(earlier.id)[storageKey('checklist')] = stored('- Of an installation before');
    const odd = await issueWith({ of: 'somebody else' });
    const empty = await issueWith(stored('\n'));
    const none = await issueWith(undefined);
    await it.settled();
    const before = [ours, text, begun].map(issue => structuredClone(issue.free()));

    const { job, message } = await admin.inherit();
    expect(message).toBe('Import has started successfully.');
    expect(await ended(job?.id)).toMatchObject({
      ...{ kind: 'INHERIT', state: 'DONE', seen: 10, done: 6, skipped: 4, failed: 0, log: [] },
    });
    expect(await ours.stored()).toMatchObject({ name: 'Release list' });
    expect([await ours.text(), await text.text(), await seen.text()]).toEqual([
      '# Release\n+ Tag it\n- [ON HOLD] Tell support',
      '- A plain text',
      '- Shown by its field too',
    ]);
    expect([await begun.text(), (await cleared.text()).trim()]).toEqual(['- Of Pro', '']);
    expect((await field.text()).split('\n').sort()).toEqual(['- Of Free', '- Written into our field']);
    expect(await earlier.text()).toBe('- Of an installation before');
    for (const issue of [odd, empty, none]) expect(await issue.stored()).toBeUndefined();
    // The Free edition keeps its data.
    expect([ours, text, begun].map(issue => issue.free())).toEqual(before);
    expect((await admin.inheritance()).ended).not.toBeNull();

    const made = await kept();
    Object.assign(ours.free() as object, { text: '- Changed in Free later' });
    const again = await admin.inherit();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 0, failed: 0 });
    expect(await kept()).toEqual(made);
  });

  test('where both editions were in use, both texts are kept, with a notice', async () => {
    const { it, admin, ended, fieldsOf } = wide;
    const both = await issueWith(undefined);
    await both.edit(update('# Pro\n- Shared\n- Of Pro'));
    both.setFree(stored('- Of Free\n- Shared'));
    const same = await issueWith(undefined);
    await same.edit(update('- One\n- Two'));
    same.setFree(stored('- One\n- Two'));
    const emptied = await issueWith(undefined);
    await emptied.edit(update('- Of Pro'));
    await emptied.edit({ kind: 'clearChecklist' });
    emptied.setFree(stored('- Of Free'));
    await it.settled();
    const { job } = await admin.inherit();
    const done = await ended(job?.id);
    expect(done).toMatchObject({ state: 'DONE', done: 2, skipped: 1, failed: 0 });
    const message = 'This issue already had a checklist. The one of Smart Checklist Free was added to it.';
    expect(done.log.map(({ issue, message }) => [issue, message])).toEqual([
      [`P-${both.id}`, message],
      [`P-${emptied.id}`, message],
    ]);
    const lines = (await both.text()).split('\n');
    expect([...lines].sort()).toEqual(['# Pro', '- Of Free', '- Of Pro', '- Shared']);
    expect(lines.indexOf('# Pro')).toBeLessThan(lines.indexOf('- Of Pro'));
    expect([await same.text(), await emptied.text()]).toEqual(['- One\n- Two', '- Of Free']);
    expect(fieldsOf(both.id)[OWN_FIELD]).toBe(await both.text());

    // Only once: later changes are kept, whatever the Free edition has.
    await both.edit(update('- Only this'));
    both.setFree(stored('- Later'));
    const again = await admin.inherit();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 0 });
    expect(await both.text()).toBe('- Only this');
  });

  test('an issue that was only viewed is taken over with its current text', async () => {
    const { admin, ended, fieldsOf } = wide;
    const plain = await issueWith(stored('- Of Free'));
    const later = await issueWith(undefined);
    const changed = await issueWith(stored('- Of Free'));
    const field = await issueWith(stored('- Of Free'));
    fieldsOf(field.id)[OWN_FIELD] = '- Written into our field';
    const viewed = [plain, later, changed, field];
    for (const issue of viewed) await issue.read();
    for (const issue of viewed) expect(await issue.stored()).toBeUndefined();
    later.setFree(stored('- Begun later'));
    changed.setFree(stored('- Of Free\n- And later', 'Renamed'));

    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 4, done: 4, failed: 0, log: [] });
    expect([await plain.text(), await later.text()]).toEqual(['- Of Free', '- Begun later']);
    expect(await changed.stored()).toMatchObject({ name: 'Renamed', text: '- Of Free\n- And later' });
    expect((await field.text()).split('\n').sort()).toEqual(['- Of Free', '- Written into our field']);
    for (const { id, text } of viewed) expect(fieldsOf(id)[OWN_FIELD]).toBe(await text());
    const again = await admin.inherit();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 0, failed: 0 });
  });

  test('where the tracker refuses the write, the checklist is taken over with a notice', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const { it, admin, ended } = wide;
    const issue = await issueWith(stored('- Of Free'));
    it.tracker.faults.push(call => (isPropertyWrite(call) ? new Response('{}', { status: 403 }) : undefined));
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
    const { text, notices } = await issue.read();
    expect([text, notices]).toEqual(['- Of Free', [expect.stringContaining('error 403')]]);
    it.tracker.faults = [];
    await issue.edit(add('Of Pro'));
    expect(await issue.text()).toBe('- Of Free\n- Of Pro');
    expect((await issue.read()).notices).toEqual([]);
  });

  test('a text typed during the takeover is merged, in either order', async () => {
    const { it, admin, ended } = wide;
    const issues = await Promise.all(Array.from({ length: 6 }, (_, index) => issueWith(stored(`- Of Free ${index}`))));
    const { job } = await admin.inherit();
    const typing = issues.map(async (issue, index) => {
      const base = { epoch: '', seq: 0, hash: 'never-seen', text: '' };
      await issue.change(update(`- Of Pro ${index}`), base);
    });
    await Promise.all([...typing, it.settled()]);
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', failed: 0 });
    for (const [index, issue] of issues.entries()) {
      expect((await issue.text()).split('\n').sort()).toEqual([`- Of Free ${index}`, `- Of Pro ${index}`]);
    }
  });

  test('after a crash the job continues where it was, and takes nothing over twice', async () => {
    const { it, admin, ended } = wide;
    it.tracker.page = 2;
    const issues = await Promise.all(Array.from({ length: 5 }, (_, index) => issueWith(stored(`- Item ${index}`))));
    let writes = 0;
    // The third write is done, but its answer is lost; then the tracker is unavailable.
    it.tracker.lost.push(
      call => isPropertyWrite({ ...call, body: undefined }) && call.path.includes('/issue/') && ++writes === 3,
    );
    let away = 0;
    it.tracker.faults.push(call =>
      writes === 3 && away < 6 && call.path.endsWith('/search/jql') && ++away ? 'down' : undefined,
    );
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 5, failed: 0 });
    for (const [index, issue] of issues.entries()) expect(await issue.text()).toBe(`- Item ${index}`);
    const made = await use().raw('select issue, kind, text from revision where tenant = $1 order by issue', [
      it.tenant.id,
    ]);
    expect(made).toEqual(issues.map(({ id }, index) => ({ issue: id, kind: 'inherited', text: `- Item ${index}` })));
  });

  test('a failed issue is reported, the rest is taken over, and the next installation retries it', async () => {
    const { it, admin, ended } = wide;
    const good = await issueWith(stored('- Good'));
    const bad = await issueWith(stored('- Bad'));
    it.tracker.faults.push(notRead(bad.id));
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 1 });
    expect(await good.text()).toBe('- Good');
    expect((await admin.inheritance()).ended).toBeNull();
    it.tracker.faults = [];
    await it.wideJobs.installed(it.tenant.id);
    await it.settled();
    expect(await bad.text()).toBe('- Bad');
    const { ended: at, job: last } = await admin.inheritance();
    expect([at, last]).toEqual([expect.any(String), expect.objectContaining({ account: '', state: 'DONE', done: 2 })]);
  });

  test('a retry of a failed issue does not restore what was deleted since', async () => {
    const { it, admin, ended } = wide;
    const same = await issueWith(undefined);
    await same.edit(update('- One\n- Two'));
    same.setFree(stored('- One\n- Two'));
    const bad = await issueWith(stored('- Bad'));
    await it.settled();
    it.tracker.faults.push(notRead(bad.id));
    const first = await admin.inherit();
    expect(await ended(first.job?.id)).toMatchObject({ state: 'DONE', skipped: 1, failed: 1 });
    await same.edit(update('- Two'));
    await it.settled();
    it.tracker.faults = [];
    const second = await admin.inherit();
    expect(await ended(second.job?.id)).toMatchObject({ state: 'DONE', done: 1, skipped: 1, failed: 0 });
    expect([await same.text(), await bad.text()]).toEqual(['- Two', '- Bad']);
  });

  test('an installation starts the takeover until it is done, and not again', async () => {
    const { it, admin } = wide;
    const issue = await issueWith(stored('- Kept'));
    await Promise.all([it.wideJobs.installed(it.tenant.id), it.wideJobs.installed(it.tenant.id)]);
    await it.settled();
    expect(await issue.text()).toBe('- Kept');
    expect(await admin.list()).toHaveLength(1);
    await it.wideJobs.installed(it.tenant.id);
    await it.settled();
    expect(await admin.list()).toHaveLength(1);
  });

  test('only site administrators can start and see it', async () => {
    const { it } = wide;
    it.tracker.granted.set('writer', [...EDITOR, 'ADMINISTER_PROJECTS']);
    const writer = jobsOf(it, 'writer');
    expect((await writer.inherit()).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    await expect(writer.inheritance()).rejects.toThrow();
    expect(await wide.admin.inheritance()).toEqual({ ended: null, job: null });
  });
});
