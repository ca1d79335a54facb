import { beforeAll, expect, test } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { hashText } from '../../../src/text/document.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  const fields = (id: string) => it.tracker.issues.get(id)?.fields ?? {};

  test('an issue without anything has an empty checklist of the default name', async () => {
    const issue = await newIssue(it);
    expect(await issue.read()).toEqual({
      issueId: issue.id,
      epoch: '',
      seq: 0,
      hash: await hashText(''),
      name: 'Checklists',
      text: '',
      source: 'NONE',
      notices: [],
    });
  });

  /** What stands in the property before anything of the issue is known here. */
  const holding = async (value: unknown, values: Record<string, unknown> = {}) => {
    const issue = await newIssue(it);
    Object.assign(it.tracker.issues.get(issue.id)?.properties ?? {}, { [storageKey('checklist')]: value });
    Object.assign(fields(issue.id), values);
    return issue;
  };

  test('the property comes before the fields, which stay in the history', async () => {
    const value = { v: 1, epoch: 'e', seq: 4, name: 'Release', text: '- property', progress: {} };
    const issue = await holding(value, { [OWN_FIELD]: '- field' });
    expect(await issue.read()).toMatchObject({ seq: 2, name: 'Release', text: '- property', source: 'PROPERTY' });
    // Reading writes nothing.
    expect(await issue.stored()).toEqual(value);
    const { entries } = await issue.checklists.history(issue.id, { first: 9, filter: {} });
    expect(entries.map(({ kind }) => kind)).toEqual(['foreignProperty', 'foreignField']);
  });

  test('what this installation wrote keeps its numbers where the database has lost it', async () => {
    const [tenant] = await use().raw('select epoch from tenant where tenant = $1', [it.tenant.id]);
    const epoch = String(tenant?.epoch);
    const issue = await holding({ v: 1, epoch, seq: 4, name: 'Release', text: '- property' });
    expect(await issue.read()).toMatchObject({ epoch, seq: 4, text: '- property' });
  });

  test('a plain string in the property is read as text', async () => {
    const issue = await holding('- a\r\n- b');
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- a\n- b', source: 'PROPERTY' });
    expect(await issue.stored()).toBe('- a\r\n- b');
  });

  test.each<[string, unknown]>([
    ['an array', [1, 2]],
    ['wrong types', { v: 1, epoch: 'e', seq: 'one', name: 'n', text: 3 }],
    ['another version', { v: 2, text: '- x' }],
    ['a number', 7],
  ])('a property that is %s falls back to the field and is left alone', async (_name, value) => {
    const issue = await holding(value, { [RIVAL_FIELD]: '- from the field\r\n' });
    expect(await issue.read()).toMatchObject({ source: 'FIELD', text: '- from the field\n', seq: 1 });
    expect(await issue.stored()).toEqual(value);
  });

  test.each([-1, 1.5, 1e12])('a position that cannot be ours (%d) is not taken over', async seq => {
    const [tenant] = await use().raw('select epoch from tenant where tenant = $1', [it.tenant.id]);
    const issue = await holding({ v: 1, epoch: tenant?.epoch, seq, name: 'n', text: '- x' });
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- x' });
  });

  test('our own field comes before one of the same name, an empty one is passed over', async () => {
    const rival = { [RIVAL_FIELD]: '- rival' };
    expect(await (await holding(undefined, rival)).read()).toMatchObject({ text: '- rival' });
    expect(await (await holding(undefined, { ...rival, [OWN_FIELD]: '- ours' })).read()).toMatchObject({
      text: '- ours',
    });
    expect(await (await holding(undefined, { ...rival, [OWN_FIELD]: ' \n' })).read()).toMatchObject({
      text: '- rival',
    });
  });

  test('before the first change a field that changes is read anew', async () => {
    const issue = await holding(undefined, { [OWN_FIELD]: '- a' });
    expect(await issue.read()).toMatchObject({ text: '- a', source: 'FIELD' });
    await issue.writeField('- a\n- theirs');
    expect(await issue.read()).toMatchObject({ text: '- a\n- theirs', source: 'FIELD' });
    expect(await issue.stored()).toBeUndefined();
  });

  test('without property and field the checklist is what the database has, and the property is written again', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- first', 'Release'));
    const { checklist } = await issue.edit(add('second'));
    await it.settled();
    fields(issue.id)[OWN_FIELD] = null;
    await issue.store(undefined);
    expect(await issue.read()).toEqual({ ...checklist, notices: [] });
    expect(await issue.text()).toBe(checklist.text);
  });

  test('who may not see the issue, or has no account, finds nothing', async () => {
    const issue = await newIssue(it, []);
    await expect(issue.read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const anonymous = await workOn(it, issue.id, 'anonymous');
    it.tracker.granted.set('anonymous', EDITOR);
    await expect(anonymous.read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each(['0', '-1', '1/../2', 'A-1', '', '1e3'])('no call is made for an issue "%s"', async id => {
    const issue = await newIssue(it);
    const calls = it.tracker.calls.length;
    await expect(issue.checklists.read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(it.tracker.calls.length).toBe(calls);
  });
});
