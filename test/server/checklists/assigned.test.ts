import { beforeAll, expect, test } from 'vitest';
import { fillAssigned } from '../../../src/server/checklists/assigned/fill.ts';
import { type InTurn, ofApp } from '../../../src/server/common/text-turns.ts';
import { builtIn } from '../../../src/text/status-registry.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, remove, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const indexed = (issue: string) =>
    use().raw(
      `select position, account, text, status, checked, mandatory, due, row is not null as known
       from assigned_item where tenant = $1 and issue = $2 order by position`,
      [it.tenant.id, issue],
    );

  test('the assignment index holds account and line of each item, and follows each change', async () => {
    const issue = await newIssue(it);
    await issue.edit(
      update('# For [~accountid:h]\n- ! a [~accountid:x] 2026-12-01\n> why\n- nobody\n~ b [~accountid:y]'),
    );
    const [a, b] = [
      { position: 1, account: 'x', text: 'a [~accountid:x] 2026-12-01', mandatory: true, due: '2026-12-01' },
      { position: 3, account: 'y', text: 'b [~accountid:y]', mandatory: false, due: null },
    ].map(item => ({ ...item, checked: false, known: true }));
    expect(await indexed(issue.id)).toEqual([
      { ...a, status: 'todo' },
      { ...b, status: 'in_progress' },
    ]);
    await issue.edit(tick(1, 'a [~accountid:x] 2026-12-01'));
    await issue.edit(remove(2, 'nobody'));
    expect(await indexed(issue.id)).toEqual([
      { ...a, status: 'done', checked: true },
      { ...b, position: 2, status: 'in_progress' },
    ]);
    await issue.edit({ kind: 'clearChecklist' });
    expect(await indexed(issue.id)).toEqual([]);
  });

  test('the index includes foreign changes after they are merged', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await issue.store('- a\n- theirs [~accountid:z]');
    await issue.edit(tick(0, 'a'));
    expect(await indexed(issue.id)).toMatchObject([{ account: 'z', text: 'theirs [~accountid:z]' }]);
  });

  test('an item keeps its row id when the row moves', async () => {
    const issue = await newIssue(it);
    const row = () => use().raw('select row from assigned_item where issue = $1', [issue.id]);
    await issue.edit(update('- call the bakery [~accountid:x]\n- b\n- c'));
    const before = await row();
    await issue.edit(update('- b\n- c\n- call the new bakery [~accountid:x]'));
    expect(await row()).toEqual(before);
  });

  test('an item has the header above it and the account that assigned it, until another one does', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(
      update(
        '- first [~accountid:x]\n# Ship **it**\n- call the bakery [~accountid:x]\n- order the cake [~accountid:y]',
      ),
    );
    const rows = () =>
      use().raw('select section, account, assigner from assigned_item where issue = $1 order by position', [issue.id]);
    const by = (assigner: string, account: string, section: string | null = 'Ship **it**') => ({
      section,
      account,
      assigner,
    });
    expect(await rows()).toEqual([by('author', 'x', null), by('author', 'x'), by('author', 'y')]);
    it.tracker.granted.set('second', EDITOR);
    const second = await workOn(it, issue.id, 'second');
    await second.edit(
      update(
        '# Ship !before:Done !customers\n+ call the new bakery [~accountid:x]\n- order the cake [~accountid:z]\n- first [~accountid:x]',
      ),
    );
    expect(await rows()).toEqual([by('author', 'x', 'Ship'), by('second', 'z', 'Ship'), by('author', 'x', 'Ship')]);
  });

  test('items of earlier versions get section and assigner from the history, without a call', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(update('# Ship\n- call the bakery [~accountid:x]\n- order the cake'));
    it.tracker.granted.set('second', EDITOR);
    const second = await workOn(it, issue.id, 'second');
    await second.edit(update('# Ship\n+ call the bakery [~accountid:x]\n- order the cake [~accountid:y]'));
    await it.settled();
    const rows = () =>
      use().raw('select section, account, assigner, filled from assigned_item where issue = $1 order by position', [
        issue.id,
      ]);
    const filled = [
      { section: 'Ship', account: 'x', assigner: 'author', filled: true },
      { section: 'Ship', account: 'y', assigner: 'second', filled: true },
    ];
    expect(await rows()).toEqual(filled);
    await use().raw('update assigned_item set section = null, assigner = null, filled = false where issue = $1', [
      issue.id,
    ]);
    const before = it.tracker.calls.length;
    await Promise.all([it.fill(), it.fill()]);
    expect(await rows()).toEqual(filled);
    expect(it.tracker.calls).toHaveLength(before);
  });

  test('an item whose assignment is no longer in the history gets its section, and no assigner', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(update('# Ship\n- call the bakery [~accountid:x]\n- b'));
    await issue.edit(tick(2, 'b'));
    await use().raw('delete from revision where issue = $1 and seq = 1', [issue.id]);
    await use().raw('update assigned_item set section = null, assigner = null, filled = false where issue = $1', [
      issue.id,
    ]);
    await it.fill();
    expect(await use().raw('select section, assigner, filled from assigned_item where issue = $1', [issue.id])).toEqual(
      [{ section: 'Ship', assigner: null, filled: true }],
    );
  });

  const assigned = (who: string) =>
    Array.from({ length: 900 }, (_, index) => `- row ${index} [~accountid:${index === 7 ? who : 'x'}]`).join('\n');
  const unfill = (issue: string) =>
    use().raw('update assigned_item set section = null, assigner = null, filled = false where issue = $1', [issue]);
  const assignerOf = async (issue: string, account: string) =>
    (
      await use().raw('select assigner, filled from assigned_item where issue = $1 and account = $2', [issue, account])
    )[0];

  test('a large history is read in a turn for each version', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(update(assigned('x')));
    await issue.edit(tick(3, 'row 3 [~accountid:x]'));
    it.tracker.granted.set('second', EDITOR);
    await (await workOn(it, issue.id, 'second')).edit(update(assigned('z')));
    await unfill(issue.id);
    it.turns.length = 0;
    await it.fill();
    expect(it.turns).toEqual(['', '', '']);
    expect(await assignerOf(issue.id, 'z')).toEqual({ assigner: 'second', filled: true });
    expect(await assignerOf(issue.id, 'x')).toEqual({ assigner: 'author', filled: true });
  });

  test('a change that is made while the history is read has its own assigner', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(update(assigned('x')));
    it.tracker.granted.set('second', EDITOR);
    const second = await workOn(it, issue.id, 'second');
    await unfill(issue.id);
    let changed = 0;
    const inTurn: InTurn = async (_owner, work) => {
      const done = await work();
      if (changed++ === 0) {
        const target = { index: 7, text: 'row 7 [~accountid:x]' };
        await second.edit({ kind: 'updateChecklistItem', target, values: { assignee: 'late' } });
      }
      return done;
    };
    const { store } = use();
    await fillAssigned({
      ...{ store, tenant: it.tenant.id, turns: ofApp(inTurn, it.tenant) },
      projectOf: async () => undefined,
      statusesOf: () => builtIn,
    });
    expect(await assignerOf(issue.id, 'late')).toEqual({ assigner: 'second', filled: true });
    expect(await assignerOf(issue.id, 'x')).toEqual({ assigner: 'author', filled: true });
    expect(await indexed(issue.id)).toHaveLength(900);
  });

  test('as many assignments as a checklist can hold', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('[~accountid:x]\n'.repeat(1_800)));
    expect(await indexed(issue.id)).toHaveLength(1_800);
  });
});
