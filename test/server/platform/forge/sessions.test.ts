import { beforeAll, describe, expect, test } from 'vitest';
import { decodeSession } from '../../../../src/domain/token.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { forgeOf, newSite } from '../../support/forge.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const READ = 'query read($issueId: ID!) { checklist(issueId: $issueId) { text } }';
const CHANGE = `mutation change($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { errors { code } checklist { text } } }`;

onStore(use => {
  const app = forgeOf(use);
  const site = newSite();
  beforeAll(async () => {
    app.forge.past = { key: app.it.tenant.id };
    await app.signIn(site);
    // Only the data of Connect is left.
    await app.it.tenants.uninstall(app.it.tenant.id);
  });

  async function ask(token: string, query: string, variables: object) {
    const headers = { authorization: `JWT ${token}` };
    return (
      await app.it.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } })
    ).json();
  }
  const codeOf = async (token: string, query: string, issueId: string) =>
    (await ask(token, query, { issueId })).errors?.[0]?.extensions.code;
  const change = (token: string, issueId: string, clientId: string) => {
    const edit = { kind: 'addChecklistItemsFromText', text: '- b' };
    return ask(token, CHANGE, {
      input: { issueId, clientId, base: { epoch: '', seq: 0, hash: '-', text: '' }, change: edit },
    });
  };
  const frameOf = (issue: string) => ({ extension: { issue: { id: issue, key: `PR-${issue}` } } });
  async function listed(): Promise<string> {
    app.forge.impersonated.add('author');
    const issue = await newIssue(app.it, EDITOR, 'author');
    await issue.edit(update('- a'));
    return issue.id;
  }

  test('a frame proves that its issue is visible, without a call', async () => {
    const issue = await listed();
    await app.signIn(site, { account: 'viewer' });
    await app.it.settled();
    const before = app.forge.calls.length;
    const { token } = (
      await app.signIn(site, { account: 'viewer', context: frameOf(issue), userToken: app.userToken('viewer') })
    ).json();
    expect(await ask(token, READ, { issueId: issue })).toEqual({ data: { checklist: { text: '- a' } } });
    expect(app.forge.calls).toHaveLength(before);
    expect(await codeOf(token, READ, String(Number(issue) + 1))).toBe('NOT_FOUND');
  });

  test("with the app's view permission on, and for changes, the tracker is asked", async () => {
    const issue = await listed();
    app.it.tracker.granted.set('editor', EDITOR);
    const sign = { account: 'editor', context: frameOf(issue), userToken: app.userToken('editor') };
    const { token } = (await app.signIn(site, sign)).json();
    const viewing = (on: boolean) =>
      use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, app.it.tenant.id]);
    await viewing(true);
    const before = app.forge.calls.length;
    await ask(token, READ, { issueId: issue });
    expect(app.forge.calls.slice(before)).toMatchObject([{ as: 'editor', path: '/rest/api/3/permissions/check' }]);
    await viewing(false);
    expect(await change(token, issue, 'one')).toEqual({
      data: { changeChecklist: { errors: [], checklist: { text: '- a\n- b' } } },
    });
  });

  describe('in the portal', () => {
    const portal = (key: string) => ({
      moduleKey: 'checklist-portal',
      extension: { portal: { id: 1 }, request: { key } },
    });
    async function request(projectTypeKey = 'service_desk'): Promise<string> {
      const issue = await listed();
      const held = app.it.tracker.issues.get(issue);
      if (held) held.fields.project = { id: '10000', key: 'HELP', projectTypeKey };
      return issue;
    }

    test('the issue of a request key is read once, as the app, and only a customer of that request can read it', async () => {
      const issue = await request();
      const sign = { account: 'customer', context: portal(`PR-${issue}`) };
      const answer = (await app.signIn(site, sign)).json();
      expect(answer.issue).toEqual({ id: issue, key: `PR-${issue}` });
      expect(decodeSession(answer.token)).toMatchObject({ sub: 'customer' });
      await app.signIn(site, sign);
      expect(app.forge.calls.filter(({ path }) => path.endsWith(`/issue/PR-${issue}`))).toMatchObject([{ as: null }]);
      expect(await ask(answer.token, READ, { issueId: issue })).toEqual({ data: { checklist: { text: '- a' } } });
      expect(await codeOf(answer.token, READ, await request())).toBe('TRACKER_UNAVAILABLE');
    });

    test('a customer without a token changes nothing', async () => {
      const issue = await request();
      const { token } = (await app.signIn(site, { account: 'customer', context: portal(`PR-${issue}`) })).json();
      expect((await change(token, issue, 'two')).data.changeChecklist.errors).toEqual([{ code: 'FORBIDDEN' }]);
      expect((await ask(token, READ, { issueId: issue })).data.checklist.text).toBe('- a');
    });

    test("with the app's view permission on, a customer sees nothing, and no frame makes an issue a request", async () => {
      await use().raw('update tenant set view_permissions = true where tenant = $1', [app.it.tenant.id]);
      const [shown, other] = [await request(), await request('software')];
      const signed = async (issue: string) =>
        (await app.signIn(site, { account: 'customer', context: portal(`PR-${issue}`) })).json().token;
      expect(await codeOf(await signed(shown), READ, shown)).toBe('FORBIDDEN');
      await use().raw('update tenant set view_permissions = false where tenant = $1', [app.it.tenant.id]);
      expect(await codeOf(await signed(shown), READ, shown)).toBeUndefined();
      expect((await change(await signed(other), other, 'three')).data.changeChecklist.errors).toEqual([
        { code: 'TRACKER_UNAVAILABLE' },
      ]);
    });

    test.each(['PR-999999', '../secrets', 'PR-1/comment', ''])('a key without an issue is refused: %j', async key => {
      const answer = await app.signIn(site, { account: 'customer', context: portal(key) });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    });

    test('an unavailable tracker is a temporary error', async () => {
      provokes({ answers: [503] });
      const issue = await request();
      app.forge.fault = () => new Response(null, { status: 503 });
      expect((await app.signIn(site, { account: 'customer', context: portal(`PR-${issue}`) })).statusCode).toBe(503);
      app.forge.fault = undefined;
    });
  });
});
