import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Unauthorized } from '../../../src/server/connect/tokens.ts';
import { SITE, startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  let it: TestApp;
  beforeEach(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const uninstall = () => it.tenants.uninstall(it.tenant.id);
  const reinstall = async () => {
    await uninstall();
    await it.tenants.install({ ...it.tenant, url: SITE });
  };

  /** Somebody else's process works on the issue until the returned function is called. */
  async function occupied(issue: IssueWork): Promise<() => Promise<unknown>> {
    const lease = "update lease set holder = 'another', expires = now() + interval '1 minute' where issue = $1";
    await use().raw(lease, [issue.id]);
    return () => use().raw("update lease set expires = '-infinity' where issue = $1", [issue.id]);
  }

  /** What happens as the tracker is asked next for what stands in the issue. */
  function atReading(issue: IssueWork, happens: () => Promise<unknown>): void {
    it.tracker.meanwhile = [
      ({ method, path }) => {
        if (method !== 'GET' || !path.endsWith(`/issue/${issue.id}`)) return undefined;
        it.tracker.meanwhile = [];
        return happens();
      },
    ];
  }

  const written = (issue: IssueWork) =>
    use().raw('select seq from revision where issue = $1 union select seq from intent where issue = $1', [issue.id]);

  async function started() {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a'));
    return { issue, base };
  }

  test.each([
    ['uninstalled', uninstall],
    ['uninstalled and installed again', reinstall],
  ])('a change that waits for its turn while the add-on is %s is not made', async (_, happens) => {
    const { issue, base } = await started();
    const free = await occupied(issue);
    const waiting = expect(issue.change(add('late'), base)).rejects.toThrow(Unauthorized);
    await happens();
    await free();
    await waiting;
    expect(issue.text()).toBe('- a');
    expect(await written(issue)).toHaveLength(1);
  });

  test.each([
    ['uninstalled', uninstall],
    ['uninstalled and installed again', reinstall],
  ])('nor is one for which the tracker is read as it is %s', async (_, happens) => {
    const { issue, base } = await started();
    atReading(issue, happens);
    await expect(issue.change(add('late'), base)).rejects.toThrow(Unauthorized);
    expect(issue.text()).toBe('- a');
    expect(await written(issue)).toHaveLength(1);
  });

  test('over HTTP it is answered as a session that nobody knows', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    const { epoch, seq, hash } = await issue.read();
    const query = 'mutation ($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }';
    const change = { kind: 'addChecklistItemsFromText', text: 'late' };
    const input = { issueId: issue.id, clientId: randomUUID(), base: { epoch, seq, hash }, change };
    atReading(issue, uninstall);
    const headers = { authorization: `JWT ${await it.session(account)}` };
    const answer = await it.app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query, variables: { input } },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ errors: [{ message: 'Unauthorized.' }] });
    expect(issue.stored()).toBeUndefined();
  });

  test('no issue is made of an item for a site that is gone', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, [...EDITOR, 'CREATE_ISSUES'], account);
    const { checklist: base } = await issue.edit(update('- a'));
    it.tracker.meanwhile = [({ path }) => (path.endsWith('/issueLinkType') ? uninstall() : undefined)];
    const target = { index: 0, text: 'a' };
    const convert = issue.change({ kind: 'convertItemToIssue', target, to: 'LINKED_ISSUE' }, base);
    await expect(convert).rejects.toThrow(Unauthorized);
    const asked = it.tracker.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/issue'));
    expect(asked).toEqual([]);
  });
});
