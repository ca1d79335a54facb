import { beforeAll, expect, test } from 'vitest';
import { decodeSession } from '../../../src/domain/token.ts';
import { appKey, startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, own, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const READ = 'query read($issueId: ID!) { checklist(issueId: $issueId) { text } }';
const HISTORY = 'query history($issueId: ID!) { checklistHistory(issueId: $issueId) { entries { seq } } }';
const CLEAR = `mutation clear($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }`;

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** A request in a service project, or an issue in another project, with a checklist. */
  async function requestIn(projectTypeKey: string): Promise<string> {
    const issue = await newIssue(it, EDITOR);
    await issue.edit(update('- a'));
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
