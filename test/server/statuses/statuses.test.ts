import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { managing, statuses as messages, refusals } from '../../../src/domain/messages.ts';
import { parseRegistry } from '../../../src/domain/registry.ts';
import { parseChecklistProperty, storageKey } from '../../../src/domain/storage.ts';
import { appOf, startApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR, newIssue, tick, update, workOn } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { putTemplate } from '../support/put-template.ts';
import { onStore } from '../support/stores.ts';

// Some tests run whole jobs.
vi.setConfig({ testTimeout: 60_000 });

const SEEN = 'slug name color checked projectId builtIn former going';
const statusShape = v.looseObject({ slug: v.string(), name: v.string(), color: v.string(), checked: v.boolean() });
const listShape = v.array(statusShape);

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
  });

  const hold = { name: 'On hold', color: 'red', checked: false };
  const create = (account: string, values: Record<string, unknown> = hold) =>
    askAs(it, account).mutate('createStatus', values, `statuses { ${SEEN} } job { id }`);
  const change = (account: string, name: string, values: Record<string, unknown>) =>
    askAs(it, account).mutate(name, values, `statuses { ${SEEN} } job { id }`);
  const list = async (account: string, where: Record<string, unknown> = {}) =>
    v.parse(
      listShape,
      await askAs(it, account).ask(
        `query list($projectId: ID, $issueId: ID) { statuses(projectId: $projectId, issueId: $issueId) { ${SEEN} } }`,
        where,
      ),
    );
  const slugs = (statuses: unknown) => v.parse(listShape, statuses).map(({ slug }) => slug);
  const mirrored = (project: string) =>
    parseRegistry(it.tracker.projects.get(project)?.[storageKey('statuses')])?.map(({ slug }) => slug);

  test('a site begins with four statuses, and a project has those of the site and its own', async () => {
    expect(slugs(await list('editor'))).toEqual(['todo', 'in_progress', 'done', 'skipped']);
    expect(await create('admin')).toMatchObject({
      message: 'Status has been created successfully.',
      errors: [],
      job: null,
    });
    await create('lead', { ...hold, name: 'QA failed', checked: true, projectId: PROJECT });
    expect(await list('editor', { projectId: PROJECT })).toMatchObject([
      { slug: 'todo', builtIn: true },
      {},
      {},
      {},
      { slug: 'on_hold', name: 'On hold', color: 'red', checked: false, projectId: null, builtIn: false },
      { slug: 'qa_failed', checked: true, projectId: PROJECT },
    ]);
    expect(slugs(await list('editor'))).not.toContain('qa_failed');
    await it.settled();
    expect(mirrored(PROJECT)).toEqual(['todo', 'in_progress', 'done', 'skipped', 'on_hold', 'qa_failed']);
    expect(mirrored(OTHER_PROJECT)).toEqual(['todo', 'in_progress', 'done', 'skipped', 'on_hold']);
  });

  test('permissions to view and change statuses', async () => {
    const site = refused('FORBIDDEN', null, refusals.permission);
    const project = refused('FORBIDDEN', null, refusals.projectAdmin);
    for (const account of ['lead', 'editor', 'anonymous']) {
      expect(await create(account)).toMatchObject(site);
      expect(await change(account, 'updateStatus', { slug: 'done', name: 'Ready' })).toMatchObject(site);
      expect(await change(account, 'reorderStatuses', { slugs: [], seen: [] })).toMatchObject(site);
      expect(await change(account, 'deleteStatus', { slug: 'done', moveTo: 'todo' })).toMatchObject(site);
    }
    expect(await create('editor', { ...hold, projectId: PROJECT })).toMatchObject(project);
    expect(await create('lead', { ...hold, projectId: OTHER_PROJECT })).toMatchObject(project);
    expect(await create('lead', { ...hold, projectId: '1 or 1' })).toMatchObject(project);
    expect(await create('lead', { ...hold, projectId: PROJECT })).toMatchObject({ errors: [] });
    expect(await change('editor', 'updateStatus', { slug: 'on_hold', name: 'Other' })).toMatchObject(project);
    await expect(list('anonymous')).rejects.toThrow(refusals.permission);
    await expect(list('editor', { projectId: OTHER_PROJECT })).rejects.toThrow(refusals.permission);
    await expect(list('editor', { issueId: '1' })).rejects.toThrow(refusals.permission);
    const issue = await newIssue(it, EDITOR, 'editor');
    expect(slugs(await list('editor', { issueId: issue.id }))).toContain('on_hold');
    await issue.edit(update('- a'));
    const { length } = it.tracker.calls;
    expect(slugs(await list('editor', { issueId: issue.id }))).toContain('on_hold');
    // The database knows the issue's project by now.
    expect(it.tracker.calls.slice(length).filter(({ method }) => method === 'GET')).toEqual([]);
    await expect(askAs(it, 'editor').ask('{ statusUse(slug: "on_hold") { items } }')).rejects.toThrow(
      refusals.projectAdmin,
    );
    const other = await startApp(use().store);
    other.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    expect(await askAs(other, 'admin').ask('{ statuses { slug } }')).toHaveLength(4);
    await other.app.close();
  });

  test.each([
    ['  ', 'REQUIRED', 'This field is required.'],
    ['x'.repeat(51), 'TOO_LONG', 'The name of a status has at most 50 characters.'],
    ['[a', 'UNWRITABLE_STATUS', expect.stringContaining('brackets')],
    ['~a', 'UNWRITABLE_STATUS', expect.stringContaining('brackets')],
    ['on   HOLD', 'NOT_UNIQUE', 'This is already taken.'],
    ['skipped', 'NOT_UNIQUE', 'This is already taken.'],
  ])('the name %j is refused', async (name, code, message) => {
    await create('admin');
    expect(await create('admin', { ...hold, name })).toMatchObject(refused(code, 'name', message));
    expect(await create('lead', { ...hold, name, projectId: PROJECT })).toMatchObject(refused(code, 'name', message));
    await create('admin', { ...hold, name: 'Other' });
    expect(await change('admin', 'updateStatus', { slug: 'other', name })).toMatchObject(
      refused(code, 'name', message),
    );
  });

  test('a name used in one project is free in others, but not for the site', async () => {
    await create('lead', { ...hold, projectId: PROJECT });
    expect(await create('admin')).toMatchObject(refused('NOT_UNIQUE', 'name', 'This is already taken.'));
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
    expect(await create('admin', { ...hold, name: '保留' })).toMatchObject({ errors: [] });
    expect(slugs(await list('admin'))).toContain('status');
  });

  test('at most two hundred statuses can be created', async () => {
    const statuses = Array.from({ length: 200 }, (_, index) => [`s${index}`, `Status number ${index}`]);
    for (const [slug, name] of statuses) {
      await use().raw(
        `insert into status (tenant, slug, name, color, checked, position) values ($1, $2, $3, 'red', false, 9)`,
        [it.tenant.id, slug, name],
      );
    }
    expect(await create('admin')).toMatchObject({ errors: [] });
    await it.settled();
    expect(mirrored(PROJECT)).toHaveLength(205);
    await use().raw(`update status set name = repeat(slug || '"', 30) where slug like 's%'`);
    expect(await create('admin', { ...hold, name: 'One more' })).toMatchObject(
      refused('LIMIT_REACHED', 'name', messages.noRoom),
    );
  });

  test('built-in statuses can be renamed and recoloured, and keep their meaning', async () => {
    expect(await change('admin', 'updateStatus', { slug: 'done', name: 'Finished', color: 'blue' })).toMatchObject({
      message: 'Status has been updated successfully.',
      job: null,
    });
    const fixed = (field: string) => refused('BUILT_IN_STATUS', field, messages.builtIn);
    expect(await change('admin', 'updateStatus', { slug: 'done', checked: false })).toMatchObject(fixed('checked'));
    expect(await change('admin', 'deleteStatus', { slug: 'done', moveTo: 'todo' })).toMatchObject(fixed('slug'));
    expect(await list('editor')).toMatchObject([
      { slug: 'todo' },
      { slug: 'in_progress' },
      { slug: 'done', name: 'Finished', color: 'blue', checked: true },
      { slug: 'skipped' },
    ]);
  });

  describe('texts', () => {
    const withStatuses = async () => {
      await create('admin');
      const issue = await newIssue(it, EDITOR, 'editor');
      await issue.edit(update('- [On hold] a\n+ [on  hold] ! b\n- c\n> [On hold] detail'));
      return issue;
    };
    const property = (stored: unknown) => {
      const read = parseChecklistProperty(stored);
      if (read.kind !== 'ours') throw new Error('Not ours.');
      return v.parse(v.looseObject({ search: v.unknown(), progress: v.unknown() }), stored);
    };

    test('items have the status in search values, progress and the index', async () => {
      await create('admin', { ...hold, name: 'Waived', checked: true });
      const issue = await withStatuses();
      await issue.edit(tick(2, 'c', 'waived'));
      expect(await issue.text()).toContain('+ [Waived] c');
      expect(property(await issue.stored())).toMatchObject({
        progress: { total: 3, checked: 1, mandatoryOpen: 1 },
        search: { statuses: ['On hold', 'Waived'] },
      });
      expect(
        await use().raw('select slug, items from status_use where tenant = $1 order by slug', [it.tenant.id]),
      ).toEqual([
        { slug: 'on_hold', items: 2 },
        { slug: 'waived', items: 1 },
      ]);
      expect(await askAs(it, 'admin').ask('{ statusUse(slug: "on_hold") { items issues templates } }')).toEqual({
        items: 2,
        issues: 1,
        templates: 0,
      });
      await expect(issue.edit(tick(2, 'c', 'unknown'))).rejects.toMatchObject({ code: 'UNKNOWN_STATUS' });
    });

    test("a project's status is plain text elsewhere", async () => {
      await create('lead', { ...hold, projectId: PROJECT });
      const issue = await newIssue(it, EDITOR, 'editor');
      const { fields = {} } = it.tracker.issues.get(issue.id) ?? {};
      fields.project = { id: OTHER_PROJECT, key: 'OP' };
      await issue.edit(update('- [On hold] a'));
      expect(property(await issue.stored())).toMatchObject({ search: { statuses: ['To Do'] } });
    });

    test('after an issue has moved, its items and history use the statuses of the new project', async () => {
      await create('lead', { ...hold, projectId: PROJECT });
      const issue = await newIssue(it, EDITOR, 'editor');
      await issue.edit(update('- [On hold] a'));
      const uses = () => use().raw('select slug, items from status_use where tenant = $1', [it.tenant.id]);
      expect(property(await issue.stored())).toMatchObject({ search: { statuses: ['On hold'] } });
      expect(await uses()).toEqual([{ slug: 'on_hold', items: 1 }]);
      const changedRows = () =>
        callsOf(async () => {
          const { entries } = await issue.checklists.history(issue.id, { first: 1, filter: {} });
          return entries[0]?.changes?.map(({ row }) => row);
        });
      expect(await changedRows()).toEqual({ answer: ['a'], calls: [] });

      const { fields = {} } = it.tracker.issues.get(issue.id) ?? {};
      fields.project = { id: OTHER_PROJECT, key: 'OP' };
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      const changes = [{ id: 'project', name: 'project', to: OTHER_PROJECT }];
      await it.sync.noticed({ tenant, account: 'editor' }, issue.id, { kind: 'updated', mayHide: false, changes });
      expect(property(await issue.stored())).toMatchObject({ search: { statuses: ['To Do'] } });
      expect(await uses()).toEqual([]);
      expect(await changedRows()).toEqual({ answer: ['[On hold] a'], calls: [] });
    });

    /** Result of some work, and its reads from the tracker. */
    async function callsOf<T>(work: () => Promise<T>) {
      const { length } = it.tracker.calls;
      const answer = await work();
      const calls = it.tracker.calls.slice(length).filter(({ method }) => method === 'GET');
      return { answer, calls };
    }

    test('a renamed status is updated in checklists and templates', async () => {
      const issue = await withStatuses();
      const id = randomUUID();
      const template = { id, project: null, name: 'T', text: '- [On hold] t' };
      await use().store.tenant(it.tenant.id, tx => putTemplate(tx, it.tenant.id, 'admin', template));
      const strange = await newIssue(it);
      await strange.store('- [ON HOLD] never ours\n- [text] stays');
      const { job } = await change('admin', 'updateStatus', { slug: 'on_hold', name: 'Waiting' });
      expect(job).toMatchObject({ id: expect.any(String) });
      // Until the job has run, texts with either name have the status.
      expect((await issue.read()).text).toContain('[On hold] a');
      await issue.edit(tick(0, 'a', 'in_progress'));
      await issue.edit(tick(0, 'a', 'on_hold'));
      await it.settled();
      expect(await issue.text()).toBe('- [Waiting] a\n- [Waiting] ! b\n- c\n> [On hold] detail');
      expect(await strange.text()).toBe('- [Waiting] never ours\n- [text] stays');
      expect(await use().raw('select text from template where id = $1', [id])).toEqual([{ text: '- [Waiting] t' }]);
      expect(property(await issue.stored())).toMatchObject({ search: { statuses: ['Waiting', 'To Do'] } });
      // The old name is free now, and read until it is taken.
      await issue.edit(update('- [on hold] old draft'));
      expect(property(await issue.stored())).toMatchObject({ search: { statuses: ['Waiting'] } });
      expect(await create('admin')).toMatchObject({ errors: [] });
      await it.settled();
    });

    test('the old name stays reserved until the job has run', async () => {
      await withStatuses();
      await change('admin', 'updateStatus', { slug: 'on_hold', name: 'Waiting' });
      expect(await create('admin')).toMatchObject(refused('NOT_UNIQUE', 'name', 'This is already taken.'));
      // A second change replaces the job.
      await change('admin', 'updateStatus', { slug: 'on_hold', name: 'Paused', checked: true });
      await it.settled();
      expect(
        await use().raw("select state from job where tenant = $1 and kind = 'STATUSES' order by created", [
          it.tenant.id,
        ]),
      ).toEqual([{ state: 'CANCELLED' }, { state: 'DONE' }]);
      const [found] = [...it.tracker.issues.keys()].slice(-1);
      expect(it.tracker.property(found ?? '')).toMatchObject({
        text: '+ [Paused] a\n+ [Paused] ! b\n- c\n> [On hold] detail',
        progress: { checked: 2 },
      });
    });

    test('before a status is deleted, its items get another status', async () => {
      const issue = await withStatuses();
      for (const moveTo of ['on_hold', 'unknown', '']) {
        expect(await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo })).toMatchObject(
          refused('UNKNOWN_STATUS', 'moveTo', messages.target),
        );
      }
      expect(await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'skipped' })).toMatchObject({
        message: 'Status has been deleted successfully.',
        job: { id: expect.any(String) },
      });
      expect(await list('editor')).toMatchObject([{}, {}, {}, {}, { slug: 'on_hold', going: true }]);
      const later = await workOn(it, issue.id, 'editor');
      await expect(later.edit(tick(2, 'c', 'on_hold'))).rejects.toMatchObject({ code: 'UNKNOWN_STATUS' });
      await it.settled();
      expect(await issue.text()).toBe('x a\nx ! b\n- c\n> [On hold] detail');
      expect(slugs(await list('editor'))).toEqual(['todo', 'in_progress', 'done', 'skipped']);
      expect(mirrored(PROJECT)).toEqual(['todo', 'in_progress', 'done', 'skipped']);
      expect(await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'todo' })).toMatchObject(
        refused('NOT_FOUND', 'slug', messages.notFound),
      );
    });

    test('a target status that is deleted, too, is replaced by its own target', async () => {
      await create('admin');
      await create('lead', { ...hold, name: 'Waiting', projectId: PROJECT });
      await change('lead', 'deleteStatus', { slug: 'waiting', moveTo: 'on_hold' });
      await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'skipped' });
      const going = await use().raw('select slug, moves_to from status where tenant = $1 and moves_to is not null', [
        it.tenant.id,
      ]);
      expect(new Map(going.map(each => [each.slug, each.moves_to]))).toEqual(
        new Map([
          ['waiting', 'skipped'],
          ['on_hold', 'skipped'],
        ]),
      );
      await it.settled();
      expect(slugs(await list('editor', { projectId: PROJECT }))).toEqual(['todo', 'in_progress', 'done', 'skipped']);
    });

    test('where an issue fails, the status stays until it is deleted again', async () => {
      await withStatuses();
      const issue = await newIssue(it);
      await issue.store('- [On hold] a');
      it.tracker.faults.push(({ method, path }) =>
        method === 'GET' && path === `/rest/api/2/issue/${issue.id}` ? new Response('{}', { status: 403 }) : undefined,
      );
      await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'done' });
      await it.settled();
      expect(slugs(await list('editor'))).toContain('on_hold');
      it.tracker.faults.length = 0;
      await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'done' });
      await it.settled();
      expect(await issue.text()).toBe('+ a');
      expect(slugs(await list('editor'))).not.toContain('on_hold');
    });

    test('items not yet written to the tracker are found, too', async () => {
      const issue = await withStatuses();
      await issue.edit(update('- a'));
      expect(await issue.text()).toBe('- a');
      await issue.edit(tick(0, 'a', 'on_hold'));
      await change('admin', 'deleteStatus', { slug: 'on_hold', moveTo: 'done' });
      await it.background.work(it.wideJobs.jobs);
      expect(it.tracker.property(issue.id)).toMatchObject({ text: '- a' });
      expect(slugs(await list('editor'))).not.toContain('on_hold');
      expect(await issue.text()).toBe('+ a');
    });
  });

  describe('their order', () => {
    const four = ['todo', 'in_progress', 'done', 'skipped'];
    const reorder = (wanted: string[], seen: string[], account = 'admin') =>
      change(account, 'reorderStatuses', { slugs: wanted, seen });

    test('the order covers all statuses, also built-in ones, and survives other changes', async () => {
      await create('admin');
      const wanted = ['on_hold', 'done', 'todo', 'in_progress', 'skipped'];
      expect(await reorder(wanted, [...four, 'on_hold'])).toMatchObject({
        message: 'Statuses order has been changed successfully.',
      });
      await change('admin', 'updateStatus', { slug: 'done', color: 'red' });
      await create('admin', { ...hold, name: 'New' });
      expect(slugs(await list('editor'))).toEqual([...wanted, 'new']);
    });

    test('a status added meanwhile is kept, a conflicting move is refused', async () => {
      const [b, a] = [
        ['in_progress', 'todo', 'done', 'skipped'],
        ['todo', 'done', 'in_progress', 'skipped'],
      ];
      await create('admin');
      expect(slugs((await reorder(b, four)).statuses)).toEqual(['in_progress', 'todo', 'done', 'skipped', 'on_hold']);
      expect(await reorder(a, four)).toMatchObject(refused('CHANGED_MEANWHILE', 'slugs', managing.orderStatuses));
      expect(slugs((await reorder(b, four)).statuses)).toEqual(['in_progress', 'todo', 'done', 'skipped', 'on_hold']);
      for (const wrong of [['todo'], [...four, 'todo'], [...four.slice(1), 'none']]) {
        expect(await reorder(wrong, four)).toMatchObject(refused('UNKNOWN_STATUS', 'slugs', managing.orderStatuses));
      }
    });

    test('two concurrent changes of the order: one may be refused', async () => {
      const [one, two] = await Promise.all([
        reorder(['in_progress', 'todo', 'done', 'skipped'], four),
        reorder(['todo', 'done', 'in_progress', 'skipped'], four),
      ]);
      expect([one, two].filter(({ errors }) => errors.length > 0)).toHaveLength(1);
    });
  });
});
