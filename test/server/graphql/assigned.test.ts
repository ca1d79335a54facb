import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { failures, refusals, storage } from '../../../src/domain/messages.ts';
import { anonymous } from '../../../src/domain/user.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, own, tick, update } from '../support/checklists.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';

const ITEMS = `query items($today: String!, $who: AssignedWhoInput, $order: AssignedOrder, $filter: AssignedFilterInput, $after: String, $first: Int) {
  assignedItems(today: $today, who: $who, order: $order, filter: $filter, after: $after, first: $first) {
    next
    items { id issueId index section text mandatory dueDate status { slug name color checked } }
    issues {
      id key summary status statusColor type typeIcon projectId projectName count
      permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist }
    }
  }
}`;
const COUNTS = `query counts($today: String!, $who: AssignedWhoInput, $filter: AssignedFilterInput) {
  assignedCounts(today: $today, who: $who, filter: $filter) {
    partial all overdue
    due { past today week later none }
    projects { id name count }
    statuses { slug name count }
  }
}`;

const itemShape = v.looseObject({ id: v.string(), issueId: v.string(), index: v.number(), text: v.string() });
const pageShape = v.object({
  assignedItems: v.object({
    next: v.nullable(v.string()),
    items: v.array(itemShape),
    issues: v.array(v.looseObject({ id: v.string() })),
  }),
});
const countsShape = v.object({
  assignedCounts: v.object({
    partial: v.boolean(),
    all: v.number(),
    overdue: v.number(),
    due: v.record(v.string(), v.number()),
    projects: v.array(v.object({ id: v.string(), name: v.string(), count: v.number() })),
    statuses: v.array(v.object({ slug: v.string(), name: v.string(), count: v.number() })),
  }),
});

