import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { checklist, problem, revisions, storedRevision, templates } from '../../../../src/domain/api/schemas.ts';
import { callApi, createToken } from '../../support/api.ts';
import { appOf, startApp } from '../../support/app.ts';
import { askAs } from '../../support/ask.ts';
import { add, EDITOR, newIssue, tick, update } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';

const TEXT = '# Release\n- ! Tag it [~accountid:ana] 2026-12-01\n> with the version\n+ Tests';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));
  let token: string;
  beforeAll(async () => {
    token = (await createToken(use().store, it)).secret;
  });
  const get = (path: string, headers: Record<string, string> = {}) => callApi(it, token, path, { headers });

  test('a checklist is read as rows and as text, with its revision in the ETag', async () => {
    const issue = await newIssue(it);
    await issue.edit(update(TEXT, 'Release list'));
    const answer = await get(`/issues/${issue.id}/checklist`);
    expect(answer.status).toBe(200);
    const read = v.parse(checklist, answer.json());
    expect(read).toMatchObject({
      issue: { id: issue.id, key: `PR-${issue.id}`, projectId: PROJECT },
      name: 'Release list',
      text: TEXT,
      progress: { total: 2, checked: 1, percent: 50, mandatoryOpen: 1 },
      notices: [],
    });
    expect(read.rows).toMatchObject([
      { kind: 'header', index: 0, level: 1, text: 'Release' },
      {
        ...{ kind: 'checkbox', index: 1, words: 'Tag it', status: 'todo', checked: false, mandatory: true },
        ...{ assignee: 'ana', dueDate: '2026-12-01', details: ['with the version'], mentions: ['ana'] },
      },
      { kind: 'checkbox', index: 2, text: 'Tests', status: 'done', checked: true, assignee: null, dueDate: null },
    ]);
    expect(new Set(read.rows.map(({ id }) => id)).size).toBe(3);
    expect(read.statuses.map(({ slug }) => slug)).toEqual(['todo', 'in_progress', 'done', 'skipped']);
    expect(answer.headers.etag).toMatch(new RegExp(`^"${read.revision};[0-9a-f]{32}"$`));
    expect(answer.headers['cache-control']).toBe('no-store');

    const plain = await get(`/issues/${issue.id}/checklist`, { accept: 'text/plain' });
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.text).toBe(TEXT);
    // Another representation is another answer.
    const tag = String(answer.headers.etag);
    expect(plain.headers.etag).toContain(`"${read.revision};`);
    expect(plain.headers.etag).not.toBe(tag);
    const asText = { accept: 'text/plain', 'if-none-match': tag };
    expect(await get(`/issues/${issue.id}/checklist`, asText)).toMatchObject({ status: 200, text: TEXT });
    expect(
      await get(`/issues/${issue.id}/checklist`, { ...asText, 'if-none-match': String(plain.headers.etag) }),
    ).toMatchObject({ status: 304 });

    expect(await get(`/issues/${issue.id}/checklist`, { 'if-none-match': tag })).toMatchObject({
      status: 304,
      text: '',
    });
    await issue.edit(tick(1, read.rows[1]?.text ?? ''));
    expect((await get(`/issues/${issue.id}/checklist`, { 'if-none-match': tag })).status).toBe(200);
  });

  test('an answer that is known is sent again where statuses changed, since its rows read otherwise', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const path = `/issues/${issue.id}/checklist`;
    const tag = String((await get(path)).headers.etag);
    expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    const status = { name: 'Blocked', color: 'red', checked: false };
    await askAs(it, 'admin').mutate('createStatus', status, 'statuses { slug }');
    const again = await get(path, { 'if-none-match': tag });
    expect(again.status).toBe(200);
    expect(v.parse(checklist, again.json()).statuses.map(({ name }) => name)).toContain('Blocked');
    // The tag still names the revision that a change is made on.
    const body = { change: { kind: 'clearChecklist' } };
    expect((await callApi(it, token, `${path}/changes`, { body, headers: { 'if-match': tag } })).status).toBe(200);
  });

  test('an issue without a checklist has an empty one', async () => {
    const issue = await newIssue(it);
    const read = v.parse(checklist, (await get(`/issues/${issue.id}/checklist`)).json());
    expect(read).toMatchObject({ text: '', rows: [], progress: { total: 0 } });
  });

  test('an issue is found by its id, its key, and its key in lower case', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    for (const name of [issue.id, `PR-${issue.id}`, `pr-${issue.id}`]) {
      expect((await get(`/issues/${name}/checklist`, { accept: 'text/plain' })).text).toBe('- a');
    }
  });

  test('an issue that is gone, or never was, is not found', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await it.settled();
    it.tracker.issues.delete(issue.id);
    await use().raw('update sync set missing = now() where issue = $1', [issue.id]);
    for (const name of [issue.id, `PR-${issue.id}`, '999999999', 'PR-999999999', 'NO-1']) {
      const answer = await get(`/issues/${name}/checklist`);
      expect(v.parse(problem, answer.json())).toMatchObject({ status: 404, code: 'NOT_FOUND', field: 'issue' });
    }
    for (const name of ['0', 'x', '-1', '1e3', '..', '%2e%2e', 'A-0', "1'--"]) {
      const answer = await get(`/issues/${name}/checklist`);
      expect([400, 404], name).toContain(answer.status);
      expect(answer.headers['content-type'], name).toContain('application/problem+json');
    }
  });

  test('revisions are listed by page, newest first, each with its text', async () => {
    const issue = await newIssue(it, undefined, 'editor');
    for (const text of ['- a', '- a\n- b', '- a\n- b\n- c']) await issue.edit(update(text));
    const first = v.parse(revisions, (await get(`/issues/${issue.id}/checklist/revisions?first=2`)).json());
    expect(first.revisions).toMatchObject([
      { author: 'editor', kind: 'updateChecklistFromText', changes: 1 },
      { author: 'editor', kind: 'updateChecklistFromText', changes: 1 },
    ]);
    const path = `/issues/${issue.id}/checklist/revisions`;
    const rest = v.parse(revisions, (await get(`${path}?first=2&after=${first.next}`)).json());
    expect(rest.revisions).toHaveLength(1);
    expect(rest.next).toBeNull();
    const all = [...first.revisions, ...rest.revisions];
    const texts = await Promise.all(
      all.map(async ({ revision }) => v.parse(storedRevision, (await get(`${path}/${revision}`)).json()).text),
    );
    expect(texts).toEqual(['- a\n- b\n- c', '- a\n- b', '- a']);
    const other = all[0]?.revision.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
    expect((await get(`${path}/${other}`)).json()).toMatchObject({ status: 404, field: 'revision' });
  });

  test('malformed queries are refused, and name what is wrong', async () => {
    const issue = await newIssue(it);
    const path = `/issues/${issue.id}/checklist/revisions`;
    for (const query of ['first=0', 'first=101', 'first=x', 'first=1.5', 'first=1&first=2', 'after=x', 'nonsense=1']) {
      const answer = await get(`${path}?${query}`);
      expect(answer.status, query).toBe(400);
      expect(v.parse(problem, answer.json()).code).toBe('UNREADABLE');
    }
  });

  test('templates of the site and of one project are listed by page', async () => {
    await use().store.tenant(it.tenant.id, async tx => {
      await putTemplate(tx, it.tenant.id, 'admin', { id: 'site', project: null, name: 'Site', text: '- s' });
      await putTemplate(tx, it.tenant.id, 'admin', { id: 'here', project: PROJECT, name: 'Here', text: '- h\n- i' });
    });
    const names = async (query: string) =>
      v.parse(templates, (await get(`/templates${query}`)).json()).templates.map(({ name }) => name);
    expect(await names('')).toEqual(['Site']);
    expect(await names(`?projectId=${PROJECT}`)).toEqual(['Here', 'Site']);
    expect(await names(`?projectId=${OTHER_PROJECT}`)).toEqual(['Site']);
    const page = v.parse(templates, (await get(`/templates?projectId=${PROJECT}&first=1`)).json());
    expect(page).toMatchObject({
      templates: [{ id: 'here', projectId: PROJECT, items: 2, text: '- h\n- i' }],
      next: '1',
    });
    expect(await names(`?projectId=${PROJECT}&first=1&after=${page.next}`)).toEqual(['Site']);
  });

  test('a known issue costs no call, and an unknown one a single read, also by its key', async () => {
    const calls = async (work: () => Promise<unknown>) => {
      const before = it.tracker.calls.length;
      await work();
      return it.tracker.calls.slice(before).map(({ method, path }) => `${method} ${path}`);
    };
    const [byId, byKey] = [await newIssue(it), await newIssue(it)];
    // Read once for each process: which field mirrors checklists.
    await get(`/issues/${(await newIssue(it)).id}/checklist`);
    expect(await calls(() => get(`/issues/${byId.id}/checklist`))).toEqual([`GET /rest/api/2/issue/${byId.id}`]);
    expect(await calls(() => get(`/issues/PR-${byKey.id}/checklist`))).toEqual([
      `GET /rest/api/2/issue/PR-${byKey.id}`,
    ]);
    for (const { id } of [byId, byKey]) {
      for (const path of ['checklist', 'checklist/revisions']) {
        expect(await calls(() => get(`/issues/${id}/${path}`))).toEqual([]);
        expect(await calls(() => get(`/issues/PR-${id}/${path}`))).toEqual([]);
      }
    }
    expect(await calls(() => get('/templates'))).toEqual([]);
  });

  test('an issue that the tracker hides costs one call a minute, and a project that was not known one call in all', async () => {
    const calls = async (path: string) => {
      const before = it.tracker.calls.length;
      const { status } = await get(path);
      return [status, it.tracker.calls.length - before];
    };
    for (const name of ['888888888', 'PR-888888888']) {
      expect(await calls(`/issues/${name}/checklist`)).toEqual([404, 1]);
      expect(await calls(`/issues/${name}/checklist`)).toEqual([404, 0]);
    }
    const issue = await newIssue(it);
    await issue.edit(update('- a [~accountid:ana]'));
    await it.settled();
    await use().raw('update checklist set project = null where issue = $1', [issue.id]);
    await use().raw('update assigned_item set project = null where issue = $1', [issue.id]);
    expect(await calls(`/issues/${issue.id}/checklist`)).toEqual([200, 1]);
    expect(await calls(`/issues/${issue.id}/checklist`)).toEqual([200, 0]);
    expect(await use().raw('select project from assigned_item where issue = $1', [issue.id])).toEqual([
      { project: PROJECT },
    ]);
  });

  test('the checklist of an issue that moved is no longer found under a token for its old project', async () => {
    const restricted = await createToken(use().store, it, { projects: [PROJECT] });
    const issue = await newIssue(it);
    await issue.edit(add('- a'));
    await it.settled();
    const read = () => callApi(it, restricted.secret, `/issues/${issue.id}/checklist`);
    expect((await read()).status).toBe(200);
    Object.assign(it.tracker.issues.get(issue.id)?.fields ?? {}, { project: { id: OTHER_PROJECT } });
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const changes = [{ id: 'project', name: 'project', to: OTHER_PROJECT }];
    await it.sync.noticed({ tenant, account: 'x' }, issue.id, { kind: 'updated', mayHide: true, changes });
    // Before the event's read, and after it.
    expect((await read()).status).toBe(404);
    await it.settled();
    expect((await read()).status).toBe(404);
    expect((await get(`/issues/${issue.id}/checklist`)).json()).toMatchObject({ issue: { projectId: OTHER_PROJECT } });
  });
});
