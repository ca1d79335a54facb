import { beforeAll, expect, test } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { hashText } from '../../../src/text/document.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, EDITOR, newIssue, update, workOn } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const fields = (id: string) => it.tracker.issues.get(id)?.fields ?? {};

  test('an issue without data has an empty checklist with the default name', async () => {
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
      rowIds: [],
      conflictSeq: 0,
    });
  });

  /** Value of the property before the database knows the issue. */
  const holding = async (value: unknown, values: Record<string, unknown> = {}) => {
    const issue = await newIssue(it);
    Object.assign(it.tracker.issues.get(issue.id)?.properties ?? {}, { [storageKey('checklist')]: value });
    Object.assign(fields(issue.id), values);
    return issue;
  };

  test('the property wins over the fields, which are kept in the history', async () => {
    const value = { v: 1, epoch: 'e', seq: 4, name: 'Release', text: '- property', progress: {} };
    const issue = await holding(value, { [OWN_FIELD]: '- field' });
    expect(await issue.read()).toMatchObject({ seq: 2, name: 'Release', text: '- property', source: 'PROPERTY' });
    // Once, the property gets what search and rules read, and the field the text.
    expect(await issue.stored()).toMatchObject({ name: 'Release', text: '- property', progress: { total: 1 } });
    expect(fields(issue.id)[OWN_FIELD]).toBe('- property');
    const { entries } = await issue.checklists.history(issue.id, { first: 9, filter: {} });
    expect(entries.map(({ kind }) => kind)).toEqual(['foreignProperty', 'foreignField']);
  });

  test('a value that this installation wrote keeps its numbers after the database lost it', async () => {
    const [tenant] = await use().raw('select epoch from tenant where tenant = $1', [it.tenant.id]);
    const epoch = String(tenant?.epoch);
    const issue = await holding({ v: 1, epoch, seq: 4, name: 'Release', text: '- property' });
    expect(await issue.read()).toMatchObject({ epoch, seq: 4, text: '- property' });
  });

  test('a field that could not be looked up is not taken for missing: reading fails until it can', async () => {
    const other = await startApp(use().store);
    const issue = await newIssue(other);
    Object.assign(other.tracker.issues.get(issue.id)?.fields ?? {}, { [OWN_FIELD]: '- from the field' });
    other.tracker.faults.push(({ path }) =>
      /\/field(\/search)?$/.test(path.split('?')[0] ?? '') ? 'down' : undefined,
    );
    await expect(issue.read()).rejects.toThrow();
    other.tracker.faults.pop();
    expect(await issue.read()).toMatchObject({ text: '- from the field', source: 'PROPERTY' });
    await other.app.close();
  });

  test('a plain string in the property is read as text', async () => {
    const issue = await holding('- a\r\n- b');
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- a\n- b', source: 'PROPERTY' });
    expect(await issue.stored()).toMatchObject({ v: 1, text: '- a\n- b', progress: { total: 2 } });
  });

  test.each<[string, unknown]>([
    ['an array', [1, 2]],
    ['wrong types', { v: 1, epoch: 'e', seq: 'one', name: 'n', text: 3 }],
    ['another version', { v: 2, text: '- x' }],
    ['a number', 7],
  ])('a property that is %s is left as it is, and the field is read', async (_name, value) => {
    const issue = await holding(value, { [RIVAL_FIELD]: '- from the field\r\n' });
    expect(await issue.read()).toMatchObject({ source: 'FIELD', text: '- from the field\n', seq: 1 });
    expect(await issue.stored()).toEqual(value);
  });

  test.each([-1, 1.5, 1e12])('the revision number %d is not taken over', async seq => {
    const [tenant] = await use().raw('select epoch from tenant where tenant = $1', [it.tenant.id]);
    const issue = await holding({ v: 1, epoch: tenant?.epoch, seq, name: 'n', text: '- x' });
    expect(await issue.read()).toMatchObject({ seq: 1, text: '- x' });
  });

  test("the app's field wins over a field of the same name; an empty one is skipped", async () => {
    const rival = { [RIVAL_FIELD]: '- rival' };
    expect(await (await holding(undefined, rival)).read()).toMatchObject({ text: '- rival' });
    expect(await (await holding(undefined, { ...rival, [OWN_FIELD]: '- ours' })).read()).toMatchObject({
      text: '- ours',
    });
    expect(await (await holding(undefined, { ...rival, [OWN_FIELD]: ' \n' })).read()).toMatchObject({
      text: '- rival',
    });
  });

  test('a field that changes after it was taken over is read again', async () => {
    const issue = await holding(undefined, { [OWN_FIELD]: '- a' });
    expect(await issue.read()).toMatchObject({ text: '- a', source: 'PROPERTY' });
    await issue.writeField('- a\n- theirs');
    expect(await issue.read()).toMatchObject({ text: '- a\n- theirs', source: 'PROPERTY' });
    expect(await issue.stored()).toMatchObject({ text: '- a\n- theirs' });
  });

  test("without property and field, the database's text is returned and the property is written again", async () => {
    // An emptied field stays empty until the next change.
    provokes({ differences: true });
    const issue = await newIssue(it);
    await issue.edit(update('- first', 'Release'));
    const { checklist } = await issue.edit(add('second'));
    await it.settled();
    fields(issue.id)[OWN_FIELD] = null;
    await issue.store(undefined);
    expect(await issue.read()).toEqual({ ...checklist, notices: [] });
    expect(await issue.text()).toBe(checklist.text);
  });

  test('without access or an account, the issue is not found', async () => {
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