const TODAY = '2026-11-20';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** Issues with these texts. `@` stands for the requesting account. */
  async function person(texts: string[], granted = EDITOR) {
    const account = randomUUID();
    const issues = [];
    for (const text of texts) {
      // Another user writes them, so that no permission of the requesting account is cached.
      const issue = await newIssue(it);
      await issue.edit(update(text.replaceAll('@', `[~accountid:${account}]`)));
      issues.push(issue);
    }
    it.tracker.granted.set(account, granted);
    const ask = async (document: string, variables: object = {}) => {
      const { data, errors } = await it.graphql(account, document, { today: TODAY, ...variables });
      if (errors) throw new Error(`${errors[0]?.message} ${errors[0]?.extensions?.field ?? ''}`.trim());
      return data;
    };
    const page = async (variables?: object) => v.parse(pageShape, await ask(ITEMS, variables)).assignedItems;
    const counts = async (variables?: object) => v.parse(countsShape, await ask(COUNTS, variables)).assignedCounts;
    const texts_ = async (variables?: object) =>
      (await page(variables)).items.map(({ text }) => text.replaceAll(/ ?\[~accountid:[^\]]*\]/g, ''));
    return { account, issues, page, counts, texts: texts_ };
  }
  const idOf = (issues: readonly { id: string }[], index: number) => issues[index]?.id ?? '';

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

  const rename = (issue: string, summary: string) =>
    Object.assign(it.tracker.issues.get(issue)?.fields ?? {}, { summary });
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

  test('a search reveals no summary of a hidden issue', async () => {
    const { issues, texts, counts, account } = await person(['- a @', '- b @']);
    const hidden = idOf(issues, 1);
    rename(hidden, 'Merger');
    const other = randomUUID();
    await issues[1]?.edit(update(`- b [~accountid:${account}]\n- c [~accountid:${other}]`));
    it.tracker.granted.set(other, EDITOR);
    const answer = await it.graphql(other, ITEMS, { today: TODAY, filter: { text: 'merger' } });
    expect(v.parse(pageShape, answer.data).assignedItems.items).toHaveLength(1);
    it.tracker.hidden.add(hidden);
    const before = it.tracker.calls.length;
    expect(await texts({ filter: { text: 'merger' } })).toEqual([]);
    expect(await counts({ filter: { text: 'merger' } })).toMatchObject({ all: 0, projects: [], statuses: [] });
    const fetched = it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/bulkfetch'));
    expect(JSON.stringify(fetched)).not.toContain(`"${hidden}"`);
    it.tracker.hidden.delete(hidden);
  });

  test('hidden issues are left out, and pages stay full', async () => {
    const { issues, page, counts } = await person(['- a @', '- secret @\n- secret too @', '- c @']);
    const hidden = idOf(issues, 1);
    it.tracker.hidden.add(hidden);
    const asked = it.tracker.calls.length;
    const { items, next } = await page({ first: 2 });
    expect(items.map(({ issueId }) => issueId)).toEqual([idOf(issues, 2), idOf(issues, 0)]);
    expect(next).toBeNull();
    expect(await counts()).toMatchObject({ all: 2, projects: [{ count: 2 }], statuses: [{ count: 2 }] });
    // Its summary is not even read.
    const fetched = it.tracker.calls.slice(asked).filter(({ path }) => path.endsWith('/bulkfetch'));
    expect(JSON.stringify(fetched)).not.toContain(`"${hidden}"`);
  });

  test('without permission to view checklists, no item is listed', async () => {
    const { page, counts } = await person(['- a @'], ['BROWSE_PROJECTS']);
    const held = await person(['- a @'], ['BROWSE_PROJECTS', own('view')]);
    const restrict = (on: boolean) =>
      use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, it.tenant.id]);
    expect((await page()).items).toHaveLength(1);
    await restrict(true);
    expect(await page()).toEqual({ items: [], issues: [], next: null });
    expect((await counts()).all).toBe(0);
    expect((await held.page()).items).toHaveLength(1);
    await restrict(false);
  });

  test('a viewer gets the permission flags of a viewer', async () => {
    const { page } = await person(['- a @'], ['BROWSE_PROJECTS']);
    expect((await page()).issues).toMatchObject([
      {
        permissions: {
          canAddChecklistItems: false,
          canChangeItemStatuses: false,
          canDeleteChecklistItems: false,
          canEditChecklist: false,
        },
      },
    ]);
  });

  test('a deleted issue is left out, without a gap', async () => {
    const { issues, page, counts } = await person(['- a @', '- b @']);
    it.tracker.issues.delete(idOf(issues, 1));
    expect((await page()).items.map(({ issueId }) => issueId)).toEqual([idOf(issues, 0)]);
    expect((await counts()).all).toBe(1);
  });

  test('an issue deleted between the two calls has no key', async () => {
    const { issues, page } = await person(['- a @', '- b @']);
    const gone = idOf(issues, 1);
    it.tracker.meanwhile.push(({ path }) => {
      if (path.endsWith('/bulkfetch')) it.tracker.issues.delete(gone);
      return undefined;
    });
    expect((await page()).issues).toMatchObject([
      { id: gone, key: null, summary: null },
      { id: idOf(issues, 0), key: `PR-${idOf(issues, 0)}` },
    ]);
    it.tracker.meanwhile.pop();
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

  test('items stored without a project by an earlier version are counted in their project', async () => {
    const { texts, counts, account } = await person(['- a @', '- b @']);
    await use().raw('update assigned_item set project = null where account = $1', [account]);
    expect(await texts({ filter: { projectId: '10000' } })).toEqual([]);
    expect((await counts()).projects).toEqual([{ id: '10000', name: 'A project', count: 2 }]);
    expect(await texts({ filter: { projectId: '10000' } })).toEqual(['b', 'a']);
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

  test("requests that the app's pages never send are refused", async () => {
    const { page, counts } = await person(['- a @']);
    for (const after of ['', 'nonsense', Buffer.from('{"issue":"1; drop"}').toString('base64url')])
      await expect(page({ after })).rejects.toThrow(`${failures.unknown} after`);
    await expect(page({ today: '2026-02-30' })).rejects.toThrow(`${failures.unknown} today`);
    await expect(page({ who: { kind: 'PERSON' } })).rejects.toThrow(`${failures.unknown} who`);
    await expect(counts({ who: { kind: 'PROJECT', id: 'a\0b' } })).rejects.toThrow(`${failures.unknown} who`);
    await expect(counts({ today: 'soon' })).rejects.toThrow(`${failures.unknown} today`);
    await expect(page({ filter: { text: 'x'.repeat(141) } })).rejects.toThrow(`${failures.unknown} filter`);
    await expect(page({ filter: { text: 'a\0b' } })).rejects.toThrow(`${failures.unknown} filter`);
    expect((await page({ first: -5 })).items).toHaveLength(1);
    expect((await page({ first: 100_000 })).items).toHaveLength(1);
  });

  test('anonymous users are refused', async () => {
    const answer = await it.graphql(anonymous.id, ITEMS, { today: TODAY });
    expect(answer.errors).toMatchObject([{ message: refusals.permission, extensions: { code: 'FORBIDDEN' } }]);
  });

  test('an unavailable tracker is an error', async () => {
    const { page } = await person(['- a @']);
    it.tracker.faults.push(() => 'down');
    await expect(page()).rejects.toThrow(storage.trackerUnavailable);
    it.tracker.faults.pop();
  });

  test('items of other sites are not listed', async () => {
    const { account } = await person(['- a @']);
    await use().raw(`update assigned_item set tenant = 'another' where account = $1`, [account]);
    const answer = await it.graphql(account, ITEMS, { today: TODAY });
    expect(answer.data).toEqual({ assignedItems: { items: [], issues: [], next: null } });
  });
});
