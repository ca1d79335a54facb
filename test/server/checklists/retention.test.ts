import { beforeAll, expect, test } from 'vitest';
import { startTending } from '../../../src/server/checklists/tending.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** An issue with so many versions, made so many days ago. */
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

  test('what is old goes; the newest stays for good', async () => {
    const issue = await withHistory(900, 800, 700);
    await it.checklists.prune();
    expect(await kept(issue)).toEqual([3]);
    expect(await issue.read()).toMatchObject({ seq: 3 });
  });

  test('what was the newest until lately stays: an open browser may hold it, or send its change again', async () => {
    const issue = await withHistory(900, 800, 20);
    await it.checklists.prune();
    expect(await kept(issue)).toEqual([2, 3]);
  });

  test('the numbers go on, and edits on a base that is gone are merged from its text', async () => {
    const issue = await withHistory(900, 800);
    const [old] = await use().raw('select epoch, seq, hash from revision where issue = $1 and seq = 1', [issue.id]);
    await it.checklists.prune();
    const base = { epoch: String(old?.epoch), seq: 1, hash: String(old?.hash) };
    await expect(issue.change(add('late'), base)).rejects.toMatchObject({ code: 'BASE_UNKNOWN' });
    const { checklist } = await issue.change(add('late'), { ...base, text: '- seed' });
    expect(checklist).toMatchObject({ seq: 3, text: '- seed\n- day 800\n- late' });
  });

  test('too many go, the oldest first', async () => {
    const few = await startApp(use().store, {}, undefined, { days: 365, count: 2 });
    const issue = await withHistory(90, 80, 70, 60);
    await few.checklists.prune();
    expect(await kept(issue)).toEqual([3, 4]);
    await few.app.close();
  });

  test('however many issues and echoes there are', async () => {
    const many = `insert into revision (tenant, issue, account, client, kind, epoch, seq, hash, name, text, conflicts, created)
      select $1, 'many-' || issue, 'a', seq, 'k', 'e', seq, 'h', '', '', '[]', now() - (300 - 100 * seq) * interval '1 year'
      from generate_series(1, 250) issue, generate_series(1, 2) seq`;
    await use().raw(many, [it.tenant.id]);
    const echoes = `insert into echo (tenant, issue, storage, mark, seen)
      select $1, '1', 'field', mark, now() - interval '9 days' from generate_series(1, 10001) mark`;
    await use().raw(echoes, [it.tenant.id]);
    const mirrors =
      "insert into mirror (tenant, issue, behind) select $1, 'many-' || n, false from generate_series(1, 249) n";
    await use().raw(mirrors, [it.tenant.id]);
    await it.checklists.prune();
    const left = await use().raw("select seq from revision where issue like 'many-%'");
    expect(left.filter(({ seq }) => seq === 2)).toHaveLength(249);
    expect(left).toHaveLength(249);
    expect(await use().raw("select mark from echo where issue = '1'")).toEqual([]);
  });

  test('of an issue that is gone everything goes in time', async () => {
    const issue = await withHistory(900, 800);
    it.tracker.issues.delete(issue.id);
    await it.checklists.jobs['look-at-issue']({ tenant: it.tenant.id, issue: issue.id });
    await it.checklists.prune();
    expect(await kept(issue)).toEqual([]);
  });

  test('what fails is told, and tending goes on', async () => {
    const errors: unknown[] = [];
    let ran = 0;
    const stop = startTending(
      {
        recover: () => {
          ran += 1;
          return Promise.reject(new Error('no'));
        },
        prune: async () => {},
      },
      error => errors.push(error),
    );
    await stop();
    expect([ran, errors.length]).toEqual([1, 1]);
  });
});
