import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../../src/server/errors/unavailable.ts';
import { EDITOR, newIssue, remove, tick, update } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { provokes } from '../../support/left-behind.ts';
import { mutate } from '../../support/mutate.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { onStore } from '../../support/stores.ts';
import { isMaking, MAKER, withConversions } from './conversions.ts';

onStore(use => {
  const { it, issueWith, losing, rowOf } = withConversions(use);

  const later = () => use().raw("update conversion set tried = now() - interval '2 minutes'");

  test('an item becomes a sub-task and gets its key, in front of the trailing assignee and due date', async () => {
    const issue = await issueWith('- **Write** [the tests](https://x.example) [~accountid:ana] 2026-12-01\n- b');
    const answer = await issue.convert();
    expect(answer.errors).toEqual([]);
    const { issueKey } = answer;
    expect(issueKey).toMatch(/^PR-\d+$/);
    expect(await issue.text()).toBe(
      `- **Write** [the tests](https://x.example) ${issueKey} [~accountid:ana] 2026-12-01\n- b`,
    );
    const made = it.tracker.issues.get(issueKey?.slice(3) ?? '');
    expect(made?.fields).toMatchObject({ summary: 'Write the tests 2026-12-01', issuetype: { subtask: true } });
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toMatchObject([{ key: issueKey }]);
  });

  test('an item becomes a linked issue', async () => {
    const issue = await issueWith('- a');
    const { issueKey, checklist } = await issue.convert({ to: 'LINKED_ISSUE' });
    expect(checklist?.text).toBe(`- a ${issueKey}`);
    expect(it.tracker.issues.get(issue.id)?.fields.issuelinks).toMatchObject([{ inwardIssue: { key: issueKey } }]);
  });

  test('repeated requests create one issue', async () => {
    const issue = await issueWith('- a\n- b');
    const { epoch, seq, hash } = await issue.read();
    const sent = { clientId: randomUUID(), base: { epoch, seq, hash } };
    const answers = await Promise.all([issue.convert(sent), issue.convert(sent), issue.convert(sent)]);
    const { issueKey } = answers[0];
    for (const answer of answers) expect(answer).toMatchObject({ errors: [], issueKey });
    await issue.edit(remove(0, `a ${issueKey}`));
    expect(await issue.convert(sent)).toMatchObject({ errors: [], issueKey });
    expect(issue.asked()).toBe(1);
    expect(await issue.text()).toBe('- b');
  });

  test("concurrent requests with one client id, some failing, create one issue with the item's text", async () => {
    const issue = await issueWith('- a\n- b');
    const clientId = randomUUID();
    const isReading = ({ path }: { path: string }) => /^\/rest\/api\/2\/project\/[^/]+$/.test(path);
    // The first two calls, each tried four times.
    let fails = 8;
    it.tracker.faults.push(call => (isReading(call) && fails-- > 0 ? 'down' : undefined));
    const answers = await Promise.all(Array.from({ length: 6 }, () => issue.convert({ clientId })));
    it.tracker.faults.length = 0;
    const codes = answers.map(({ errors }) => errors[0]?.code ?? 'made').toSorted();
    expect(codes).toEqual(['TRACKER_UNAVAILABLE', 'TRACKER_UNAVAILABLE', 'made', 'made', 'made', 'made']);
    const { issueKey } = answers.find(each => each.issueKey) ?? {};
    expect(it.tracker.issues.get(issueKey?.slice(3) ?? '')?.fields).toMatchObject({ summary: 'a' });
    expect(await issue.text()).toBe(`- a ${issueKey}\n- b`);
  });

  test('after a lost answer, a retry finds the created issue', async () => {
    const issue = await issueWith('- a');
    const clientId = randomUUID();
    const first = await losing(() => issue.convert({ clientId }));
    expect(first).toMatchObject({ errors: [{ code: 'TRACKER_UNAVAILABLE' }], issueKey: null });
    const made = it.tracker.issues.get(issue.id)?.fields.subtasks;
    // A found issue needs no wait.
    expect(await issue.convert({ clientId })).toMatchObject({ errors: [], issueKey: expect.stringMatching(/^PR-/) });
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toEqual(made);
    expect(issue.asked()).toBe(1);
  });

  test('a request with another client id, or by another user, creates no second issue', async () => {
    const issue = await issueWith('- a\n- b');
    expect((await losing(() => issue.convert())).errors).toMatchObject([{ code: 'TRACKER_UNAVAILABLE' }]);
    const again = await issue.convert();
    expect(again).toMatchObject({ errors: [], issueKey: expect.stringMatching(/^PR-/) });
    expect([issue.asked(), await issue.text()]).toEqual([1, `- a ${again.issueKey}\n- b`]);

    const target = { index: 1, text: 'b' };
    await losing(() => issue.convert({ target }));
    const account = randomUUID();
    it.tracker.granted.set(account, MAKER);
    const other = await mutate(it, account, issue, 'convertItemToIssue', { target, to: 'SUBTASK' });
    expect(other.errors).toEqual([]);
    expect([issue.asked(), await issue.text()]).toEqual([2, `- a ${again.issueKey}\n- b ${other.issueKey}`]);
  });

  test('a request with another client id, too, waits for an issue that may still appear', async () => {
    const issue = await issueWith('- a');
    it.tracker.faults.push(call => (isMaking(call) ? 'down' : undefined));
    await issue.convert();
    it.tracker.faults.length = 0;
    expect(await issue.convert()).toMatchObject({
      errors: [{ code: 'TRACKER_UNAVAILABLE', message: expect.stringContaining("won't be created twice") }],
    });
    expect(issue.asked()).toBe(1);
    await later();
    expect(await issue.convert()).toMatchObject({ errors: [], issueKey: expect.stringMatching(/^PR-/) });
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toHaveLength(1);
  });

  test('on a foreign checklist, with the item reworded and moved meanwhile', async () => {
    const account = randomUUID();
    const issue = await newIssue(it, MAKER, account);
    await issue.store('- write the tests\n- b');
    const ask = (target: object) => mutate(it, account, issue, 'convertItemToIssue', { target, to: 'SUBTASK' });
    await losing(() => ask({ index: 0, text: 'write the tests' }));
    await issue.edit(update('- write all the tests\n- b'));
    await issue.edit(update('- b\n- write all the tests'));
    const { issueKey, errors } = await ask({ index: 1, text: 'write all the tests' });
    expect(errors).toEqual([]);
    expect(await issue.text()).toBe(`- b\n- write all the tests ${issueKey}`);
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toMatchObject([{ key: issueKey }]);
  });

  test('a request on a base before the conversion creates no second issue', async () => {
    const issue = await issueWith('- a');
    const { epoch, seq, hash } = await issue.read();
    const first = await issue.convert();
    expect(await issue.convert({ base: { epoch, seq, hash } })).toMatchObject({ errors: [], issueKey: first.issueKey });
    expect([issue.asked(), await issue.text()]).toEqual([1, `- a ${first.issueKey}`]);
  });

  test('concurrent changes to the item are kept', async () => {
    const issue = await issueWith('- Row 70015 gamma\n- b');
    const { epoch, seq, hash } = await issue.read();
    await issue.edit(tick(0, 'Row 70015 gamma'));
    await issue.edit({
      kind: 'moveChecklistItem',
      targets: [{ index: 0, text: 'Row 70015 gamma' }],
      section: false,
      index: 2,
    });
    const { issueKey, errors } = await issue.convert({ base: { epoch, seq, hash } });
    expect(errors).toEqual([]);
    expect((await issue.text()).trim()).toBe(`- b\n+ Row 70015 gamma ${issueKey}`);
  });

  test('an item whose key was removed becomes another issue', async () => {
    const issue = await issueWith('- a');
    const first = await issue.convert();
    await issue.edit(update('- a'));
    const second = await issue.convert();
    expect(second.issueKey).not.toBe(first.issueKey);
    expect(await issue.text()).toBe(`- a ${second.issueKey}`);
  });

  test('an issue that was certainly not created is created again after a minute', async () => {
    const issue = await issueWith('- a');
    const clientId = randomUUID();
    it.tracker.faults.push(call => (isMaking(call) ? 'down' : undefined));
    expect(await issue.convert({ clientId })).toMatchObject({ errors: [{ code: 'TRACKER_UNAVAILABLE' }] });
    it.tracker.faults.length = 0;
    expect(issue.asked()).toBe(1);
    expect(await issue.convert({ clientId })).toMatchObject({
      errors: [{ code: 'TRACKER_UNAVAILABLE', message: expect.stringContaining("won't be created twice") }],
    });
    expect(issue.asked()).toBe(1);
    await later();
    expect(await issue.convert({ clientId })).toMatchObject({ errors: [], issueKey: expect.stringMatching(/^PR-/) });
    expect(issue.asked()).toBe(2);
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toHaveLength(1);
  });

  test('a crash between the issue and the edit creates one issue', async () => {
    provokes({ answers: [503] });
    const issue = await issueWith('- a');
    const clientId = randomUUID();
    const { store } = use();
    const { exchange } = store;
    const gone = vi.spyOn(store, 'exchange');
    gone.mockImplementation((...given) =>
      issue.asked() > 0 ? Promise.reject(new StoreUnavailable(new Error('gone'))) : exchange(...given),
    );
    await expect(issue.convert({ clientId })).rejects.toThrow();
    gone.mockRestore();
    expect(issue.asked()).toBe(1);
    expect(await issue.read()).toMatchObject({ text: '- a' });
    const restarted = await startAgain();
    const { epoch, seq, hash } = await issue.read();
    const outcome = await restarted(issue.account).change({
      issueId: issue.id,
      clientId,
      base: { epoch, seq, hash },
      edit: { kind: 'convertItemToIssue', target: { index: 0, text: 'a' }, to: 'SUBTASK' },
    });
    expect(outcome.issueKey).toMatch(/^PR-/);
    expect(await issue.text()).toBe(`- a ${outcome.issueKey}`);
    expect(issue.asked()).toBe(1);
  });

  /** The same site's checklists in another process. */
  async function startAgain() {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    return (account: string) => it.checklists.of({ tenant, account });
  }

  test('two items with the same text become two issues', async () => {
    const issue = await issueWith('- a\n- a');
    const one = await issue.convert();
    const two = await issue.convert({ target: { index: 1, text: 'a' } });
    expect(one.issueKey).not.toBe(two.issueKey);
    expect(await issue.text()).toBe(`- a ${one.issueKey}\n- a ${two.issueKey}`);
  });

  test('a lost issue is not mistaken for another one with the same text', async () => {
    const issue = await issueWith('- a\n- a');
    const first = await issue.convert();
    const clientId = randomUUID();
    const target = { index: 1, text: 'a' };
    await losing(() => issue.convert({ clientId, target }));
    const second = await issue.convert({ clientId, target });
    expect(second.issueKey).not.toBe(first.issueKey);
    expect(it.tracker.issues.get(issue.id)?.fields.subtasks).toHaveLength(2);
  });

  test('a long item is shortened to the limit of summaries', async () => {
    const issue = await issueWith(`- ${'😀'.repeat(200)}`);
    const { issueKey } = await issue.convert();
    const summary = String(it.tracker.issues.get(issueKey?.slice(3) ?? '')?.fields.summary);
    expect(summary).toBe('😀'.repeat(127));
  });

  test.each<[string, string, object, object]>([
    ['a header', '# Header', {}, { code: 'NOT_AN_ITEM', field: 'target' }],
    ['an item of mentions only', '- [~accountid:ana]', {}, { code: 'REQUIRED', field: 'target' }],
    ['a missing row', '- a', { target: { index: 4, text: 'x' } }, { code: 'CHANGED_MEANWHILE', field: 'target' }],
    ['an unknown base', '- a', { base: { epoch: 'e', seq: 1, hash: 'h' } }, { code: 'BASE_UNKNOWN', field: 'base' }],
  ])('%s is refused before any call', async (_, text, input, error) => {
    const issue = await newIssue(it, MAKER, randomUUID());
    const account = randomUUID();
    it.tracker.granted.set(account, MAKER);
    await issue.store(text);
    const target = { index: 0, text: text.slice(2) };
    const before = it.tracker.calls.filter(isMaking).length;
    const answer = await mutate(it, account, issue, 'convertItemToIssue', { target, to: 'SUBTASK', ...input });
    expect(answer).toMatchObject({ errors: [error], issueKey: null });
    expect(it.tracker.calls.filter(isMaking)).toHaveLength(before);
  });

  test('of a sub-task, the new sub-task goes beside it, once, also after a lost answer', async () => {
    const above = await issueWith('- above');
    const issue = await issueWith('- a');
    const held = it.tracker.issues.get(issue.id);
    if (!held) throw new Error('No issue.');
    Object.assign(held.fields, {
      issuetype: { id: '5', subtask: true },
      parent: { id: above.id, key: `PR-${above.id}` },
    });
    const clientId = randomUUID();
    const first = await losing(() => issue.convert({ clientId }));
    expect(first).toMatchObject({ errors: [{ code: 'TRACKER_UNAVAILABLE' }] });
    // A found issue needs no wait.
    expect(await issue.convert({ clientId })).toMatchObject({ errors: [] });
    expect(it.tracker.issues.get(above.id)?.fields.subtasks).toHaveLength(1);
    expect(held.fields.subtasks ?? []).toEqual([]);
  });

  test("without an issue above it, a sub-task gets no sub-task, and the tracker's reason for a refusal is returned", async () => {
    const issue = await issueWith('- a');
    const held = it.tracker.issues.get(issue.id);
    if (held) held.fields.issuetype = { id: '5', subtask: true };
    // The tracker names no issue above it.
    expect(await issue.convert()).toMatchObject({
      errors: [{ code: 'ISSUE_REFUSED', field: 'to', message: expect.stringContaining('Create a linked issue') }],
    });
    const answer = { errors: { components: 'Component/s is required.' } };
    it.tracker.faults.push(call =>
      isMaking(call) ? new Response(JSON.stringify(answer), { status: 400 }) : undefined,
    );
    const clientId = randomUUID();
    expect(await issue.convert({ clientId, to: 'LINKED_ISSUE' })).toMatchObject({
      errors: [
        {
          code: 'ISSUE_REFUSED',
          message: "Jira didn't create an issue from this item. Component/s is required.",
        },
      ],
    });
    it.tracker.faults.length = 0;
    // Certainly not created: a retry needs no wait.
    expect(await issue.convert({ clientId, to: 'LINKED_ISSUE' })).toMatchObject({ errors: [] });
  });

  test('the key replaces the words; assignee and due date stay, also those of the sentence', async () => {
    const issue = await issueWith('- Ask [~accountid:ana] by 2026-12-01 for the plan\n> why');
    const { issueKey } = await issue.convert({
      replaces: true,
      target: { index: 0, text: 'Ask [~accountid:ana] by 2026-12-01 for the plan' },
    });
    expect(await issue.text()).toBe(`- ${issueKey} [~accountid:ana] 2026-12-01\n> why`);
    expect(it.tracker.issues.get(issueKey?.slice(3) ?? '')?.fields).toMatchObject({
      summary: 'Ask by 2026-12-01 for the plan',
    });
  });

  test('an issue in a chosen project and of a chosen type needs the permission there, and no further reads', async () => {
    const issue = await issueWith('- a');
    const chosen = { to: 'LINKED_ISSUE', project: PROJECT, issueType: '1' };
    const read = () => it.tracker.calls.filter(({ path }) => path === `/rest/api/2/project/${PROJECT}`).length;
    const before = read();
    expect(await issue.convert(chosen)).toMatchObject({ errors: [] });
    const made = it.tracker.calls.findLast(isMaking);
    expect(made?.body).toMatchObject({ fields: { project: { id: PROJECT }, issuetype: { id: '1' } } });
    expect(read()).toBe(before);
    const elsewhere = { ...chosen, project: OTHER_PROJECT };
    expect(await issue.convert({ ...elsewhere, target: { index: 0, text: await rowOf(issue) } })).toMatchObject({
      errors: [{ code: 'FORBIDDEN' }],
    });
  });

  test('conversion requires the permissions to edit the checklist and to create issues', async () => {
    for (const granted of [EDITOR, ['BROWSE_PROJECTS', 'CREATE_ISSUES']]) {
      const issue = await newIssue(it, granted, randomUUID());
      const account = randomUUID();
      it.tracker.granted.set(account, granted);
      await issue.store('- a');
      const target = { index: 0, text: 'a' };
      const answer = await mutate(it, account, issue, 'convertItemToIssue', { target, to: 'SUBTASK' });
      expect(answer).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
      expect(await issue.text()).toBe('- a');
    }
  });
});
