import { beforeAll, expect, test } from 'vitest';
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

  test('the property comes before the fields', async () => {
    const issue = await newIssue(it);
    fields(issue.id)[OWN_FIELD] = '- field';
    issue.store({ v: 1, epoch: 'e', seq: 4, name: 'Release', text: '- property', progress: {} });
    expect(await issue.read()).toMatchObject({ epoch: 'e', seq: 4, name: 'Release', text: '- property' });
  });

  test('a plain string in the property is read as text', async () => {
    const issue = await newIssue(it);
    issue.store('- a\r\n- b');
    expect(await issue.read()).toMatchObject({ epoch: '', seq: 0, text: '- a\n- b', source: 'PROPERTY' });
  });

  test.each<[string, unknown]>([
    ['an array', [1, 2]],
    ['wrong types', { v: 1, epoch: 'e', seq: 'one', name: 'n', text: 3 }],
    ['another version', { v: 2, text: '- x' }],
    ['a number', 7],
  ])('a property that is %s falls back to the field and is left alone', async (_name, value) => {
    const issue = await newIssue(it);
    issue.store(value);
    fields(issue.id)[RIVAL_FIELD] = '- from the field\r\n';
    expect(await issue.read()).toMatchObject({ source: 'FIELD', text: '- from the field\n', epoch: '', seq: 0 });
    expect(issue.stored()).toEqual(value);
  });

  test.each([-1, 1.5, 1e12])('a position that cannot be ours (%d) is not taken over', async seq => {
    const issue = await newIssue(it);
    issue.store({ v: 1, epoch: 'e', seq, name: 'n', text: '- x' });
    expect(await issue.read()).toMatchObject({ epoch: '', seq: 0, text: '- x' });
  });

  test('our own field comes before one of the same name, an empty one is passed over', async () => {
    const issue = await newIssue(it);
    fields(issue.id)[RIVAL_FIELD] = '- rival';
    expect((await issue.read()).text).toBe('- rival');
    fields(issue.id)[OWN_FIELD] = '- ours';
    expect((await issue.read()).text).toBe('- ours');
    fields(issue.id)[OWN_FIELD] = ' \n';
    expect((await issue.read()).text).toBe('- rival');
  });

  test('without property and field the last revision is found', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- first', 'Release'));
    const { checklist } = await issue.edit(add('second'));
    issue.store(undefined);
    fields(issue.id)[OWN_FIELD] = null;
    expect(await issue.read()).toEqual({ ...checklist, source: 'REVISION', notices: [] });
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
