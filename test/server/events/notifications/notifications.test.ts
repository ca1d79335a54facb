import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { ItemValues } from '../../../../src/domain/change.ts';
import { refusals, storage } from '../../../../src/domain/messages.ts';
import { FORMER_USER } from '../../../../src/domain/person.ts';
import { forget } from '../../../../src/server/copies/run.ts';
import { pruneNotices } from '../../../../src/server/events/notifications/records.ts';
import { RetryLater } from '../../../../src/server/queue/queue.ts';
import { add, EDITOR, newIssue, tick, update, workOn } from '../../support/checklists.ts';
import { onStore } from '../../support/stores.ts';
import { HOUR, tomorrow, withDigests } from './digests.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The tracker's read of people by account. */
const BULK_USERS_PATH = '/rest/api/3/user/bulk';

onStore(use => {
  const { it, issue, notified, digests, due, settings, found } = withDigests(use);

  test('an assignment and a mention by others are one digest, for people who see the issue', async () => {
    await issue.edit(
      add(
        '# Ours [~accountid:ana]\n- Write **tests** [~accountid:ana]\n- ask [~accountid:ana] first\n- [~accountid:ben] too',
      ),
    );
    expect(await digests()).toEqual([]);
    const sent = notified();
    expect(sent.map(({ to }) => to.users)).toEqual([[{ accountId: 'ana' }], [{ accountId: 'ben' }]]);
    expect(sent[0]).toMatchObject({ issue: issue.id, restrict: { permissions: [{ key: 'BROWSE_PROJECTS' }] } });
    const by = /\(see who assigned it: \S+\/jira\/people\/lead\)/.source;
    expect(sent[0]?.textBody).toMatch(
      new RegExp(`Assigned to you\n- Write tests ${by}\n- ask first ${by}\n\nMentions you\n- Ours\n`),
    );
    expect(await digests()).toEqual([]);
    expect(notified()).toHaveLength(2);
  });

  describe('names of those who assigned', () => {
    const reads = () => it.tracker.calls.filter(({ path }) => path === BULK_USERS_PATH).length;
    const people = (displayNames: Record<string, string>) => {
      const values = Object.entries(displayNames).map(([accountId, displayName]) => ({ accountId, displayName }));
      it.tracker.faults.push(({ path }) => (path === BULK_USERS_PATH ? Response.json({ values }) : undefined));
    };

    test('one call reads the names of a digest, and serves later ones of the site', async () => {
      people({ lead: 'Anna  Example', ana: '', ben: FORMER_USER });
      for (const account of ['ana', 'ben', 'lead']) {
        const work = await workOn(it, issue.id, account);
        await work.edit(add(`- by ${account} [~accountid:carl]`));
      }
      it.tracker.granted.set('carl', EDITOR);
      await digests();
      expect(reads()).toBe(1);
      const [sent] = notified();
      expect(sent?.textBody).toMatch(/- by lead \(assigned by Anna Example: \S+\/jira\/people\/lead\)/);
      for (const account of ['ana', 'ben']) {
        expect(sent?.textBody).toMatch(new RegExp(`- by ${account} \\(see who assigned it: \\S+/people/${account}\\)`));
      }
      expect(sent?.htmlBody).toMatch(/\/jira\/people\/lead">assigned by Anna Example<\/a>/);
      await issue.edit(add('- again [~accountid:ben]'));
      await digests();
      expect(notified().at(-1)?.textBody).toContain('- again (assigned by Anna Example: ');
      expect(reads()).toBe(1);
    });

    test('an e-mail without an author reads no names, and one whose names are refused has the link', async () => {
      await issue.edit(add('# Ours [~accountid:ana]'));
      await digests();
      expect(reads()).toBe(0);
      it.tracker.faults.push(({ path }) =>
        path === BULK_USERS_PATH ? new Response(null, { status: 403 }) : undefined,
      );
      for (const account of ['ben', 'ana']) {
        await issue.edit(add(`- for ${account} [~accountid:${account}]`));
        it.advance(HOUR);
        await digests();
        expect(notified().at(-1)?.textBody).toContain(`- for ${account} (see who assigned it: `);
      }
      // A refusal is not asked for again at once.
      expect(reads()).toBe(1);
    });
  });

  test('an own action, and an item that only moves, is no notice', async () => {
    await issue.edit(add('- a [~accountid:lead]\n- b'));
    await issue.edit(update('- b\n- a [~accountid:lead]'));
    await digests();
    expect(notified()).toEqual([]);
  });

  test('what no longer holds is not sent', async () => {
    await issue.edit(add('- a [~accountid:ana]\n- b [~accountid:ana]\n- c [~accountid:ben]\n- d [~accountid:ben]'));
    await issue.edit(tick(0, 'a [~accountid:ana]'));
    await issue.edit({ kind: 'deleteChecklistItem', target: { index: 2, text: 'c [~accountid:ben]' } });
    const { text } = await issue.read();
    await issue.edit(update(text.replace('- d [~accountid:ben]', '- d')));
    await digests();
    expect(
      notified().map(({ to, textBody }) => [to.users, textBody.includes('- b'), textBody.includes('- a')]),
    ).toEqual([[[{ accountId: 'ana' }], true, false]]);
  });

  test('a person gets at most one digest an hour; later notices wait, and are counted for other issues', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    await digests();
    const other = await newIssue(it, EDITOR, 'lead');
    await issue.edit(add('- b [~accountid:ana]'));
    await other.edit(add('- c [~accountid:ana]\n- d [~accountid:ana]'));
    const [deferred] = await digests();
    expect(deferred).toBeInstanceOf(RetryLater);
    expect(notified()).toHaveLength(1);
    it.advance(HOUR);
    expect(await digests()).toEqual([]);
    const [, second, ...more] = notified();
    expect(more).toEqual([]);
    expect(second?.issue).toBe(other.id);
    expect(second?.textBody).toContain('1 more item in 1 other issue');
    expect(second?.textBody).not.toContain('- b');
  });

  test('a digest is about an issue that the tracker has shown to the person', async () => {
    const shown = await newIssue(it, EDITOR, 'lead');
    await (await workOn(it, shown.id, 'ana')).read();
    const ana = await workOn(it, shown.id, 'ana');
    await ana.edit(add('- own'));
    await shown.edit(add('- a [~accountid:ana]'));
    await issue.edit(add('- b [~accountid:ana]'));
    await digests();
    expect(notified().map(each => each.issue)).toEqual([shown.id]);
  });

  test('an item that is reassigned is a notice again; one that is merely edited is not', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    await digests();
    it.advance(HOUR);
    const edit = async (values: ItemValues) => {
      const text = (await issue.read()).text.slice(2);
      await issue.edit({ kind: 'updateChecklistItem', target: { index: 0, text }, values });
    };
    await edit({ text: 'a now [~accountid:ana]' });
    await digests();
    expect(notified()).toHaveLength(1);
    await edit({ assignee: 'ben' });
    await edit({ assignee: 'ana' });
    await digests();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ana', 'ana']);
  });

  test('a person chooses nothing, or also the items of others', async () => {
    expect(await settings('ana').read()).toEqual({ mode: 'MINE', muted: false });
    await issue.edit(add('- before [~accountid:ana]'));
    expect(await settings('ana').choose('OFF')).toMatchObject({ settings: { mode: 'OFF' } });
    await issue.edit(add(`- a [~accountid:ana] ${tomorrow}\n- b [~accountid:ben] ${tomorrow}`));
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben']);
    await settings('lead').choose('ALL');
    it.advance(HOUR);
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben', 'lead']);
  });

  test('a muted issue is no notice for this person, until it is unmuted', async () => {
    await issue.edit(add('- before [~accountid:ana]'));
    expect(await settings('ana').mute(issue.id)).toMatchObject({ settings: { mode: 'MINE', muted: true } });
    expect(await settings('ana').read(issue.id)).toEqual({ mode: 'MINE', muted: true });
    expect(await settings('ben').read(issue.id)).toEqual({ mode: 'MINE', muted: false });
    await issue.edit(add(`- a [~accountid:ana] ${tomorrow}\n- b [~accountid:ben]`));
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben']);
    await settings('ana').mute(issue.id, false);
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben', 'ana']);
  });

  test('only a person who sees an issue can mute it, and an anonymous visitor has no settings', async () => {
    it.tracker.granted.set('stranger', []);
    const refused = { errors: [{ code: 'NOT_FOUND', message: storage.issueNotFound }], settings: null };
    expect(await settings('stranger').mute(issue.id)).toEqual(refused);
    expect(await settings('ana').mute('../1')).toEqual(refused);
    await expect(settings('anonymous').read()).rejects.toThrow(refusals.permission);
    expect(await settings('anonymous').choose('ALL')).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
  });

  test('where view permissions are on, the recipient needs them', async () => {
    await it.tenants.change(it.tenant.id, async tx => {
      await tx.updateTable('tenant').set({ view_permissions: true }).where('tenant', '=', it.tenant.id).execute();
    });
    await issue.edit(add('- a [~accountid:ana]'));
    await digests();
    expect(notified()[0]?.restrict.permissions.map(({ key }) => key)).toEqual([
      'BROWSE_PROJECTS',
      expect.stringMatching(/__view-checklist$/),
    ]);
  });

  test.each([400, 403, 404])('where the tracker answers %i, the digest is about the next issue', async status => {
    const gone = await newIssue(it, EDITOR, 'lead');
    await issue.edit(add('- a [~accountid:ana]'));
    await gone.edit(add('- b [~accountid:ana]'));
    it.tracker.faults.unshift(({ path }) =>
      path.endsWith(`/${gone.id}/notify`) ? new Response('{}', { status }) : undefined,
    );
    expect(await digests()).toEqual([]);
    expect(notified().map(each => each.issue)).toEqual([gone.id, issue.id]);
    it.advance(HOUR);
    await digests();
    expect(notified()).toHaveLength(2);
  });

  test('a limited tracker gets the digest later; a lost answer does not send it twice', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    const limit = ({ path }: { path: string }) =>
      path.endsWith('/notify') ? new Response('', { status: 429, headers: { 'retry-after': '60' } }) : undefined;
    it.tracker.faults.unshift(limit);
    expect(await digests()).toHaveLength(1);
    it.tracker.faults.shift();
    it.elapse(61_000);
    expect(await digests()).toEqual([]);
    const taken = notified().length;
    await issue.edit(add('- b [~accountid:ana]'));
    it.advance(HOUR);
    it.tracker.lost.push(({ path }) => path.endsWith('/notify'));
    expect(await digests()).toEqual([]);
    expect(notified()).toHaveLength(taken + 1);
    it.advance(HOUR);
    await digests();
    expect(notified()).toHaveLength(taken + 1);
  });

  test('a tick costs no more points than before, and a digest one, besides a name that is new', async () => {
    const names = { values: [{ accountId: 'lead', displayName: 'Anna Example' }] };
    it.tracker.faults.push(({ path }) => (path === BULK_USERS_PATH ? Response.json(names) : undefined));
    const points = async () => {
      const { body } = await it.app.inject('/metrics');
      return [...body.matchAll(/^tracker_points\{work="\w+"\} (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    };
    await issue.edit(add('- a [~accountid:ana]\n- b'));
    await it.settled();
    const before = await points();
    await digests();
    // The call, and two for each user.
    const name = 3;
    expect((await points()) - before).toBe(1 + name);
    await issue.edit(tick(1, 'b'));
    await digests();
    await it.settled();
    // The two copies.
    expect((await points()) - before).toBe(1 + name + 2);
    await due();
    expect((await points()) - before).toBe(1 + name + 2);
  });

  test('without a license, and after an uninstallation, nothing is sent', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    await use().raw('update tenant set licensed = false where tenant = $1', [it.tenant.id]);
    await digests();
    await use().raw('update tenant set licensed = true where tenant = $1', [it.tenant.id]);
    await issue.edit(add('- b [~accountid:ana]'));
    await it.tenants.uninstall(it.tenant.id);
    expect(await digests()).toEqual([]);
    expect(notified()).toEqual([]);
  });

  test('old notices are deleted, and the removal of data deletes all', async () => {
    await issue.edit(add(`- a [~accountid:ana] [~accountid:${randomUUID()}]`));
    const count = async () =>
      (await use().raw('select row from notification where tenant = $1', [it.tenant.id])).length;
    expect(await count()).toBe(2);
    await use().raw("update notification set created = now() - interval '61 days' where account = 'ana'");
    await use().store.tenant(it.tenant.id, tx => pruneNotices(tx, it.tenant.id));
    expect(await count()).toBe(1);
    await settings('ana').choose('ALL');
    await it.settled();
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    await it.graphql('admin', 'mutation { removeSiteData(confirm: "https://site.example.net") { removed } }');
    expect(await count()).toBe(0);
    expect(await settings('ana').read()).toEqual({ mode: 'MINE', muted: false });
  });

  test('an error after a digest was sent does not send it again', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    it.tracker.faults.unshift(({ path }) => {
      if (path.endsWith('/notify')) vi.spyOn(use().store, 'tenant').mockRejectedValueOnce(new Error('No connection.'));
      return undefined;
    });
    await digests();
    vi.restoreAllMocks();
    it.advance(HOUR);
    await digests();
    expect(notified()).toHaveLength(1);
  });

  test('a former assignee gets no notice, nor does one who assigned the item and wants only own ones', async () => {
    await issue.edit(add(`- a [~accountid:ana] ${tomorrow}`));
    await use().raw('delete from notification');
    await found();
    const ana = await workOn(it, issue.id, 'ana');
    const target = { index: 0, text: `a [~accountid:ana] ${tomorrow}` };
    await ana.edit({ kind: 'updateChecklistItem', target, values: { assignee: 'ben' } });
    await digests();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben']);
  });

  test('where the tracker refuses some issues, the notices of the others wait and are sent', async () => {
    await issue.edit(add('- a [~accountid:ana]'));
    const gone: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const other = await newIssue(it, EDITOR, 'lead');
      await other.edit(add('- b [~accountid:ana]'));
      gone.push(other.id);
    }
    it.tracker.faults.unshift(({ path }) =>
      gone.some(id => path.endsWith(`/${id}/notify`)) ? new Response('{}', { status: 404 }) : undefined,
    );
    expect(await digests()).toEqual([expect.any(RetryLater)]);
    expect(await digests()).toEqual([]);
    expect(notified().map(each => each.issue)).toEqual([...gone.toReversed(), issue.id]);
  });

  test('notices beyond those of one digest are in the next one', async () => {
    const linesFrom = (first: number) =>
      Array.from({ length: 70 }, (_, index) => `- ${first + index} [~accountid:ana]`);
    for (const first of [0, 70, 140]) await issue.edit(add(linesFrom(first).join('\n')));
    expect(await digests()).toEqual([expect.any(RetryLater)]);
    expect(notified()).toHaveLength(1);
    it.advance(HOUR);
    expect(await digests()).toEqual([]);
    expect(notified()).toHaveLength(2);
  });

  test('notices whose job was lost are sent; a search enqueues digests as it stores notices', async () => {
    await issue.edit(add(`- a [~accountid:ana]\n- b [~accountid:ben] ${tomorrow}`));
    it.background.lose();
    await it.recoverEvents();
    expect(await digests()).toEqual([]);
    expect(notified()).toEqual([]);
    await use().raw("update notification set created = now() - interval '11 minutes'");
    await it.recoverEvents();
    await digests();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ana', 'ben']);
    const enqueue = vi.spyOn(it.background, 'enqueue');
    await found();
    // The other tenants of this database have jobs of their own.
    const own = enqueue.mock.calls.filter(([, data]) => data.tenant === it.tenant.id);
    expect(own.map(([name, data]) => [name, data])).toEqual([
      ['send-digest', { tenant: it.tenant.id, account: 'ben' }],
    ]);
    vi.restoreAllMocks();
  });

  test('a change enqueues its digests in one order, so that two changes do not wait for each other', async () => {
    const enqueue = vi.spyOn(it.background, 'enqueue');
    await issue.edit(add('- a [~accountid:ben]\n- b [~accountid:lee]\n- c [~accountid:ana]'));
    const accounts = enqueue.mock.calls.flatMap(([name, data]) =>
      name === 'send-digest' && 'account' in data ? [data.account] : [],
    );
    expect(accounts).toEqual(['ana', 'ben', 'lee']);
    vi.restoreAllMocks();
  });

  test('an issue that is forgotten leaves no notices, mutes or key', async () => {
    await settings('ben').mute(issue.id);
    await issue.edit(add('- a [~accountid:ana]'));
    const { id: tenant } = it.tenant;
    await use().raw('update checklist set key = $1 where tenant = $2', ['PR-1', tenant]);
    await use().store.tenant(tenant, tx => forget(tx, { tenant, issue: issue.id }));
    for (const table of ['notification', 'notification_mute']) {
      expect(await use().raw(`select issue from ${table} where tenant = $1`, [tenant])).toEqual([]);
    }
    expect(await use().raw('select key from checklist where tenant = $1', [tenant])).toEqual([{ key: null }]);
  });
});
