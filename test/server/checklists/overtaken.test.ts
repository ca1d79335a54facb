import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD } from '../support/tracker.ts';

/** While the tracker keeps us waiting, somebody else writes. */
onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const busy = () => new Response('{}', { status: 429, headers: { 'retry-after': '0' } });

  /** The first write to such a path is asked to come again, and this happens until then. */
  function meanwhile(part: string, happens: (body: unknown) => void, answer: () => Response | 'down' = busy): void {
    it.tracker.faults = [
      ({ method, path, body }) => {
        if (method !== 'PUT' || !path.includes(part)) return undefined;
        it.tracker.faults = [];
        happens(structuredClone(body));
        return answer();
      },
    ];
  }

  const seqs = async (issue: IssueWork) =>
    (await use().raw('select seq from revision where issue = $1 order by seq', [issue.id])).map(({ seq }) => seq);

  test.each([
    ['the tracker was too busy', busy],
    ['nobody knows whether it arrived', () => 'down' as const],
  ])('what he writes into the property is in, where %s', async (_why, answer) => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    meanwhile(`${issue.id}/properties`, () => issue.store('- a\n+ b\n- c'), answer);
    await issue.edit(tick(0, 'a'));
    expect(issue.text()).toBe('+ a\n+ b\n- c');
  });

  test('where nobody wrote, the same is written again', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    meanwhile(`${issue.id}/properties`, () => {});
    await issue.edit(tick(0, 'a'));
    expect(issue.text()).toBe('+ a\n- b');
    expect(await seqs(issue)).toEqual([1, 2]);
  });

  test('where ours had arrived after all, it counts once', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    meanwhile(
      `${issue.id}/properties`,
      body => issue.store(body),
      () => 'down',
    );
    const { checklist } = await issue.edit(add('once'));
    expect(checklist).toMatchObject({ seq: 2, text: issue.text() });
    expect(issue.text().match(/once/g)).toHaveLength(1);
    expect(await seqs(issue)).toEqual([1, 2]);
  });

  test('whoever always comes first: the change is said not to be saved yet', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a'));
    let writes = 0;
    it.tracker.faults = [
      ({ method, path }) => {
        if (method !== 'PUT' || !path.includes(`${issue.id}/properties`)) return undefined;
        writes += 1;
        issue.store(`- a\n- ${writes}`);
        return busy();
      },
    ];
    await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    await issue.change(tick(0, 'a'), base);
    expect(issue.text()).toBe(`+ a\n- ${writes}`);
  });

  test('what he writes into the field is in both', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    await it.settled();
    const fields = it.tracker.issues.get(issue.id)?.fields ?? {};
    await issue.edit(tick(0, 'a'));
    meanwhile(`/issue/${issue.id}`, () => {
      fields[OWN_FIELD] = '- a\n- b\n- c';
    });
    await it.settled();
    expect([issue.text(), fields[OWN_FIELD]]).toEqual(['+ a\n- b\n- c', '+ a\n- b\n- c']);
  });
});
