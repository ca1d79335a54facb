import { describe, expect, test, vi } from 'vitest';
import { joinWatch, startWatch } from '../../../src/server/copies/watch.ts';
import { add, type IssueWork, tick, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { linesOf, onSync } from '../support/sync.ts';
import { OWN_FIELD, writeFields } from '../support/tracker.ts';

/** Events missed while no process ran, and databases restored from a backup. */
onSync(({ use, it, work }) => {
  /** The rows of an issue, to be restored later. */
  async function dump(issue: IssueWork) {
    const tables = ['checklist', 'sync', 'revision'];
    const rows = await Promise.all(
      tables.map(table => use().raw(`select * from ${table} where issue = $1`, [issue.id])),
    );
    /** Restores the rows. */
    const putBack = async () => {
      for (const [index, table] of tables.entries()) {
        await use().raw(`delete from ${table} where issue = $1`, [issue.id]);
        for (const row of rows[index] ?? []) {
          const text = JSON.stringify([row]);
          await use().raw(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
            text,
          ]);
        }
      }
    };
    /** Restores a backup, as after a restart of the server. */
    const restore = async () => {
      await putBack();
      await use().raw("update revision set created = created - interval '1 day' where issue = $1", [issue.id]);
      await use().raw("update sync set watch = 'an earlier one' where issue = $1", [issue.id]);
    };
    return { putBack, restore };
  }

  describe('after a time without a process', () => {
    test('the property is read before it is overwritten', async () => {
      const issue = await work.settledIssue('- a');
      work.place(issue, '- a\n- theirs');
      await use().raw("update sync set watch = 'an earlier one' where issue = $1", [issue.id]);
      await issue.edit(tick(0, 'a'));
      await work.quiet(issue, '+ a\n- theirs');
      const calls = await work.callsOf(async () => {
        await issue.edit(add('c'));
        await it.settled();
      });
      // Another app has written it.
      expect(calls).toContain('swap property');
    });

    test('the property is read only once', async () => {
      const issue = await work.settledIssue('- a');
      await use().raw("update sync set watch = 'an earlier one' where issue = $1", [issue.id]);
      const change = () =>
        work.callsOf(async () => {
          await issue.edit(add('b'));
          await it.settled();
        });
      expect(await change()).toEqual(['read issue', 'write property', 'write field']);
      expect(await change()).toEqual(['write property', 'write field']);
    });
  });

  describe('a database restored from an older dump', () => {
    test('merges newer values of the property', async () => {
      const issue = await work.settledIssue('- a\n- b');
      const { restore } = await dump(issue);
      await issue.edit(tick(0, 'a'));
      await issue.edit(add('lost'));
      await it.settled();
      await restore();
      expect((await issue.read()).text).toBe('- a\n- b');
      await work.event(issue);
      await it.settled();
      expect(await issue.read()).toMatchObject({ seq: 4, text: '+ a\n- b\n- lost' });
      await work.quiet(issue, '+ a\n- b\n- lost');
    });

    test("merges the tracker's values before a change that is based on them", async () => {
      const issue = await work.settledIssue('- a\n- b');
      const { restore } = await dump(issue);
      await issue.edit(update('- a\n- b\n- lost'));
      const base = await issue.read();
      await it.settled();
      await restore();
      // As sent by a page that was waiting.
      const { checklist } = await issue.change(tick(2, 'lost'), base);
      expect(checklist.text).toBe('- a\n- b\n+ lost');
      await work.quiet(issue, '- a\n- b\n+ lost');
    });

    test('merges such a change with the known text where the tracker is unavailable', async () => {
      provokes({ errors: /TrackerUnavailable/ });
      const issue = await work.settledIssue('- a\n- b');
      const { restore } = await dump(issue);
      await issue.edit(tick(0, 'a'));
      const { epoch, seq, hash, text } = await issue.read();
      await it.settled();
      await restore();
      it.tracker.faults.push(() => 'down');
      await issue.change(tick(1, 'b'), { epoch, seq, hash, text }).finally(() => it.tracker.faults.pop());
      await work.quiet(issue, '+ a\n+ b');
    });

    test.each([1, 2, 3, 5])(
      'merges the property with %d changes since the restore, whatever their numbers',
      async changes => {
        const issue = await work.settledIssue('- a\n- b\n- c');
        const { restore } = await dump(issue);
        await issue.edit(tick(0, 'a'));
        await issue.edit(add('lost'));
        await issue.edit(tick(1, 'b'));
        await it.settled();
        await restore();
        for (let change = 0; change < changes; change += 1) await issue.edit(add(`new ${change}`));
        await it.settled();
        const added = Array.from({ length: changes }, (_, change) => `- new ${change}`);
        expect(linesOf((await issue.read()).text)).toEqual(['+ a', '+ b', '- c', '- lost', ...added]);
        const { seq } = await issue.read();
        expect(seq).toBeGreaterThan(4);
        await work.quiet(issue, (await issue.read()).text);
      },
    );

    test('merges changes of the field once', async () => {
      const issue = await work.settledIssue('- a\n- b');
      const { restore } = await dump(issue);
      await issue.writeField('- a\n- b\n- theirs', 'mallory');
      await issue.edit(tick(0, 'a'));
      await it.settled();
      await restore();
      await issue.edit(tick(1, 'b'));
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['+ a', '+ b', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });

    test('merges lost own writes and foreign ones after the tracker was unavailable', async () => {
      const issue = await work.settledIssue('- a');
      const { restore } = await dump(issue);
      await issue.edit(add('lost'));
      await it.settled();
      await restore();
      it.tracker.faults = [({ path }) => (path.endsWith('/permissions/check') ? undefined : 'down')];
      await issue.edit(update('- a\n- new one'));
      await it.background.work(it.jobs);
      writeFields(work.held(issue), { [OWN_FIELD]: '- a\n- lost\n- theirs' }, 'mallory');
      await issue.edit(add('new two'));
      await it.background.work(it.jobs);
      it.tracker.faults = [];
      await it.settled();
      expect(linesOf((await issue.read()).text)).toEqual(['- a', '- lost', '- new one', '- new two', '- theirs']);
      await work.quiet(issue, (await issue.read()).text);
    });
  });

  describe('a database that fails over while the process runs', () => {
    /** An issue, and a failover to a standby without the changes since. */
    async function behind(text: string): Promise<{ issue: IssueWork; failOver(): Promise<void> }> {
      const issue = await work.settledIssue(text);
      await it.watch.renew();
      const { putBack } = await dump(issue);
      return {
        issue,
        async failOver() {
          await putBack();
          await use().raw("update watch set origin = 'another timeline'");
        },
      };
    }

    test('the property is read before it is overwritten, and its newer values are merged', async () => {
      const { issue, failOver } = await behind('- a\n- b');
      await issue.edit(add('acknowledged'));
      await it.settled();
      await failOver();
      await issue.edit(tick(0, 'a'));
      await work.quiet(issue, '+ a\n- b\n- acknowledged');
    });
  });
});

/** The watch, in a database without other processes. */
onStore(use => {
  describe('the watch', () => {
    const fail = (error: unknown) => {
      throw error;
    };
    const watches = () => use().raw('select id, process from watch');

    test('is shared by concurrent processes, and started anew without one', async () => {
      const first = await startWatch(use().store, fail);
      const second = await startWatch(use().store, fail);
      expect(second.now()).toEqual(first.now());
      await first.stop();
      const third = await startWatch(use().store, fail);
      expect(third.now().id).toBe(second.now().id);
      await Promise.all([second.stop(), third.stop()]);
      expect(await watches()).toEqual([]);
      const later = await startWatch(use().store, fail);
      expect(later.now().id).not.toBe(first.now().id);
      expect(later.now().since.getTime()).toBeGreaterThan(first.now().since.getTime());
      await later.stop();
    });

    test('begins with the last heartbeat when the database has another origin', async () => {
      const watch = await joinWatch(use().store);
      await use().raw("update watch set origin = 'another', beat = '2026-11-01T10:00:00Z'");
      await watch.renew();
      expect(watch.now().since).toEqual(new Date('2026-11-01T10:00:00Z'));
      await watch.leave();
    });

    test.each([
      ['heartbeats of all processes were missing', "beat = now() - interval '1 minute'"],
      ['the database is another one', "origin = 'another'"],
    ])('is started anew where %s', async (_why, change) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const watch = await startWatch(use().store, fail);
        const { id } = watch.now();
        vi.advanceTimersByTime(8_000);
        await vi.waitFor(async () => expect(await watches()).toHaveLength(1));
        await use().raw(`update watch set ${change}`);
        vi.advanceTimersByTime(8_000);
        await vi.waitFor(() => expect(watch.now().id).not.toBe(id), { interval: 20 });
        await watch.stop();
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
