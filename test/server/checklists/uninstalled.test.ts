import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { Unauthorized } from '../../../src/server/errors/request.ts';
import { hashText } from '../../../src/server/text-workers/hash.ts';
import { appOf, SITE, startApp } from '../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { isPropertyWrite } from '../support/tracker.ts';

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));

  const uninstall = () => it.tenants.uninstall(it.tenant.id);
  const reinstall = async () => {
    await uninstall();
    await it.tenants.install({ ...it.tenant, url: SITE });
  };

  /** Holds a transaction on the checklist open in another process until the returned function is called. */
  async function occupied(issue: IssueWork): Promise<() => Promise<unknown>> {
    await use().raw('begin');
    await use().raw('select from checklist where issue = $1 for update', [issue.id]);
    return () => use().raw('commit');
  }

  /** Resolves when a change waits for that transaction. */
  const isAwaited = () =>
    vi.waitFor(async () => {
      const waiting = 'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
      expect(await use().raw(waiting)).toHaveLength(1);
    });

  /** Runs during the tracker's next read of the issue. */
  function atReading(issue: IssueWork, happens: () => Promise<unknown>): void {
    it.tracker.meanwhile = [
      ({ method, path }) => {
        if (method !== 'GET' || !path.endsWith(`/issue/${issue.id}`)) return undefined;
        it.tracker.meanwhile = [];
        return happens();
      },
    ];
  }

  const written = (issue: IssueWork) => use().raw('select seq from revision where issue = $1', [issue.id]);

  async function started() {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a'));
    return { issue, base };
  }

  test.for([
    ['uninstalled', uninstall],
    ['uninstalled and installed again', reinstall],
  ] as const)('a change that waits for a lock while the add-on is %s is not made', async ([, happens], { skip }) => {
    // The embedded database has one connection: no change waits for a lock.
    skip(!use().second);
    const { issue, base } = await started();
    const free = await occupied(issue);
    const waiting = expect(issue.change(add('late'), base)).rejects.toThrow(Unauthorized);
    await isAwaited();
    await happens();
    await free();
    await waiting;
    expect(await written(issue)).toHaveLength(1);
  });

  test.each([
    ['uninstalled', uninstall],
    ['uninstalled and installed again', reinstall],
  ])('the first change of an issue that is read while the add-on is %s is not made', async (_, happens) => {
    const issue = await newIssue(it);
    const base = { epoch: '', seq: 0, hash: hashText(''), text: '' };
    atReading(issue, happens);
    await expect(issue.change(add('late'), base)).rejects.toThrow(Unauthorized);
    expect(await written(issue)).toEqual([]);
    expect(await use().raw('select seq from checklist where issue = $1', [issue.id])).toEqual([]);
  });

  test.each([
    ['uninstalled', uninstall, 0],
    ['uninstalled and installed again', reinstall, 1],
  ])(
    'a change made just before the add-on is %s is kept, and written as far as possible',
    async (_, happens, writes) => {
      const { issue, base } = await started();
      await issue.change(add('last'), base);
      await happens();
      await it.settled();
      expect(it.tracker.calls.filter(isPropertyWrite)).toHaveLength(writes);
      await it.tenants.install({ ...it.tenant, url: SITE });
      const again = await workOn(it, issue.id, 'another');
      it.tracker.granted.set('another', EDITOR);
      expect((await again.read()).text.trim()).toBe('- a\n- last');
      await again.edit(add('more'));
      expect((await again.text()).trim()).toBe('- a\n- last\n- more');
    },
  );

  test('over HTTP such a change is answered as an unknown session', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    const base = { epoch: '', seq: 0, hash: hashText('') };
    const query = 'mutation ($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }';
    const change = { kind: 'addChecklistItemsFromText', text: 'late' };
    const input = { issueId: issue.id, clientId: randomUUID(), base, change };
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
    expect(await issue.stored()).toBeUndefined();
  });

  test('no issue is created from an item for an uninstalled site', async () => {
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
