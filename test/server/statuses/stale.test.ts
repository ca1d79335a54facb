import { beforeEach, describe, expect, test, vi } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { appOf, startApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR, type IssueWork, newIssue, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { asObject } from '../support/sync.ts';
import { isPropertyWrite } from '../support/tracker.ts';

// Some tests run whole jobs.
vi.setConfig({ testTimeout: 60_000 });

/** What is stored of checklists follows every change of statuses. */
onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
  });

  const admin = () => askAs(it, 'admin');
  const hold = { name: 'On hold', color: 'red', checked: false };
  const create = (values: Record<string, unknown> = hold) => admin().mutate('createStatus', values, 'job { id }');
  const change = (name: string, values: Record<string, unknown>) => admin().mutate(name, values, 'job { id }');
  const uses = (issue: IssueWork) =>
    use().raw('select slug, items from status_use where issue = $1 order by slug', [issue.id]);
  const assigned = (issue: IssueWork) =>
    use().raw('select text, status, checked from assigned_item where issue = $1 order by position', [issue.id]);
  const counts = (issue: IssueWork) =>
    use().raw('select items, open, open_mandatory from checklist where issue = $1', [issue.id]);
  const held = (issue: IssueWork) =>
    asObject(it.tracker.issues.get(issue.id)?.properties[storageKey('checklist')]) as {
      rules?: { statuses: Record<string, string> };
      search?: { statuses: string[] };
      progress?: { checked: number };
    };
  async function issueWith(text: string) {
    const issue = await newIssue(it);
    await issue.edit(update(text));
    await it.settled();
    return issue;
  }
  const writes = async (work: () => Promise<unknown>) => {
    const before = it.tracker.calls.length;
    await work();
    return it.tracker.calls
      .slice(before)
      .filter(isPropertyWrite)
      .flatMap(({ path }) => /\/issue\/(\d+)\//.exec(path)?.[1] ?? []);
  };

  test('a status that is created with a name that texts hold counts at once, and only there is a property written', async () => {
    const [with_, without] = [await issueWith('- [On hold] Ask [~accountid:ann]\n- b'), await issueWith('- a')];
    expect(await uses(with_)).toEqual([]);
    const written = await writes(async () => {
      await create();
      await it.settled();
    });
    expect(written).toEqual([with_.id]);
    expect(await uses(with_)).toEqual([{ slug: 'on_hold', items: 1 }]);
    expect(await assigned(with_)).toMatchObject([{ status: 'on_hold', checked: false }]);
    expect(held(with_).search?.statuses).toContain('On hold');
    expect(held(with_).rules?.statuses).toMatchObject({ ':on hold': expect.stringContaining('Ask') });
    expect(await admin().ask('{ statusUse(slug: "on_hold") { items issues } }')).toEqual({ items: 1, issues: 1 });
    expect(await uses(without)).toEqual([]);
  });

  test('one that counts as done changes the counts', async () => {
    const issue = await issueWith('- [Approved] a\n- ! b');
    expect(await counts(issue)).toEqual([{ items: 2, open: 2, open_mandatory: 1 }]);
    await create({ ...hold, name: 'Approved', checked: true });
    await it.settled();
    expect(await counts(issue)).toEqual([{ items: 2, open: 1, open_mandatory: 1 }]);
    expect(held(issue).progress?.checked).toBe(1);
  });

  test('a project status counts in its project only', async () => {
    const issue = await issueWith('- [QA] a');
    const other = await issueWith('- [QA] a');
    const elsewhere = it.tracker.issues.get(other.id);
    if (elsewhere) elsewhere.fields.project = { id: '10001' };
    await use().raw("update checklist set project = '10001', indexed_registry = null where issue = $1", [other.id]);
    await create({ ...hold, name: 'QA', projectId: PROJECT });
    await it.settled();
    expect(await uses(issue)).toEqual([{ slug: 'qa', items: 1 }]);
    expect(await uses(other)).toEqual([]);
  });

  test('a built-in status that is renamed has its new name in what is stored', async () => {
    const issue = await issueWith('+ a\n- b');
    await change('updateStatus', { slug: 'done', name: 'Finished' });
    await it.settled();
    expect(held(issue).search?.statuses).toEqual(['Finished', 'To Do'].toSorted());
    expect(Object.keys(held(issue).rules?.statuses ?? {})).toContain(':finished');
  });

  test('each change of a status leaves nothing stale', async () => {
    const issue = await issueWith('- [On hold] a\n- b\n+ c');
    const stale = `select count(*)::int as n from checklist c where (indexed_epoch, indexed_seq, indexed_registry)
      is distinct from (epoch, seq, (select print from registry r where r.tenant = c.tenant and project = ''))
      and tenant = $1`;
    const steps: [string, Record<string, unknown>][] = [
      ['createStatus', hold],
      ['updateStatus', { slug: 'on_hold', name: 'Waiting' }],
      ['updateStatus', { slug: 'on_hold', checked: true }],
      ['updateStatus', { slug: 'skipped', name: 'Left out' }],
      ['deleteStatus', { slug: 'on_hold', moveTo: 'todo' }],
    ];
    for (const [name, values] of steps) {
      await change(name, values);
      await it.settled();
      expect(await use().raw(stale, [it.tenant.id]), name).toEqual([{ n: 0 }]);
      expect(await admin().ask('{ jobs(scope: {}) { ended } }')).not.toContainEqual({ ended: null });
    }
    expect(await issue.text()).toBe('- a\n- b\n+ c');
    expect(await uses(issue)).toEqual([]);
  });

  test('a color or another order makes nothing stale, and costs no call for an issue', async () => {
    await create();
    await it.settled();
    await issueWith('- [On hold] a');
    const written = await writes(async () => {
      await change('updateStatus', { slug: 'on_hold', color: 'blue' });
      const slugs = ['on_hold', 'todo', 'in_progress', 'done', 'skipped'];
      await change('reorderStatuses', { slugs, seen: ['todo', 'in_progress', 'done', 'skipped', 'on_hold'] });
      await it.settled();
    });
    expect(written).toEqual([]);
    expect(await admin().ask('{ jobs(scope: {}) { kind } }')).toEqual([{ kind: 'REFRESH' }]);
  });

  describe('statuses whose hash is not stored', () => {
    test('are noted at the next search for lost work, which makes indexes anew without a call', async () => {
      // Copies get a status by the job of its creation, which an insertion by SQL lacks.
      provokes({ differences: true });
      const issue = await issueWith('- [On hold] a');
      await use().raw(
        `insert into status (tenant, slug, name, color, checked, position) values ($1, 'on_hold', 'On hold', 'red', false, 9)`,
        [it.tenant.id],
      );
      await use().raw('update tenant set status_version = status_version + 1 where tenant = $1', [it.tenant.id]);
      const before = it.tracker.calls.length;
      await it.refreshIndexes();
      expect(it.tracker.calls.length).toBe(before);
      expect(await uses(issue)).toEqual([{ slug: 'on_hold', items: 1 }]);
    });
  });
});
