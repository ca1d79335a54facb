import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { failures, refusals, storage } from '../../../../src/domain/messages.ts';
import { anonymous } from '../../../../src/domain/user.ts';
import { EDITOR, own, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';
import { ITEMS, idOf, pageShape, TODAY, withPeople } from './assigned-items.ts';

onStore(use => {
  const { it, person, rename } = withPeople(use);

  test('a search reveals no summary of a hidden issue', async () => {
    const { issues, texts, counts, account } = await person(['- a @', '- b @']);
    const hidden = idOf(issues, 1);
    rename(hidden, 'Merger');
    const other = randomUUID();
    await issues[1]?.edit(update(`- b [~accountid:${account}]\n- c [~accountid:${other}]`));
    it.tracker.granted.set(other, EDITOR);
    const answer = await it.graphql(other, ITEMS, { today: TODAY, filter: { text: 'merger' } });
    expect(v.parse(pageShape, answer.data).assignedItems.items).toHaveLength(1);
    it.tracker.hidden.add(hidden);
    const before = it.tracker.calls.length;
    expect(await texts({ filter: { text: 'merger' } })).toEqual([]);
    expect(await counts({ filter: { text: 'merger' } })).toMatchObject({ all: 0, projects: [], statuses: [] });
    const fetched = it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/bulkfetch'));
    expect(JSON.stringify(fetched)).not.toContain(`"${hidden}"`);
    it.tracker.hidden.delete(hidden);
  });

  test('hidden issues are left out, and pages stay full', async () => {
    const { issues, page, counts } = await person(['- a @', '- secret @\n- secret too @', '- c @']);
    const hidden = idOf(issues, 1);
    it.tracker.hidden.add(hidden);
    const asked = it.tracker.calls.length;
    const { items, next } = await page({ first: 2 });
    expect(items.map(({ issueId }) => issueId)).toEqual([idOf(issues, 2), idOf(issues, 0)]);
    expect(next).toBeNull();
    expect(await counts()).toMatchObject({ all: 2, projects: [{ count: 2 }], statuses: [{ count: 2 }] });
    // Its summary is not even read.
    const fetched = it.tracker.calls.slice(asked).filter(({ path }) => path.endsWith('/bulkfetch'));
    expect(JSON.stringify(fetched)).not.toContain(`"${hidden}"`);
  });

  test('without permission to view checklists, no item is listed', async () => {
    const { page, counts } = await person(['- a @'], ['BROWSE_PROJECTS']);
    const held = await person(['- a @'], ['BROWSE_PROJECTS', own('view')]);
    const restrict = (on: boolean) =>
      use().raw('update tenant set view_permissions = $1 where tenant = $2', [on, it.tenant.id]);
    expect((await page()).items).toHaveLength(1);
    await restrict(true);
    expect(await page()).toEqual({ items: [], issues: [], next: null });
    expect((await counts()).all).toBe(0);
    expect((await held.page()).items).toHaveLength(1);
    await restrict(false);
  });

  test('a viewer gets the permission flags of a viewer', async () => {
    const { page } = await person(['- a @'], ['BROWSE_PROJECTS']);
    expect((await page()).issues).toMatchObject([
      {
        permissions: {
          canAddChecklistItems: false,
          canChangeItemStatuses: false,
          canDeleteChecklistItems: false,
          canEditChecklist: false,
        },
      },
    ]);
  });

  test('a deleted issue is left out, without a gap', async () => {
    const { issues, page, counts } = await person(['- a @', '- b @']);
    it.tracker.issues.delete(idOf(issues, 1));
    expect((await page()).items.map(({ issueId }) => issueId)).toEqual([idOf(issues, 0)]);
    expect((await counts()).all).toBe(1);
  });

  test('an issue deleted between the two calls has no key', async () => {
    const { issues, page } = await person(['- a @', '- b @']);
    const gone = idOf(issues, 1);
    it.tracker.meanwhile.push(({ path }) => {
      if (path.endsWith('/bulkfetch')) it.tracker.issues.delete(gone);
      return undefined;
    });
    expect((await page()).issues).toMatchObject([
      { id: gone, key: null, summary: null },
      { id: idOf(issues, 0), key: `PR-${idOf(issues, 0)}` },
    ]);
    it.tracker.meanwhile.pop();
  });

  test("requests that the app's pages never send are refused", async () => {
    const { page, counts } = await person(['- a @']);
    for (const after of ['', 'nonsense', Buffer.from('{"issue":"1; drop"}').toString('base64url')])
      await expect(page({ after })).rejects.toThrow(`${failures.unknown} after`);
    await expect(page({ today: '2026-02-30' })).rejects.toThrow(`${failures.unknown} today`);
    await expect(page({ who: { kind: 'PERSON' } })).rejects.toThrow(`${failures.unknown} who`);
    await expect(counts({ who: { kind: 'PROJECT', id: 'a\0b' } })).rejects.toThrow(`${failures.unknown} who`);
    await expect(counts({ today: 'soon' })).rejects.toThrow(`${failures.unknown} today`);
    await expect(page({ filter: { text: 'x'.repeat(141) } })).rejects.toThrow(`${failures.unknown} filter`);
    await expect(page({ filter: { text: 'a\0b' } })).rejects.toThrow(`${failures.unknown} filter`);
    expect((await page({ first: -5 })).items).toHaveLength(1);
    expect((await page({ first: 100_000 })).items).toHaveLength(1);
  });

  test('anonymous users are refused', async () => {
    const answer = await it.graphql(anonymous.id, ITEMS, { today: TODAY });
    expect(answer.errors).toMatchObject([{ message: refusals.permission, extensions: { code: 'FORBIDDEN' } }]);
  });

  test('an unavailable tracker is an error', async () => {
    const { page } = await person(['- a @']);
    it.tracker.faults.push(() => 'down');
    await expect(page()).rejects.toThrow(storage.trackerUnavailable);
    it.tracker.faults.pop();
  });

  test('items of other sites are not listed', async () => {
    provokes({ differences: true });
    const { account } = await person(['- a @']);
    await use().raw(`update assigned_item set tenant = 'another' where account = $1`, [account]);
    const answer = await it.graphql(account, ITEMS, { today: TODAY });
    expect(answer.data).toEqual({ assignedItems: { items: [], issues: [], next: null } });
  });
});
