import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeSession } from '../../../src/domain/token.ts';
import { publish } from '../../../src/server/store/live-events.ts';
import { appKey, appOf, startApp } from '../support/app.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const READ = 'query read($issueId: ID!) { checklist(issueId: $issueId) { text } }';
const HISTORY = 'query history($issueId: ID!) { checklistHistory(issueId: $issueId) { entries { seq } } }';
const PORTAL = 'query portal($issueId: ID!) { portalChecklist(issueId: $issueId) { mode text statuses { name } } }';
const TOUCHES = 'query touches($issueId: ID!) { checklistTouches(issueId: $issueId) { row } }';
const CLEAR = `mutation clear($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }`;

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  /** A request in a service project, or an issue in another project, with a checklist. */
  async function requestIn(projectTypeKey: string, text = '- a'): Promise<string> {
    const issue = await newIssue(it, EDITOR);
    await issue.edit(update(text));
    const held = it.tracker.issues.get(issue.id);
    if (held) held.fields.project = { id: '10000', key: 'HELP', projectTypeKey };
    return issue.id;
  }

  /** Session of a frame that the tracker shows on this issue. */
  async function sessionAt(issue: unknown, account: string | undefined = 'customer'): Promise<string> {
    const claims = { sub: account, ...(issue !== undefined && { context: { jira: { issue } } }) };
    const authorization = `JWT ${it.contextToken('customer', claims)}`;
    const response = await it.app.inject({ url: '/api/jira/auth', headers: { ...appKey, authorization } });
    expect(response.statusCode).toBe(200);
    return response.json().token;
  }

  async function ask(token: string, query: string, variables: object) {
    const headers = { authorization: `JWT ${token}` };
    const response = await it.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } });
    expect(response.statusCode).toBe(200);
    return response.json();
  }
  const codeOf = async (token: string, query: string, issueId: string) =>
    (await ask(token, query, { issueId })).errors?.[0]?.extensions.code;

  const viewing = (on: boolean) =>
    use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, it.tenant.id]);

  test('a customer reads the checklist and its history where the tracker shows the request', async () => {
    const issueId = await requestIn('service_desk');
    const token = await sessionAt({ id: issueId, key: 'HELP-1' });
    expect(decodeSession(token).sub).toBe('customer');
    expect(await ask(token, READ, { issueId })).toEqual({ data: { checklist: { text: '- a' } } });
    expect(await codeOf(token, HISTORY, issueId)).toBeUndefined();
    // The tracker sends ids as text or as numbers.
    expect(await codeOf(await sessionAt({ id: Number(issueId) }), READ, issueId)).toBeUndefined();
  });

  describe('where customers see less than all', () => {
    const text = '# Internal\n- secret [~accountid:x]\n# Delivery !customers\n+ packed by [~accountid:x]\n- sent';

    const choose = (mode: string, projects: Readonly<Record<string, string>> = {}) =>
      it.tenants.change(it.tenant.id, async tx => {
        await tx.updateTable('tenant').set({ portal: mode }).where('tenant', '=', it.tenant.id).execute();
        await tx.deleteFrom('portal_mode').where('tenant', '=', it.tenant.id).execute();
        for (const [project, own] of Object.entries(projects))
          await tx.insertInto('portal_mode').values({ tenant: it.tenant.id, project, mode: own }).execute();
        await publish(tx, it.tenant.id, { kind: 'settings' });
      });
    afterEach(() => choose('ALL'));

    async function request(mode: string, projects?: Readonly<Record<string, string>>, written = text) {
      const issueId = await requestIn('service_desk', written);
      await choose(mode, projects);
      return { issueId, token: await sessionAt({ id: issueId }) };
    }

    test('a customer sees the marked sections, without names, and nothing else', async () => {
      const { issueId, token } = await request('SECTIONS');
      expect(await ask(token, PORTAL, { issueId })).toEqual({
        data: { portalChecklist: { mode: 'SECTIONS', text: '# Delivery\n+ packed by\n- sent', statuses: [] } },
      });
      for (const query of [READ, HISTORY]) expect(await codeOf(token, query, issueId)).toBe('FORBIDDEN');
      expect(JSON.stringify(await ask(token, TOUCHES, { issueId }))).not.toContain('secret');
    });

    test('a customer sees nothing where the project shows nothing', async () => {
      const { issueId, token } = await request('OFF');
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist).toMatchObject({ mode: 'OFF', text: '' });
      expect(await codeOf(token, READ, issueId)).toBe('FORBIDDEN');
    });

    test("a project's choice counts, and without one the site's", async () => {
      const { issueId, token } = await request('ALL', { '10000': 'SECTIONS' });
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist.mode).toBe('SECTIONS');
      expect(await codeOf(token, READ, issueId)).toBe('FORBIDDEN');
      await choose('ALL', { '20000': 'OFF' });
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist.mode).toBe('ALL');
      expect(await codeOf(token, READ, issueId)).toBeUndefined();
    });

    test('a text without a marked section shows nothing', async () => {
      const { issueId, token } = await request('SECTIONS', {}, '# Internal\n- secret');
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist.text).toBe('');
    });

    test('an agent with the same frame sees all of it, and is asked about once', async () => {
      const { issueId } = await request('SECTIONS');
      it.tracker.granted.set('agent', EDITOR);
      const token = await sessionAt({ id: issueId }, 'agent');
      expect(await ask(token, READ, { issueId })).toEqual({ data: { checklist: { text } } });
      const before = it.tracker.calls.length;
      expect(await codeOf(token, READ, issueId)).toBeUndefined();
      expect(it.tracker.calls.length).toBe(before);
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist.text).not.toContain('secret');
    });

    test('in a project without a portal a frame proves the issue without a question', async () => {
      const issueId = await requestIn('software', text);
      await choose('OFF');
      const token = await sessionAt({ id: issueId }, 'developer');
      const before = it.tracker.calls.length;
      expect(await codeOf(token, READ, issueId)).toBeUndefined();
      expect(it.tracker.calls.length - before).toBeLessThanOrEqual(1);
      const after = it.tracker.calls.length;
      expect(await codeOf(token, READ, issueId)).toBeUndefined();
      expect(it.tracker.calls.length).toBe(after);
    });

    test('an issue that moves to a service project is no longer shown whole', async () => {
      const issueId = await requestIn('software', text);
      await choose('SECTIONS');
      expect(await codeOf(await sessionAt({ id: issueId }, 'developer'), READ, issueId)).toBeUndefined();
      const held = it.tracker.issues.get(issueId);
      if (held) held.fields.project = { id: '10000', key: 'HELP', projectTypeKey: 'service_desk' };
      await it.checklists.doubtAccess(it.tenant.id, issueId);
      const token = await sessionAt({ id: issueId });
      await expect.poll(() => codeOf(token, READ, issueId)).toBe('FORBIDDEN');
      expect((await ask(token, PORTAL, { issueId })).data.portalChecklist.text).toMatch(/^# Delivery/);
    });

    test.each<[string, (issueId: string) => unknown]>([
      ['no issue', () => undefined],
      ['another issue', issueId => ({ id: String(Number(issueId) + 1) })],
    ])('a frame with %s shows no section', async (_, about) => {
      const { issueId } = await request('SECTIONS');
      expect(await codeOf(await sessionAt(about(issueId)), PORTAL, issueId)).toBe('NOT_FOUND');
      expect(await codeOf(await sessionAt({ id: issueId }), PORTAL, 'x/../1')).toBe('NOT_FOUND');
    });
  });

  test('a customer can change nothing, whatever else is granted', async () => {
    const issueId = await requestIn('service_desk');
    const token = await sessionAt({ id: issueId });
    it.tracker.granted.set('customer', ['EDIT_ISSUES', 'ADMINISTER', own('manage')]);
    const base = { epoch: '', seq: 0, hash: '' };
    const { data } = await ask(token, CLEAR, {
      input: { issueId, clientId: 'c', base, change: { kind: 'clearChecklist' } },
    });
    expect(data).toEqual({ changeChecklist: { errors: [{ code: 'FORBIDDEN' }] } });
    it.tracker.granted.delete('customer');
  });

  test.each<[string, (issueId: string) => unknown]>([
    ['no issue', () => undefined],
    ['another issue', issueId => ({ id: String(Number(issueId) + 1) })],
    ['an odd issue', issueId => ({ id: `${issueId}/../1` })],
    ['a list', issueId => [{ id: issueId }]],
    ['nothing', () => null],
  ])('a frame with %s shows a customer nothing', async (_, about) => {
    const issueId = await requestIn('service_desk');
    expect(await codeOf(await sessionAt(about(issueId)), READ, issueId)).toBe('NOT_FOUND');
  });

  test('in other projects, too, a frame proves that the issue is visible, until it may have moved', async () => {
    const issueId = await requestIn('software');
    const token = await sessionAt({ id: issueId });
    expect(await codeOf(token, READ, issueId)).toBeUndefined();
    await it.checklists.doubtAccess(it.tenant.id, issueId);
    // Processes receive the event a moment later.
    await expect.poll(() => codeOf(token, READ, issueId)).toBe('NOT_FOUND');
  });

  test('without an account the checklist is not found', async () => {
    const issueId = await requestIn('service_desk');
    const claims = { sub: undefined, context: { jira: { issue: { id: issueId } } } };
    const authorization = `JWT ${it.contextToken('customer', claims)}`;
    const { token } = (await it.app.inject({ url: '/api/jira/auth', headers: { ...appKey, authorization } })).json();
    expect(await codeOf(token, READ, issueId)).toBe('NOT_FOUND');
  });

  test('with view permissions on, a customer needs that permission', async () => {
    const issueId = await requestIn('service_desk');
    const token = await sessionAt({ id: issueId });
    await viewing(true);
    expect(await codeOf(token, READ, issueId)).toBe('FORBIDDEN');
    it.tracker.granted.set('viewing-customer', [own('view')]);
    const granted = await sessionAt({ id: issueId }, 'viewing-customer');
    expect(await codeOf(granted, READ, issueId)).toBeUndefined();
    await viewing(false);
  });

  test('an answer for one account and frame is not used for another', async () => {
    const issueId = await requestIn('service_desk');
    expect(await codeOf(await sessionAt({ id: issueId }), READ, issueId)).toBeUndefined();
    expect(await codeOf(await sessionAt(undefined), READ, issueId)).toBe('NOT_FOUND');
    expect(await codeOf(await sessionAt(undefined, 'stranger'), READ, issueId)).toBe('NOT_FOUND');
  });

  test('a request token of a page proves no issue, even with the claim', async () => {
    const url = '/checklist?surface=portal';
    const token = it.requestToken('GET', url, { context: { jira: { issue: { id: '1' } } } });
    expect(await it.tokens.request(token, 'GET', url)).not.toHaveProperty('frame');
  });
});
