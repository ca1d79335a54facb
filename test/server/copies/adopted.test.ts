import { describe, expect, test } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { type IssueWork, newIssue, tick } from '../support/checklists.ts';
import { asObject, onSync, PROPERTY } from '../support/sync.ts';
import { OWN_FIELD, RIVAL_FIELD, writeFields } from '../support/tracker.ts';

/** The property of a checklist that the app takes over from the tracker, and that no user has changed since. */
onSync(({ use, it, work }) => {
  const run = { signal: new AbortController().signal, lastTry: false };
  const sweep = () => it.jobs.sweep({ tenant: it.tenant.id }, run);
  const held = (issue: IssueWork) => work.held(issue).properties[PROPERTY];
  const opened = (issue: IssueWork) => work.callsOf(async () => issue.read().then(it.settled));

  async function inField(text: string, field = OWN_FIELD): Promise<IssueWork> {
    const issue = await newIssue(it);
    work.held(issue).fields[field] = text;
    return issue;
  }

  /** An issue that has the copies of another one, as after an import of the site, or a new installation. */
  async function copyOf(issue: IssueWork, change: (value: object) => object = value => value): Promise<IssueWork> {
    const copy = await inField(String(work.field(issue)));
    work.place(copy, change(structuredClone(asObject(held(issue)))));
    return copy;
  }

  test('that was only in the field is found by search, gadgets and workflow rules after one call', async () => {
    const issue = await inField('- ! Approve [~accountid:ana]\n+ Test');
    expect(await opened(issue)).toEqual(['read issue', 'write property']);
    expect(held(issue)).toMatchObject({
      progress: { total: 2, checked: 1, percent: 50, mandatoryOpen: 1 },
      label: '1/2',
      search: { assignees: ['ana'] },
      rules: { mandatory: expect.stringContaining('1 mandatory item is open: Approve') },
    });
    expect(await opened(issue)).toEqual([]);
    await sweep();
    expect(await work.callsOf(it.settled)).toEqual([]);
    await work.quiet(issue, '- ! Approve [~accountid:ana]\n+ Test');
  });

  test('that equals what would be written costs no call besides the read, then and later', async () => {
    const issue = await copyOf(await work.settledIssue('- ! Approve\n+ Test'));
    const before = structuredClone(held(issue));
    expect(await opened(issue)).toEqual(['read issue']);
    await sweep();
    expect(await work.callsOf(it.settled)).toEqual([]);
    expect(held(issue)).toEqual(before);
  });

  test.each(['progress', 'label', 'rules', 'search'])('that lacks its %s is written again', async member => {
    const original = await work.settledIssue('- ! Approve [~accountid:ana]\n+ Test');
    const issue = await copyOf(original, value => ({ ...value, [member]: undefined }));
    expect(await opened(issue)).toEqual(['read issue', 'write property']);
    expect(held(issue)).toHaveProperty(member, Reflect.get(asObject(held(original)), member));
  });

  test('that another app wrote as plain text is compared before it is written', async () => {
    const issue = await newIssue(it);
    work.place(issue, '- a\n+ b');
    expect(await opened(issue)).toContain('swap property');
    expect(held(issue)).toMatchObject({ progress: { total: 2, checked: 1 } });
    await work.quiet(issue, '- a\n+ b');
  });

  test('takes the place of a value of another app, which is kept', async () => {
    const issue = await inField('- a');
    work.place(issue, { of: 'another app' });
    await opened(issue);
    expect(held(issue)).toMatchObject({ text: '- a', progress: { total: 1 } });
    expect(work.held(issue).properties[`${PROPERTY}.foreign`]).toEqual({ of: 'another app' });
  });

  describe('is not written', () => {
    test.each<[string, () => Promise<IssueWork>]>([
      ['where there is no checklist', () => newIssue(it)],
      ['where the field has blanks only', () => inField(' \n ')],
      ['where the checklist is in the field of another app', () => inField('- a', RIVAL_FIELD)],
      ['where the property has no room for it', () => inField('- "quoted"\n'.repeat(2_600))],
    ])('%s', async (_name, create) => {
      const issue = await create();
      expect(await opened(issue)).toEqual(['read issue']);
      expect(held(issue)).toBeUndefined();
    });

    test('for the previous edition, whose checklists a job takes over', async () => {
      const issue = await newIssue(it);
      work.held(issue).properties[storageKey('checklist', 'app.smart-checklist.free')] = '- a';
      expect(await opened(issue)).toEqual(['read issue']);
    });
  });

  test('is written where automation fills the field of a known issue', async () => {
    const issue = await newIssue(it);
    expect(await issue.read()).toMatchObject({ source: 'NONE' });
    expect(await work.callsOf(() => issue.writeField('- ! Approve'))).toEqual(['read issue', 'write property']);
    expect(held(issue)).toMatchObject({ text: '- ! Approve', progress: { mandatoryOpen: 1 } });
  });

  test('is written after a kill between the adoption and the write', async () => {
    const issue = await inField('- a\n- b');
    await issue.read();
    it.background.lose();
    expect(held(issue)).toBeUndefined();
    await it.sync.recover();
    await it.settled();
    expect(held(issue)).toMatchObject({ progress: { total: 2 } });
  });

  test('holds a change that is made while it waits, and its field what another user wrote meanwhile', async () => {
    const issue = await inField('- a\n- b');
    await issue.read();
    writeFields(work.held(issue), { [OWN_FIELD]: '- a\n- b\n- theirs' }, 'mallory');
    await issue.edit(tick(0, 'a'));
    await work.event(issue);
    await it.settled();
    await work.quiet(issue, '+ a\n- b\n- theirs');
    expect(await use().raw('select 1 from revision where issue = $1', [issue.id])).toHaveLength(3);
  });
});
