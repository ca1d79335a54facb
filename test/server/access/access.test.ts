import { randomUUID } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { refusals, storage } from '../../../src/domain/messages.ts';
import { hashText } from '../../../src/text/document.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, EDITOR, newIssue, own, remove, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const edits = { update: update('- b'), add: add('c'), tick: tick(0, 'a'), remove: remove(0, 'a') };

/** Operations that each permission allows. */
onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

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

  test('without own permissions, editors of the issue can do everything and viewers can read', async () => {
    await manage(false);
    expect(await allowed(EDITOR)).toEqual(['update', 'add', 'tick', 'remove']);
    expect(await allowed(['BROWSE_PROJECTS'])).toEqual([]);
    const viewer = await newIssue(it, ['BROWSE_PROJECTS']);
    expect(await viewer.read()).toMatchObject({ text: '' });
  });

  test('with own permissions, each allows its operation, and the manage permission allows all', async () => {
    await manage(true);
    expect(await allowed(EDITOR)).toEqual([]);
    expect(await allowed(['BROWSE_PROJECTS', own('addItems')])).toEqual(['add']);
    expect(await allowed(['BROWSE_PROJECTS', own('setStatus')])).toEqual(['tick']);
    expect(await allowed(['BROWSE_PROJECTS', own('deleteItems')])).toEqual(['remove']);
    expect(await allowed(['BROWSE_PROJECTS', own('manage')])).toEqual(['update', 'add', 'tick', 'remove']);
    await manage(false);
  });

  test('without the permission to add items, a change on an older base does not restore a deleted item', async () => {
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

  test('with the permission to add items only, an added row takes the place of no other one', async () => {
    await manage(true);
    onTestFinished(async () => void (await manage(false)));
    const issue = await newIssue(it, ['BROWSE_PROJECTS', own('manage')]);
    const { checklist: older } = await issue.edit(update('- a\n'));
    const { checklist } = await issue.edit(update('- a\n- b\n'));
    it.tracker.granted.set('adder', ['BROWSE_PROJECTS', own('addItems')]);
    const adder = await workOn(it, issue.id, 'adder');
    const rows = [checklist.rowIds[1] ?? ''];
    await adder.change({ kind: 'addChecklistItemsFromText', text: '- c', rows }, older);
    const { text, rowIds } = await issue.read();
    expect(text.trim().split('\n').sort()).toEqual(['- a', '- b', '- c']);
    expect(rowIds).toEqual(expect.arrayContaining([...checklist.rowIds]));
  });

  test('without the permission to add items, an item that another user restored can be ticked', async () => {
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

  test('a read and a change that needs several permissions take one permission request', async () => {
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

  test('with the permission to tick only, a base text adds no rows', async () => {
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

  test('with view permissions on, browsing the issue is not enough to read', async () => {
    await manage(false, true);
    const issue = await newIssue(it, ['BROWSE_PROJECTS']);
    await expect(issue.read()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const viewer = await newIssue(it, ['BROWSE_PROJECTS', own('view')]);
    expect(await viewer.read()).toMatchObject({ text: '' });
    await manage(false);
  });

  test('permissions without the browse permission allow nothing', async () => {
    const issue = await newIssue(it, ['EDIT_ISSUES', 'ADMINISTER']);
    await expect(issue.edit(add('a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test("where the tracker does not know the app's permissions yet, its own are checked", async () => {
    it.tracker.known.clear();
    const issue = await newIssue(it);
    expect((await issue.edit(add('a'))).checklist.text).toContain('a');
  });

  test('another refusal of the permission request allows nothing and is not retried', async () => {
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

  test('an unavailable tracker allows nothing', async () => {
    it.tracker.faults.push(({ path }) => (path.endsWith('/check') ? 'down' : undefined));
    const issue = await newIssue(it);
    await expect(issue.read()).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults.length = 0;
  });

  test('a revoked permission ends changes within a minute', async () => {
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
    // Reads are refused then, too.
    await expect(issue.read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    it.tracker.granted.set(account, EDITOR);
    aMinuteLater();
    await issue.change(tick(0, 'a', 'todo'), checklist);
    expect(await issue.text()).toBe('- a');
  });
});
