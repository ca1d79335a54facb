import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tick, update } from '../../support/checklists.ts';
import { onStore } from '../../support/stores.ts';
import { type Work, withConversions } from './conversions.ts';

onStore(use => {
  const { it, issueWith } = withConversions(use);

  describe('an item that follows its issue', () => {
    /** The tracker's webhook of a status change; its body says the new category, unless that is left out. */
    async function moved(key: string | null, at: number, category?: string): Promise<void> {
      const id = key?.slice(3) ?? '';
      const url = `/webhooks/issue-updated?issueId=${id}`;
      const headers = { authorization: `JWT ${it.requestToken('POST', url)}`, 'content-type': 'application/json' };
      const updated = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString().replace('Z', '+0000');
      const payload = {
        issue: { id, key, fields: { ...(category && { status: { statusCategory: { key: category } } }), updated } },
        changelog: { items: [{ field: 'status', fieldId: 'status', from: '1', to: '2' }] },
      };
      expect((await it.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(204);
      await it.settled();
    }
    const following = async (text = '- a\n- b') => {
      const issue = await issueWith(text);
      const { issueKey } = await issue.convert({ follows: true, replaces: true });
      await it.settled();
      return { ...issue, key: issueKey };
    };

    test('is completed with it and reopened with it, without a read', async () => {
      const issue = await following();
      const path = `/rest/api/2/issue/${issue.key?.slice(3)}`;
      await moved(issue.key, 1, 'indeterminate');
      expect(await issue.text()).toBe(`- ${issue.key}\n- b`);
      await moved(issue.key, 2, 'done');
      expect(await issue.text()).toBe(`+ ${issue.key}\n- b`);
      await moved(issue.key, 3, 'new');
      expect(await issue.text()).toBe(`- ${issue.key}\n- b`);
      expect(it.tracker.calls.filter(call => call.path === path)).toEqual([]);
    });

    test('ignores late and repeated events', async () => {
      const issue = await following();
      await moved(issue.key, 5, 'done');
      await issue.edit(tick(0, `${issue.key}`, 'todo'));
      await moved(issue.key, 5, 'done');
      await moved(issue.key, 4, 'new');
      expect(await issue.text()).toBe(`- ${issue.key}\n- b`);
    });

    test('keeps a status that a user chose, and follows as reworded and moved', async () => {
      const issue = await following();
      await issue.edit(tick(0, `${issue.key}`, 'skipped'));
      await moved(issue.key, 1, 'done');
      expect(await issue.text()).toBe(`x ${issue.key}\n- b`);
      await issue.edit(update(`- b\n- with ${issue.key} at last`));
      await moved(issue.key, 2, 'new');
      await moved(issue.key, 3, 'done');
      expect(await issue.text()).toBe(`- b\n+ with ${issue.key} at last`);
    });

    test('stops where it does not name the issue any more', async () => {
      const issue = await following();
      await issue.edit(update('- a\n- b'));
      await moved(issue.key, 1, 'done');
      expect(await issue.text()).toBe('- a\n- b');
    });

    test('asks the tracker where an event does not say the state', async () => {
      const issue = await following();
      const made = it.tracker.issues.get(issue.key?.slice(3) ?? '');
      if (made) made.fields.status = { name: 'Done', statusCategory: { key: 'done' } };
      await moved(issue.key, 1);
      expect(await issue.text()).toBe(`+ ${issue.key}\n- b`);
    });

    test('is set by a later run where the process ended before', async () => {
      const issue = await following();
      await use().raw('update conversion set reported = true, reported_at = now() where key = $1', [issue.key]);
      await it.following.recover();
      await it.settled();
      expect(await issue.text()).toBe(`+ ${issue.key}\n- b`);
    });

    test('another item, and one without the option, do not follow', async () => {
      const issue = await issueWith('- a\n- b');
      const { issueKey } = await issue.convert({ replaces: true });
      await moved(issueKey, 1, 'done');
      expect(await issue.text()).toBe(`- ${issueKey}\n- b`);
    });
  });

  describe('the option to follow, later', () => {
    const ISSUES = 'query converted($id: ID!) { convertedIssues(issueId: $id) { issueKey follows } }';
    const SET = `mutation follow($id: ID!, $key: String!, $follows: Boolean!) {
      setFollowing(issueId: $id, issueKey: $key, follows: $follows) {
        issues { issueKey follows } errors { code field message }
      }
    }`;
    const converted = async (issue: Work, account = issue.account) =>
      (await it.graphql(account, ISSUES, { id: issue.id })).data?.convertedIssues;
    const follow = async (issue: Work, key: string | null, follows: boolean, account = issue.account) => {
      const { data } = await it.graphql(account, SET, { id: issue.id, key, follows });
      await it.settled();
      return data?.setFollowing;
    };

    test('shows, and is turned on with a read of the issue, and off', async () => {
      const issue = await issueWith('- a\n- b');
      expect(await converted(issue)).toEqual([]);
      const { issueKey } = await issue.convert({ replaces: true });
      expect(await converted(issue)).toEqual([{ issueKey, follows: false }]);
      const made = it.tracker.issues.get(issueKey?.slice(3) ?? '');
      if (made) made.fields.status = { name: 'Done', statusCategory: { key: 'done' } };
      expect(await follow(issue, issueKey, true)).toEqual({ issues: [{ issueKey, follows: true }], errors: [] });
      expect(await issue.text()).toBe(`+ ${issueKey}\n- b`);
      expect(await follow(issue, issueKey, false)).toEqual({ issues: [{ issueKey, follows: false }], errors: [] });
      if (made) made.fields.status = { name: 'Open', statusCategory: { key: 'new' } };
      await it.following.recover();
      await it.settled();
      expect(await issue.text()).toBe(`+ ${issueKey}\n- b`);
    });

    test('is refused for an issue that no item was converted to, and without the permission to edit', async () => {
      const issue = await issueWith('- a');
      const { issueKey } = await issue.convert({ replaces: true, follows: true });
      expect(await follow(issue, 'PR-1', true)).toMatchObject({ issues: [], errors: [{ code: 'NOT_FOUND' }] });
      const viewer = randomUUID();
      it.tracker.granted.set(viewer, ['BROWSE_PROJECTS']);
      expect(await follow(issue, issueKey, false, viewer)).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
      expect(await converted(issue, viewer)).toEqual([{ issueKey, follows: true }]);
      it.tracker.granted.set(viewer, []);
      it.tracker.hidden.add(issue.id);
      expect(await converted(issue, randomUUID())).toBeUndefined();
    });
  });
});
