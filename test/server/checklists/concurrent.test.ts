import { beforeAll, expect, test, vi } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { isPropertyWrite, silentAfterWrite } from '../support/tracker.ts';

const PROPERTY = storageKey('checklist');

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const writes = (issue: IssueWork) =>
    it.tracker.calls.filter(call => isPropertyWrite(call) && call.path.includes(`/${issue.id}/`)).length;

  async function started(text: string) {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update(text));
    return { issue, base };
  }

  const names = Array.from({ length: 10 }, (_, index) => `item-${index}`);
  const history = (issue: IssueWork) =>
    use().raw('select seq, client, text from revision where issue = $1 order by seq', [issue.id]);

  test('concurrent changes of a large checklist are several transactions: other requests run between', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => `- ${index} of a checklist as long as they may be`);
    const { issue, base } = await started(rows.join('\n'));
    const transactions = vi.spyOn(use().store, 'exchange');
    const outcomes = await Promise.all(names.map(name => issue.change(add(name), base, name)));
    const changing = transactions.mock.calls.filter(([tenant]) => tenant === it.tenant.id).length;
    transactions.mockRestore();
    expect(changing).toBeGreaterThan(3);
    expect(outcomes.map(({ checklist }) => checklist.seq)).toEqual(names.map((_, index) => index + 2));
    const last = (await issue.read()).text.split('\n').slice(600);
    expect(new Set(last)).toEqual(new Set(names.map(name => `- ${name}`)));
  });

  test('concurrent changes of one issue are one write, with a revision each', async () => {
    const { issue, base } = await started('- start');
    await it.settled();
    const before = writes(issue);
    const outcomes = await Promise.all(names.map(name => issue.change(add(name), base, name)));
    expect(writes(issue) - before).toBe(0);
    await it.settled();
    expect(writes(issue) - before).toBe(1);
    const seqs = outcomes.map(({ checklist }) => checklist.seq);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index + 2));
    const steps = await history(issue);
    for (const { checklist } of outcomes) {
      expect(steps.find(({ seq }) => seq === checklist.seq)).toMatchObject({ text: checklist.text });
    }
    expect(await issue.stored()).toMatchObject({ seq: 11, text: steps.at(-1)?.text });
    expect((await issue.text()).split('\n').toSorted()).toEqual(
      ['- start', ...names.map(name => `- ${name}`)].toSorted(),
    );
  });

  test('a conflict is returned to the change that caused it', async () => {
    const { issue, base } = await started('- a\n- b');
    const [done, skipped, other] = await Promise.all([
      issue.change(tick(0, 'a', 'done'), base),
      issue.change(tick(0, 'a', 'skipped'), base),
      issue.change(tick(1, 'b'), base),
    ]);
    expect([done, skipped, other].map(({ conflicts }) => conflicts.length)).toEqual([0, 1, 0]);
    expect(await issue.text()).toBe('x a\n+ b');
  });

  test.each([
    ['arrived', true],
    ['did not arrive', false],
  ])('a crash when the write %s loses no change, and repeated ones count once', async (_name, arrives) => {
    const { issue, base } = await started('- start');
    const properties = it.tracker.issues.get(issue.id)?.properties ?? {};
    it.tracker.faults = [silentAfterWrite(body => arrives && Object.assign(properties, { [PROPERTY]: body }))];
    const send = () => Promise.all(names.map(name => issue.change(add(name), base, name)));
    const first = await send();
    expect(await it.background.work(it.jobs)).toMatchObject([{ name: 'TrackerUnavailable' }]);
    expect(await send()).toEqual(first);
    it.tracker.faults = [];
    expect((await issue.text()).split('\n').toSorted()).toEqual(
      ['- start', ...names.map(name => `- ${name}`)].toSorted(),
    );
    expect(await history(issue)).toHaveLength(11);
    expect(it.background.waiting()).toEqual([]);
  });
});
