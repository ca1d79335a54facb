import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { refusals, storage } from '../../../src/domain/messages.ts';
import { createAccess } from '../../../src/server/auth/access.ts';
import { TrackerRefused, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import type { Caller } from '../../../src/server/platform/tokens.ts';
import type { Tracker } from '../../../src/server/platform/tracker/client.ts';
import { hashText } from '../../../src/text/document.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, own, remove, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const edits = { update: update('- b'), add: add('c'), tick: tick(0, 'a'), remove: remove(0, 'a') };

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const manage = (manageEnabled: boolean, viewEnabled = false) =>
    use().raw('update tenant set manage_permissions = $1, view_permissions = $2', [manageEnabled, viewEnabled]);

  async function allowed(granted: string[]): Promise<string[]> {
    const done: string[] = [];
    for (const [name, edit] of Object.entries(edits)) {
      const issue = await newIssue(it, granted);
      await issue.store('- a');
      try {
        await issue.change(edit, { epoch: '', seq: 0, hash: await hashText('- a') });
        done.push(name);
      } catch (error) {
        expect(error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('appropriate permission') });
        expect(await issue.stored()).toBe('- a');
      }
    }
    return done;
  }

  test('without own permissions, who may edit the issue may do everything, and a viewer reads', async () => {
    await manage(false);
    expect(await allowed(EDITOR)).toEqual(['update', 'add', 'tick', 'remove']);
    expect(await allowed(['BROWSE_PROJECTS'])).toEqual([]);
    const viewer = await newIssue(it, ['BROWSE_PROJECTS']);
    expect(await viewer.read()).toMatchObject({ text: '' });
  });

  test('with them, each permission allows its own operation, and managing allows all', async () => {
    await manage(true);
    expect(await allowed(EDITOR)).toEqual([]);
    expect(await allowed(['BROWSE_PROJECTS', own('addItems')])).toEqual(['add']);
    expect(await allowed(['BROWSE_PROJECTS', own('setStatus')])).toEqual(['tick']);
    expect(await allowed(['BROWSE_PROJECTS', own('deleteItems')])).toEqual(['remove']);
    expect(await allowed(['BROWSE_PROJECTS', own('manage')])).toEqual(['update', 'add', 'tick', 'remove']);
    await manage(false);
  });

  test('who may not add items brings no deleted one back by what he does to it on an older text', async () => {
    await manage(true);
    onTestFinished(async () => void (await manage(false)));
    const account = randomUUID();
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('manage')]);
    it.tracker.granted.set(account, ['BROWSE_PROJECTS', own('setStatus')]);
    const limited = await workOn(it, issue.id, account);
    const { checklist: older } = await issue.edit(update('- a\n- b'));
    await issue.edit(remove(1, 'b'));
    const { epoch, seq, hash, text } = older;
    const ticks = [
      tick(1, 'b'),
      { kind: 'changeChecklistItems', edits: [tick(0, 'a'), tick(1, 'b')] },
    ] as ChecklistEdit[];
    for (const edit of ticks) {
      const refused = { code: 'CHANGED_MEANWHILE' };
      await expect(limited.change(edit, { epoch, seq, hash })).rejects.toMatchObject(refused);
      await expect(limited.change(edit, { epoch: '', seq: 0, hash })).rejects.toMatchObject(refused);
      await expect(limited.change(edit, { epoch, seq, hash, text })).rejects.toMatchObject(refused);
      await expect(limited.change(edit, { epoch: '', seq: 0, hash: 'x', text })).rejects.toMatchObject(refused);
      await expect(limited.change(edit, { epoch, seq, hash: 'x' })).rejects.toMatchObject({ code: 'BASE_UNKNOWN' });
    }
    expect((await issue.text()).trim()).toBe('- a');
    await limited.change(tick(0, 'a'), older);
    expect((await issue.text()).trim()).toBe('+ a');
    const adding = randomUUID();
    it.tracker.granted.set(adding, ['BROWSE_PROJECTS', own('setStatus'), own('addItems')]);
    await (await workOn(it, issue.id, adding)).change(tick(1, 'b'), older);
    expect((await issue.text()).trim()).toBe('+ a\n+ b');
  });

  test('who may not add items ticks one that was deleted and that others brought back', async () => {
    await manage(true);
    onTestFinished(async () => void (await manage(false)));
    const account = randomUUID();
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('manage')]);
    it.tracker.granted.set(account, ['BROWSE_PROJECTS', own('setStatus')]);
    const { checklist: older } = await issue.edit(update('- a\n- b'));
    await issue.edit(remove(1, 'b'));
    await it.settled();
    await issue.store('- a\n- b');
    await (await workOn(it, issue.id, account)).change(tick(1, 'b'), older);
    expect(await issue.text()).toBe('- a\n+ b');
  });

  test('a reading and a change that needs several permissions ask for them once', async () => {
    await manage(true);
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('setStatus'), own('deleteItems')]);
    await issue.store('- a\n- b');
    const before = it.tracker.calls.length;
    const { epoch, seq, hash } = await issue.read();
    await issue.change(
      {
        kind: 'changeChecklistItems',
        edits: [
          { kind: 'setItemStatus', target: { index: 0, text: 'a' }, status: 'done' },
          { kind: 'deleteChecklistItem', target: { index: 1, text: 'b' } },
        ],
      },
      { epoch, seq, hash },
    );
    expect(it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/check'))).toHaveLength(1);
    expect(await issue.text()).toBe('+ a\n');
    await manage(false);
  });

  test('whoever may only tick brings no rows along in a text to start from', async () => {
    await manage(true);
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('manage')]);
    await issue.edit(update('- a'));
    const account = randomUUID();
    it.tracker.granted.set(account, ['BROWSE_PROJECTS', own('setStatus')]);
    const theirs = await workOn(it, issue.id, account);
    const made = '- smuggled\n- a';
    const base = { epoch: 'x', seq: 9, hash: await hashText(made), text: made };
    await expect(theirs.change(tick(0, 'smuggled'), base)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    await theirs.change(tick(1, 'a'), base);
    expect(await issue.text()).toBe('+ a');
    await manage(false);
  });

  test('with view permissions on, seeing the issue is not enough to read', async () => {
    await manage(false, true);
    const issue = await newIssue(it, ['BROWSE_PROJECTS']);
    await expect(issue.read()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const viewer = await newIssue(it, ['BROWSE_PROJECTS', own('view')]);
    expect(await viewer.read()).toMatchObject({ text: '' });
    await manage(false);
  });

  test('permissions without that of seeing the issue are worth nothing', async () => {
    const issue = await newIssue(it, ['EDIT_ISSUES', 'ADMINISTER']);
    await expect(issue.edit(add('a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a tracker that does not know our permissions yet is asked for its own', async () => {
    it.tracker.known.clear();
    const issue = await newIssue(it);
    expect((await issue.edit(add('a'))).checklist.text).toContain('a');
  });

  test('one that refuses the question for another reason allows nothing, and is not asked again', async () => {
    const refusal = { errorMessages: ["The user with account ID 'x' does not exist."] };
    it.tracker.faults.push(({ path }) =>
      path.endsWith('/check') ? new Response(JSON.stringify(refusal), { status: 400 }) : undefined,
    );
    const issue = await newIssue(it);
    const before = it.tracker.calls.length;
    await expect(issue.read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(it.tracker.calls).toHaveLength(before + 1);
    it.tracker.faults.length = 0;
  });

  test('a tracker that does not answer allows nothing', async () => {
    it.tracker.faults.push(({ path }) => (path.endsWith('/check') ? 'down' : undefined));
    const issue = await newIssue(it);
    await expect(issue.read()).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults.length = 0;
  });

  test('what is taken away counts for changes within a minute', async () => {
    onTestFinished(() => void vi.useRealTimers());
    const aMinuteLater = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const account = randomUUID();
    const issue = await newIssue(it, EDITOR, account);
    await issue.edit(update('- a'));
    const { checklist } = await issue.edit(tick(0, 'a'));
    it.tracker.granted.set(account, ['BROWSE_PROJECTS']);
    aMinuteLater();
    await expect(issue.change(tick(0, 'a', 'todo'), checklist)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: refusals.permission,
    });
    it.tracker.granted.set(account, []);
    aMinuteLater();
    await expect(issue.change(tick(0, 'a', 'todo'), checklist)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: storage.issueNotFound,
    });
    // Readers are told the same then.
    await expect(issue.read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    it.tracker.granted.set(account, EDITOR);
    aMinuteLater();
    await issue.change(tick(0, 'a', 'todo'), checklist);
    expect(await issue.text()).toBe('- a');
  });

  describe('an answer of the tracker', () => {
    const ISSUE = '1';
    let now: number;
    let asked: number;
    let granted: readonly string[];
    /** What the tracker answers instead. */
    let instead: (() => unknown) | undefined;
    let access: ReturnType<typeof createAccess>;
    let alice: Caller;

    beforeEach(async () => {
      now = 0;
      asked = 0;
      granted = EDITOR;
      instead = undefined;
      access = process();
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      alice = { tenant, account: randomUUID() };
    });

    const process = () =>
      createAccess({
        store: use().store,
        now: () => now,
        onError: error => {
          throw error;
        },
      });

    const tracker: Tracker = async ({ name }) => {
      if (name === 'readProject') return { status: 200, body: { fields: { project: { id: '1' } } } };
      asked += 1;
      instead?.();
      const issues = [Number(ISSUE)];
      return { status: 200, body: { projectPermissions: granted.map(permission => ({ permission, issues })) } };
    };
    const view = (caller = alice) => access.holdToView(caller, tracker, ISSUE);
    const change = (by = access) => by.holdToChange(alice, tracker, ISSUE, ['canEditChecklist']);
    const away = () => {
      throw new TrackerUnavailable('away');
    };
    /** Lets so many milliseconds pass, for the database too. */
    async function elapse(time: number): Promise<void> {
      now += time;
      await use().raw(`update access_grant set asked = asked - $1 * interval '1 ms'`, [time]);
      await use().raw(`update access_doubt set since = since - $1 * interval '1 ms'`, [time]);
    }
    /** Alice, to whom the tracker showed the issue's frame at that time. */
    const framedAt = (shown: number): Caller => ({ ...alice, frame: { issue: ISSUE, shown } });
    /** How many questions that took. */
    async function questions(work: () => Promise<unknown>): Promise<number> {
      const before = asked;
      await work();
      return asked - before;
    }

    test('holds five minutes for reading, one for changing', async () => {
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

    test('ends early where the page finds that the user lacks what it grants, also while the tracker is away', async () => {
      await change();
      // What it grants as well says nothing, and another account's page nothing of this one.
      await access.lacks(alice, ISSUE, ['isAdmin']);
      await access.lacks({ ...alice, account: 'other' }, ISSUE, ['canEditChecklist']);
      expect(await questions(change)).toBe(0);
      await access.lacks(alice, ISSUE, ['canEditChecklist']);
      instead = away;
      for (const each of [access, process()]) await expect(change(each)).rejects.toBeInstanceOf(TrackerUnavailable);
      instead = undefined;
      granted = ['BROWSE_PROJECTS'];
      await expect(process().holdToChange(alice, tracker, ISSUE, ['canEditChecklist'])).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    });

    test('ends early for everybody when the issue may have moved', async () => {
      await view();
      granted = [];
      access.forget(alice.tenant.id, ISSUE);
      await expect(view()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(asked).toBe(2);
    });

    test('is not needed by a frame whose token names the issue', async () => {
      const framed = framedAt(0);
      expect(await questions(() => view(framed))).toBe(0);
      expect(await questions(() => access.viewable(framed, tracker, [ISSUE, '2']))).toBe(1);
      expect(await access.viewable(framed, tracker, [ISSUE])).toEqual(new Set([ISSUE]));
    });

    test('is needed by a frame where viewing is a permission, where nobody signed in, and after the issue may have moved', async () => {
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
      // What the tracker showed later than that is proof.
      now += 1;
      expect(await questions(() => view(framedAt(now)))).toBe(0);
      access.forgetAll();
      await expect(view(framedAt(now))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('counts more than a token when it says that the issue is hidden', async () => {
      granted = [];
      const framed = framedAt(0);
      await view(framed);
      await access.flagsNow(framed, tracker, [ISSUE]);
      await expect(view(framed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('stays valid for an hour while the tracker cannot be asked', async () => {
      await change();
      instead = away;
      await elapse(59 * 60_000);
      await change();
      await view();
      // Also in a process that asked nothing itself.
      await change(process());
      await elapse(60_000);
      for (const each of [access, process()]) await expect(change(each)).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test('is dropped once it counts no more, as doubts are', async () => {
      const kept = async () =>
        (await use().raw('select issue from access_grant union all select issue from access_doubt')).length;
      await it.checklists.doubtAccess(alice.tenant.id, ISSUE);
      await change();
      await it.checklists.prune();
      expect(await kept()).toBeGreaterThan(1);
      await elapse(2 * 60 * 60_000);
      await it.checklists.prune();
      expect(await kept()).toBe(0);
    });

    test('is not asked for again for half a minute while an earlier one is valid', async () => {
      await change();
      instead = away;
      await elapse(60_000);
      expect(await questions(change)).toBe(1);
      expect(await questions(() => Promise.all([change(), view()]))).toBe(0);
      await elapse(30_000);
      // One tries it, whoever else comes meanwhile does not wait for that.
      expect(await questions(() => Promise.all([change(), change()]))).toBe(1);
      instead = undefined;
      await elapse(30_000);
      expect(await questions(change)).toBe(1);
      await elapse(60_000);
      expect(await questions(change)).toBe(1);
    });

    test('is shared by those who need it at once, but not with who came after the issue may have moved', async () => {
      expect(await questions(() => Promise.all([change(), change(), view()]))).toBe(1);
      await elapse(60_000);
      const before = change();
      now += 1;
      access.forget(alice.tenant.id, ISSUE);
      now += 1;
      expect(await questions(() => Promise.all([before, change()]))).toBe(1);
    });

    test('that was taken back counts for no process that begins later', async () => {
      now = Date.now();
      const framed = framedAt(now - 50 * 60_000);
      await change();
      await it.checklists.doubtAccess(alice.tenant.id, ISSUE);
      const later = process();
      await later.recall();
      granted = [];
      await expect(later.holdToView(framed, tracker, ISSUE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      granted = EDITOR;
      instead = away;
      await expect(change(process())).rejects.toBeInstanceOf(TrackerUnavailable);
      await expect(change(later)).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test('does not outlive an event that came while it was on its way', async () => {
      instead = () => {
        instead = undefined;
        now = 1;
        access.forget(alice.tenant.id, ISSUE);
      };
      await view();
      expect(await questions(view)).toBe(1);
    });

    test('of before counts for nothing where the tracker is to say it now', async () => {
      await view();
      instead = away;
      await expect(access.flagsNow(alice, tracker, [ISSUE])).rejects.toBeInstanceOf(TrackerUnavailable);
    });

    test('stays doubted, however many issues are doubted after it', async () => {
      await view();
      now = 1;
      access.forget(alice.tenant.id, ISSUE);
      now = 2;
      for (let id = 2; id < 10_010; id += 1) access.forget(alice.tenant.id, String(id));
      expect(await questions(view)).toBe(1);
    });

    test.each([401, 403])('is worth nothing once the tracker has answered %i', async status => {
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
