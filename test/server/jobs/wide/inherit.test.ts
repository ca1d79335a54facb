import { beforeEach, expect, test, vi } from 'vitest';
import { editionKey } from '../../../../src/domain/edition.ts';
import { encodeRegistry } from '../../../../src/domain/registry.ts';
import { builtInStatuses, type RegistryStatus } from '../../../../src/domain/statuses.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import {
  encodeDefaultTemplate,
  encodeTemplateIndex,
  encodeTemplateTexts,
  type OfferedTemplate,
} from '../../../../src/domain/templates.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { jobsOf } from '../../support/jobs.ts';
import { PROJECT } from '../../support/making.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { onBothStores } from '../../support/stores.ts';
import { isPropertyWrite, OWN_FIELD, RIVAL_FIELD } from '../../support/tracker.ts';
import { startWide, type Wide } from '../../support/wide.ts';

// Each of them works through a whole job.
vi.setConfig({ testTimeout: 30_000 });

const FREE = editionKey('free', true);
const free = (thing: Parameters<typeof storageKey>[0]) => storageKey(thing, FREE);

/** A checklist as the Free edition stores it. */
const stored = (text: string, name = 'Checklists') => ({
  ...{ v: 1, epoch: 'of-free', seq: 7, name, text },
  progress: { total: 1, checked: 0, percent: 0, mandatoryOpen: 0 },
});

