import { beforeAll, describe, expect, test } from 'vitest';
import { startMaintenance } from '../../../src/server/jobs/pruning.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import type { FakeIssue } from '../support/tracker.ts';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  /** An issue with a number of revisions, created some days ago. */
  async function withHistory(...days: number[]): Promise<IssueWork> {
    const issue = await newIssue(it);
    await issue.edit(update('- seed'));
    for (const day of days.slice(1)) await issue.edit(add(`day ${day}`));
    for (const [index, day] of days.entries()) {
      const age = "update revision set created = now() - $1 * interval '1 day' where issue = $2 and seq = $3";
      await use().raw(age, [day, issue.id, index + 1]);
    }
    return issue;
  }

  const kept = async (issue: IssueWork) => {
    const rows = await use().raw('select seq from revision where issue = $1 order by seq', [issue.id]);
    return rows.map(({ seq }) => seq);
  };

  test('old revisions are deleted, except for the newest one', async () => {
    const issue = await withHistory(900, 800, 700);
    await it.checklists.prune(it.tenant.id);
    expect(await kept(issue)).toEqual([3]);
    expect(await issue.read()).toMatchObject({ seq: 3 });
  });

  test('a revision that was the newest until recently is kept: an open browser may use it as a base', async () => {
    const issue = await withHistory(900, 800, 20);
    await it.checklists.prune(it.tenant.id);
    expect(await kept(issue)).toEqual([2, 3]);
  });

  test('numbers continue, and edits on a deleted base are merged from its text', async () => {
    const issue = await withHistory(900, 800);
    const [old] = await use().raw('select epoch, seq, hash from revision where issue = $1 and seq = 1', [issue.id]);
    await it.checklists.prune(it.tenant.id);
    const base = { epoch: String(old?.epoch), seq: 1, hash: String(old?.hash) };
    await expect(issue.change(add('late'), base)).rejects.toMatchObject({ code: 'BASE_UNKNOWN' });
    const { checklist } = await issue.change(add('late'), { ...base, text: '- seed' });
    expect(checklist).toMatchObject({ seq: 3, text: '- seed\n- day 800\n- late' });
  });

  test('beyond the maximum number, the oldest revisions are deleted first', async () => {
    const few = await startApp(use().store, {}, undefined, { days: 365, count: 2 });
    const issue = await withHistory(90, 80, 70, 60);
    await few.checklists.prune(it.tenant.id);
    expect(await kept(issue)).toEqual([3, 4]);
    await few.app.close();
  });

  test('retention covers any number of issues', async () => {
    const { id: tenant } = it.tenant;
    const many = `insert into revision (tenant, issue, account, client, kind, epoch, seq, hash, name, text, conflicts, created)
      select $1, 'many-' || issue, 'a', seq, 'k', 'e', seq, 'h', '', '', '[]', now() - (300 - 100 * seq) * interval '1 year'
      from generate_series(1, 250) issue, generate_series(1, 2) seq`;
    await use().raw(many, [tenant]);
    const checklists = `insert into checklist (tenant, issue, epoch, seq, source, mirrored)
      select $1, 'many-' || n, 'e', 2, 'PROPERTY', true from generate_series(1, 250) n`;
    await use().raw(checklists, [tenant]);
    const known = "insert into sync (tenant, issue) select $1, 'many-' || n from generate_series(1, 249) n";
    await use().raw(known, [tenant]);
    await it.checklists.prune(it.tenant.id);
    const left = await use().raw("select seq from revision where issue like 'many-%'");
    expect(left.filter(({ seq }) => seq === 2)).toHaveLength(249);
    expect(left).toHaveLength(249);
    expect(await use().raw("select issue from checklist where issue = 'many-250'")).toEqual([]);
  });

  test('the revision last confirmed in the property is kept as the base of foreign changes', async () => {
    const issue = await withHistory(900, 800, 700);
    await it.settled();
    await use().raw('update sync set confirmed_seq = 1 where issue = $1', [issue.id]);
    await it.checklists.prune(it.tenant.id);
    expect(await kept(issue)).toEqual([1, 3]);
  });

  test("the newest revision is the one that the checklist names, whatever the servers' clocks say", async () => {
    const issue = await withHistory(900, 700, 800);
    await it.checklists.prune(it.tenant.id);
    expect(await kept(issue)).toContain(3);
    expect(await issue.read()).toMatchObject({ seq: 3 });
  });

  describe('a deleted issue', () => {
    /** Removes the issue in the tracker and sends its event. */
    async function goes(issue: IssueWork): Promise<FakeIssue> {
      const held = it.tracker.issues.get(issue.id);
      if (!held) throw new Error('No issue.');
      it.tracker.issues.delete(issue.id);
      await happened(issue, 'deleted');
      return held;
    }

    async function happened({ id }: IssueWork, kind: 'deleted' | 'property'): Promise<void> {
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      await it.sync.noticed({ tenant, account: 'another-person' }, id, { kind, mayHide: kind === 'deleted' });
      await it.settled();
    }

    const rowsOf = async ({ id }: IssueWork) => ({
      checklists: (await use().raw('select seq from checklist where issue = $1', [id])).map(({ seq }) => seq),
      copies: (await use().raw('select issue from sync where issue = $1', [id])).length,
    });

    /** Checklists whose newest revision is missing. */
    const dangling = () =>
      use().raw(`select c.issue from checklist c left join revision r using (tenant, issue, epoch, seq)
        where c.seq > 0 and r.seq is null`);

    test('keeps its history for the usual period, and its copies are not synchronised', async () => {
      const issue = await withHistory(300, 200);
      await goes(issue);
      await it.checklists.prune(it.tenant.id);
      expect(await kept(issue)).toEqual([1, 2]);
      expect(await rowsOf(issue)).toEqual({ checklists: [2], copies: 0 });
    });

    test('loses all of its data in time', async () => {
      const issue = await withHistory(900, 800);
      await goes(issue);
      await it.checklists.prune(it.tenant.id);
      expect(await kept(issue)).toEqual([]);
      expect(await rowsOf(issue)).toEqual({ checklists: [], copies: 0 });
      expect(await dangling()).toEqual([]);
    });

    test('keeps all of its data while the newest revision is recent', async () => {
      const few = await startApp(use().store, {}, undefined, { days: 10, count: 2 });
      const issue = await withHistory(900, 20);
      await goes(issue);
      await few.checklists.prune(it.tenant.id);
      expect(await kept(issue)).toEqual([1, 2]);
      expect(await dangling()).toEqual([]);
      await few.app.close();
    });

    test('leaves nothing where it had no checklist', async () => {
      const issue = await newIssue(it);
      await issue.read();
      expect(await rowsOf(issue)).toEqual({ checklists: [0], copies: 1 });
      await goes(issue);
      expect(await rowsOf(issue)).toEqual({ checklists: [], copies: 0 });
    });

    test('keeps a change that is added after the deletion, and ends its history later', async () => {
      provokes({ retries: true });
      const issue = await withHistory(900, 800);
      const base = await issue.read();
      await goes(issue);
      await issue.change(add('late'), base);
      await it.settled();
      await it.checklists.prune(it.tenant.id);
      expect(await kept(issue)).toEqual([2, 3]);
      expect(await rowsOf(issue)).toEqual({ checklists: [3], copies: 1 });
    });

    test('restored before its data is deleted, keeps it and takes up foreign changes', async () => {
      const issue = await withHistory(300, 200);
      const text = await issue.text();
      const held = await goes(issue);
      it.tracker.issues.set(issue.id, held);
      expect(await issue.read()).toMatchObject({ seq: 2, text });
      await issue.store(`${text}\n- theirs`);
      expect(await issue.read()).toMatchObject({ seq: 3, text: `${text}\n- theirs` });
    });

    test('restored after its data is deleted, is adopted again, and the numbers continue', async () => {
      const issue = await withHistory(900, 800);
      const text = await issue.text();
      const held = await goes(issue);
      await it.checklists.prune(it.tenant.id);
      it.tracker.issues.set(issue.id, held);
      expect(await issue.read()).toMatchObject({ seq: 2, text, source: 'PROPERTY' });
      expect(await issue.edit(add('more'))).toMatchObject({ checklist: { seq: 3 } });
      expect(await dangling()).toEqual([]);
    });
  });

  test('a failed maintenance run is reported, and maintenance continues', async () => {
    const errors: unknown[] = [];
    let ran = 0;
    const stop = startMaintenance(
      () => {
        ran += 1;
        return Promise.reject(new Error('no'));
      },
      error => errors.push(error),
    );
    await stop();
    expect([ran, errors.length]).toEqual([1, 1]);
  });
});
