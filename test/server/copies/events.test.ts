import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { add, newIssue, tick } from '../support/checklists.ts';
import { asObject, onSync, PROPERTY, syncWork } from '../support/sync.ts';
import { ADDON_ACCOUNT } from '../support/tracker.ts';

/** Events of the tracker, and which of them cause a read. */
onSync(({ use, it, work }) => {
  describe('events', () => {
    test('of own writes cause no read of either copy', async () => {
      const issue = await work.settledIssue('- a');
      it.tracker.onFields = async (id, fields) => {
        const tenant = await it.tenants.find(it.tenant.id);
        const changes = Object.entries(fields).map(([field, to]) => ({
          id: field,
          name: 'Checklist Text',
          to: String(to),
        }));
        const caller = tenant && { tenant, account: ADDON_ACCOUNT };
        if (caller) await it.sync.noticed(caller, id, { kind: 'updated', mayHide: false, changes });
      };
      const calls = await work.callsOf(async () => {
        await issue.edit(tick(0, 'a'));
        await it.settled();
        await issue.edit(add('b'));
        await issue.edit(add('c'));
        await it.settled();
      });
      it.tracker.onFields = async () => {};
      expect(calls).toEqual(['write property', 'write field', 'write property', 'write field']);
    });

    test('of another account cause a read when the event of an own write was lost', async () => {
      const issue = await work.settledIssue('- a');
      // The server learns its own account from the field.
      await issue.writeField('- a\n- b');
      await work.event(issue, 'updated');
      await it.settled();
      const { onProperty } = it.tracker;
      it.tracker.onProperty = async () => {};
      await issue.edit(add('ours'));
      await it.settled();
      it.tracker.onProperty = onProperty;
      work.place(issue, { ...asObject(work.held(issue).properties[PROPERTY]), text: '- a\n- b\n- ours\n- theirs' });
      await work.event(issue, 'property', 'mallory');
      await work.quiet(issue, '- a\n- b\n- ours\n- theirs');
    });

    test('of another account name the author, whatever own events were lost and before any other read', async () => {
      const other = await startApp(use().store);
      const there = syncWork(other, use());
      const issue = await there.settledIssue('- a');
      const { onProperty } = other.tracker;
      other.tracker.onProperty = async () => {};
      await issue.edit(add('ours'));
      await other.settled();
      other.tracker.onProperty = onProperty;
      there.place(issue, { ...asObject(there.held(issue).properties[PROPERTY]), text: '- a\n- ours\n- theirs' });
      await there.event(issue, 'property', 'mallory');
      // An event of an own write that arrives late.
      await there.event(issue, 'property', ADDON_ACCOUNT);
      await other.settled();
      expect((await there.history(issue)).at(-1)).toMatchObject({ kind: 'foreignProperty', account: 'mallory' });
      await other.app.close();
    });

    test('of a foreign write that an own one was over let the next ones compare', async () => {
      const issue = await work.settledIssue('- a');
      // The server learns its own account from the field.
      await issue.writeField('- a\n- b');
      await work.event(issue, 'updated');
      await it.settled();
      // The foreign value is gone when the event of its write arrives.
      await work.event(issue, 'property', 'mallory');
      await it.settled();
      const calls = await work.callsOf(async () => {
        await issue.edit(add('ours'));
        await it.settled();
      });
      expect(calls).toContain('swap property');
      expect(calls).not.toContain('write property');
      await work.quiet(issue, '- a\n- b\n- ours');
    });

    test('beyond the number of own writes cause one read, which finds foreign changes', async () => {
      const issue = await work.settledIssue('- a');
      expect(await work.callsOf(() => work.event(issue, 'property').then(it.settled))).toEqual(['read issue']);
      // The event of a foreign write comes before that of an own one.
      const { onProperty } = it.tracker;
      it.tracker.onProperty = async () => {};
      await issue.edit(add('ours'));
      await it.settled();
      it.tracker.onProperty = onProperty;
      work.place(issue, { ...asObject(work.held(issue).properties[PROPERTY]), text: '- a\n- ours\n- theirs' });
      await work.event(issue, 'property', 'mallory');
      await work.event(issue, 'property', ADDON_ACCOUNT);
      await work.quiet(issue, '- a\n- ours\n- theirs');
    });

    test('of other fields cause no read', async () => {
      const issue = await work.settledIssue('- a');
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      const changes = [{ id: 'summary', name: 'Summary', to: 'Another' }];
      const calls = await work.callsOf(async () => {
        await it.sync.noticed({ tenant, account: 'mallory' }, issue.id, { kind: 'updated', mayHide: false, changes });
        await it.settled();
      });
      expect(calls).toEqual([]);
    });

    test('of unknown issues cause no read', async () => {
      const issue = await newIssue(it);
      const calls = await work.callsOf(async () => {
        await issue.store('- theirs');
        await work.event(issue, 'updated');
        await it.settled();
      });
      expect(calls).toEqual([]);
    });

    test('of deleted issues delete the state of their copies, not their history', async () => {
      const issue = await work.settledIssue('- a');
      it.tracker.issues.delete(issue.id);
      // Events may be repeated.
      for (let time = 0; time < 2; time += 1) {
        await work.event(issue, 'deleted');
        await it.settled();
        expect(await use().raw('select 1 from sync where issue = $1', [issue.id])).toEqual([]);
      }
      expect(await work.history(issue)).toHaveLength(1);
    });

    test('of an issue that was hidden for a while are handled again', async () => {
      const issue = await work.settledIssue('- a [~accountid:ana]');
      const assigned = () => use().raw('select account from assigned_item where issue = $1', [issue.id]);
      const held = work.held(issue);
      it.tracker.issues.delete(issue.id);
      await work.event(issue, 'deleted');
      await it.settled();
      it.tracker.issues.set(issue.id, held);
      expect(await assigned()).toEqual([]);
      await work.event(issue, 'updated');
      await it.settled();
      expect(await assigned()).toEqual([{ account: 'ana' }]);
      await issue.writeField('- a [~accountid:ana]\n- theirs');
      await work.quiet(issue, '- a [~accountid:ana]\n- theirs');
    });

    test.each(['', '0', '../1', '1e3', '99999999999999999999'])('of an invalid id "%s" are ignored', async id => {
      const url = `/webhooks/issue-updated?issueId=${encodeURIComponent(id)}`;
      const headers = { authorization: `JWT ${it.requestToken('POST', url)}` };
      expect((await it.app.inject({ method: 'POST', url, headers })).statusCode).toBe(204);
      expect(it.background.waiting()).toEqual([]);
    });
  });

  test('a property value that a page reports as different is merged', async () => {
    const issue = await work.settledIssue('- a');
    work.place(issue, '- a\n- b');
    await issue.checklists.seen(issue.id, { property: { epoch: '', seq: 0, hash: 'another' } });
    await work.quiet(issue, '- a\n- b');
  });
});
