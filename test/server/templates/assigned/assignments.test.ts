import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { managing, templates as messages, refusals, settings } from '../../../../src/domain/messages.ts';
import { appOf, startApp } from '../../support/app.ts';
import { askAs, refused } from '../../support/ask.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';

vi.setConfig({ testTimeout: 60_000 });

const SEEN = 'id templateId templateName projectIds issueTypeIds moment statusIds fieldId enabled';
const listShape = v.array(v.looseObject({ id: v.string(), templateName: v.nullable(v.string()) }));

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));
  beforeEach(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
    await use().store.tenant(it.tenant.id, async tx => {
      await putTemplate(tx, it.tenant.id, 'admin', { id: 'global', project: null, name: 'Global', text: '- g' });
      await putTemplate(tx, it.tenant.id, 'lead', { id: 'here', project: PROJECT, name: 'Here', text: '- h' });
    });
  });

  const created = { templateId: 'global', projectIds: [], issueTypeIds: [], moment: 'CREATED' };
  const mutateAs = async (account: string, document: string, variables: Record<string, unknown>) =>
    v.parse(
      v.looseObject({ assignments: v.nullable(listShape), errors: v.array(v.unknown()) }),
      await askAs(it, account).ask(document, variables),
    );
  const ANSWER = `{ message errors { code field message } assignments { ${SEEN} } }`;
  const create = (account: string, values: Record<string, unknown> = {}) =>
    mutateAs(
      account,
      `mutation run($input: TemplateAssignmentInput!) { createTemplateAssignment(input: $input) ${ANSWER} }`,
      { input: { ...created, ...values } },
    );
  const change = (account: string, name: string, input: Record<string, unknown>) =>
    mutateAs(
      account,
      `mutation run($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${ANSWER} }`,
      { input },
    );
  const remove = (account: string, id: string) =>
    mutateAs(account, `mutation run($id: ID!) { deleteTemplateAssignment(id: $id) ${ANSWER} }`, { id });
  const list = async (account: string, projectId?: string) =>
    v.parse(
      listShape,
      await askAs(it, account).ask(
        `query list($projectId: ID) { templateAssignments(projectId: $projectId) { ${SEEN} } }`,
        {
          projectId,
        },
      ),
    );
  const made = async (account: string, values: Record<string, unknown> = {}) =>
    (await create(account, values)).assignments?.at(-1)?.id ?? '';
  const site = refused('FORBIDDEN', null, refusals.permission);
  const project = refused('FORBIDDEN', null, refusals.projectAdmin);

  test('site and project rules are listed in their order', async () => {
    expect(await create('admin')).toMatchObject({
      errors: [],
      assignments: [{ templateName: 'Global', enabled: true }],
    });
    expect(
      await create('lead', {
        ...{ templateId: 'here', projectIds: [PROJECT], issueTypeIds: ['1'] },
        ...{ moment: 'MOVED', statusIds: ['3'], enabled: false },
      }),
    ).toMatchObject({ assignments: [{}, { templateName: 'Here', statusIds: ['3'], enabled: false }] });
    expect(await list('lead', PROJECT)).toHaveLength(2);
    expect(await list('admin', OTHER_PROJECT)).toMatchObject([{ templateName: 'Global' }]);
    expect(await list('admin')).toHaveLength(2);
    await use().raw('update template set deleted = now() where id = $1 and tenant = $2', ['here', it.tenant.id]);
    expect(await list('admin')).toMatchObject([{}, { templateName: null, templateId: 'here' }]);
  });

  test('permissions by role', async () => {
    const id = await made('admin');
    const here = await made('lead', { templateId: 'here', projectIds: [PROJECT] });
    for (const account of ['lead', 'editor', 'anonymous']) {
      expect(await create(account)).toMatchObject(site);
      expect(await change(account, 'updateTemplateAssignment', { id, enabled: false })).toMatchObject(site);
      expect(await change(account, 'moveTemplateAssignment', { id })).toMatchObject(site);
      expect(await remove(account, id)).toMatchObject(site);
      await expect(list(account)).rejects.toThrow(refusals.permission);
    }
    expect(await create('editor', { projectIds: [PROJECT] })).toMatchObject(project);
    expect(await create('lead', { projectIds: [PROJECT, OTHER_PROJECT] })).toMatchObject(project);
    expect(await change('lead', 'updateTemplateAssignment', { id: here, projectIds: [] })).toMatchObject(site);
    expect(await remove('editor', here)).toMatchObject(project);
    await expect(list('editor', PROJECT)).rejects.toThrow(refusals.projectAdmin);
    expect(await remove('lead', here)).toMatchObject({ errors: [] });
    expect(await remove('admin', here)).toMatchObject(refused('NOT_FOUND', 'id', messages.ruleNotFound));
  });

  test('concurrent changes to different values of one rule are both kept', async () => {
    const id = await made('admin', { issueTypeIds: ['1'] });
    const answers = await Promise.all([
      change('admin', 'updateTemplateAssignment', { id, enabled: false }),
      change('admin', 'updateTemplateAssignment', { id, issueTypeIds: ['2'] }),
    ]);
    for (const { errors } of answers) expect(errors).toEqual([]);
    expect(await list('admin')).toMatchObject([{ enabled: false, issueTypeIds: ['2'] }]);
  });

  test('a rule whose template is deleted can be turned off, but not on', async () => {
    const id = await made('lead', { templateId: 'here', projectIds: [PROJECT] });
    await use().raw('update template set deleted = now() where id = $1 and tenant = $2', ['here', it.tenant.id]);
    expect(await change('lead', 'updateTemplateAssignment', { id, enabled: false })).toMatchObject({
      errors: [],
      assignments: [{ enabled: false }],
    });
    expect(await change('lead', 'updateTemplateAssignment', { id, enabled: true })).toMatchObject(
      refused('NOT_FOUND', 'templateId', messages.notFound),
    );
  });

  test.each([
    [{ templateId: 'none' }, 'NOT_FOUND', 'templateId', messages.notFound],
    [{ templateId: 'here' }, 'NOT_FOUND', 'templateId', messages.ruleProject],
    [{ templateId: 'here', projectIds: [OTHER_PROJECT] }, 'NOT_FOUND', 'templateId', messages.ruleProject],
    [{ projectIds: ['99999'] }, 'NOT_FOUND', 'projectIds', settings.noProject],
    [{ moment: 'MOVED' }, 'REQUIRED', 'statusIds', messages.ruleStatus],
    [{ moment: 'FIELD_CHANGED', fieldId: '' }, 'REQUIRED', 'fieldId', messages.ruleField],
    [{ issueTypeIds: ['1) or (1'] }, 'UNREADABLE', 'issueTypeIds', 'This field is required.'],
  ])('%j is refused', async (values, code, field, message) => {
    expect(await create('admin', values)).toMatchObject(refused(code, field, message));
  });

  test('a rule moves before another rule, or to the end', async () => {
    const ids = [await made('admin'), await made('admin'), await made('admin')];
    const [a = '', b = '', c = ''] = ids;
    const move = async (id: string, before: string | null) => {
      const { assignments, errors } = await change('admin', 'moveTemplateAssignment', { id, before });
      return assignments?.map(each => each.id) ?? errors;
    };
    expect(await move(c, a)).toEqual([c, a, b]);
    expect(await move(c, null)).toEqual([a, b, c]);
    const refusal = [{ code: 'CHANGED_MEANWHILE', field: 'before', message: managing.moveAssignment }];
    for (const before of ['none', a]) expect(await move(a, before)).toEqual(refusal);
    await Promise.all([move(c, a), move(b, a)]);
    expect((await list('admin')).map(({ id }) => id).sort()).toEqual([a, b, c].sort());
  });

  test('a preview counts all matching issues and lists those that the user can view', async () => {
    const issue = await newIssue(it);
    const preview = (account: string, input: Record<string, unknown>) =>
      askAs(it, account).ask(
        `query run($input: TemplateAssignmentPreviewInput!) {
          templateAssignmentPreview(input: $input) { jql count issues { id summary } } }`,
        { input: { projectIds: [PROJECT], issueTypeIds: ['1', '2'], moment: 'MOVED', statusIds: ['3'], ...input } },
      );
    expect(await preview('lead', {})).toEqual({
      jql: `project in (${PROJECT}) and issuetype in (1, 2) and status not in (3) order by created desc`,
      count: 1,
      issues: [{ id: issue.id, summary: 'An issue' }],
    });
    it.tracker.granted.set('blind', ['ADMINISTER_PROJECTS']);
    expect(await preview('blind', {})).toMatchObject({ count: 1, issues: [] });
    await expect(preview('editor', {})).rejects.toThrow(refusals.projectAdmin);
    await expect(preview('lead', { projectIds: [] })).rejects.toThrow(refusals.permission);
    await expect(preview('lead', { statusIds: ['3) or (1 = 1'] })).rejects.toThrow('required');
  });

  describe('applying rules', () => {
    const now = () => new Date().toISOString().replace('Z', '+0000');
    const notify = async (id: string, event = 'issue-updated') => {
      const url = `/webhooks/${event}?issueId=${id}`;
      const headers = { authorization: `JWT ${it.requestToken('POST', url)}` };
      expect((await it.app.inject({ method: 'POST', url, headers })).statusCode).toBe(204);
      await it.settled();
    };
    const issueWith = async (more: { created?: string; history?: [string, string | null][]; project?: string }) => {
      const issue = await newIssue(it);
      const held = it.tracker.issues.get(issue.id);
      if (!held) throw new Error('No issue.');
      if (more.created) held.fields.created = more.created;
      if (more.project) held.fields.project = { id: more.project };
      held.histories = (more.history ?? []).map(([field, to]) => ({ created: now(), items: [{ field, to }] }));
      return issue;
    };

    test('a new issue gets the template once, also after repeated events', async () => {
      await made('admin');
      const fresh = await issueWith({ created: now() });
      await notify(fresh.id, 'issue-created');
      await notify(fresh.id, 'issue-created');
      await notify(fresh.id);
      expect(await fresh.text()).toBe('- g');
      // A later edit is kept: the rule applies once.
      await fresh.edit(update('- other'));
      await notify(fresh.id);
      expect(await fresh.text()).toBe('- other');
      const old = await issueWith({});
      await notify(old.id);
      expect(await old.text()).toBe('');
    });

    test('the history names the rule as the author, not its creator or the actor of the event', async () => {
      const id = await made('admin');
      const issue = await issueWith({ created: now() });
      await notify(issue.id, 'issue-created');
      const authors = async (account?: string) => {
        const { entries } = await issue.checklists.history(issue.id, { first: 9, filter: { account } });
        return entries.map(entry => entry.account);
      };
      expect(await authors()).toEqual(['rule:Global']);
      expect(await authors('rule:Global')).toEqual(['rule:Global']);
      expect((await issue.checklists.touches(issue.id)).map(({ account }) => account)).toEqual(['rule:Global']);
      await remove('admin', id);
      expect(await authors()).toEqual(['rule:']);
    });

    test('a transition or field change appends templates in the order of the rules', async () => {
      await made('admin', { moment: 'FIELD_CHANGED', fieldId: 'priority' });
      await made('lead', { templateId: 'here', projectIds: [PROJECT], moment: 'MOVED', statusIds: ['3', '4'] });
      const both = await issueWith({
        history: [
          ['status', '4'],
          ['priority', null],
        ],
      });
      await both.store('- there');
      await notify(both.id);
      expect(await both.text()).toBe('- there\n- g\n- h');
      const elsewhere = await issueWith({
        history: [
          ['status', '4'],
          ['labels', null],
        ],
        project: OTHER_PROJECT,
      });
      const other = await issueWith({ history: [['status', '5']] });
      for (const { id, text } of [elsewhere, other]) {
        await notify(id);
        expect(await text()).toBe('');
      }
    });

    test('a rule has no effect while disabled, for other issue types, or without its template', async () => {
      await made('admin', { enabled: false });
      await made('lead', { templateId: 'here', projectIds: [PROJECT] });
      await made('admin', { issueTypeIds: ['9'] });
      await use().raw('update template set deleted = now() where id = $1 and tenant = $2', ['here', it.tenant.id]);
      const issue = await issueWith({ created: now() });
      await notify(issue.id);
      expect(await issue.text()).toBe('');
      // Events from before the rule was enabled do not count.
      const [first] = await list('admin');
      await use().raw(`update template_rule set since = now() - interval '1 hour' where tenant = $1`, [it.tenant.id]);
      const before = await issueWith({ created: new Date(Date.now() - 60_000).toISOString().replace('Z', '+0000') });
      await change('admin', 'updateTemplateAssignment', { id: first?.id, enabled: true });
      await notify(before.id);
      expect(await before.text()).toBe('');
      await notify(issue.id);
      expect(await issue.text()).toBe('- g');
    });

    test('a 429 while a rule is applied delays the job by its Retry-After', async () => {
      await made('admin');
      const issue = await issueWith({ created: now() });
      const headers = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': '30' };
      it.tracker.faults.push(({ method }) =>
        method === 'PUT' ? new Response('{}', { status: 429, headers }) : undefined,
      );
      const url = `/webhooks/issue-created?issueId=${issue.id}`;
      await it.app.inject({ method: 'POST', url, headers: { authorization: `JWT ${it.requestToken('POST', url)}` } });
      await expect(it.settled()).rejects.toMatchObject({ name: 'TrackerUnavailable', retryAfter: expect.any(Number) });
      it.tracker.faults.length = 0;
      it.elapse(30_000);
      await it.settled();
      expect(await issue.text()).toBe('- g');
    });

    test('applying is retried while the tracker is unavailable, and stops when the checklist has no room', async () => {
      await made('admin');
      const issue = await issueWith({ created: now() });
      let away = 3;
      it.tracker.faults.push(({ path }) => {
        if (!path.includes(issue.id)) return undefined;
        away -= 1;
        return away >= 0 ? new Response('{}', { status: 503 }) : undefined;
      });
      const url = `/webhooks/issue-created?issueId=${issue.id}`;
      await it.app.inject({ method: 'POST', url, headers: { authorization: `JWT ${it.requestToken('POST', url)}` } });
      for (let round = 0; round < 4 && it.background.waiting().length > 0; round += 1)
        await it.settled().catch(() => undefined);
      expect(await issue.text()).toBe('- g');
      expect((await issue.checklists.history(issue.id, { first: 9, filter: {} })).entries).toHaveLength(1);
      const full = await issueWith({ created: now() });
      await full.store(`- ${'x'.repeat(32_700)}`);
      await notify(full.id);
      await notify(full.id);
      expect(await use().raw('select issue from rule_applied where tenant = $1', [it.tenant.id])).toHaveLength(2);
    });
  });
});
