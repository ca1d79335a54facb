import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { EDITOR, newIssue, tick, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { onStore } from '../../support/stores.ts';
import { COUNTS, countsShape, ITEMS, idOf, pageShape, TODAY, withPeople } from './assigned-items.ts';

onStore(use => {
  const { it, person, rename } = withPeople(use);

  test("a user's items with their issues, and no items of other users", async () => {
    const { issues, page } = await person(['# H\n- ! a @ 2026-12-01\n- b [~accountid:x]\n- none', '~ c @']);
    const [first, second] = [idOf(issues, 0), idOf(issues, 1)];
    const { items, issues: lines, next } = await page();
    expect(next).toBeNull();
    expect(items).toMatchObject([
      { issueId: second, index: 0, dueDate: null, mandatory: false, status: { slug: 'in_progress', checked: false } },
      { issueId: first, index: 1, dueDate: '2026-12-01', mandatory: true, status: { slug: 'todo', name: 'To Do' } },
    ]);
    const may = { canAddChecklistItems: true, canChangeItemStatuses: true, canDeleteChecklistItems: true };
    expect(lines.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual([
      {
        ...{ id: first, key: `PR-${first}`, summary: 'An issue', status: 'Open', statusColor: 'blue-gray', count: 1 },
        ...{ type: 'Task', typeIcon: 'https://site.example/task.svg', projectId: '10000', projectName: 'A project' },
        permissions: { ...may, canEditChecklist: true },
      },
      expect.objectContaining({ id: second, count: 1 }),
    ]);
  });

  const place = (issue: string, project: object) =>
    Object.assign(it.tracker.issues.get(issue)?.fields ?? {}, { project });

  test('items of others: of one person, of a project, of projects with own items, and those assigned by the user', async () => {
    provokes({ differences: true });
    const [project, elsewhere] = [
      { id: '10777', key: 'TM', name: 'Team' },
      { id: '10778', key: 'EL', name: 'Elsewhere' },
    ];
    const account = randomUUID();
    const other = randomUUID();
    it.tracker.granted.set(account, EDITOR);
    const written = async (text: string, at: object, by?: string) => {
      const issue = await newIssue(it, EDITOR, by);
      place(issue.id, at);
      await issue.edit(
        update(text.replaceAll('@me', `[~accountid:${account}]`).replaceAll('@her', `[~accountid:${other}]`)),
      );
      return issue.id;
    };
    const first = await written('# Plan\n- mine @me\n+ hers @her', project);
    await written('- hers elsewhere @her', elsewhere);
    const delegated = await written('- delegated @her\n- own @me', elsewhere, account);
    await use().raw('delete from assigned_item where issue = $1 and account = $2', [delegated, account]);
    const hidden = await written('- secret @her\n- secret too @me', project);
    it.tracker.hidden.add(hidden);
    const ask = async (who: object, filter: object = {}) => {
      const { data } = await it.graphql(account, ITEMS, { today: TODAY, who, filter });
      return v.parse(pageShape, data).assignedItems.items.map(({ text }) => text.replace(/ \[.*/, ''));
    };
    const count = async (who: object) => {
      const { data } = await it.graphql(account, COUNTS, { today: TODAY, who });
      return v.parse(countsShape, data).assignedCounts.all;
    };
    expect(await ask({ kind: 'ME' })).toEqual(['mine']);
    expect(await ask({ kind: 'PERSON', id: other })).toEqual(['delegated', 'hers elsewhere', 'hers']);
    expect(await ask({ kind: 'PERSON', id: other }, { checked: false, projectId: '10778' })).toEqual([
      'delegated',
      'hers elsewhere',
    ]);
    expect(await ask({ kind: 'PROJECT', id: '10777' })).toEqual(['mine', 'hers']);
    expect(await ask({ kind: 'MY_PROJECTS' })).toEqual(['mine', 'hers']);
    expect(await ask({ kind: 'BY_ME' })).toEqual(['delegated']);
    expect(await ask({ kind: 'PERSON', id: other }, { text: 'secret' })).toEqual([]);
    expect(
      await Promise.all([{ kind: 'PERSON', id: other }, { kind: 'MY_PROJECTS' }, { kind: 'BY_ME' }].map(count)),
    ).toEqual([3, 2, 1]);
    const { data } = await it.graphql(account, ITEMS, { today: TODAY });
    expect(v.parse(pageShape, data).assignedItems.items).toMatchObject([{ issueId: first, section: 'Plan' }]);
    it.tracker.hidden.delete(hidden);
  });

  test('items of others are asked about in one call for a page and its counts', async () => {
    const { issues, account } = await person(Array.from({ length: 12 }, (_, index) => `- item ${index} @`));
    const viewer = randomUUID();
    it.tracker.granted.set(viewer, EDITOR);
    const who = { kind: 'PERSON', id: account };
    const from = it.tracker.calls.length;
    const { data } = await it.graphql(viewer, ITEMS, { today: TODAY, who });
    expect(v.parse(pageShape, data).assignedItems.items).toHaveLength(issues.length);
    await it.graphql(viewer, COUNTS, { today: TODAY, who });
    const checks = it.tracker.calls.slice(from).filter(({ path }) => path.endsWith('/permissions/check'));
    expect(checks).toHaveLength(1);
  });

  test('an item keeps its id when it is ticked and when it moves', async () => {
    const { issues, page, account } = await person(['- a @\n- b']);
    const [before] = (await page()).items;
    await issues[0]?.edit(tick(0, `a [~accountid:${account}]`));
    await issues[0]?.edit(update(`- new\n- b\n+ a [~accountid:${account}]`));
    const [after] = (await page()).items;
    expect(after).toMatchObject({ id: before?.id, index: 2, status: { slug: 'done', checked: true } });
  });

  test('items are sorted by due date, undated ones last, and paged without gaps or duplicates', async () => {
    const { page, texts, counts } = await person([
      '- a @ 2026-12-03\n- b @\n- c @ 2026-11-01',
      '- d @ 2026-12-03\n- e @ 2026-11-20\n- f @',
      '- g @',
    ]);
    const due = ['c', 'e', 'a', 'd', 'b', 'f', 'g'];
    const words = (await texts({ order: 'DUE' })).map(text => text.slice(0, 1));
    expect(words).toEqual(due);
    for (const order of ['DUE', 'ISSUE']) {
      const whole = (await page({ order })).items.map(({ id }) => id);
      for (const first of [1, 2, 3, 7]) {
        const ids: string[] = [];
        let after: string | null = null;
        do {
          const each: Awaited<ReturnType<typeof page>> = await page({ order, first, after });
          expect(each.items.length).toBeLessThanOrEqual(first);
          ids.push(...each.items.map(({ id }) => id));
          after = each.next;
        } while (after !== null);
        expect(ids).toEqual(whole);
      }
    }
    expect((await counts()).due).toEqual({ past: 1, today: 1, week: 0, later: 2, none: 3 });
  });

  test('filters apply on the server, and the choices of one filter respect the others', async () => {
    const { texts, counts } = await person([
      '- call Ann @ 2026-11-19\n+ call Bob @ 2026-11-18\n- 100% sure @\n~ under_way @ 2026-11-26\n- under-way @ 2026-11-27',
    ]);
    expect(await texts({ filter: { checked: false, text: 'CALL' } })).toEqual(['call Ann 2026-11-19']);
    expect(await texts({ filter: { checked: true } })).toEqual(['call Bob 2026-11-18']);
    expect(await texts({ filter: { overdue: true } })).toEqual(['call Ann 2026-11-19']);
    expect(await texts({ filter: { status: 'in_progress' } })).toEqual(['under_way 2026-11-26']);
    // Wildcards match literally, account ids do not match, and surrounding blanks are ignored.
    expect(await texts({ filter: { text: '%' } })).toEqual(['100% sure']);
    expect(await texts({ filter: { text: 'under_way' } })).toEqual(['under_way 2026-11-26']);
    expect(await texts({ filter: { text: 'accountid' } })).toEqual([]);
    expect(await texts({ filter: { text: '  sure ' } })).toEqual(['100% sure']);
    expect(await texts({ filter: { projectId: '999' } })).toEqual([]);
    expect(await counts({ filter: { checked: false, status: null } })).toEqual({
      partial: false,
      all: 4,
      overdue: 1,
      due: { past: 1, today: 0, week: 1, later: 1, none: 1 },
      projects: [{ id: '10000', name: 'A project', count: 4 }],
      statuses: [
        { slug: 'todo', name: 'To Do', count: 3 },
        { slug: 'done', name: 'Done', count: 1 },
        { slug: 'in_progress', name: 'In Progress', count: 1 },
      ],
    });
    expect(await counts({ filter: { overdue: true } })).toMatchObject({ all: 1, overdue: 1 });
  });

  const fetches = (from: number) =>
    it.tracker.calls.slice(from).filter(({ path }) => path.endsWith('/issue/bulkfetch')).length;

  test('a search finds items by the key and summary of their issue, across pages', async () => {
    const { issues, page, texts, counts } = await person(['- a @\n+ b @', '- c @', '- Plan 100% @']);
    const [first, second] = [idOf(issues, 0), idOf(issues, 1)];
    rename(first, 'Plan_the launch');
    rename(second, 'Ship it');
    expect(await texts({ filter: { text: 'plan' } })).toEqual(['Plan 100%', 'a', 'b']);
    expect(await texts({ filter: { text: 'plan_the' } })).toEqual(['a', 'b']);
    expect(await texts({ filter: { text: `pr-${second}` } })).toEqual(['c']);
    expect(await texts({ filter: { text: `PR-${first} plan` } })).toEqual(['a', 'b']);
    expect(await texts({ filter: { text: 'plan', checked: true } })).toEqual(['b']);
    expect(await texts({ filter: { text: 'pl%launch' } })).toEqual([]);
    expect(await counts({ filter: { text: 'launch' } })).toMatchObject({ all: 2, projects: [{ count: 2 }] });
    const found = await page({ first: 1, filter: { text: 'launch' } });
    expect(found).toMatchObject({ items: [{ issueId: first, index: 0 }], issues: [{ count: 2 }] });
    const rest = await page({ first: 1, after: found.next, filter: { text: 'launch' } });
    expect(rest).toMatchObject({ items: [{ issueId: first, index: 1 }], next: null });
  });

  test('summaries are read for a hundred issues at a time, and again only after an event of the issue', async () => {
    const { issues, texts, account } = await person(Array.from({ length: 120 }, (_, index) => `- item ${index} @`));
    rename(idOf(issues, 0), 'Needle');
    const before = it.tracker.calls.length;
    expect(await texts({ filter: { text: 'needle' } })).toEqual(['item 0']);
    // 120 in two calls, and those of the page in one.
    expect(fetches(before)).toBe(3);
    expect(await texts({ filter: { text: 'needle' } })).toEqual(['item 0']);
    expect(fetches(before)).toBe(4);
    rename(idOf(issues, 0), 'Pin');
    rename(idOf(issues, 1), 'Needle');
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const renamed = { kind: 'updated', mayHide: false, changes: [{ id: 'summary', name: 'summary', to: '' }] } as const;
    for (const { id } of issues.slice(0, 2)) await it.sync.noticed({ tenant, account }, id, renamed);
    expect(await texts({ filter: { text: 'needle' } })).toEqual(['item 1']);
    expect(fetches(before)).toBe(6);
    // A change of the checklist does not invalidate them.
    await issues[1]?.edit(update(`- another [~accountid:${account}]`));
    expect(await texts({ filter: { text: 'needle' } })).toEqual(['another']);
  });

  test('a moved issue is listed in its new project after its next read', async () => {
    const { issues, page, texts } = await person(['- a @']);
    const issue = it.tracker.issues.get(idOf(issues, 0));
    Object.assign(issue?.fields ?? {}, { project: { id: OTHER_PROJECT, key: 'OT', name: 'Another' } });
    expect((await page()).issues).toMatchObject([{ projectName: 'Another' }]);
    expect((await page()).issues).toMatchObject([{ projectId: OTHER_PROJECT }]);
    expect(await texts({ filter: { projectId: OTHER_PROJECT } })).toEqual(['a']);
    expect(await texts({ filter: { projectId: '10000' } })).toEqual([]);
  });

  test('a list and counts without what only the tracker knows read no issue', async () => {
    const { account } = await person(['- a @', '- b @']);
    const before = it.tracker.calls.length;
    const plain = `query plain($today: String!) {
      assignedItems(today: $today) { items { text } issues { id projectId count } }
      assignedCounts(today: $today) { all projects { id count } }
    }`;
    const { data } = await it.graphql(account, plain, { today: TODAY });
    expect(data).toMatchObject({
      assignedItems: {
        issues: [
          { projectId: '10000', count: 1 },
          { projectId: '10000', count: 1 },
        ],
      },
      assignedCounts: { all: 2, projects: [{ id: '10000', count: 2 }] },
    });
    const calls = it.tracker.calls.slice(before).map(({ path }) => path);
    expect(new Set(calls)).toEqual(new Set(['/rest/api/3/permissions/check']));
  });
});
