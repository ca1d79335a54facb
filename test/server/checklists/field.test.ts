import { beforeAll, expect, test } from 'vitest';
import { storage } from '../../../src/domain/messages.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, newIssue, tick, update } from '../support/checklists.ts';
import { onBothStores } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

onBothStores(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const fields = (id: string) => it.tracker.issues.get(id)?.fields ?? {};
  const fieldWrites = (id: string) =>
    it.tracker.calls.filter(({ method, path }) => method === 'PUT' && path === `/rest/api/2/issue/${id}`);

  async function refusedWith(status: number, body: unknown, work: () => Promise<{ notices: string[] }>) {
    it.tracker.faults.push(({ method, path }) =>
      method === 'PUT' && !path.includes('properties') ? new Response(JSON.stringify(body), { status }) : undefined,
    );
    try {
      return (await work()).notices;
    } finally {
      it.tracker.faults.length = 0;
    }
  }

  test("a rival's field of the same name is read, never written", async () => {
    const issue = await newIssue(it);
    fields(issue.id)[RIVAL_FIELD] = '- rival';
    const { checklist } = await issue.edit(tick(0, 'rival'));
    expect(checklist.text).toBe('+ rival');
    expect(fields(issue.id)[RIVAL_FIELD]).toBe('- rival');
    expect(fields(issue.id)[OWN_FIELD]).toBe('+ rival');
  });

  test('a field that a rich-text editor only tidied up is not written again', async () => {
    const issue = await newIssue(it);
    fields(issue.id)[OWN_FIELD] = '- a\r\n- b\r\n';
    await issue.edit(update('- a  \n- b'));
    expect(fieldWrites(issue.id)).toHaveLength(0);
    await issue.edit(tick(1, 'b'));
    expect(fieldWrites(issue.id)).toHaveLength(1);
  });

  test.each([
    [
      400,
      {
        errors: { [OWN_FIELD]: `Field '${OWN_FIELD}' cannot be set. It is not on the appropriate screen, or unknown.` },
      },
      storage.fieldNotOnScreen,
    ],
    [400, { errors: { [OWN_FIELD]: 'Something else.' } }, storage.fieldRefused],
    [403, {}, storage.fieldRefused],
    [404, {}, storage.fieldRefused],
  ])('refused with %d %j: the checklist is saved, and the notice says it', async (status, body, notice) => {
    const issue = await newIssue(it);
    expect(await refusedWith(status, body, () => issue.edit(add('a')))).toEqual([notice]);
    expect(issue.text()).toContain('a');
  });

  test('a failing tracker ends the attempt with a notice too', async () => {
    const issue = await newIssue(it);
    expect(await refusedWith(500, {}, () => issue.edit(add('a')))).toEqual([storage.fieldRefused]);
  });

  test('the notice comes again with the same answer', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const notices = await refusedWith(403, {}, () => issue.change(add('a'), base, 'same-id'));
    expect((await issue.change(add('a'), base, 'same-id')).notices).toEqual(notices);
  });

  test('an issue whose screens lack the field is told so, without a call', async () => {
    const issue = await newIssue(it);
    const { [OWN_FIELD]: name, ...others } = it.tracker.names;
    it.tracker.names = others;
    const { notices } = await issue.edit(add('a'));
    it.tracker.names = { ...others, [OWN_FIELD]: name ?? '' };
    expect(notices).toEqual([storage.fieldNotOnScreen]);
    expect(fieldWrites(issue.id)).toHaveLength(0);
  });
});