onBothStores(use => {
  let wide: Wide;
  beforeEach(async () => {
    wide = await startWide(use());
    return () => wide.it.app.close();
  });

  const issueWith = async (value: unknown) => {
    const issue = await newIssue(wide.it);
    const properties = wide.it.tracker.issues.get(issue.id)?.properties ?? {};
    if (value !== undefined) properties[free('checklist')] = value;
    return { ...issue, free: () => properties[free('checklist')] };
  };
  const project = (id: string) => wide.it.tracker.projects.get(id) ?? {};

  test('checklists of the Free edition are taken over once; those that are here already stay, empty ones included', async () => {
    const { it, admin, ended, revisions, fieldsOf } = wide;
    const ours = await issueWith(stored('# Release\n+ Tag it\n- [ON HOLD] Tell support', 'Release list'));
    const text = await issueWith('- A plain text');
    const seen = await issueWith(stored('- Shown by its field too'));
    fieldsOf(seen.id)[RIVAL_FIELD] = '- Shown by its field too';
    const begun = await issueWith(stored('- Of Free'));
    await begun.edit(update('- Of Pro'));
    const cleared = await issueWith(stored('- Of Free'));
    await cleared.edit(update('- Of Pro'));
    await cleared.edit({ kind: 'clearChecklist' });
    const field = await issueWith(stored('- Of Free'));
    fieldsOf(field.id)[OWN_FIELD] = '- Written into our field';
    const odd = await issueWith({ of: 'somebody else' });
    const empty = await issueWith(stored('\n'));
    const none = await issueWith(undefined);
    await it.settled();
    const before = [ours, text, begun].map(issue => structuredClone(issue.free()));

    const { job, message } = await admin.inherit();
    expect(message).toBe('Import has started successfully.');
    expect(await ended(job?.id)).toMatchObject({
      ...{ kind: 'INHERIT', state: 'DONE', seen: 9, done: 3, skipped: 6, failed: 0, log: [] },
    });
    expect(ours.stored()).toMatchObject({ name: 'Release list' });
    expect([ours, text, seen].map(issue => issue.text())).toEqual([
      '# Release\n+ Tag it\n- [ON HOLD] Tell support',
      '- A plain text',
      '- Shown by its field too',
    ]);
    expect([begun.text(), cleared.text().trim()]).toEqual(['- Of Pro', '']);
    expect([field, odd, empty, none].map(issue => issue.stored())).toEqual(Array(4).fill(undefined));
    // What the Free edition has stays, for as long as it is there.
    expect([ours, text, begun].map(issue => issue.free())).toEqual(before);
    expect((await admin.inheritance()).ended).not.toBeNull();

    const made = await revisions();
    Object.assign(ours.free() as object, { text: '- Changed in Free later' });
    const again = await admin.inherit();
    expect(await ended(again.job?.id)).toMatchObject({ state: 'DONE', done: 0, failed: 0 });
    expect(await revisions()).toEqual(made);
  });

  test('statuses, templates, the first template and the place of the panel come along', async () => {
    const { it, admin, ended } = wide;
    const hold: RegistryStatus = {
      slug: 'on-hold',
      name: 'On hold',
      color: 'yellow',
      checked: false,
      former: [],
      going: false,
    };
    const qa: RegistryStatus = { ...hold, slug: 'qa', name: 'QA', color: 'red' };
    const base = builtInStatuses.map(status => ({ ...status, former: [], going: false }));
    const offered = (id: string, name: string, global: boolean): OfferedTemplate => ({ id, name, global, items: 1 });
    const site = offered('t-site', 'Release', true);
    const here = offered('t-here', 'Day one', false);
    const gone = offered('t-gone', 'Too long for the property', false);
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([...base, hold, qa]),
      [free('template-index')]: encodeTemplateIndex([site, here, gone]),
      [free('templates')]: encodeTemplateTexts([
        { id: 't-site', text: '- Tag it' },
        { id: 't-here', text: '- [QA] Coffee' },
      ]),
      [free('default-template')]: encodeDefaultTemplate('t-here'),
      [free('show-in-center-panel')]: 'true',
    });
    Object.assign(project(OTHER_PROJECT), {
      [free('statuses')]: encodeRegistry([...base, hold]),
      [free('template-index')]: encodeTemplateIndex([site]),
      [free('templates')]: encodeTemplateTexts([{ id: 't-site', text: '- Tag it' }]),
      [free('default-template')]: encodeDefaultTemplate('t-site'),
    });
    const inherit = async () => {
      const { job } = await admin.inherit();
      return ended(job?.id);
    };
    const first = await inherit();
    expect(first).toMatchObject({ state: 'DONE', failed: 0 });
    expect(first.log.map(({ message }) => message)).toEqual([
      'There was no room for the text of the template “Too long for the property”. Write it anew.',
    ]);
    const rows = (columns: string, table: string) =>
      use().raw(`select ${columns} from ${table} where tenant = $1 order by 1, 2`, [it.tenant.id]);
    const statuses = [
      { slug: 'on-hold', project: null, name: 'On hold' },
      { slug: 'qa', project: PROJECT, name: 'QA' },
    ];
    const templates = [
      { id: 't-here', project: PROJECT, name: 'Day one', text: '- [QA] Coffee' },
      { id: 't-site', project: null, name: 'Release', text: '- Tag it' },
    ];
    expect(await rows('slug, project, name', 'status')).toEqual(statuses);
    expect(await rows('id, project, name, text', 'template')).toEqual(templates);
    expect(await rows('project, template', 'template_default')).toEqual([
      { project: '', template: 't-site' },
      { project: PROJECT, template: 't-here' },
    ]);
    expect(project(PROJECT)[storageKey('show-in-center-panel')]).toBe('true');
    expect(storageKey('show-in-center-panel') in project(OTHER_PROJECT)).toBe(false);
    // What projects hold of it for our own pages.
    expect(project(PROJECT)[storageKey('template-index')]).toMatchObject({
      templates: expect.arrayContaining([['t-here', 'Day one', false, 1]]),
    });

    await use().raw("update template set name = 'Release, ours', deleted = now() where tenant = $1 and id = 't-site'", [
      it.tenant.id,
    ]);
    project(PROJECT)[storageKey('show-in-center-panel')] = 'false';
    await inherit();
    expect(await rows('slug, project, name', 'status')).toEqual(statuses);
    expect(await rows('id, project, name, text', 'template')).toEqual([
      templates[0],
      { ...templates[1], name: 'Release, ours' },
    ]);
    expect(project(PROJECT)[storageKey('show-in-center-panel')]).toBe('false');
  });

  test('a name that is taken here is told apart, and a status of that name stays', async () => {
    const { it, admin, ended } = wide;
    await use().raw(
      "insert into template (tenant, id, project, name, key, text, items, account) values ($1, 'mine', null, 'Release', 'release', '- Mine', 1, 'admin')",
      [it.tenant.id],
    );
    await use().raw(
      "insert into status (tenant, slug, project, name, color, checked, position) values ($1, 'mine', null, 'On hold', 'red', false, 0)",
      [it.tenant.id],
    );
    const theirs = {
      slug: 'on-hold',
      name: 'on  hold',
      color: 'yellow',
      checked: false,
      former: [],
      going: false,
    } as const;
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([theirs]),
      [free('template-index')]: encodeTemplateIndex([{ id: 't', name: 'Release', global: true, items: 1 }]),
      [free('templates')]: encodeTemplateTexts([{ id: 't', text: '- Theirs' }]),
    });
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE' });
    const names = (table: string) =>
      use().raw(`select name from ${table} where tenant = $1 order by name`, [it.tenant.id]);
    expect(await names('template')).toEqual([{ name: 'Release' }, { name: 'Release (2)' }]);
    expect(await names('status')).toEqual([{ name: 'On hold' }]);
  });

  test('projects that call a status alike each keep theirs, whatever another project calls so here', async () => {
    const { it, admin, ended } = wide;
    const values = { name: 'Review', color: 'yellow', checked: false, former: [], going: false } as const;
    await use().raw(
      "insert into status (tenant, slug, project, name, color, checked, position) values ($1, 'third', '99999', 'review', 'red', false, 0)",
      [it.tenant.id],
    );
    Object.assign(project(PROJECT), { [free('statuses')]: encodeRegistry([{ ...values, slug: 'review' }]) });
    Object.assign(project(OTHER_PROJECT), {
      [free('statuses')]: encodeRegistry([
        { ...values, slug: 'review_2' },
        { ...values, slug: 'review_3' },
      ]),
    });
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE' });
    expect(await use().raw('select slug, project from status where tenant = $1 order by slug', [it.tenant.id])).toEqual(
      [
        { slug: 'review', project: PROJECT },
        { slug: 'review_2', project: OTHER_PROJECT },
        { slug: 'third', project: '99999' },
      ],
    );
  });

  test('what no server of ours can have written in a project holds nothing up', async () => {
    const { it, admin, ended } = wide;
    const issue = await issueWith(stored('- Kept'));
    const values = { color: 'yellow', checked: false, former: ['On\0ce'], going: false } as const;
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([
        { ...values, slug: 'good', name: 'Good' },
        { ...values, slug: 'nul', name: 'N\0ul' },
        { ...values, slug: 'half\ud800', name: 'Half' },
        { ...values, slug: 'label', name: 'No ] label' },
      ]),
      [free('template-index')]: encodeTemplateIndex([{ id: 't', name: 'Re\0lease', global: false, items: 1 }]),
      [free('templates')]: encodeTemplateTexts([{ id: 't', text: '- O\0ne\r\n- Two' }]),
    });
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', failed: 0 });
    expect(await use().raw('select slug, former from status where tenant = $1', [it.tenant.id])).toEqual([
      { slug: 'good', former: [] },
    ]);
    expect(await use().raw('select name, text from template where tenant = $1', [it.tenant.id])).toEqual([
      { name: 'Release', text: '- One\n- Two' },
    ]);
    expect(issue.text()).toBe('- Kept');
  });

  test('cut off in the middle it goes on where it was, and nothing is taken over twice', async () => {
    const { it, admin, ended, revisions } = wide;
    it.tracker.page = 2;
    const issues = await Promise.all(Array.from({ length: 5 }, (_, index) => issueWith(stored(`- Item ${index}`))));
    let writes = 0;
    // The third write is made, and its answer does not come; then the tracker is away for a while.
    it.tracker.lost.push(
      call => isPropertyWrite({ ...call, body: undefined }) && call.path.includes('/issue/') && ++writes === 3,
    );
    let away = 0;
    it.tracker.faults.push(call =>
      writes === 3 && away < 6 && call.path.endsWith('/search/jql') && ++away ? 'down' : undefined,
    );
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', seen: 5, failed: 0 });
    expect(issues.map(issue => issue.text())).toEqual(issues.map((_, index) => `- Item ${index}`));
    const made = await revisions();
    expect(made).toHaveLength(issues.length);
    expect(new Set(made.map(({ issue }) => issue))).toEqual(new Set(issues.map(({ id }) => id)));
  });

  test('one that fails is told, and the rest is taken over; the next installation tries it again', async () => {
    const { it, admin, ended } = wide;
    const good = await issueWith(stored('- Good'));
    const bad = await issueWith(stored('- Bad'));
    const refuse = (call: { method: string; path: string; body: unknown }) =>
      isPropertyWrite(call) && call.path.includes(`/issue/${bad.id}/`)
        ? new Response('{}', { status: 403 })
        : undefined;
    it.tracker.faults.push(refuse);
    const { job } = await admin.inherit();
    expect(await ended(job?.id)).toMatchObject({ state: 'DONE', done: 1, failed: 1 });
    expect(good.text()).toBe('- Good');
    expect((await admin.inheritance()).ended).toBeNull();
    it.tracker.faults = [];
    await it.wideJobs.installed(it.tenant.id);
    await it.settled();
    expect(bad.text()).toBe('- Bad');
    const { ended: at, job: last } = await admin.inheritance();
    expect([at, last]).toEqual([expect.any(String), expect.objectContaining({ account: '', state: 'DONE', done: 1 })]);
  });

  test('an installation starts it until it is done, and not again', async () => {
    const { it, admin } = wide;
    const issue = await issueWith(stored('- Kept'));
    await Promise.all([it.wideJobs.installed(it.tenant.id), it.wideJobs.installed(it.tenant.id)]);
    await it.settled();
    expect(issue.text()).toBe('- Kept');
    expect(await admin.list()).toHaveLength(1);
    await it.wideJobs.installed(it.tenant.id);
    await it.settled();
    expect(await admin.list()).toHaveLength(1);
  });

  test('only an administrator of the site starts and sees it', async () => {
    const { it } = wide;
    it.tracker.granted.set('writer', [...EDITOR, 'ADMINISTER_PROJECTS']);
    const writer = jobsOf(it, 'writer');
    expect((await writer.inherit()).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    await expect(writer.inheritance()).rejects.toThrow();
    expect(await wide.admin.inheritance()).toEqual({ ended: null, job: null });
  });
});
