import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { onBothStores } from '../support/stores.ts';
import { type Fault, isPropertyWrite, OWN_FIELD, silentAfterWrite } from '../support/tracker.ts';

onBothStores(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** Breaks the tables of ours at a moment, as a process does that dies there. */
  async function dieAt<T>(moment: 'intent' | 'revision', work: () => Promise<T>): Promise<void> {
    await use().raw(`alter table ${moment} rename to ${moment}_away`);
    try {
      await expect(work()).rejects.toThrow();
    } finally {
      await use().raw(`alter table ${moment}_away rename to ${moment}`);
    }
  }

  async function withFault<T>(fault: Fault, work: () => Promise<T>): Promise<T> {
    it.tracker.faults.push(fault);
    try {
      return await work();
    } finally {
      it.tracker.faults.length = 0;
    }
  }

  /** A change whose write of the property arrives, and of which nothing more is heard then. */
  const unanswered = (issue: IssueWork, work: () => Promise<unknown>) =>
    expect(withFault(silentAfterWrite(issue.store), work)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });

  const intents = (issue: IssueWork) => use().raw('select seq from intent where issue = $1', [issue.id]);

  test('died before the intent: nothing happened, and the change can be sent again', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const id = randomUUID();
    await dieAt('intent', () => issue.change(add('once'), base, id));
    expect(issue.stored()).toBeUndefined();
    await issue.change(add('once'), base, id);
    expect(issue.text().match(/once/g)).toHaveLength(1);
  });

  test('died between intent and property: the change is dropped and sent again', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const id = randomUUID();
    const dead = withFault(
      call => (isPropertyWrite(call) ? 'down' : undefined),
      () => issue.change(add('once'), base, id),
    );
    await expect(dead).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    expect(await intents(issue)).toHaveLength(1);

    const { checklist } = await issue.change(add('once'), base, id);
    expect(checklist.text.match(/once/g)).toHaveLength(1);
    expect(await intents(issue)).toHaveLength(0);
  });

  test('died between property and revision: the change counts, once', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a'));
    const id = randomUUID();
    await unanswered(issue, () => issue.change(add('once'), base, id));

    const again = await issue.change(add('once'), base, id);
    expect(again.checklist).toMatchObject({ seq: 2, text: issue.text() });
    expect(issue.text().match(/once/g)).toHaveLength(1);
    expect(await intents(issue)).toHaveLength(0);
    await it.settled();
    expect(it.tracker.issues.get(issue.id)?.fields[OWN_FIELD]).toBe(issue.text());
  });

  test('somebody else comes first: the written change is kept, and theirs goes on top', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const id = randomUUID();
    await unanswered(issue, () => issue.change(add('first'), base, id));

    await issue.edit(add('second'));
    const again = await issue.change(add('first'), base, id);
    expect(again.checklist.seq).toBe(1);
    expect(issue.text().match(/first/g)).toHaveLength(1);
    expect(issue.text()).toContain('second');
  });

  test.each([
    ['in its shape', (value: object, text: string) => ({ ...value, text })],
    ['as bare text', (_value: object, text: string) => text],
  ])('somebody ticks what was written before it is settled, %s: the change counts once', async (_how, written) => {
    const issue = await newIssue(it);
    await issue.edit(update('- one\n- two\n- three'));
    const base = await issue.read();
    const id = randomUUID();
    await unanswered(issue, () => issue.change(add('once'), base, id));
    const value = issue.stored();
    if (typeof value !== 'object' || !value) throw new Error('Nothing was written.');
    issue.store(written(value, issue.text().replace('- once', '+ once')));
    await issue.change(add('once'), base, id);
    expect((await issue.read()).text).toBe('- one\n- two\n- three\n+ once');
  });

  test.each([
    ['in its shape', (value: object, text: string) => ({ ...value, text })],
    ['as bare text', (_value: object, text: string) => text],
  ])('what somebody wrote, %s, is in though we died while we took it in', async (_how, written) => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- one\n- two\n- three'));
    const value = issue.stored();
    if (typeof value !== 'object' || !value) throw new Error('Nothing was written.');
    issue.store(written(value, '- one\n+ two\n- three\n- four\n- five'));
    const id = randomUUID();
    const dead = withFault(
      call => (isPropertyWrite(call) ? 'down' : undefined),
      () => issue.change(add('once'), base, id),
    );
    await expect(dead).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    issue.store(written(value, '- one\n+ two\n+ three\n- four\n- five'));
    await issue.change(add('once'), base, id);
    expect(issue.text()).toBe('- one\n+ two\n+ three\n- four\n- five\n- once');
  });

  test('a new process settles what is open when it starts', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    await unanswered(issue, () => issue.change(add('once'), base));
    await it.checklists.recover();
    expect(await intents(issue)).toHaveLength(0);
    const rows = await use().raw('select seq, text from revision where issue = $1', [issue.id]);
    expect(rows).toEqual([{ seq: 1, text: issue.text() }]);
  });

  test.each(['20 seconds', '1 day'])('died between the field and the record of that, %s ago', async ago => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    await it.settled();
    await issue.edit(tick(0, 'a'));
    let silent = false;
    await withFault(
      ({ method, path }) => {
        if (silent) return 'down';
        silent = method === 'PUT' && !path.includes('/properties/');
        return undefined;
      },
      () => it.background.work(it.checklists.jobs),
    );
    expect(it.tracker.issues.get(issue.id)?.fields[OWN_FIELD]).toBe('+ a\n- b');
    await use().raw(`update echo set seen = seen - interval '${ago}' where issue = $1`, [issue.id]);

    await issue.edit(tick(0, 'a', 'todo'));
    expect((await issue.read()).text).toBe('- a\n- b');
    await it.settled();
    expect(issue.text()).toBe('- a\n- b');
    expect(it.tracker.issues.get(issue.id)?.fields[OWN_FIELD]).toBe('- a\n- b');
  });

  test('died again before the next write arrived: what the first one left in the field is known still', async () => {
    const issue = await newIssue(it);
    const field = () => it.tracker.issues.get(issue.id)?.fields[OWN_FIELD];
    const isFieldWrite: (call: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
      method === 'PUT' && !path.includes('/properties/');
    await issue.edit(update('- a\n- b'));
    await it.settled();
    await issue.edit(tick(0, 'a'));
    let silent = false;
    await withFault(
      call => {
        if (silent) return 'down';
        silent = isFieldWrite(call);
        return undefined;
      },
      () => it.background.work(it.checklists.jobs),
    );
    await issue.edit(tick(0, 'a', 'todo'));
    await withFault(
      call => (isFieldWrite(call) ? 'down' : undefined),
      () => it.background.work(it.checklists.jobs),
    );
    expect(field()).toBe('+ a\n- b');
    await use().raw("update echo set seen = seen - interval '1 day' where issue = $1", [issue.id]);

    expect((await issue.read()).text).toBe('- a\n- b');
    await it.settled();
    expect([issue.text(), field()]).toEqual(['- a\n- b', '- a\n- b']);
  });

  test('an issue that was deleted meanwhile does not keep its intent', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const dead = withFault(
      call => (isPropertyWrite(call) ? 'down' : undefined),
      () => issue.change(add('a'), base),
    );
    await expect(dead).rejects.toThrow();
    it.tracker.issues.delete(issue.id);
    await it.checklists.recover();
    expect(await intents(issue)).toHaveLength(0);
  });

  test('a failing database after the write: no acknowledgement, and nothing twice', async () => {
    const issue = await newIssue(it);
    const base = await issue.read();
    const id = randomUUID();
    await use().raw(`alter table revision add constraint broken check (issue <> '${issue.id}')`);
    await expect(issue.change(add('once'), base, id)).rejects.toThrow();
    expect(issue.text()).toContain('once');
    await use().raw('alter table revision drop constraint broken');
    const { checklist } = await issue.change(add('once'), base, id);
    expect(checklist.text.match(/once/g)).toHaveLength(1);
    expect(checklist.seq).toBe(1);
  });
});
