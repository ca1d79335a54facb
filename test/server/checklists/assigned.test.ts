import { beforeAll, expect, test } from 'vitest';
import { appOf, startApp } from '../support/app.ts';
import { EDITOR, newIssue, remove, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

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

  test('stale items are indexed anew without a call, and keep the account that assigned them', async () => {
    const issue = await newIssue(it, undefined, 'author');
    await issue.edit(update('# Ship\n- call the bakery [~accountid:x]'));
    it.tracker.granted.set('second', EDITOR);
    const second = await workOn(it, issue.id, 'second');
    await second.edit(update('# Ship\n+ call the bakery [~accountid:x]\n- order the cake [~accountid:y]'));
    await it.settled();
    const rows = () =>
      use().raw('select section, account, assigner from assigned_item where issue = $1 order by position', [issue.id]);
    const indexedRows = [
      { section: 'Ship', account: 'x', assigner: 'author' },
      { section: 'Ship', account: 'y', assigner: 'second' },
    ];
    expect(await rows()).toEqual(indexedRows);
    await use().raw("update checklist set indexed_registry = 'stale' where issue = $1", [issue.id]);
    await use().raw('update assigned_item set section = null where issue = $1', [issue.id]);
    const before = it.tracker.calls.length;
    await Promise.all([it.refreshIndexes(), it.refreshIndexes()]);
    expect(await rows()).toEqual(indexedRows);
    expect(it.tracker.calls).toHaveLength(before);
  });

  test('as many assignments as a checklist can hold', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('[~accountid:x]\n'.repeat(1_800)));
    expect(await indexed(issue.id)).toHaveLength(1_800);
  });
});
