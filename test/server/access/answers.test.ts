import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccess } from '../../../src/server/access/access.ts';
import { TrackerRefused, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import type { Caller } from '../../../src/server/platform/tokens.ts';
import type { Tracker } from '../../../src/server/platform/tracker/client.ts';
import { appOf, startApp } from '../support/app.ts';
import { EDITOR } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** How long answers of the tracker are valid. */
onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  describe('a permission answer of the tracker', () => {
    const ISSUE = '1';
    let now: number;
    let asked: number;
    let granted: readonly string[];
    /** Replaces the tracker's answer. */
    let instead: (() => unknown) | undefined;
    let access: ReturnType<typeof createAccess>;
    let alice: Caller;

    beforeEach(async () => {
      now = 0;
      asked = 0;
      granted = EDITOR;
      instead = undefined;
      visible = [ISSUE];
      access = process();
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      alice = { tenant, account: randomUUID() };
    });

    const process = () =>
      createAccess({
        store: use().store,
        now: () => now,
        placeOf: async () => ({ project: '1', service: true }),
        onError: error => {
          throw error;
        },
      });

    /** The issues that the tracker shows. */
    let visible: readonly string[];
    const tracker: Tracker = async ({ name }) => {
      if (name === 'readProject') return { status: 200, body: { key: 'WEB-1', fields: { project: { id: '1' } } } };
      asked += 1;
      instead?.();
      const issues = visible.map(Number);
      return { status: 200, body: { projectPermissions: granted.map(permission => ({ permission, issues })) } };
    };
    const view = (caller = alice) => access.requireView(caller, tracker, ISSUE);
    const change = (by = access) => by.requireFlags(alice, tracker, ISSUE, ['canEditChecklist']);
    const away = () => {
      throw new TrackerUnavailable('away');
    };
    /** Advances the time by some milliseconds, also in the database. */
    async function elapse(time: number): Promise<void> {
      now += time;
      await use().raw(`update access_grant set asked = asked - $1 * interval '1 ms'`, [time]);
      await use().raw(`update access_doubt set since = since - $1 * interval '1 ms'`, [time]);
    }
    /** Alice, with a frame of the issue shown at that time. */
    const framedAt = (shown: number): Caller => ({ ...alice, frame: { issue: ISSUE, shown } });
    /** Number of permission requests that some work causes. */
    async function questions(work: () => Promise<unknown>): Promise<number> {
      const before = asked;
      await work();
      return asked - before;
    }

    test('is valid for five minutes for reads and one minute for changes', async () => {
      expect(await questions(view)).toBe(1);
      now = 59_999;
      expect(await questions(change)).toBe(0);
      now = 60_000;
      expect(await questions(change)).toBe(1);
      now = 60_000 + 299_999;
      expect(await questions(view)).toBe(0);
      now += 1;
      expect(await questions(view)).toBe(1);
      expect(await questions(() => access.flagsNow(alice, tracker, [ISSUE]))).toBe(1);
    });

    test('ends when the page reports a missing permission, also while the tracker is unavailable', async () => {
      await change();
      // A report of an unknown permission, or of another account, has no effect.
      await access.lacks(alice, ISSUE, ['isAdmin']);
      await access.lacks({ ...alice, account: 'other' }, ISSUE, ['canEditChecklist']);
      expect(await questions(change)).toBe(0);
      await access.lacks(alice, ISSUE, ['canEditChecklist']);
      instead = away;
      for (const each of [access, process()]) await expect(change(each)).rejects.toBeInstanceOf(TrackerUnavailable);
      instead = undefined;
      granted = ['BROWSE_PROJECTS'];
      await expect(process().requireFlags(alice, tracker, ISSUE, ['canEditChecklist'])).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    });

    test('outlasts any number of made-up issues that a colleague asks for', async () => {
      await view();
      const mallory = { ...alice, account: randomUUID() };
      for (let from = 1_000; from < 21_000; from += 1_000) {
        const made = Array.from({ length: 1_000 }, (_, index) => `${from + index}`);
        expect((await access.flags(mallory, tracker, made)).size).toBe(0);
      }
      expect(await questions(view)).toBe(0);
    });

    test('ends for all accounts when the issue may have moved', async () => {
      await view();
      granted = [];
      access.forget(alice.tenant.id, ISSUE);
      await expect(view()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(asked).toBe(2);
    });

    test('is not needed for a frame whose token names the issue', async () => {
      const framed = framedAt(0);
      expect(await questions(() => view(framed))).toBe(0);
      expect(await questions(() => access.viewable(framed, tracker, [ISSUE, '2']))).toBe(1);
      expect(await access.viewable(framed, tracker, [ISSUE])).toEqual(new Set([ISSUE]));
    });

    test('is needed for a frame with view permissions on, without an account, and after a possible move', async () => {
      const { tenant } = alice;
      const settings = { ...tenant.settings, view_permissions_enabled: true };
      const framed = framedAt(0);
      const strict = { ...framed, tenant: { ...tenant, settings } };
      granted = ['BROWSE_PROJECTS'];
      await expect(view(strict)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(view({ ...framed, account: 'anonymous' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      access.forget(tenant.id, ISSUE);
      granted = [];
      await expect(view(framed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      now = 59 * 60_000;
      await expect(view(framed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      // A frame that was shown later counts.
      now += 1;
      expect(await questions(() => view(framedAt(now)))).toBe(0);
      access.forgetAll();
      await expect(view(framedAt(now))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('overrides a frame token when the issue is hidden', async () => {
      granted = [];
      const framed = framedAt(0);
      await view(framed);
      await access.flagsNow(framed, tracker, [ISSUE]);
      await expect(view(framed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('is valid for an hour while the tracker is unavailable', async () => {
      await change();
      instead = away;
      await elapse(59 * 60_000);
      await change();
      await view();
      // Also in a process without requests of its own.
      await change(process());
      await elapse(60_000);
      for (const each of [access, process()]) await expect(change(each)).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test('is deleted after its lifetime, as revocations are', async () => {
      const kept = async () =>
        (await use().raw('select issue from access_grant union all select issue from access_doubt')).length;
      await it.checklists.doubtAccess(alice.tenant.id, ISSUE);
      await change();
      await it.checklists.prune(alice.tenant.id);
      expect(await kept()).toBeGreaterThan(1);
      await elapse(2 * 60 * 60_000);
      await it.checklists.prune(alice.tenant.id);
      expect(await kept()).toBe(0);
    });

    test('is requested again after half a minute at the earliest while an earlier answer is valid', async () => {
      await change();
      instead = away;
      await elapse(60_000);
      expect(await questions(change)).toBe(1);
      expect(await questions(() => Promise.all([change(), view()]))).toBe(0);
      await elapse(30_000);
      // One call asks the tracker; concurrent calls do not wait for it.
      expect(await questions(() => Promise.all([change(), change()]))).toBe(1);
      instead = undefined;
      await elapse(30_000);
      expect(await questions(change)).toBe(1);
      await elapse(60_000);
      expect(await questions(change)).toBe(1);
    });

    test('is shared by concurrent calls, but not after a possible move of the issue', async () => {
      expect(await questions(() => Promise.all([change(), change(), view()]))).toBe(1);
      await elapse(60_000);
      const before = change();
      now += 1;
      access.forget(alice.tenant.id, ISSUE);
      now += 1;
      expect(await questions(() => Promise.all([before, change()]))).toBe(1);
    });

    test('is shared by concurrent lists with the same issues, in whatever order', async () => {
      visible = ['1', '2', '4'];
      const flags = (...issues: string[]) => access.flags(alice, tracker, issues);
      expect(await questions(() => Promise.all([flags('1', '2', '3'), flags('3', '1'), flags('2', '3', '1')]))).toBe(1);
      await elapse(300_000);
      const [few, more] = await Promise.all([flags('1', '2'), flags('4', '2', '1')]);
      expect([[...few.keys()].sort(), [...more.keys()].sort()]).toEqual([
        ['1', '2'],
        ['1', '2', '4'],
      ]);
    });

    test('is invalid in processes that start after its revocation', async () => {
      now = Date.now();
      const framed = framedAt(now - 50 * 60_000);
      await change();
      await it.checklists.doubtAccess(alice.tenant.id, ISSUE);
      const later = process();
      await later.recall();
      granted = [];
      await expect(later.requireView(framed, tracker, ISSUE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      granted = EDITOR;
      instead = away;
      await expect(change(process())).rejects.toBeInstanceOf(TrackerUnavailable);
      await expect(change(later)).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test('is not cached when an event arrives during the request', async () => {
      instead = () => {
        instead = undefined;
        now = 1;
        access.forget(alice.tenant.id, ISSUE);
      };
      await view();
      expect(await questions(view)).toBe(1);
    });

    test('is not used where a fresh answer is required', async () => {
      await view();
      instead = away;
      await expect(access.flagsNow(alice, tracker, [ISSUE])).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test.each([401, 403])('is invalid once the tracker has answered %i', async status => {
      await change();
      now = 60_000;
      instead = () => {
        throw new TrackerRefused('checkPermissions', { status, body: undefined });
      };
      await expect(change()).rejects.toBeInstanceOf(TrackerRefused);
      instead = away;
      await expect(change()).rejects.toBeInstanceOf(TrackerUnavailable);
      await expect(view()).rejects.toBeInstanceOf(TrackerUnavailable);
      await expect(change(process())).rejects.toBeInstanceOf(TrackerUnavailable);
    });
  });
});
