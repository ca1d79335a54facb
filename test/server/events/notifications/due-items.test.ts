import { expect, test, vi } from 'vitest';
import { createTextWorkers } from '../../../../src/server/text-workers/pool.ts';
import { add, tick, update } from '../../support/checklists.ts';
import { onStore } from '../../support/stores.ts';
import { threadProgram } from '../../support/text-workers.ts';
import { HOUR, today, tomorrow, withDigests, yesterday } from './digests.ts';

vi.setConfig({ testTimeout: 60_000 });

onStore(use => {
  const { it, issue, notified, digests, due, found } = withDigests(use);

  test('items are due tomorrow and overdue once, for their assignee', async () => {
    await issue.edit(
      add(
        `- soon [~accountid:ana] ${tomorrow}\n- late [~accountid:ana] ${yesterday}\n- now [~accountid:ana] ${today}\n- old [~accountid:ana] 2020-01-01\n+ done [~accountid:ana] ${yesterday}\n- free ${tomorrow}`,
      ),
    );
    await digests();
    it.advance(HOUR);
    expect(await due()).toEqual([]);
    const [, sent] = notified();
    expect(sent?.textBody).toContain(`Due tomorrow\n- soon ${tomorrow}\n\nOverdue\n- late ${yesterday}`);
    for (const word of ['now', 'old', 'done', 'free']) expect(sent?.textBody).not.toContain(`- ${word}`);
    it.advance(HOUR);
    await due();
    expect(notified()).toHaveLength(2);
    // A new day for the same item is another notice.
    const { text } = await issue.read();
    await issue.edit(update(text.replace(`late [~accountid:ana] ${yesterday}`, `late [~accountid:ana] ${tomorrow}`)));
    await due();
    expect(notified()).toHaveLength(3);
  });

  test('an item that was completed in the meantime is not overdue', async () => {
    await issue.edit(add(`- late [~accountid:ana] ${yesterday}`));
    await use().raw('delete from notification');
    await it.background.add('find-due', { tenant: it.tenant.id });
    await it.release('find-due');
    await issue.edit(tick(0, `late [~accountid:ana] ${yesterday}`));
    await digests();
    expect(notified()).toEqual([]);
  });

  test('the day begins at eight in the zone of the person, else in that of most people', async () => {
    const zone = async (account: string, name: string) => {
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      const response = await it.app.inject({
        ...{ method: 'POST', url: '/api/live', payload: { issues: [], zone: name }, payloadAsStream: true },
        headers: { authorization: `JWT ${await it.session(account)}` },
      });
      response.stream().destroy();
      await expect
        .poll(() => use().raw('select zone from person where tenant = $1 and account = $2', [it.tenant.id, account]))
        .toEqual([{ zone: name }]);
    };
    await issue.edit(add(`- a [~accountid:ana] ${tomorrow}\n- b [~accountid:ben] ${tomorrow}`));
    await use().raw('delete from notification');
    // At noon of UTC it is still before eight there.
    await zone('ana', 'America/Los_Angeles');
    await due();
    expect(notified()).toEqual([]);
    await zone('lead', 'Europe/Berlin');
    await zone('other', 'Europe/Berlin');
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben']);
    it.advance(5 * HOUR);
    await due();
    expect(notified().map(({ to }) => to.users[0]?.accountId)).toEqual(['ben', 'ana']);
  });

  test('a zone that is none is not stored', async () => {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    const { createNotifications } = await import('../../../../src/server/events/notifications/notifications.ts');
    const { seenZone } = createNotifications({
      ...{ store: use().store, tenants: it.tenants, queue: it.background, onError: expect.unreachable },
      trackerOf: () => expect.unreachable(),
      workers: createTextWorkers({ entry: threadProgram('entry') }),
    });
    for (const zone of ['No/Where', '', "'; drop table person", 'x'.repeat(500)]) {
      await seenZone({ tenant, account: 'ana' }, zone);
    }
    await seenZone({ tenant, account: 'anonymous' }, 'Europe/Berlin');
    expect(await use().raw('select zone from person where tenant = $1', [it.tenant.id])).toEqual([]);
  });

  test('an item is overdue for a person without a known zone, in the zone of most people', async () => {
    await use().raw("insert into person (tenant, account, zone) values ($1, 'other', 'Asia/Tokyo')", [it.tenant.id]);
    await issue.edit(add(`- late [~accountid:ana] ${today}`));
    await use().raw('delete from notification');
    // Eight in the morning there.
    it.advance(11 * HOUR);
    await due();
    expect(notified().map(({ textBody }) => textBody.includes('Overdue\n- late'))).toEqual([true]);
  });

  test('accounts that are no people of the tracker have no notices of due items', async () => {
    const accounts = ['rule:x', 'api:y', 'automation:z', 'ä', 'ana'];
    await issue.edit(add(accounts.map(account => `- a [~accountid:${account}] ${tomorrow}`).join('\n')));
    // As an index of foreign text may name them.
    await use().raw("update assigned_item set account = 'no account' where account = 'ä' and tenant = $1", [
      it.tenant.id,
    ]);
    await use().raw('delete from notification');
    await found();
    expect(await use().raw('select account from notification where tenant = $1', [it.tenant.id])).toEqual([
      { account: 'ana' },
    ]);
  });
});
